/** The one reader of JSON that others wrote: limits before the parser runs, refusals after it. */
import { Fault } from '../failure.ts'
import type { BigIntegers } from './bigIntegers.ts'
import { measureJson } from './jsonText.ts'

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
  /** Integers beyond ±(2^53 - 1): rounded as by `JSON.parse` (default), or by `exactIntegers` bigints digit for digit. */
  bigIntegers?: BigIntegers
  /** Keys that can pollute an object's prototype: refused (default) or kept. */
  prototypeKeys?: 'refused' | 'kept'
  /** Refuses a document that parses and may not be taken: see `publishedJson`. Failures have facts `{ rule: JsonRule }`. */
  strict?: (text: string, refuse: Refuse) => void
}

/** Rule that a strict document breaks. */
type JsonRule = 'SIZE' | 'JSON' | 'DUPLICATE_KEY' | 'FORBIDDEN_KEY' | 'NUMBER' | 'DEPTH'

/** @returns the failure of a text that breaks a rule */
export type Refuse = (rule: JsonRule, sentence: string) => Fault

const defaultMaxLength = 1_048_576
const defaultMaxDepth = 32
const defaultMaxValues = 50_000

const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const prototypeKeyText = /__proto__|constructor|prototype|\\u/

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
  options.strict?.(text, (rule, sentence) => refusal(options, rule, sentence))
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
    const marked = options.bigIntegers?.mark(text)
    return marked === undefined ? JSON.parse(text) : JSON.parse(marked, options.bigIntegers?.unmark)
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
