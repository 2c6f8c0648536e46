/** One sign-in at a time, asked for by the host: what it stands at for whoever shows it, and what it comes to for the host. */
import { Fault } from '../../events/failure.ts'
import { own } from '../../events/own.ts'
import type { FactRecord } from '../../events/record.ts'
import { type Auth, type AuthFact, foldAuth, isOver } from '../../events/subjects/auth.ts'
import type { Command } from '../../events/command.ts'
import type { Runtime } from '../runtime.ts'
import type { Page } from '../page.tsx'

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
  /** Leaves it when it waits; it is not shown any more. */
  leave(): void
}

type Needed = Pick<Page, 'store'> & { runtime: Pick<Runtime, 'give' | 'hear' | 'command' | 'whenJoined'> }

/** @param here this page's own domain and address */
export function createSignIns({ store, runtime }: Needed, here: { domain: string; uri: string }): SignIns {
  const listeners = new Set<() => void>()
  let shown: Shown
  /** ends the sign-in that waits without one, when it is left before the core has named it */
  let drop: (() => void) | undefined

  function show(next: Shown): void {
    shown = next
    for (const listener of listeners) listener()
  }

  function follow(request: SignInRequest, done: (signed: SignedIn) => void, failed: (why: Error) => void): void {
    const told: { auth: Record<string, Auth> } = { auth: {} }
    let authId: string | undefined
    let isLeft = false
    const stops: (() => void)[] = []
    const stop = () => stops.splice(0).forEach(end => end())

    function take(auth: Auth): void {
      if (!shown) return
      if (!isOver(auth)) {
        readCode(auth)
        return show({ ...shown, auth })
      }
      stop()
      drop = undefined
      if (auth.failure) {
        show({ ...shown, auth, wantsPress: false })
        return failed(new Fault(auth.failure.code, auth.failure.message, auth.failure.facts ?? {}))
      }
      show(undefined)
      done(signedIn(auth))
    }

    function readCode({ authId: of, sent, byLink }: Auth): void {
      if (!sent || byLink || shown?.uri !== undefined) return
      const read = runtime.whenJoined(core => core.pairingUri(sent.pairingTopic))
      read
        .then(uri => {
          if (uri !== undefined && shown?.auth?.authId === of) show({ ...shown, uri })
        })
        .catch(() => undefined)
    }

    function heard({ type, at, data, ref: of }: FactRecord): void {
      if (of === ref && type === 'auth.refused') return refused(new Fault('bad_input', String(data.message)))
      if (of === ref && type === 'auth.requested') {
        authId = String(data.authId)
        if (isLeft) return abandon(authId)
      }
      if (isLeft) return
      if (type.startsWith('auth.')) foldAuth(told, { type, at, data } as AuthFact & { at: number })
      const auth = authId === undefined ? undefined : own(told.auth, authId)
      if (type === 'link.skipped' && data.requestId === auth?.sent?.payloadId && shown)
        show({ ...shown, wantsPress: data.why === 'noPress' || data.why === 'noFocus' })
      if (type === 'auth.delivered' && shown) show({ ...shown, wantsPress: false })
      if (auth && type.startsWith('auth.')) take({ ...auth })
    }

    function abandon(named: string): void {
      stop()
      runtime.command({ type: 'auth.abandon', data: { authId: named } })
    }

    /** @param goesOn whether its name is yet to be heard */
    function refused(why: Error, goesOn = false): void {
      if (!goesOn || isLeft) stop()
      if (isLeft) return
      drop = undefined
      show(undefined)
      failed(why)
    }

    stops.push(runtime.hear(facts => facts.forEach(heard)))
    // A core that was lost meanwhile told nobody; the next one's model says what it has come to
    stops.push(
      store.subscribe(() => {
        const known = authId === undefined ? undefined : own(store.model().auth, authId)
        if (known && isOver(known)) take(known)
      }),
    )
    const { ref, taken } = runtime.give({
      type: 'auth.request',
      data: { ...here, methods: [], ...request },
    })
    taken.catch((why: Error) => refused(why))
    drop = () => {
      refused(new Fault('user_rejected', 'the person left the sign-in'), authId === undefined)
      isLeft = true
      if (authId !== undefined) abandon(authId)
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
    openWallet: () => runtime.command({ type: 'link.retry', data: {} }),
    leave() {
      if (drop) drop()
      else show(undefined)
    },
  }
}

function signedIn({ answer, sessionTopic }: Auth): SignedIn {
  const signed = answer?.signed ?? []
  return {
    accounts: signed.map(({ chain, address }) => `${chain}:${address}`),
    statements: signed.map(({ cacao }) => cacao),
    ...(sessionTopic !== undefined && { sessionTopic }),
  }
}
