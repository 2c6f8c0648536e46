import { Fault } from '../../../events/failure.ts'

/** Longest JSON text read from outside, UTF-16 units: far above any message of the protocol. */
export const maxTextLength = 1_048_576

/** Deepest nesting read from or sent to the outside. */
export const maxDepth = 32

/** Most values and brackets in one text: longer ones block the thread and are no messages. */
const maxParts = 50_000

/** Keys that can pollute an object's prototype. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Parses JSON from outside.
 *
 * @param name names the text in the error
 * @param longest length limit, UTF-16 units
 * @throws Fault `bad_response` when it is too long, too deep, has too many values, is not JSON, or has a prototype key
 */
export function readJson(text: string, name: string, longest = maxTextLength): unknown {
  if (text.length > longest) {
    throw new Fault('bad_response', `${name} expected at most ${longest} characters, got ${text.length}`)
  }
  // Before parsing: some engines recurse, and a million values block the thread
  const beyond = beyondMeasure(text)
  if (beyond !== undefined) throw new Fault('bad_response', `${name} expected at most ${beyond}, got more`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Fault('bad_response', `${name} expected JSON, got ${text.length} characters that are none`)
  }
  // A cheap test first: a key could only hide behind a \u escape
  const refused = /proto|constructor|\\u/.test(text) ? findRefusedKey(value) : undefined
  if (refused !== undefined) throw new Fault('bad_response', `${name} has a key "${refused}", which is refused`)
  return value
}

/**
 * The literals of a top-level member, verbatim: `JSON.parse` rounds integers above 2^53.
 *
 * @param text a JSON object that `readJson` accepted
 * @returns one text for each occurrence of the key; only the bracket of an object or array
 */
export function memberLiterals(text: string, key: string): string[] {
  const literals: string[] = []
  let depth = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code !== quote) {
      depth += nesting(code)
      at += 1
      continue
    }
    const end = stringEnd(text, at)
    const colon = skipBlanks(text, end)
    const isKey = depth === 1 && text.charAt(colon) === ':'
    if (isKey && JSON.parse(text.slice(at, end)) === key) literals.push(literalAt(text, skipBlanks(text, colon + 1)))
    at = isKey ? colon + 1 : end
  }
  return literals
}

/**
 * The text of a member, verbatim.
 *
 * @param text JSON that `readJson` accepted
 * @param keys path to the member, outermost first
 * @returns undefined when it is absent; the last one of duplicate keys, like `JSON.parse`
 */
export function memberText(text: string, ...keys: readonly string[]): string | undefined {
  return keys.reduce<string | undefined>(
    (within, key) => (within === undefined ? undefined : partOf(within, key)),
    text,
  )
}

function partOf(text: string, key: string): string | undefined {
  if (text.charAt(skipBlanks(text, 0)) !== '{') return undefined
  let found: string | undefined
  let at = skipBlanks(text, 0) + 1
  while (at < text.length) {
    if (text.charCodeAt(at) !== quote) {
      at += 1
      continue
    }
    const end = stringEnd(text, at)
    const start = skipBlanks(text, skipBlanks(text, end) + 1)
    const after = valueEnd(text, start)
    if (JSON.parse(text.slice(at, end)) === key) found = text.slice(start, after)
    at = after
  }
  return found
}

/** Index after the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(text, at)
      if (depth === 0) return at
      continue
    }
    const change = nesting(code)
    if (depth + change < 0 || (depth === 0 && (code === comma || isWhite(code)))) return at
    depth += change
    at += 1
    if (change < 0 && depth === 0) return at
  }
  return at
}

/**
 * Checks and serializes a value to send. Official clients parse an integer of 17 or more digits, and a string of digits
 * followed by `n`, as a big integer: they would see another value, so neither is ever sent.
 *
 * @returns the JSON text
 * @throws Fault `bad_input` when the value is not JSON, too deep or would be misread
 */
export function writeJson(value: Json, name: string): string {
  checkSendable(value, name, 0)
  return JSON.stringify(value)
}

function checkSendable(value: unknown, name: string, depth: number): void {
  if (depth > maxDepth) throw new Fault('bad_input', `${name} expected at most ${maxDepth} levels, got more`)
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'string') {
    if (/^\d+n$/.test(value))
      throw new Fault('bad_input', `${name} has a text of digits with "n" behind, which wallets misread`)
    return
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return
    throw new Fault('bad_input', `${name} has a number beyond 2^53, send it as text`)
  }
  if (Array.isArray(value)) {
    for (const item of value) checkSendable(item, name, depth + 1)
    return
  }
  if (typeof value !== 'object') throw new Fault('bad_input', `${name} expected JSON, got a ${typeof value}`)
  for (const item of Object.values(value)) checkSendable(item, name, depth + 1)
}

function findRefusedKey(root: unknown): string | undefined {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) {
      const refused = Object.keys(value).find(key => refusedKeys.has(key))
      if (refused !== undefined) return refused
    }
    for (const item of Object.values(value)) waiting.push(item)
  }
  return undefined
}

/** @returns the limit of depth or count that a text exceeds, undefined when none; strings are skipped */
function beyondMeasure(text: string): string | undefined {
  let depth = 0
  let parts = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(text, at)
      continue
    }
    const change = nesting(code)
    depth += change
    if (depth > maxDepth) return `${maxDepth} levels`
    if ((code === comma || change > 0) && ++parts > maxParts) return `${maxParts} values`
    at += 1
  }
  return undefined
}

const comma = 44
const quote = 34

/** Change of depth at a bracket. Both kinds have codes above 90. */
function nesting(code: number): number {
  if (code < 91) return 0
  if (code === 123 || code === 91) return 1
  return code === 125 || code === 93 ? -1 : 0
}

/** Index after the closing quote of the string that opens at `start`, or the text's length when it is not closed. */
export function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 34) return at + 1
    at += code === 92 ? 2 : 1
  }
  return text.length
}

/** Index of the first character from `start` on that is not a JSON blank. */
export function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && isWhite(text.charCodeAt(at))) at += 1
  return at
}

/** Blank, tab, line feed, carriage return. */
export function isWhite(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}

function literalAt(text: string, start: number): string {
  if (text.charAt(start) === '"') return text.slice(start, stringEnd(text, start))
  if ('{['.includes(text.charAt(start))) return text.charAt(start)
  let end = start
  while (end < text.length && !' \t\n\r,}'.includes(text.charAt(end))) end += 1
  return text.slice(start, end)
}
