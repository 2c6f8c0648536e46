/** Hostile JSON, and mutations that turn benign JSON into it; every text is valid JSON, whatever its content. */
import { hostileNames, print, type Text, type Tree, textNode, treeOf } from './jsonTree.ts'
import type { Random } from './random.ts'

const names = [
  'id',
  'jsonrpc',
  'method',
  'params',
  'result',
  'error',
  'code',
  'message',
  'topic',
  'data',
  'publishedAt',
  'tag',
  'attestation',
  'namespaces',
  'accounts',
  'chains',
  'methods',
  'events',
  'controller',
  'publicKey',
  'metadata',
  'expiry',
  'relay',
  'protocol',
  'event',
  'name',
  'chainId',
  'responderPublicKey',
  'sessionProperties',
  'scopedProperties',
  'sessionConfig',
  'signature',
  'transaction',
  'toString',
  'length',
  '',
  '0',
]
const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e3',
  '1E400',
  '-1e-400',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '1795226335321326765',
  '18446744073709551616',
  `${'9'.repeat(40)}`,
  `${'9'.repeat(41)}`,
  `1${'0'.repeat(400)}`,
  '300',
  '1700000000',
]
const texts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '"',
  '\\',
  '{}',
  '__proto__',
  '1795226335321326765n',
  '2.0',
  'irn_subscription',
  'wc_sessionSettle',
  'wc_sessionUpdate',
  'wc_sessionEvent',
  'wc_sessionDelete',
  'wc_sessionRequest',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb',
  'a:b',
  'a:b:c',
  'a::c',
  'a:b:c:d',
  'javascript:alert(1)',
  'toString',
  '😀',
  'x'.repeat(600),
]
const words = ['null', 'true', 'false'] as const

/** @returns one node of JSON without members or items */
export function hostileLeaf(random: Random): Tree {
  const kind = random.below(10)
  if (kind < 4) return hostileText(random)
  if (kind < 7) return { kind: 'number', literal: random.pick(numbers) }
  if (kind < 9) return { kind: 'word', literal: random.pick(words) }
  return { kind: 'number', literal: String(random.below(2 ** 31)) }
}

function hostileText(random: Random): Text {
  const value = random.pick(texts)
  // A lone surrogate can only be written escaped or literally, and both are JSON
  return random.oneIn(3) ? escaped(value) : textNode(value)
}

/** @returns the same text with every character escaped */
function escaped(value: string): Text {
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, '0'))
  return { kind: 'text', literal: `"${units.map(unit => `\\u${unit}`).join('')}"`, value }
}

/** @returns a random tree up to this depth */
export function hostileTree(random: Random, depth = 4): Tree {
  if (depth === 0 || random.oneIn(3)) return hostileLeaf(random)
  const count = random.below(5)
  if (random.oneIn(2))
    return { kind: 'array', items: Array.from({ length: count }, () => hostileTree(random, depth - 1)) }
  return {
    kind: 'object',
    members: Array.from({ length: count }, () => [hostileKey(random), hostileTree(random, depth - 1)]),
  }
}

function hostileKey(random: Random): Text {
  const name = random.oneIn(8) ? random.pick(hostileNames) : random.pick(names)
  return random.oneIn(6) ? escaped(name) : textNode(name)
}

/** Wraps a tree in this many lists. */
function buried(tree: Tree, depth: number): Tree {
  let outer = tree
  for (let level = 0; level < depth; level++) outer = { kind: 'array', items: [outer] }
  return outer
}

/** Longest useful text, characters. */
const mostCharacters = 200_000

/** @returns the length of a tree's text, capped at `most`; a branch may occur in it many times */
function sizeOf(tree: Tree, most = mostCharacters): number {
  if (tree.kind !== 'object' && tree.kind !== 'array') return tree.literal.length
  let size = 2
  const parts = tree.kind === 'array' ? tree.items : tree.members.map(([, value]) => value)
  for (const part of parts) {
    size += 1 + sizeOf(part, most - size)
    if (size > most) return size
  }
  return size
}

/** Mutates a tree in one place. */
function changeOnce(random: Random, root: { tree: Tree }): void {
  const places: ((put: (old: Tree) => Tree) => void)[] = [put => void (root.tree = put(root.tree))]
  const holders: Tree[] = []
  const waiting = [root.tree]
  for (let tree = waiting.pop(); tree; tree = waiting.pop()) {
    if (tree.kind === 'object') {
      holders.push(tree)
      for (const entry of tree.members) {
        places.push(put => void (entry[1] = put(entry[1])))
        waiting.push(entry[1])
      }
    } else if (tree.kind === 'array') {
      const { items } = tree
      holders.push(tree)
      items.forEach((item, at) => {
        places.push(put => void (items[at] = put(item)))
        waiting.push(item)
      })
    }
  }
  const holder = holders.length > 0 ? random.pick(holders) : undefined
  const place = random.pick(places)
  const way = random.below(10)
  if (way < 3) return place(() => hostileLeaf(random))
  if (way === 3) return place(() => hostileTree(random))
  if (way === 4) return place(old => buried(old, random.pick([1, 2, 27, 33, 120])))
  if (!holder) return place(() => hostileLeaf(random))
  if (holder.kind === 'array') return changeItems(random, holder.items)
  if (holder.kind === 'object') changeMembers(random, holder.members)
}

function changeItems(random: Random, items: Tree[]): void {
  const way = random.below(3)
  if (way === 0 || items.length === 0) return void items.push(hostileTree(random, 2))
  if (way === 1) return void items.splice(random.below(items.length), 1)
  items.push(...Array.from({ length: random.pick([1, 20, 100]) }, () => random.pick(items)))
}

function changeMembers(random: Random, members: [Text, Tree][]): void {
  const way = random.below(6)
  if (way === 0 || members.length === 0) return void members.push([hostileKey(random), hostileTree(random, 2)])
  const at = random.below(members.length)
  const entry = members[at]
  if (!entry) return
  if (way === 1) return void members.splice(at, 1)
  if (way === 2) return void (entry[0] = hostileKey(random))
  if (way === 3) return void (entry[0] = escaped(entry[0].value))
  // A duplicate member: the same, or with another value, before or after
  if (way === 4) return void members.splice(random.below(members.length + 1), 0, [entry[0], hostileLeaf(random)])
  members.push(...members.splice(0, random.below(members.length)))
}

const gaps = ['', '', '', '', ' ', '\n', '\t', '\r\n  ']

/** @returns a variant of given JSON: an equivalent text, or one changed in a place or two; the text itself if it is not JSON */
export function changedJson(random: Random, text: string): string {
  const tree = treeOf(text)
  if (!tree) return text
  const root = { tree }
  for (let count = random.below(4); count > 0; count--) changeOnce(random, root)
  // Repeated copies would take all the time
  if (sizeOf(root.tree) > mostCharacters) return text
  return print(root.tree, random.oneIn(4) ? () => random.pick(gaps) : undefined)
}
