import { Fault } from '../failure.ts'

/** A value as JSON holds it here: numbers are whole and safe. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Limits of a strict document, and its name in failures. */
type JsonLimits = {
  /** what the document is, for the sentence: "presale terms" */
  what: string
  /** UTF-8 bytes, default 64 KiB */
  maxBytes?: number
  /** levels of arrays and objects, default 8 */
  maxDepth?: number
}

/** Why a strict document was refused; stands in the Fault's facts as `rule`. */
type JsonRule = 'SIZE' | 'JSON' | 'DUPLICATE_KEY' | 'FORBIDDEN_KEY' | 'NUMBER' | 'DEPTH'

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
const space = /[ \t\n\r]*/y
const number = /-?[0-9][-+.0-9eE]*/y
const canonicalNumber = /^(0|-?[1-9][0-9]{0,15})$/
const chars = /[^"\\\u0000-\u001f]*/y
const escapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * Parses JSON whose meaning must not depend on the parser: refuses duplicate keys, keys that reach into prototypes, numbers
 * that are not canonical whole numbers, lone surrogates, and documents too large or too deep, where `JSON.parse` would quietly
 * choose. One function, because all parts move the same position.
 *
 * @throws Fault `bad_response` with facts `{ rule: JsonRule, at: index of the character }`
 */
export function readStrictJson(text: string, limits: JsonLimits): Json {
  const { what, maxBytes = 65_536, maxDepth = 8 } = limits
  let at = 0

  const refuse = (rule: JsonRule, sentence: string): never => {
    throw new Fault('bad_response', `${what} ${sentence}, at character ${at}`, { rule, at })
  }
  const skip = () => {
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
  }
  const expect = (char: string) => {
    if (text[at] !== char) refuse('JSON', `expected "${char}", got ${seen(text, at)}`)
    at += 1
  }

  const readString = (): string => {
    expect('"')
    let read = ''
    for (;;) {
      chars.lastIndex = at
      chars.test(text)
      read += text.slice(at, chars.lastIndex)
      at = chars.lastIndex
      if (text[at] === '"') break
      if (text[at] !== '\\') refuse('JSON', `expected the end of a string, got ${seen(text, at)}`)
      const kind = text[at + 1] ?? ''
      const plain = escapes[kind]
      if (plain !== undefined) {
        read += plain
        at += 2
      } else {
        const hex = text.slice(at + 2, at + 6)
        if (kind !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) refuse('JSON', 'has an escape that JSON does not know')
        read += String.fromCharCode(Number.parseInt(hex, 16))
        at += 6
      }
    }
    at += 1
    if (hasLoneSurrogate(read)) refuse('JSON', 'has half of a surrogate pair in a string')
    return read
  }

  const readNumber = (): number => {
    number.lastIndex = at
    const found = number.test(text) ? text.slice(at, number.lastIndex) : ''
    const value = Number(found)
    if (!canonicalNumber.test(found) || !Number.isSafeInteger(value)) {
      refuse(
        'NUMBER',
        `expected whole numbers of at most 2^53 - 1 in plain digits, got ${seen(found || text.slice(at), 0)}`,
      )
    }
    at = number.lastIndex
    return value
  }

  const readObject = (depth: number): Json => {
    const object: { [key: string]: Json } = {}
    expect('{')
    skip()
    if (text[at] === '}') {
      at += 1
      return object
    }
    for (;;) {
      skip()
      const key = readString()
      if (forbiddenKeys.has(key)) refuse('FORBIDDEN_KEY', `may not have the key "${key}"`)
      if (Object.hasOwn(object, key)) refuse('DUPLICATE_KEY', 'has a key twice in one object')
      skip()
      expect(':')
      object[key] = readValue(depth)
      skip()
      if (text[at] === '}') break
      expect(',')
    }
    at += 1
    return object
  }

  const readArray = (depth: number): Json => {
    const array: Json[] = []
    expect('[')
    skip()
    if (text[at] === ']') {
      at += 1
      return array
    }
    for (;;) {
      array.push(readValue(depth))
      skip()
      if (text[at] === ']') break
      expect(',')
    }
    at += 1
    return array
  }

  const readValue = (depth: number): Json => {
    skip()
    const char = text[at] ?? ''
    if (char === '{' || char === '[') {
      if (depth >= maxDepth) refuse('DEPTH', `may be ${maxDepth} levels deep at most`)
      return char === '{' ? readObject(depth + 1) : readArray(depth + 1)
    }
    if (char === '"') return readString()
    for (const [word, value] of words) {
      if (text.startsWith(word, at)) {
        at += word.length
        return value
      }
    }
    if (char === '-' || (char >= '0' && char <= '9')) return readNumber()
    return refuse('JSON', `expected a value, got ${seen(text, at)}`)
  }

  const bytes = utf8Length(text)
  if (bytes > maxBytes) refuse('SIZE', `may have ${maxBytes} bytes at most, got ${bytes}`)
  const value = readValue(0)
  skip()
  if (at < text.length) refuse('JSON', `expected the end of the document, got ${seen(text, at)}`)
  return value
}

const words: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * The canonical text of a value: keys sorted by UTF-16 code unit, no white space, strings as `JSON.stringify` writes them.
 *
 * @param value plain JSON without `undefined`; numbers are whole
 * @see RFC 8785, of which this is the part that whole numbers need
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const members = Object.keys(value)
      .sort()
      .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** @returns how many bytes `text` has in UTF-8; a lone surrogate counts 3, as its replacement does */
function utf8Length(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4
      i += 1
    } else bytes += 3
  }
  return bytes
}

function hasLoneSurrogate(text: string): boolean {
  return /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
}

function seen(text: string, at: number): string {
  return at >= text.length ? 'the end' : JSON.stringify(text.slice(at, at + 12))
}
