/** One sign-in at a time, asked for by the host: what it stands at for whoever shows it, and what it comes to for the host. */
import { Fault } from '../../runtime/failure.ts'
import { own } from '../../runtime/schema/own.ts'
import type { FactRecord } from '../../runtime/log/record.ts'
import {
  type Auth,
  type AuthFact,
  type AuthIn,
  awaitsScan,
  foldAuth,
  isAuthAsked,
  isAuthOver,
} from '../../events/subjects/auth.ts'
import type { Command } from '../../events/command.ts'
import type { Runtime } from '../page/supervisor/runtime.ts'
import type { Page } from '../page/page.tsx'

type Asked = Extract<Command, { type: 'auth.request' }>['data']

/** What a host asks for. `domain` and `uri` are this page's own unless they are given. */
export type SignInRequest = Omit<Asked, 'domain' | 'uri' | 'methods'> &
  Partial<Pick<Asked, 'domain' | 'uri' | 'methods'>>

/** What a wallet signed: accounts as CAIP-10, a statement (CACAO, JSON text) for each, and the session when methods were asked for. */
export type SignedIn = { accounts: string[]; statements: string[]; sessionTopic?: string }

/** A sign-in as it is shown; `undefined` is none. */
export type Shown = { auth?: Auth; uri?: string; wantsPress: boolean } | undefined

export type SignIns = {
  shown(): Shown
  subscribe(listener: () => void): () => void
  /** @throws Fault `busy` while another one waits, `bad_input` for what no wallet can be asked; else with what it failed with */
  ask(request: SignInRequest): Promise<SignedIn>
  openWallet(): void
  /** Makes a new code for the one that waits; the code before it stays answerable. */
  renew(): void
  /** Leaves it when it waits; it is not shown any more. */
  leave(): void
}

type Needed = Pick<Page, 'store'> & { runtime: Pick<Runtime, 'core' | 'give' | 'hear' | 'command'> }

/** @returns the page a sign-in is for: without query and fragment, which may hold a wallet's message or a visitor's secret */
export function pageOf({ host, origin, pathname }: Pick<Location, 'host' | 'origin' | 'pathname'>) {
  return { domain: host, uri: origin + pathname }
}

/** @param here this page's own domain and address */
export function createSignIns({ store, runtime }: Needed, here: { domain: string; uri: string }): SignIns {
  const listeners = new Set<() => void>()
  let shown: Shown
  /** ends the sign-in that waits without one, when it is left before the core has named it */
  let drop: (() => void) | undefined
  /** asks for a new code for the one that waits */
  let renew: (() => void) | undefined

  function forget(): void {
    drop = undefined
    renew = undefined
  }

  function show(next: Shown): void {
    shown = next
    for (const listener of listeners) listener()
  }

  /**
   * Asks, and asks once more with each new code: what was asked before stays answerable, as a wallet may hold it. Whichever is
   * over first decides, and the others are abandoned.
   */
  function follow(request: SignInRequest, done: (signed: SignedIn) => void, failed: (why: Error) => void): void {
    const told: { auth: Record<string, Auth> } = { auth: {} }
    /** The names of what was asked by the references it was asked under, the latest one last. */
    const asked = new Map<string, string | undefined>()
    let isAsking = false
    let isLeft = false
    const stops: (() => void)[] = []
    const stop = () => stops.splice(0).forEach(end => end())
    const names = () => [...asked.values()].filter(name => name !== undefined)

    function take(auth: Auth): void {
      if (!shown) return
      if (!isAuthOver(auth)) return takeWaiting(auth)
      stop()
      forget()
      names().forEach(name => name !== auth.authId && abandon(name))
      if (auth.phase === 'failed') {
        show({ ...shown, auth, wantsPress: false })
        return failed(new Fault(auth.failure.code, auth.failure.message, auth.failure.facts ?? {}))
      }
      show(undefined)
      done(signedIn(auth))
    }

    /** The code on show gives way when the next one is here, and any code to the wallet that has answered. */
    function takeWaiting(auth: Auth): void {
      if (!shown) return
      const isOnShow = !shown.auth || shown.auth.authId === auth.authId
      if (isOnShow || !awaitsScan(auth)) show({ ...shown, auth })
      if (auth.authId === names().at(-1)) readCode(auth)
    }

    function readCode(auth: Auth): void {
      if (!isAuthAsked(auth)) return
      const { authId: of, sent } = auth
      if (!awaitsScan(auth) || (shown?.uri !== undefined && shown.auth?.authId === of)) return
      const read = runtime.core.pairingUri(sent.pairingTopic)
      read
        .then(uri => {
          const now = own(told.auth, of)
          if (uri === undefined || !now || isAuthOver(now) || !shown?.auth || !awaitsScan(shown.auth)) return
          if (of === names().at(-1)) show({ ...shown, auth: { ...now }, uri })
        })
        .catch(() => undefined)
    }

    function heard({ type, at, data, ref: of }: FactRecord): void {
      const isOurs = of !== undefined && asked.has(of)
      if (isOurs && type === 'auth.refused') return refused(new Fault('bad_input', String(data.message)))
      if (isOurs && type === 'auth.requested') {
        asked.set(of, String(data.authId))
        if (isLeft) abandonAll()
      }
      if (isLeft) return
      if (type.startsWith('auth.')) foldAuth(told, { type, at, data } as AuthFact & { at: number })
      const payloadId = shown?.auth && isAuthAsked(shown.auth) ? shown.auth.sent.payloadId : undefined
      if (type === 'link.skipped' && payloadId !== undefined && data.requestId === payloadId && shown)
        show({ ...shown, wantsPress: data.why === 'noPress' || data.why === 'noFocus' })
      if (type === 'auth.delivered' && shown) show({ ...shown, wantsPress: false })
      const auth = names().includes(String(data.authId)) ? own(told.auth, String(data.authId)) : undefined
      if (auth && type.startsWith('auth.')) take({ ...auth })
    }

    function abandon(name: string): void {
      runtime.command({ type: 'auth.abandon', data: { authId: name } })
    }

    /** Those whose names are yet to be heard are abandoned then. */
    function abandonAll(): void {
      for (const [ref, name] of asked) {
        if (name === undefined) continue
        asked.delete(ref)
        abandon(name)
      }
      if (asked.size === 0) stop()
    }

    function refused(why: Error): void {
      if (isLeft) return
      stop()
      forget()
      names().forEach(abandon)
      show(undefined)
      failed(why)
    }

    /** A core that is gone has taken a request, and its name was not heard: the wallet cannot be shown its code. */
    function missed(): void {
      for (const [ref, name] of asked) if (name === undefined) asked.delete(ref)
      if (isLeft) return abandonAll()
      if (asked.size === 0)
        refused(new Fault('core_lost', 'the sign-in expected to hear of its request, its core was lost'))
    }

    function ask(): void {
      const { ref, taken } = runtime.give({
        type: 'auth.request',
        data: { ...here, methods: [], ...request },
      })
      const isFirst = asked.size === 0
      asked.set(ref, undefined)
      isAsking = true
      const end = () => (isAsking = false)
      taken.then(end, (why: Error) => {
        end()
        asked.delete(ref)
        if (isLeft) return abandonAll()
        // A new code that could not be made leaves the one before it
        if (isFirst) refused(why)
      })
    }

    stops.push(
      runtime.hear(facts => {
        facts.forEach(heard)
        if (facts.length === 0 && !isAsking) missed()
      }),
    )
    // A core that was lost meanwhile told nobody; the next one's model says what it has come to
    stops.push(
      store.subscribe(() => {
        for (const name of names()) {
          const known = own(store.model().auth, name)
          if (known && isAuthOver(known)) return take(known)
        }
      }),
    )
    ask()
    renew = () => {
      if (!isAsking) ask()
    }
    drop = () => {
      isLeft = true
      forget()
      show(undefined)
      failed(new Fault('user_rejected', 'the person left the sign-in'))
      abandonAll()
    }
  }

  return {
    shown: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    ask: request =>
      new Promise((done, failed) => {
        if (drop) return failed(new Fault('busy', 'signIn expected no other sign-in to wait, there is one'))
        show({ wantsPress: false })
        follow(request, done, failed)
      }),
    renew: () => renew?.(),
    openWallet: () => runtime.command({ type: 'link.retry', data: {} }),
    leave() {
      if (drop) drop()
      else show(undefined)
    },
  }
}

function signedIn({ answer, sessionTopic }: AuthIn<'done'>): SignedIn {
  const signed = answer?.signed ?? []
  return {
    accounts: signed.map(({ chain, address }) => `${chain}:${address}`),
    statements: signed.map(({ cacao }) => cacao),
    ...(sessionTopic !== undefined && { sessionTopic }),
  }
}
