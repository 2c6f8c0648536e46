/**
 * One sign-in, from the host's request to the wallet's answer.
 *
 * 1. Each new code is a request of its own. The codes before it stay valid, as a wallet may hold one.
 * 2. The first request that ends decides the sign-in; the others are abandoned.
 * 3. A request is known by its command's ref until `auth.requested` gives its id. A request left before that is abandoned when
 *    the id comes.
 * 4. The view shows the newest code. Once a wallet answers a request, the view shows that request.
 * 5. Facts settle the sign-in. After the loss of a core the next core's model does.
 */
import type { Command } from '../../events/command.ts'
import { Fault } from '../../runtime/failure.ts'
import type { FactRecord } from '../../runtime/log/record.ts'
import { own } from '../../runtime/schema/own.ts'
import type { Auth, AuthIn } from '../../events/subjects/wallet/authState.ts'
import type { AuthFact } from '../../events/subjects/wallet/authFacts.ts'
import { awaitsScan, foldAuth, isAuthAsked, isAuthOver } from '../../events/subjects/wallet/auth.ts'
import type { Page } from '../page/page.tsx'
import type { Runtime } from '../page/supervisor/runtime.ts'

type AuthRequest = Extract<Command, { type: 'auth.request' }>['data']

/** A host's request for a sign-in. By default `domain` and `uri` are this page's own, and `methods` is empty. */
export type SignInRequest = Omit<AuthRequest, 'domain' | 'uri' | 'methods'> &
  Partial<Pick<AuthRequest, 'domain' | 'uri' | 'methods'>>

/**
 * A wallet's answer: accounts as CAIP-10, a signed statement for each (CACAO, JSON text), and the session's topic when the
 * request had methods.
 */
export type SignedIn = { accounts: string[]; statements: string[]; sessionTopic?: string }

/** A sign-in on screen; undefined for none. `wantsPress`: the browser opens the wallet's link only by a press. */
export type ShownSignIn = { auth?: Auth; uri?: string; wantsPress: boolean } | undefined

export type SignInPorts = Pick<Page, 'store'> & {
  runtime: Pick<Runtime, 'core' | 'give' | 'hear' | 'command'>
  /** This page's own domain and address. */
  here: { domain: string; uri: string }
}

type Ports = SignInPorts & {
  request: SignInRequest
  shown(): ShownSignIn
  show(next: ShownSignIn): void
  /** The sign-in is over: it can be neither renewed nor left any more. */
  over(): void
  done(signed: SignedIn): void
  failed(why: Error): void
}

type SignInAttempt = {
  /** Makes a new code, unless one is being made. */
  renew(): void
  /** Ends the sign-in with Fault `user_rejected`. */
  leave(): void
}

/** One function, because each fact of any request may end all requests of the sign-in and change its view. */
export function startSignIn(ports: Ports): SignInAttempt {
  const { store, runtime, here, request, shown, show, over, done, failed } = ports
  /** the sign-in's requests, folded from the facts as they come */
  const told: { auth: Record<string, Auth> } = { auth: {} }
  /** ids of requests by their commands' refs, the newest last; undefined until the core gives the id */
  const asked = new Map<string, string | undefined>()
  let isAsking = false
  let isLeft = false
  const stops: (() => void)[] = []
  const stop = () => stops.splice(0).forEach(end => end())
  const names = () => [...asked.values()].filter(name => name !== undefined)

  function take(auth: Auth): void {
    const now = shown()
    if (!now) return
    if (!isAuthOver(auth)) return takeWaiting(auth)
    stop()
    over()
    names().forEach(name => name !== auth.authId && abandon(name))
    if (auth.phase === 'failed') {
      show({ ...now, auth, wantsPress: false })
      return failed(new Fault(auth.failure.code, auth.failure.message, auth.failure.facts ?? {}))
    }
    show(undefined)
    done(signedIn(auth))
  }

  function takeWaiting(auth: Auth): void {
    const now = shown()
    if (!now) return
    const isOnShow = !now.auth || now.auth.authId === auth.authId
    if (isOnShow || !awaitsScan(auth)) show({ ...now, auth })
    if (auth.authId === names().at(-1)) readCode(auth)
  }

  function readCode(auth: Auth): void {
    if (!isAuthAsked(auth)) return
    const { authId: of, sent } = auth
    const before = shown()
    if (!awaitsScan(auth) || (before?.uri !== undefined && before.auth?.authId === of)) return
    const read = runtime.core.pairingUri(sent.pairingTopic)
    read
      .then(uri => {
        const now = own(told.auth, of)
        const view = shown()
        if (uri === undefined || !now || isAuthOver(now) || !view?.auth || !awaitsScan(view.auth)) return
        if (of === names().at(-1)) show({ ...view, auth: { ...now }, uri })
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
    const now = shown()
    const payloadId = now?.auth && isAuthAsked(now.auth) ? now.auth.sent.payloadId : undefined
    if (type === 'link.skipped' && payloadId !== undefined && data.requestId === payloadId && now)
      show({ ...now, wantsPress: data.why === 'noPress' || data.why === 'noFocus' })
    if (type === 'auth.delivered' && now) show({ ...now, wantsPress: false })
    const auth = names().includes(String(data.authId)) ? own(told.auth, String(data.authId)) : undefined
    if (auth && type.startsWith('auth.')) take({ ...auth })
  }

  function abandon(name: string): void {
    runtime.command({ type: 'auth.abandon', data: { authId: name } })
  }

  /** Requests without an id yet stay in `asked`, to be abandoned later. */
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
    over()
    names().forEach(abandon)
    show(undefined)
    failed(why)
  }

  /**
   * Facts were missed: requests whose id was among them are given up, as their codes cannot be found, and so are those of a log
   * that was erased, or left for another network's.
   */
  function missed(): void {
    const { auth } = store.model()
    for (const [ref, name] of asked) if (name === undefined || !own(auth, name)) asked.delete(ref)
    if (isLeft) return abandonAll()
    if (asked.size === 0)
      refused(new Fault('core_lost', 'signIn expected its request in the log of the core, but the core was lost'))
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
      // Without a new code the one before it stays on screen
      if (isFirst) refused(why)
    })
  }

  stops.push(
    runtime.hear(facts => {
      facts.forEach(heard)
      if (facts.length === 0 && !isAsking) missed()
    }),
    store.subscribe(() => {
      for (const name of names()) {
        const known = own(store.model().auth, name)
        if (known && isAuthOver(known)) return take(known)
      }
    }),
  )
  ask()
  return {
    renew() {
      if (!isAsking) ask()
    },
    leave() {
      isLeft = true
      over()
      show(undefined)
      failed(new Fault('user_rejected', 'the person left the sign-in'))
      abandonAll()
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
