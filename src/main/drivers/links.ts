/** Opens a wallet's link from the page. Loaded lazily: only wallets reached by their link need it. */
import { Fault } from '../../runtime/failure.ts'
import type { PageAnswer, PageEffect } from '../../events/wire.ts'
import { isUniversal } from '../../worker/walletconnect/link/linkMode.ts'
import { requestLink } from '../../worker/walletconnect/link/deepLink.ts'

export type Opening = Extract<PageEffect, { type: 'link.open' | 'link.send' }>
type Page = Pick<Window, 'open' | 'document' | 'navigator'> & { top: unknown; TelegramWebviewProxy?: unknown }

/** Opened requests that are remembered; a person has fewer at hand. */
const remembered = 100

/** @returns a function that opens links in this page, each request's once, however often it is ordered */
export function createLinks(page: Page): (effect: Opening) => PageAnswer {
  const opened = new Set<string>()

  function open(effect: Opening): PageAnswer {
    const name = effect.type === 'link.send' ? effect.data.callId : effect.data.requestId
    if (opened.has(name)) return { type: 'link.skipped', why: 'again' }
    if (!page.document.hasFocus()) return { type: 'link.skipped', why: 'noFocus' }
    // Browsers without `userActivation` allow the link for a while after a press, or block it
    if (page.navigator.userActivation?.isActive === false) return { type: 'link.skipped', why: 'noPress' }
    const url = urlOf(effect)
    opened.add(name)
    const [oldest] = opened
    if (opened.size > remembered && oldest !== undefined) opened.delete(oldest)
    page.open(url, targetOf(url, page), 'noreferrer noopener')
    return { type: 'link.opened' }
  }

  return effect => {
    try {
      return open(effect)
    } catch (cause) {
      if (cause instanceof Fault) return { type: 'link.skipped', why: 'refused' }
      throw cause
    }
  }
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
function targetOf(url: string, page: Page): string {
  if (page.top !== page) return '_top'
  return page.TelegramWebviewProxy !== undefined || /^https?:/i.test(url) ? '_blank' : '_self'
}
