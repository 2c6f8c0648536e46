/** Session and proposal namespaces by the reference's §13: form, problems with codes, and merging. */
import { isTricky, type Tree } from '../jsonTree.ts'

export type Given = Record<string, { chains?: string[]; accounts: string[]; methods: string[]; events: string[] }>

const isTextWith = (count: number) => (value: unknown) =>
  typeof value === 'string' && value.split(':').length === count && value.split(':').every(part => part !== '')
const isChain = isTextWith(2)
const isAccount = isTextWith(3)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const areNames = (value: unknown) =>
  Array.isArray(value) && value.every(name => typeof name === 'string' && name.trim() !== '')

/** Codes of §13.3, in the order of its checks; 0 for none. */
export function sessionCode(namespaces: unknown): number {
  if (!isObject(namespaces) || Object.keys(namespaces).length === 0) return 5
  const parts = Object.values(namespaces)
  for (const part of parts)
    if (!isObject(part) || !Array.isArray(part.accounts) || !part.accounts.every(isAccount)) return 5103
  return actionsCode(parts)
}

export function proposalCode(namespaces: unknown): number {
  if (!isObject(namespaces) || Object.keys(namespaces).length === 0) return 5
  for (const [key, part] of Object.entries(namespaces)) {
    const chains = isObject(part) ? part.chains : undefined
    if (chains !== undefined && !Array.isArray(chains)) return 5100
    const listed = chains ?? []
    if (listed.length === 0 && !key.includes(':')) return 5100
    if (![...(key.includes(':') ? [key] : []), ...listed].every(isChain)) return 5100
  }
  return actionsCode(Object.values(namespaces))
}

function actionsCode(parts: unknown[]): number {
  for (const part of parts) {
    const { methods, events } = isObject(part) ? part : { methods: undefined, events: undefined }
    if (!areNames(methods)) return 5101
    if (!areNames(events)) return 5102
  }
  return 0
}

/** @returns whether names contain white space, which a reader may refuse although the reference does not mention it */
export function hasBlanks(namespaces: unknown): boolean {
  return /\s/.test(JSON.stringify(namespaces).replace(/\\[tnrfv]|\\u00(?:0[9a-d]|20|a0)/gi, ' '))
}

/** @returns whether an account or a name exceeds the length a reader has to accept */
export function hasLongNames(namespaces: Readonly<Record<string, unknown>>): boolean {
  const parts = Object.values(namespaces) as Given[string][]
  const names = parts.flatMap(({ accounts, methods, events }) => [...accounts, ...methods, ...events])
  return [...Object.keys(namespaces), ...names].some(name => name.length > 200)
}

const chainOf = (account: string) => account.split(':').slice(0, 2).join(':')

/** Whether a well-formed session grants the required permissions: every chain, with an account, its methods and its events. */
export function conforms(required: Record<string, Partial<Given[string]>>, session: Given): boolean {
  const parts = Object.values(session)
  const approved = new Set(parts.flatMap(({ accounts }) => accounts.map(chainOf)))
  const family = (key: string) => key.split(':')[0]
  const families = new Set(Object.keys(session).map(family))
  for (const [key, { accounts }] of Object.entries(session))
    if (key.includes(':') && !accounts.some(account => chainOf(account) === key)) return false
  return Object.entries(required).every(([key, { chains = [], methods = [], events = [] }]) => {
    const wanted = key.includes(':') ? [key, ...chains] : chains
    return (
      families.has(family(key)) &&
      wanted.every(chain => {
        const there = parts.filter(({ accounts }) => accounts.some(account => chainOf(account) === chain))
        const has = (name: 'methods' | 'events', one: string) => there.some(part => part[name].includes(one))
        return (
          approved.has(chain) &&
          methods.every(method => has('methods', method)) &&
          events.every(event => has('events', event))
        )
      })
    )
  })
}

/** @returns a tree's plain value; of duplicate members the last */
export function plainOf(tree: Tree): unknown {
  switch (tree.kind) {
    case 'object':
      return Object.fromEntries(tree.members.map(([key, value]) => [key.value, plainOf(value)]))
    case 'array':
      return tree.items.map(plainOf)
    case 'text':
      return tree.value
    case 'number':
      return Number(tree.literal)
    case 'word':
      return tree.literal === 'null' ? null : tree.literal === 'true'
  }
}

/** @returns whether a tree has no unusual part */
export function isUsual(tree: Tree | undefined): boolean {
  return tree !== undefined && !isTricky(tree)
}
