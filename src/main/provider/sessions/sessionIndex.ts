/**
 * Sessions by what they are asked for, kept up with facts: what a request looks up costs the same whether there are two
 * sessions or ten thousand. What a session holds is always the model's; here is only where it stands.
 */
import type { CoreModel } from '../../../events/app.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { FactRecord } from '../../../runtime/log/record.ts'
import { namespaceOf, type Session } from '../../../events/subjects/session.ts'
import { type SessionPlace, put, take } from './newestLast.ts'
import { addressOf, chainOf, methodsFor } from '../../../worker/walletconnect/session/namespaces.ts'
import { chainsIn, familiesIn, usableIn } from './sessions.ts'

export type SessionIndex = {
  /** Facts were folded; none when all there is came anew. */
  look(facts: readonly FactRecord[]): void
  /** the newest first */
  all(): Session[]
  newest(): Session | undefined
  /** The newest session's first. */
  families(): string[]
  hasFamily(family: string): boolean
  /** the newest first */
  withFamily(family: string): Session[]
  /** Whether a session has an account on a chain. */
  hasChain(chain: string): boolean
  /** The first approved chain of the newest session that has one in this family. */
  firstChain(family: string): string | undefined
  /**
   * The newest session whose wallet may be asked this on this chain.
   *
   * @param addresses that the request names: of several wallets the one with such an account is asked
   */
  sessionFor(chain: string, method: string, addresses?: readonly string[]): Session | undefined
  /** The session, when it is there and its wallet may be asked this on this chain. */
  may(topic: string, chain: string, method: string): Session | undefined
  /** The newest session with this method in a family's namespaces, whatever chains it has there. */
  approving(family: string, method: string): Session | undefined
  /** The newest session whose wallet may be asked this on any chain of a family, and the first such chain. */
  anyFor(family: string, method: string): { session: Session; chain: string } | undefined
  /** The newest session with this account on this chain, else with any there, else with the chain's family. */
  sessionOn(chain: string, address?: string): Session | undefined
  newestOf(family: string): Session | undefined
  /** The addresses on a chain, in the wallets' order, the newest session's first; the same list until it changes. */
  addressesOn(chain: string): readonly string[]
}

/** What may be looked up, as keys of one table; no part of them but the last has a blank. */
const keys = {
  all: 'all',
  family: (family: string) => `family ${family}`,
  used: (family: string) => `used ${family}`,
  chain: (chain: string) => `chain ${chain}`,
  account: (chain: string, address: string) => `account ${chain} ${address.toLowerCase()}`,
  method: (chain: string, method: string) => `method ${chain} ${method}`,
}

/** Facts after which a session stands elsewhere. */
const moving: ReadonlySet<string> = new Set([
  'session.settled',
  'session.updated',
  'session.namespaceLeft',
  'session.deleted',
])

/** Where a session stands: the keys that lead to it, its families, and its addresses by chain. */
type Whereabouts = {
  keys: ReadonlySet<string>
  families: readonly string[]
  addresses: ReadonlyMap<string, Set<string>>
}
type Standing = SessionPlace & { at: Whereabouts }

const nowhere: Whereabouts = { keys: new Set(), families: [], addresses: new Map() }

export function createSessionIndex(model: () => Pick<CoreModel, 'session'>): SessionIndex {
  const places = new Map<string, Standing[]>()
  const standing = new Map<string, Standing>()
  const families = new Set<string>()
  /** by chain, until it changes */
  const addresses = new Map<string, readonly string[]>()
  let count = 0

  const sessionAt = ({ topic }: SessionPlace): Session | undefined => own(model().session, topic)

  /** Only what is another one is touched: most changes of a session leave it where it stands. */
  function move(one: Standing, to: Whereabouts): void {
    const from = one.at
    for (const key of from.keys) if (!to.keys.has(key)) leave(key, one)
    for (const key of to.keys) if (!from.keys.has(key)) enter(key, one)
    for (const family of from.families) if (!places.has(keys.family(family))) families.delete(family)
    for (const family of to.families) families.add(family)
    for (const chain of [...from.addresses.keys(), ...to.addresses.keys()])
      if (listOf(from.addresses.get(chain)) !== listOf(to.addresses.get(chain))) addresses.delete(chain)
    one.at = to
  }

  function leave(key: string, one: Standing): void {
    const list = places.get(key) ?? []
    take(list, one)
    if (list.length === 0) places.delete(key)
  }

  function enter(key: string, one: Standing): void {
    const list = places.get(key)
    if (list) put(list, one)
    else places.set(key, [one])
  }

  function renew(topic: string): void {
    const session = own(model().session, topic)
    const known = standing.get(topic)
    if (known && known.settledAt === session?.settledAt) return move(known, whereabouts(session))
    if (known) move(known, nowhere)
    standing.delete(topic)
    if (session) add(session)
  }

  function add(session: Session): void {
    const one = { topic: session.sessionTopic, settledAt: session.settledAt, nth: ++count, at: nowhere }
    standing.set(one.topic, one)
    move(one, whereabouts(session))
  }

  function rebuild(): void {
    places.clear()
    standing.clear()
    families.clear()
    addresses.clear()
    for (const session of Object.values(model().session)) add(session)
  }

  /** @returns the first that is found, from the newest on */
  function newestIn<T>(key: string, find: (session: Session) => T | undefined): T | undefined {
    const list = places.get(key) ?? []
    for (let at = list.length - 1; at >= 0; at -= 1) {
      const place = list[at]
      const session = place && sessionAt(place)
      const found = session && find(session)
      if (found !== undefined) return found
    }
    return undefined
  }

  function listed(key: string): Session[] {
    return (places.get(key) ?? [])
      .map(sessionAt)
      .filter(session => session !== undefined)
      .reverse()
  }

  const itself = (session: Session) => session
  const newestAt = (key: string) => newestIn(key, itself)

  rebuild()
  return {
    look(facts) {
      if (facts.length === 0) return rebuild()
      for (const { type, data } of facts) if (moving.has(type)) renew(String(data.sessionTopic))
    },
    all: () => listed(keys.all),
    newest: () => newestAt(keys.all),
    families() {
      const newest = newestAt(keys.all)
      return [...new Set([...(newest ? familiesIn(usableIn(newest)) : []), ...families])]
    },
    hasFamily: family => families.has(family),
    withFamily: family => listed(keys.family(family)),
    hasChain: chain => places.has(keys.chain(chain)),
    firstChain: family => newestIn(keys.used(family), session => chainsIn(usableIn(session), family)[0]),
    sessionFor(chain, method, named = []) {
      const key = keys.method(chain, method)
      if (!places.has(key)) return undefined
      for (const address of named) {
        const found = newestIn(keys.account(chain, address), session => allowed(session, chain, method))
        if (found) return found
      }
      return newestAt(key)
    },
    may(topic, chain, method) {
      const session = own(model().session, topic)
      return session && allowed(session, chain, method)
    },
    approving: (family, method) => newestAt(keys.method(family, method)),
    anyFor(family, method) {
      return newestIn(keys.method(family, method), session => {
        const usable = usableIn(session)
        const chain = chainsIn(usable, family).find(one => methodsFor(usable, one).includes(method))
        return chain === undefined ? undefined : { session, chain }
      })
    },
    sessionOn: (chain, address = '') =>
      newestAt(keys.account(chain, address)) ??
      newestAt(keys.chain(chain)) ??
      newestAt(keys.family(namespaceOf(chain))),
    newestOf: family => newestAt(keys.family(family)),
    addressesOn(chain) {
      const known = addresses.get(chain)
      if (known) return known
      const found = new Set<string>()
      const list = places.get(keys.chain(chain)) ?? []
      for (let at = list.length - 1; at >= 0; at -= 1)
        for (const address of list[at]?.at.addresses.get(chain) ?? []) found.add(address)
      const told = [...found]
      addresses.set(chain, told)
      return told
    },
  }
}

/** @returns the session when its wallet may be asked this */
function allowed(session: Session, chain: string, method: string): Session | undefined {
  return methodsFor(usableIn(session), chain).includes(method) ? session : undefined
}

function whereabouts(session: Session): Whereabouts {
  const usable = usableIn(session)
  const found = new Set([keys.all])
  const addresses = new Map<string, Set<string>>()
  const families = familiesIn(usable)
  for (const family of families) found.add(keys.family(family))
  for (const [name, { accounts, methods }] of Object.entries(usable)) {
    for (const method of methods) found.add(keys.method(namespaceOf(name), method))
    const its = new Set<string>()
    for (const account of accounts) {
      const [chain, address] = [chainOf(account), addressOf(account)]
      const there = addresses.get(chain) ?? new Set()
      addresses.set(chain, there.add(address))
      found.add(keys.account(chain, address))
      its.add(chain)
    }
    for (const chain of its) {
      const family = namespaceOf(chain)
      found.add(keys.chain(chain)).add(keys.used(family))
      for (const method of methods) found.add(keys.method(chain, method)).add(keys.method(family, method))
    }
  }
  return { keys: found, families, addresses }
}

function listOf(addresses: ReadonlySet<string> = new Set()): string {
  return [...addresses].join(' ')
}
