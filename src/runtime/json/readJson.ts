/** The one reader of JSON that others wrote: limits before the parser runs, refusals after it. */
import { Fault } from '../failure.ts'
import { markBigIntegers, unmarkBigInteger } from './bigIntegers.ts'
import { isKeyEnd, measureJson, numberEnd, stringEnd } from './jsonText.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export type JsonOptions = {
  /** subject of a failure's sentence: `presale terms` */
  name: string
  /** code of a failure, default `bad_response` */
  code?: 'bad_response' | 'bad_input'
  /** UTF-16 units, default 1,048,576: far above any message of a protocol */
  maxLength?: number
  /** UTF-8 bytes, default unlimited */
  maxBytes?: number
  /** levels of lists and objects, default 32: some engines recurse */
  maxDepth?: number
  /** values, lists and objects, default 50,000: more block the thread and are no message */
  maxValues?: number
  /** Integers beyond ±(2^53 - 1): rounded as by `JSON.parse` (default), or bigints digit for digit. */
  bigIntegers?: 'rounded' | 'exact'
  /** Keys that can pollute an object's prototype: refused (default) or kept. */
  prototypeKeys?: 'refused' | 'kept'
  /**
   * Refuses documents that parsers read in different ways: duplicate keys, lone surrogates, numbers other than canonical whole
   * ones of at most 2^53 - 1. Failures have facts `{ rule: JsonRule }`.
   */
  strict?: true
}

/** Rule that a strict document breaks. */
type JsonRule = 'SIZE' | 'JSON' | 'DUPLICATE_KEY' | 'FORBIDDEN_KEY' | 'NUMBER' | 'DEPTH'

const defaultMaxLength = 1_048_576
const defaultMaxDepth = 32
const defaultMaxValues = 50_000

/** Options of a published document that is signed or hashed: one whose meaning must not depend on the parser. */
export const publishedJson = { maxBytes: 65_536, maxDepth: 8, strict: true } as const

const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const prototypeKeyText = /__proto__|constructor|prototype|\\u/
const canonicalInteger = /^(0|-?[1-9][0-9]{0,15})$/
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/**
 * Parses JSON from outside.
 *
 * @throws Fault `options.code` when the text is too long, too deep, has too many values, is not JSON, or has a refused key;
 * a strict document with facts `{ rule }`
 */
export function readJson(text: string, options: JsonOptions): unknown {
  checkLimits(text, options)
  const value = parse(text, options)
  // A cheap test first: a key could hide only behind a \u escape
  const hostile = options.prototypeKeys !== 'kept' && mayHavePrototypeKey(text) ? prototypeKeyIn(value) : undefined
  if (hostile !== undefined) throw refusal(options, 'FORBIDDEN_KEY', `expected no key ${hostile}, got one`)
  if (options.strict) checkStrict(text, options)
  return value
}

/** @returns whether a text may have a key like `__proto__`; an escape may spell any key */
export function mayHavePrototypeKey(text: string): boolean {
  return prototypeKeyText.test(text)
}

/** Runs before the parser. Unlimited depth and values cost no pass over the text. */
function checkLimits(text: string, options: JsonOptions): void {
  const { maxLength = defaultMaxLength, maxBytes } = options
  const { maxDepth = defaultMaxDepth, maxValues = defaultMaxValues } = options
  if (text.length > maxLength)
    throw refusal(options, 'SIZE', `expected at most ${maxLength} characters, got ${text.length}`)
  const bytes = maxBytes === undefined ? 0 : utf8Length(text)
  if (maxBytes !== undefined && bytes > maxBytes)
    throw refusal(options, 'SIZE', `expected at most ${maxBytes} bytes, got ${bytes}`)
  if (maxDepth === Number.POSITIVE_INFINITY && maxValues === Number.POSITIVE_INFINITY) return
  const { depth, values } = measureJson(text, maxDepth, maxValues)
  if (depth > maxDepth) throw refusal(options, 'DEPTH', `expected at most ${maxDepth} levels of nesting, got ${depth}`)
  if (values > maxValues) throw refusal(options, 'SIZE', `expected at most ${maxValues} values, got ${values}`)
}

function parse(text: string, options: JsonOptions): unknown {
  try {
    const marked = options.bigIntegers === 'exact' ? markBigIntegers(text) : undefined
    return marked === undefined ? JSON.parse(text) : JSON.parse(marked, unmarkBigInteger)
  } catch {
    throw refusal(options, 'JSON', `expected JSON, got text that does not parse`)
  }
}

function prototypeKeyIn(root: unknown): string | undefined {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) {
      const found = Object.keys(value).find(key => prototypeKeys.has(key))
      if (found !== undefined) return found
    }
    for (const item of Object.values(value)) waiting.push(item)
  }
  return undefined
}

/** @param text JSON, as the parser found */
function checkStrict(text: string, options: JsonOptions): void {
  /** keys of each open object; a list has none */
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at)
    if (char === '"') {
      const end = stringEnd(text, at)
      const read = JSON.parse(text.slice(at, end)) as string
      if (loneSurrogate.test(read))
        throw refusal(options, 'JSON', 'expected whole characters, got half a surrogate pair')
      const keys = isKeyEnd(text, end) ? open.at(-1) : undefined
      if (keys?.has(read)) throw refusal(options, 'DUPLICATE_KEY', 'expected each key once in an object, got one twice')
      keys?.add(read)
      at = end
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const end = numberEnd(text, at)
      const literal = text.slice(at, end)
      if (!canonicalInteger.test(literal) || !Number.isSafeInteger(Number(literal))) {
        const got = literal.slice(0, 20)
        throw refusal(options, 'NUMBER', `expected whole numbers of at most 2^53 - 1 in plain digits, got ${got}`)
      }
      at = end
    } else {
      if (char === '{' || char === '[') open.push(char === '{' ? new Set() : undefined)
      else if (char === '}' || char === ']') open.pop()
      at += 1
    }
  }
}

function refusal({ name, code = 'bad_response', strict }: JsonOptions, rule: JsonRule, sentence: string): Fault {
  return new Fault(code, `${name} ${sentence}`, strict && { rule })
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
