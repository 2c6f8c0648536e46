/** Looks sessions up by family, chain, account and method. Of several sessions the newest counts. */
import type { CoreModel } from '../../../events/app.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { FactRecord } from '../../../runtime/log/record.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import { createPlaces, placeKeys } from './sessionPlaces.ts'
import { methodsFor } from '../../../worker/walletconnect/session/namespaces.ts'
import { chainsIn, familiesIn, usableIn } from './sessions.ts'

export type SessionIndex = {
  /** Facts were folded; an empty list after facts may have been missed. */
  look(facts: readonly FactRecord[]): void
  /** All sessions, the newest first. */
  all(): Session[]
  newest(): Session | undefined
  /** All families, the newest session's first. */
  families(): string[]
  hasFamily(family: string): boolean
  /** Sessions with the family, the newest first. */
  withFamily(family: string): Session[]
  /** Whether a session has an account on the chain. */
  hasChain(chain: string): boolean
  /** The first approved chain of the newest session with a chain in the family. */
  firstChain(family: string): string | undefined
  /**
   * The newest session that approved the method on the chain.
   *
   * @param addresses named by the request: a session with such an account comes first, of several the active connection's
   */
  sessionFor(chain: string, method: string, addresses?: readonly string[]): Session | undefined
  /** The session with this topic, if it approved the method on the chain. */
  may(topic: string, chain: string, method: string): Session | undefined
  /** The newest session that approved the method on any chain of the family. */
  approving(family: string, method: string): Session | undefined
  /** The same with an account there, and the first such chain. */
  anyFor(family: string, method: string): { session: Session; chain: string } | undefined
  /** The newest session with the account on the chain, else with any account there, else with the chain's family. */
  sessionOn(chain: string, address?: string): Session | undefined
  /** The newest session with the family. */
  newestOf(family: string): Session | undefined
  /** The addresses on the chain, in the wallets' order, the newest session's first; the same array until they change. */
  addressesOn(chain: string): readonly string[]
}

/** @param chosen the topic of the active connection's session */
export function createSessionIndex(
  model: () => Pick<CoreModel, 'session'>,
  chosen: () => string | undefined = () => undefined,
): SessionIndex {
  const { look, has, listed, newestIn, families, addressesOn } = createPlaces(model)
  const itself = (session: Session) => session
  const newestAt = (key: string) => newestIn(key, itself)

  return {
    look,
    all: () => listed(placeKeys.all),
    newest: () => newestAt(placeKeys.all),
    families() {
      const newest = newestAt(placeKeys.all)
      return [...new Set([...(newest ? familiesIn(usableIn(newest)) : []), ...families()])]
    },
    hasFamily: family => families().has(family),
    withFamily: family => listed(placeKeys.family(family)),
    hasChain: chain => has(placeKeys.chain(chain)),
    firstChain: family => newestIn(placeKeys.used(family), session => chainsIn(usableIn(session), family)[0]),
    sessionFor(chain, method, named = []) {
      const key = placeKeys.method(chain, method)
      if (!has(key)) return undefined
      const topic = chosen()
      for (const address of named) {
        const its = placeKeys.account(chain, address)
        const may = (session: Session) => allowed(session, chain, method)
        const found = newestIn(its, session => (session.sessionTopic === topic ? may(session) : undefined))
        const any = found ?? newestIn(its, may)
        if (any) return any
      }
      return newestAt(key)
    },
    may(topic, chain, method) {
      const session = own(model().session, topic)
      return session && allowed(session, chain, method)
    },
    approving: (family, method) => newestAt(placeKeys.method(family, method)),
    anyFor(family, method) {
      return newestIn(placeKeys.method(family, method), session => {
        const usable = usableIn(session)
        const chain = chainsIn(usable, family).find(one => methodsFor(usable, one).includes(method))
        return chain === undefined ? undefined : { session, chain }
      })
    },
    sessionOn: (chain, address = '') =>
      newestAt(placeKeys.account(chain, address)) ??
      newestAt(placeKeys.chain(chain)) ??
      newestAt(placeKeys.family(namespaceOf(chain))),
    newestOf: family => newestAt(placeKeys.family(family)),
    addressesOn,
  }
}

/** @returns the session if it approved the method on the chain */
function allowed(session: Session, chain: string, method: string): Session | undefined {
  return methodsFor(usableIn(session), chain).includes(method) ? session : undefined
}
