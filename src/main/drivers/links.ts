/**
 * Opens a wallet's link from the page, and holds the links of requests for a person to press. Loaded lazily: only wallets reached
 * by their link need it.
 *
 * 1. A link counts as opened only if the browser opened its window. WebKit blocks a window that a script opens later than in
 *    the press itself, whatever `userActivation` says.
 * 2. Each request's link is opened once by itself, and as often as a person presses it.
 */
import { Fault } from '../../runtime/failure.ts'
import { own } from '../../runtime/schema/own.ts'
import type { Model } from '../../events/app.ts'
import type { PageAnswer, PageEffect } from '../../events/wire.ts'
import type { WalletLink } from '../../ui/react.tsx'
import { isUniversal } from '../../events/values/universalLink.ts'
import { requestLink } from '../../worker/walletconnect/link/deepLink.ts'

type Opening = Extract<PageEffect, { type: 'link.open' | 'link.send' }>
type Page = Pick<Window, 'document' | 'navigator'> & {
  open(url: string, target: string): { opener: unknown } | null
  top: unknown
  TelegramWebviewProxy?: unknown
}

/** The links of one page. */
type Links = {
  /** Opens a request's link, once however often it is ordered. */
  open(effect: Opening): PageAnswer
  /** Resolves with the link of a request once this page knows it. */
  linkOf(requestId: string, model: Pick<Model, 'request' | 'session' | 'link'>): Promise<WalletLink>
  /** A person pressed the link. @returns whether the core waits to hear of it, because the link carries a message */
  pressed(requestId: string): boolean
}

/** Requests that are remembered; a person has fewer at hand. */
const remembered = 100

/** @param waits a link was not opened and waits for a press */
export function createLinks(page: Page, waits: (requestId: string) => void = () => undefined): Links {
  /** calls and requests whose link was opened */
  const opened = new Set<string>()
  /** by request; `callId` is of a message in the link */
  const known = new Map<string, WalletLink & { callId?: string }>()
  const awaited = new Map<string, ((link: WalletLink) => void)[]>()

  function note(name: string): void {
    opened.add(name)
    const [oldest] = opened
    if (opened.size > remembered && oldest !== undefined) opened.delete(oldest)
  }

  function learn(requestId: string, link: WalletLink & { callId?: string }): void {
    known.set(requestId, link)
    const [oldest] = known.keys()
    if (known.size > remembered && oldest !== undefined) known.delete(oldest)
    awaited.get(requestId)?.forEach(tell => tell(link))
    awaited.delete(requestId)
  }

  function open(effect: Opening): PageAnswer {
    const { requestId = '', callId } = { callId: undefined, ...effect.data }
    const name = callId ?? requestId
    if (opened.has(name)) return { type: 'link.skipped', why: 'again' }
    const url = urlOf(effect)
    const target = targetOf(url, page)
    learn(requestId, { url, target, ...(callId !== undefined && { callId }) })
    const why = !page.document.hasFocus() ? 'noFocus' : openNow(url, target) ? undefined : 'noPress'
    if (why) {
      waits(requestId)
      return { type: 'link.skipped', why }
    }
    note(name)
    return { type: 'link.opened' }
  }

  /** @returns whether it was opened. With `noopener` a browser would not say so, hence the opener is taken away afterwards */
  function openNow(url: string, target: WalletLink['target']): boolean {
    // Browsers without `userActivation` allow the link for a while after a press, or block it
    if (page.navigator.userActivation?.isActive === false) return false
    const window = page.open(url, target)
    if (window && target === '_blank') window.opener = null
    return window !== null
  }

  return {
    open(effect) {
      try {
        return open(effect)
      } catch (cause) {
        if (cause instanceof Fault) return { type: 'link.skipped', why: 'refused' }
        throw cause
      }
    },
    async linkOf(requestId, model) {
      const link = known.get(requestId) ?? linkIn(model, requestId, page)
      if (link) return link
      return new Promise(resolve => awaited.set(requestId, [...(awaited.get(requestId) ?? []), resolve]))
    },
    pressed(requestId) {
      const callId = known.get(requestId)?.callId
      note(callId ?? requestId)
      return callId !== undefined
    },
  }
}

/** The link of a request from before a reload: no effect orders it again. */
function linkIn({ request, session, link }: Parameters<Links['linkOf']>[1], requestId: string, page: Page) {
  const { sessionTopic = '' } = own(request, requestId) ?? {}
  const used = own(session, sessionTopic)
  const chosen = used && own(link.chosen, used.pairingTopic)
  if (chosen === undefined || used?.disableDeepLink) return undefined
  const url = requestLink(chosen, Number(requestId), sessionTopic)
  return { url, target: targetOf(url, page) }
}

/** @throws Fault `bad_input` when the link opens no wallet */
function urlOf(effect: Opening): string {
  if (effect.type === 'link.open') {
    const { link, requestId, sessionTopic } = effect.data
    return requestLink(link, Number(requestId), sessionTopic)
  }
  const { url = '', universal } = effect.data
  if (!isUniversal(universal) || !url.startsWith(`${universal}?`))
    throw new Fault('bad_input', 'a link with a message expected the wallet’s own address')
  return url
}

/** @returns the link's window: the whole tab from a frame, a new tab for web addresses and in Telegram, else this one */
function targetOf(url: string, page: Page): WalletLink['target'] {
  if (page.top !== page) return '_top'
  return page.TelegramWebviewProxy !== undefined || /^https?:/i.test(url) ? '_blank' : '_self'
}
