/**
 * Which sessions a lookup leads to: a table of keys, each with its sessions in the order in which they were settled.
 *
 * 1. The table holds topics and addresses by chain. Everything else about a session is read from the model.
 * 2. A lookup costs the same with two sessions and with ten thousand.
 * 3. A changed session moves only under the keys that it gained or lost.
 */
import type { CoreModel } from '../../../events/app.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { FactRecord } from '../../../runtime/log/record.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import { type SessionPlace, put, take } from './newestLast.ts'
import { addressOf, chainOf } from '../../../worker/walletconnect/session/namespaces.ts'
import { familiesIn, usableIn } from './sessions.ts'

/** Keys of the table. Only the last part of a key may contain spaces. */
export const placeKeys = {
  all: 'all',
  /** sessions with the family */
  family: (family: string) => `family ${family}`,
  /** sessions with an account in the family */
  used: (family: string) => `used ${family}`,
  /** sessions with an account on the chain */
  chain: (chain: string) => `chain ${chain}`,
  /** sessions with the account on the chain */
  account: (chain: string, address: string) => `account ${chain} ${address.toLowerCase()}`,
  /** sessions that approved the method on the chain; of a family: on any of its chains, even without an account */
  method: (chain: string, method: string) => `method ${chain} ${method}`,
}

/** Facts that may change a session's keys. */
const moving: ReadonlySet<string> = new Set([
  'session.settled',
  'session.updated',
  'session.namespaceLeft',
  'session.deleted',
])

/** The keys that lead to a session, its families, and its addresses by chain. */
type Whereabouts = {
  keys: ReadonlySet<string>
  families: readonly string[]
  addresses: ReadonlyMap<string, Set<string>>
}
type Standing = SessionPlace & { at: Whereabouts }

const nowhere: Whereabouts = { keys: new Set(), families: [], addresses: new Map() }

type Places = {
  /** Facts were folded; an empty list rebuilds the table from the model. */
  look(facts: readonly FactRecord[]): void
  has(key: string): boolean
  /** All sessions under a key, the newest first. */
  listed(key: string): Session[]
  /** @returns the first result, from the newest session on */
  newestIn<T>(key: string, find: (session: Session) => T | undefined): T | undefined
  families(): ReadonlySet<string>
  /** The addresses on a chain, in the wallets' order, the newest session's first; the same array until they change. */
  addressesOn(chain: string): readonly string[]
}

/** One function, because one move of a session changes the table, its families and the cached addresses together. */
export function createPlaces(model: () => Pick<CoreModel, 'session'>): Places {
  const places = new Map<string, Standing[]>()
  const standing = new Map<string, Standing>()
  const families = new Set<string>()
  /** cache of `addressesOn` by chain */
  const addresses = new Map<string, readonly string[]>()
  let count = 0

  const sessionAt = ({ topic }: SessionPlace): Session | undefined => own(model().session, topic)

  function move(one: Standing, to: Whereabouts): void {
    const from = one.at
    for (const key of from.keys) if (!to.keys.has(key)) leave(key, one)
    for (const key of to.keys) if (!from.keys.has(key)) enter(key, one)
    for (const family of from.families) if (!places.has(placeKeys.family(family))) families.delete(family)
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

  rebuild()
  return {
    look(facts) {
      if (facts.length === 0) return rebuild()
      for (const { type, data } of facts) if (moving.has(type)) renew(String(data.sessionTopic))
    },
    has: key => places.has(key),
    listed,
    newestIn,
    families: () => families,
    addressesOn(chain) {
      const known = addresses.get(chain)
      if (known) return known
      const found = new Set<string>()
      const list = places.get(placeKeys.chain(chain)) ?? []
      for (let at = list.length - 1; at >= 0; at -= 1)
        for (const address of list[at]?.at.addresses.get(chain) ?? []) found.add(address)
      const told = [...found]
      addresses.set(chain, told)
      return told
    },
  }
}

function whereabouts(session: Session): Whereabouts {
  const usable = usableIn(session)
  const found = new Set([placeKeys.all])
  const addresses = new Map<string, Set<string>>()
  const families = familiesIn(usable)
  for (const family of families) found.add(placeKeys.family(family))
  for (const [name, { accounts, methods }] of Object.entries(usable)) {
    for (const method of methods) found.add(placeKeys.method(namespaceOf(name), method))
    const its = new Set<string>()
    for (const account of accounts) {
      const [chain, address] = [chainOf(account), addressOf(account)]
      const there = addresses.get(chain) ?? new Set()
      addresses.set(chain, there.add(address))
      found.add(placeKeys.account(chain, address))
      its.add(chain)
    }
    for (const chain of its) {
      const family = namespaceOf(chain)
      found.add(placeKeys.chain(chain)).add(placeKeys.used(family))
      for (const method of methods) found.add(placeKeys.method(chain, method)).add(placeKeys.method(family, method))
    }
  }
  return { keys: found, families, addresses }
}

function listOf(addresses: ReadonlySet<string> = new Set()): string {
  return [...addresses].join(' ')
}
