/**
 * JSON as a tree that preserves what `JSON.parse` drops: duplicate members, and the literal text of numbers and texts. Strict
 * RFC 8259, written from it; the base of the fuzzer's grammars and mutations.
 */

export type Tree =
  | { kind: 'object'; members: [key: Text, value: Tree][] }
  | { kind: 'array'; items: Tree[] }
  | Text
  | { kind: 'number'; literal: string }
  | { kind: 'word'; literal: 'null' | 'true' | 'false' }
export type Text = { kind: 'text'; literal: string; value: string }

/** Deeper nesting is not read: no message comes near it. */
const deepest = 500
const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class NoJson extends Error {}

/** @returns the tree; undefined if the text is not JSON or too deep */
export function treeOf(text: string): Tree | undefined {
  const reading = { text, at: 0 }
  try {
    const tree = value(reading, 0)
    blanks(reading)
    return reading.at === text.length ? tree : undefined
  } catch (cause) {
    if (cause instanceof NoJson) return undefined
    throw cause
  }
}

type Reading = { text: string; at: number }

function blanks(reading: Reading): void {
  while (' \t\n\r'.includes(reading.text[reading.at] ?? 'x')) reading.at += 1
}

function value(reading: Reading, depth: number): Tree {
  if (depth > deepest) throw new NoJson()
  blanks(reading)
  const { text, at } = reading
  const first = text[at]
  if (first === '{') return object(reading, depth)
  if (first === '[') return array(reading, depth)
  if (first === '"') return string(reading)
  for (const literal of ['null', 'true', 'false'] as const) {
    if (!text.startsWith(literal, at)) continue
    reading.at += literal.length
    return { kind: 'word', literal }
  }
  numberForm.lastIndex = at
  const literal = numberForm.exec(text)?.[0]
  if (literal === undefined) throw new NoJson()
  reading.at += literal.length
  return { kind: 'number', literal }
}

function object(reading: Reading, depth: number): Tree {
  const members: [Text, Tree][] = []
  list(reading, '}', () => {
    blanks(reading)
    const key = string(reading)
    blanks(reading)
    if (reading.text[reading.at] !== ':') throw new NoJson()
    reading.at += 1
    members.push([key, value(reading, depth + 1)])
  })
  return { kind: 'object', members }
}

function array(reading: Reading, depth: number): Tree {
  const items: Tree[] = []
  list(reading, ']', () => void items.push(value(reading, depth + 1)))
  return { kind: 'array', items }
}

function list(reading: Reading, close: string, one: () => void): void {
  reading.at += 1
  blanks(reading)
  if (reading.text[reading.at] === close) {
    reading.at += 1
    return
  }
  for (;;) {
    one()
    blanks(reading)
    const next = reading.text[reading.at]
    reading.at += 1
    if (next === close) return
    if (next !== ',') throw new NoJson()
  }
}

function string(reading: Reading): Text {
  const { text, at: start } = reading
  if (text[start] !== '"') throw new NoJson()
  let read = ''
  for (let at = start + 1; ; at++) {
    const char = text[at]
    if (char === undefined || char < ' ') throw new NoJson()
    if (char === '"') {
      reading.at = at + 1
      return { kind: 'text', literal: text.slice(start, at + 1), value: read }
    }
    if (char !== '\\') {
      read += char
      continue
    }
    at += 1
    const escape = text[at] ?? ''
    if (escape === 'u') {
      const digits = text.slice(at + 1, at + 5)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new NoJson()
      read += String.fromCharCode(Number.parseInt(digits, 16))
      at += 4
      continue
    }
    if (!Object.hasOwn(escapes, escape)) throw new NoJson()
    read += escapes[escape]
  }
}

/** @returns a text's node in plain form */
export function textNode(value: string): Text {
  return { kind: 'text', literal: JSON.stringify(value), value }
}

/** @returns the tree's text, with `gap` between its parts */
export function print(tree: Tree, gap: () => string = () => ''): string {
  if (tree.kind === 'object') {
    const members = tree.members.map(
      ([key, value]) => `${gap()}${key.literal}${gap()}:${gap()}${print(value, gap)}${gap()}`,
    )
    return `{${members.join(',')}}`
  }
  if (tree.kind === 'array') return `[${tree.items.map(item => `${gap()}${print(item, gap)}${gap()}`).join(',')}]`
  return tree.literal
}

/** @returns a member's value, of duplicates the last, as in every engine; undefined if there is none */
export function member(tree: Tree | undefined, name: string): Tree | undefined {
  return tree?.kind === 'object' ? tree.members.filter(([key]) => key.value === name).at(-1)?.[1] : undefined
}

/** @returns a text's value; undefined for other nodes */
export function textIn(tree: Tree | undefined): string | undefined {
  return tree?.kind === 'text' ? tree.value : undefined
}

/** @returns an exact integer; undefined for other nodes */
export function wholeIn(tree: Tree | undefined): number | undefined {
  const number = tree?.kind === 'number' ? Number(tree.literal) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** @returns every tree in a tree, itself first */
export function partsOf(tree: Tree): Tree[] {
  const parts: Tree[] = [tree]
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]
    if (part?.kind === 'object') parts.push(...part.members.map(([, value]) => value))
    if (part?.kind === 'array') parts.push(...part.items)
  }
  return parts
}

/** @returns the depth of a tree; a lone number has 0 */
export function depthOf(tree: Tree): number {
  if (tree.kind === 'object') return 1 + Math.max(0, ...tree.members.map(([, value]) => depthOf(value)))
  if (tree.kind === 'array') return 1 + tree.items.reduce((most, item) => Math.max(most, depthOf(item)), 0)
  return 0
}

/** @returns whether an object in it has a duplicate member, or one that reaches into a prototype */
export function isTricky(tree: Tree): boolean {
  return partsOf(tree).some(part => {
    if (part.kind !== 'object') return false
    const names = part.members.map(([key]) => key.value)
    return new Set(names).size < names.length || names.some(name => hostileNames.includes(name))
  })
}

export const hostileNames = ['__proto__', 'constructor', 'prototype']
