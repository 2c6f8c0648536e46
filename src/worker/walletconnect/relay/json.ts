import { Fault } from '../../../events/failure.ts'

/** Longest JSON text read from outside, in UTF-16 units: far above any message of the protocol. */
export const maxTextLength = 1_048_576

/** Deepest nesting read from or sent to outside. */
export const maxDepth = 32

/** Most values and brackets in one text: what takes longer than this to read is no message. */
const maxParts = 50_000

/** Keys that reach into an object's prototype when careless code copies them. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Reads JSON that came from outside.
 *
 * @param name what it is, for the sentence
 * @param longest how long the text may be, UTF-16 units
 * @throws Fault `bad_response` when it is too long, too deep, no JSON, or has a key that reaches into a prototype
 */
export function readJson(text: string, name: string, longest = maxTextLength): unknown {
  if (text.length > longest) {
    throw new Fault('bad_response', `${name} expected at most ${longest} characters, got ${text.length}`)
  }
  // Before parsing, as some engines parse by recursion, and a million values hold everything else up
  const beyond = beyondMeasure(text)
  if (beyond !== undefined) throw new Fault('bad_response', `${name} expected at most ${beyond}, got more`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Fault('bad_response', `${name} expected JSON, got ${text.length} characters that are none`)
  }
  // Most texts have none of their letters, and nothing that could hide them
  const refused = /proto|constructor|\\u/.test(text) ? findRefusedKey(value) : undefined
  if (refused !== undefined) throw new Fault('bad_response', `${name} has a key "${refused}", which is refused`)
  return value
}

/**
 * The literal texts of a top-level member, as they stand: `JSON.parse` rounds integers above 2^53, the text does not.
 *
 * @param text a JSON object that `readJson` has accepted
 * @returns one text for each time the key stands there; of an object or array only its bracket
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
 * The whole text of a member, as it stands.
 *
 * @param text JSON that `readJson` has accepted
 * @param keys the way to the member, from the outside in
 * @returns undefined when it is not there; where a key stands twice the last one, as `JSON.parse` has it
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

/** Behind the value that begins at `start`. */
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
 * Checks a value before it is sent. Official clients read a bare integer of 17 or more digits, and a text of digits
 * with an `n` behind, as a big integer: what they see would not be what was sent, so neither is ever sent.
 *
 * @returns the JSON text
 * @throws Fault `bad_input` when the value is no JSON, too deep or would be read as something else
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

/** @returns what of a text's shape is beyond measure, undefined when nothing is; strings are passed over */
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

/** Brackets of both kinds have codes above 90, and differ by two from their other half. */
function nesting(code: number): number {
  if (code < 91) return 0
  if (code === 123 || code === 91) return 1
  return code === 125 || code === 93 ? -1 : 0
}

/** Behind the closing quote of the string that opens at `start`, or behind the text when none closes it. */
export function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 34) return at + 1
    at += code === 92 ? 2 : 1
  }
  return text.length
}

/** At the first character from `start` on that is none of JSON's blanks. */
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
