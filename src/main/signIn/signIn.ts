/** The page's sign-ins: one at a time, with its view for the screen and its end for the host. */
import { Fault } from '../../runtime/failure.ts'
import { type ShownSignIn, type SignedIn, type SignInPorts, type SignInRequest, startSignIn } from './signInAttempt.ts'

export type SignIns = {
  shown(): ShownSignIn
  subscribe(listener: () => void): () => void
  /**
   * Starts a sign-in.
   * @throws Fault `busy` while another one is pending, `bad_input` for a request that no wallet could answer, else the failure
   */
  ask(request: SignInRequest): Promise<SignedIn>
  /** Makes a new code for the pending sign-in; the codes before it stay valid. */
  renew(): void
  /** Ends the pending sign-in, and takes it off the screen. */
  leave(): void
}

/** @returns this page's domain and address, without query and fragment: they may hold a wallet's message or a secret */
export function pageOf({ host, origin, pathname }: Pick<Location, 'host' | 'origin' | 'pathname'>) {
  return { domain: host, uri: origin + pathname }
}

/** @param here this page's own domain and address */
export function createSignIns(
  { store, runtime }: Pick<SignInPorts, 'store' | 'runtime'>,
  here: SignInPorts['here'],
): SignIns {
  const listeners = new Set<() => void>()
  let shown: ShownSignIn
  let pending: ReturnType<typeof startSignIn> | undefined

  function show(next: ShownSignIn): void {
    shown = next
    for (const listener of listeners) listener()
  }

  return {
    shown: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    ask: request =>
      new Promise((done, failed) => {
        if (pending) return failed(new Fault('busy', 'signIn expected no pending sign-in, there is one'))
        show({ wantsPress: false })
        pending = startSignIn({
          store,
          runtime,
          here,
          request,
          shown: () => shown,
          show,
          over: () => (pending = undefined),
          done,
          failed,
        })
      }),
    renew: () => pending?.renew(),
    leave() {
      if (pending) pending.leave()
      else show(undefined)
    },
  }
}
