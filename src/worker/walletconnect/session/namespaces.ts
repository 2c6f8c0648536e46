import type { Namespaces } from '../../../events/schema/fields.ts'
import { namespaceOf } from '../../../events/values/networks.ts'

/**
 * Namespaces of a session. A proposal lists chains, methods and events under a namespace (`solana`, with `chains`) or
 * under one chain (`eip155:1`, without); a session answers with accounts. Chains are read from `accounts`:
 * `chains` may be missing from a session.
 *
 * @see WalletConnect specs, sign namespaces; CAIP-2, CAIP-10
 */

type ProposedNamespace = {
  /** CAIP-2 */
  readonly chains?: readonly string[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
}

type SessionNamespace = ProposedNamespace & {
  /** CAIP-10 */
  readonly accounts: readonly string[]
}

export type ProposedNamespaces = Readonly<Record<string, ProposedNamespace>>
export type SessionNamespaces = Readonly<Record<string, SessionNamespace>>

/** @returns whether a text is `namespace:reference`. Laxer than CAIP-2, as wallets are. */
export function isChainId(text: unknown): text is string {
  return typeof text === 'string' && /^[^:\s]+:[^:\s]+$/.test(text)
}

/** @returns whether a text is `namespace:reference:address`; an address with a colon is refused */
export function isAccountId(text: unknown): text is string {
  return typeof text === 'string' && /^[^:\s]+:[^:\s]+:[^:\s]+$/.test(text)
}

/** @returns the CAIP-2 chain of a CAIP-10 account */
export function chainOf(account: string): string {
  return account.slice(0, account.lastIndexOf(':'))
}

/** @returns the bare address of a CAIP-10 account */
export function addressOf(account: string): string {
  return account.slice(account.lastIndexOf(':') + 1)
}

/** @returns every chain with an account, in the wallet's order, deduplicated */
export function approvedChains(namespaces: SessionNamespaces): string[] {
  return unite(...Object.values(namespaces).map(({ accounts }) => accounts.map(chainOf)))
}

/** @returns the CAIP-10 accounts on a chain, in the wallet's order, deduplicated */
export function accountsOn(namespaces: SessionNamespaces, chain: string): string[] {
  return unite(
    ...Object.values(namespaces).map(({ accounts }) => accounts.filter(account => chainOf(account) === chain)),
  )
}

/** @returns the methods usable on a chain: of all namespaces with an account there */
export function methodsFor(namespaces: SessionNamespaces, chain: string): string[] {
  return unite(...on(namespaces, chain).map(namespace => namespace.methods))
}

/** @returns the events expected of a chain: of all namespaces with an account there */
export function eventsFor(namespaces: SessionNamespaces, chain: string): string[] {
  return unite(...on(namespaces, chain).map(namespace => namespace.events))
}

/** @returns the chains of a proposal, in its order, deduplicated */
export function proposedChains(namespaces: ProposedNamespaces): string[] {
  return unite(
    ...Object.entries(namespaces).map(([key, value]) => [...(isChainId(key) ? [key] : []), ...(value.chains ?? [])]),
  )
}

/**
 * Merges required and optional namespaces, required first, as a proposal sends them: all optional.
 * Keys like `eip155:1` become `eip155` with that chain; of several such keys the later one's values come first.
 */
export function mergeNamespaces(required: ProposedNamespaces, optional: ProposedNamespaces): ProposedNamespaces {
  const merged = new Map(Object.entries(byNamespace(required)))
  for (const [key, value] of Object.entries(byNamespace(optional))) merged.set(key, both(merged.get(key), value))
  return Object.fromEntries(merged)
}

/**
 * A wallet's approval of a proposal: the proposed chains it supports, its accounts on them, and the proposed methods and
 * events it supports. An empty proposal gets everything.
 *
 * @returns possibly `{}`; a namespace without chains or accounts is omitted
 */
export function buildNamespaces(
  proposal: { requiredNamespaces: ProposedNamespaces; optionalNamespaces: ProposedNamespaces },
  supported: SessionNamespaces,
): SessionNamespaces {
  const proposed = mergeNamespaces(proposal.requiredNamespaces, proposal.optionalNamespaces)
  if (Object.keys(proposed).length === 0) return supported
  const approved: [string, SessionNamespace][] = []
  for (const [key, asked] of Object.entries(proposed)) {
    const offer = Object.hasOwn(supported, key) ? supported[key] : undefined
    if (!offer) continue
    const offered = offer.chains ?? offer.accounts.map(chainOf)
    const chains = (asked.chains ?? []).filter(chain => offered.includes(chain))
    const accounts = offer.accounts.filter(account => chains.includes(chainOf(account)))
    if (chains.length === 0 || accounts.length === 0) continue
    const methods = offer.methods.filter(method => asked.methods.includes(method))
    const events = offer.events.filter(event => asked.events.includes(event))
    approved.push([key, { chains, methods, events, accounts }])
  }
  return Object.fromEntries(approved)
}

/** @returns the chains with an account that the proposal did not name */
export function unaskedChains(proposed: ProposedNamespaces, session: SessionNamespaces): string[] {
  if (Object.keys(proposed).length === 0) return []
  const asked = proposedChains(proposed)
  return approvedChains(session).filter(chain => !asked.includes(chain))
}

/**
 * The usable part of a session: of the approved namespaces only what was proposed. A chain that the wallet adds later
 * under a proposed namespace is usable too, as updates are meant to add chains.
 *
 * @param proposed an empty proposal permits everything
 * @param unasked chains of the settlement that were not proposed
 */
export function permittedNamespaces(
  proposed: ProposedNamespaces,
  session: SessionNamespaces,
  unasked: readonly string[] = [],
): SessionNamespaces {
  const asked = byNamespace(proposed)
  if (Object.keys(asked).length === 0) return session
  const permitted: [string, SessionNamespace][] = []
  for (const [key, part] of Object.entries(session)) {
    const name = namespaceOf(key)
    const want = Object.hasOwn(asked, name) ? asked[name] : undefined
    if (!want) continue
    permitted.push([
      key,
      {
        ...part,
        accounts: part.accounts.filter(one => one.startsWith(`${name}:`) && !unasked.includes(chainOf(one))),
        methods: part.methods.filter(method => want.methods.includes(method)),
        events: part.events.filter(event => want.events.includes(event)),
      },
    ])
  }
  return Object.fromEntries(permitted)
}

/**
 * Interns a session's strings: most equal those of the proposal, and many sessions would store each many times.
 *
 * @returns an equal value that shares the proposal's strings
 */
export function inWordsOf(proposed: ProposedNamespaces, session: Namespaces): Namespaces {
  const asked = Object.values(proposed).flatMap(({ chains = [], methods, events }) => [
    ...chains,
    ...methods,
    ...events,
  ])
  const words = new Map(asked.map(word => [word, word]))
  const inWords = (part: Namespaces[string]) => mapped(part, list => list.map(text => words.get(text) ?? text))
  return mapped(session, inWords)
}

/** @returns the same members in the same order, with changed values */
function mapped<T extends object>(members: T, change: (value: NonNullable<T[keyof T]>) => T[keyof T]): T {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)])) as T
}

function on(namespaces: SessionNamespaces, chain: string): SessionNamespace[] {
  return Object.values(namespaces).filter(({ accounts }) => accounts.some(account => chainOf(account) === chain))
}

function byNamespace(namespaces: ProposedNamespaces): ProposedNamespaces {
  const grouped = new Map<string, ProposedNamespace>()
  for (const [key, value] of Object.entries(namespaces)) {
    const name = namespaceOf(key)
    const chains = unite(isChainId(key) ? [key] : [], value.chains ?? [])
    grouped.set(name, both({ ...value, chains }, grouped.get(name)))
  }
  return Object.fromEntries(grouped)
}

function both(first: ProposedNamespace | undefined, second: ProposedNamespace | undefined): ProposedNamespace {
  return {
    chains: unite(first?.chains ?? [], second?.chains ?? []),
    methods: unite(first?.methods ?? [], second?.methods ?? []),
    events: unite(first?.events ?? [], second?.events ?? []),
  }
}

function unite(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())]
}
