/** The operator's published files, and memos on the chain, by reference "Presale" (§5, §6, §8). */
import bs58 from 'bs58'
import { depthOf, type Tree, treeOf } from '../jsonTree.ts'

const mostBytes = 65_536
const mostDepth = 8
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** @returns the tree of a document that all readers parse alike; undefined outside the grammar */
export function strictTree(text: string): Tree | undefined {
  if (Buffer.byteLength(text) > mostBytes) return undefined
  const tree = treeOf(text)
  return tree && depthOf(tree) <= mostDepth && isStrict(tree) ? tree : undefined
}

function isStrict(tree: Tree): boolean {
  if (tree.kind === 'number')
    return /^(?:0|-?[1-9]\d{0,15})$/.test(tree.literal) && Number.isSafeInteger(Number(tree.literal))
  if (tree.kind === 'text') return isWhole(tree.value)
  if (tree.kind === 'array') return tree.items.every(isStrict)
  if (tree.kind !== 'object') return true
  const names = tree.members.map(([name]) => name.value)
  const isPlain = new Set(names).size === names.length && names.every(name => isWhole(name) && !forbidden.has(name))
  return isPlain && tree.members.every(([, value]) => isStrict(value))
}

/** A lone surrogate has no UTF-8. */
const isWhole = (text: string) => Buffer.from(text, 'utf8').toString('utf8') === text

/** @returns the canonical text of a tree: no white space, names in the order of their UTF-16 units */
export function canonicalOf(tree: Tree): string {
  if (tree.kind === 'array') return `[${tree.items.map(canonicalOf).join(',')}]`
  if (tree.kind === 'text') return JSON.stringify(tree.value)
  if (tree.kind !== 'object') return tree.literal
  const members = tree.members.map(([name, value]) => [name.value, canonicalOf(value)] as const)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

const digits = (value: string, most: number) => value.length <= most && /^(?:0|[1-9]\d*)$/.test(value)
const hex = (value: string, length: number) => value.length === length && /^[0-9a-f]*$/.test(value)
const bytesIn = (value: string) => (value.length <= 90 ? bs58.decodeUnsafe(value)?.length : undefined)

type Check = (tree: Tree) => boolean
const text =
  (holds: (value: string) => boolean): Check =>
  tree =>
    tree.kind === 'text' && holds(tree.value)
const whole: Check = tree => tree.kind === 'number' && Number(tree.literal) >= 0
const units = text(value => digits(value, 39))
const amounts: Check = tree =>
  tree.kind === 'object' && tree.members.every(([name, value]) => /^[A-Z0-9]{2,8}$/.test(name.value) && units(value))

const checkpointParts: Record<string, Check> = {
  format: text(value => value === 'mai-presale-checkpoint/1'),
  presale: text(value => bytesIn(value) === 32),
  termsHash: text(value => hex(value, 64)),
  slot: whole,
  time: whole,
  balances: amounts,
  raised: units,
  pos: units,
  tokens: units,
  orders: whole,
  buyers: whole,
  refundsOwed: amounts,
  ledgerHash: text(value => hex(value, 64)),
  sig: text(value => bytesIn(value) === 64),
}

const between =
  (least: number, most: number): Check =>
  tree =>
    whole(tree) && tree.kind === 'number' && Number(tree.literal) >= least && Number(tree.literal) <= most
const signature = text(value => bytesIn(value) === 64)

const noticeListParts: Record<string, Check> = {
  format: text(value => value === 'mai-presale-notices/1'),
  presale: text(value => bytesIn(value) === 32),
  seq: between(1, 1_000_000),
  time: between(1_500_000_000, 4_102_444_800),
  signatures: tree =>
    tree.kind === 'array' &&
    tree.items.length >= 1 &&
    tree.items.length <= 20 &&
    tree.items.every(signature) &&
    new Set(tree.items.map(canonicalOf)).size === tree.items.length,
  sig: signature,
}

/** @returns the canonical text of a signed file without its signature; undefined outside the grammar */
function unsignedOf(file: string, parts: Record<string, Check>): string | undefined {
  const tree = strictTree(file)
  if (tree?.kind !== 'object' || tree.members.length !== Object.keys(parts).length) return undefined
  const fits = tree.members.every(([name, value]) => Object.hasOwn(parts, name.value) && parts[name.value]?.(value))
  return fits ? canonicalOf({ ...tree, members: tree.members.filter(([name]) => name.value !== 'sig') }) : undefined
}

/** @returns the signed text of a checkpoint; undefined outside the grammar */
export const checkpointOf = (file: string): string | undefined => unsignedOf(file, checkpointParts)

/** @returns the signed text of a list of notices; undefined outside the grammar */
export const noticeListOf = (file: string): string | undefined => unsignedOf(file, noticeListParts)

/** @returns the addresses of an allowlist, one a line; undefined outside the grammar */
export function addressesOf(list: string): string[] | undefined {
  const lines = list.split('\n').map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines.every(line => line.length <= 44 && bytesIn(line) === 32) ? lines : undefined
}

/** @returns the parts of an order's memo; undefined outside the grammar */
export function orderOf(memo: string): string[] | undefined {
  const [mark, terms = '', id = '', asset = '', paid = '', quoted = '', min = '', ...rest] = memo.split(':')
  if (mark !== 'mai1' || memo.length > 155 || rest.length > 1) return undefined
  if (!hex(terms, 16) || !hex(id, 16) || !/^[A-Z0-9]{2,8}$/.test(asset) || asset.length > 8) return undefined
  if (![paid, quoted, min].every(amount => digits(amount, 20))) return undefined
  const [referrer] = rest
  const isKey = referrer === undefined || (referrer.length >= 32 && referrer.length <= 44 && isBase58(referrer))
  return isKey ? [terms, id, asset, paid, quoted, min, ...rest] : undefined
}

const isBase58 = (value: string) => [...value].every(char => base58.includes(char))
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** @returns number, verb and argument of a notice's memo; undefined outside the grammar */
export function noticeOf(memo: string): [seq: string, verb: string, argument: string] | undefined {
  const [mark, seq = '', verb = '', argument = '', ...rest] = memo.split(':')
  if (mark !== 'mai1n' || rest.length > 0 || seq === '0' || !digits(seq, 9)) return undefined
  const fits = ['terms', 'checkpoint', 'ledger', 'plan'].includes(verb)
    ? hex(argument, 64)
    : ['pause', 'resume', 'close'].includes(verb)
      ? argument === '-'
      : verb === 'result' && ['success', 'failed'].includes(argument)
  return fits ? [seq, verb, argument] : undefined
}
