/**
 * Line of text → validated record; the line may come from anywhere. Lifts older versions to today's shape. Keeps unknown types
 * and versions as they came.
 */
import { isRecord } from '../json/isRecord.ts'
import { type Codec, lift } from './createCodec.ts'
import { Fault } from '../failure.ts'
import { type JsonOptions, mayHavePrototypeKey, readJson } from '../json/readJson.ts'
import { type CheckpointRecord, checkpointFormat, type EffectRecord, liftCheckpoint, type LogRecord } from './record.ts'
import { own } from '../schema/own.ts'
import { type PartCheck, partsCheck, type QuickCheck, quickCheckOf } from '../schema/quickCheck.ts'
import { type Definition, type Definitions, misfit, schemaOf } from '../schema/registry.ts'

/** Longest line a log may hold, in characters. */
export const longestLine = 1_000_000

const suspectLine: JsonOptions = {
  name: 'log line:',
  code: 'bad_input',
  maxLength: longestLine,
  maxDepth: Number.POSITIVE_INFINITY,
  maxValues: Number.POSITIVE_INFINITY,
}
const harmlessLine: JsonOptions = { ...suspectLine, prototypeKeys: 'kept' }

export type Decoder = {
  /**
   * Reads one line.
   *
   * @param line one record as `encode` writes it
   * @throws Fault `bad_input` naming what was expected and what came; keys like `__proto__` are refused
   */
  decode(this: void, line: string): LogRecord
  /** @param mayHold `mayHavePrototypeKey` of this line, for callers that know it already */
  decodeLine(this: void, line: string, mayHold: boolean): LogRecord
  /** @returns whether the line has the newest version of its type, so that decoding changed nothing */
  isNewest(this: void, line: string, record: LogRecord): boolean
  /** @returns false for a type or version that this build has no definition of */
  isKnownType(this: void, record: TypedRecord): boolean
}

type TypedRecord = Exclude<LogRecord, EffectRecord | CheckpointRecord>

/** The means to read a type, made on first use; `head` stands before its data in every line. */
type Reading = { definition: Definition; fits: QuickCheck; head: string }

/** @returns the reader of untrusted lines of a log with these types; `tables` define its rows */
export function createDecoder({ definitionOf }: Pick<Codec, 'definitionOf'>, tables: Definitions): Decoder {
  const readings: { [kind in TypedRecord['k']]: Map<string, Reading> } = {
    i: new Map(),
    f: new Map(),
    p: new Map(),
    r: new Map(),
  }

  function readingOf({ k, type }: TypedRecord): Reading | undefined {
    const met = readings[k].get(type)
    if (met) return met
    const definition = k === 'r' ? own(tables, type) : definitionOf(k, type)
    if (!definition) return undefined
    const reading = { definition, fits: quickCheckOf(schemaOf(definition)), head: headOf(type, definition.version) }
    readings[k].set(type, reading)
    return reading
  }

  function decodeLine(line: string, mayHold: boolean): LogRecord {
    const value = readJson(line, mayHold ? suspectLine : harmlessLine)
    if (!isRecord(value)) throw badLine(`expected an object, got ${typeof value}`)
    const record = value.k === 'c' ? liftCheckpoint(value) : value
    checkEnvelope(record)
    const known = record as unknown as LogRecord
    if (known.k === 'c' && known.format !== checkpointFormat)
      throw badLine(`format expected at most ${checkpointFormat}, got ${known.format}`)
    if (known.k === 'e' || known.k === 'c') return known
    const reading = readingOf(known)
    if (!reading) return known
    const { definition, fits } = reading
    const written = known.v
    if (written !== definition.version) {
      try {
        lift(definition, known)
      } catch {
        throw badLine(`${known.type}: version ${written} expected its own shape, got another`)
      }
    }
    if (definition.version === known.v && !fits(known.data)) {
      const problem = misfit(definition, known.data)
      if (problem) throw badLine(`${known.type}: ${problem}`)
    }
    return known
  }

  return {
    decode: line => decodeLine(line, mayHavePrototypeKey(line)),
    decodeLine,
    isNewest(line, record) {
      if (record.k === 'e') return true
      if (record.k === 'c') return line.startsWith(`{"k":"c","format":${checkpointFormat},`)
      const reading = readingOf(record)
      return line.includes(reading?.definition.version === record.v ? reading.head : headOf(record.type, record.v))
    },
    isKnownType: record => readingOf(record)?.definition.version === record.v,
  }
}

function headOf(type: string, version: number): string {
  return `,"type":${JSON.stringify(type)},"v":${version},`
}

type Need = 'whole number' | 'text' | 'object' | 'list of text'
const fitting: { [need in Need]: QuickCheck } = {
  'whole number': Number.isSafeInteger,
  text: value => typeof value === 'string',
  object: isRecord,
  'list of text': value => Array.isArray(value) && value.every(member => typeof member === 'string'),
}
/** Fields of a line, beside `k`; a question mark means optional. */
type Line = { readonly [name: string]: Need | `${Need}?` }
const lines: { [kind in LogRecord['k']]: Line } = {
  i: {
    n: 'whole number',
    at: 'whole number',
    to: 'text?',
    tab: 'text?',
    ref: 'text?',
    type: 'text',
    v: 'whole number',
    data: 'object',
  },
  f: {
    seq: 'whole number',
    n: 'whole number',
    at: 'whole number',
    type: 'text',
    v: 'whole number',
    data: 'object',
    ref: 'text?',
  },
  e: { n: 'whole number?', types: 'list of text', h: 'text' },
  p: {
    p: 'whole number',
    life: 'whole number',
    after: 'whole number',
    tab: 'text',
    at: 'whole number',
    type: 'text',
    v: 'whole number',
    data: 'object',
  },
  c: {
    format: 'whole number',
    n: 'whole number',
    seq: 'whole number',
    life: 'whole number',
    at: 'whole number',
    build: 'text',
    state: 'text',
    transient: 'object',
    rows: 'whole number',
  },
  r: { type: 'text', v: 'whole number', data: 'object' },
}

/** The fields of each kind of line, in the order in which they are written. */
const partsOf = new Map<unknown, (PartCheck & { need: Need })[]>(
  Object.entries(lines).map(([kind, line]) => [
    kind,
    Object.entries({ k: 'text' as const, ...line }).map(([name, said]) => {
      const need = said.replace('?', '') as Need
      return { name, need, isOptional: said.endsWith('?'), check: fitting[need] }
    }),
  ]),
)
const envelopes = new Map<unknown, QuickCheck>([...partsOf].map(([kind, parts]) => [kind, partsCheck(parts)]))

/** @throws Fault `bad_input` saying what is wrong with a line's fields, if anything is */
function checkEnvelope(record: Readonly<Record<string, unknown>>): void {
  if (envelopes.get(record.k)?.(record)) return
  const parts = partsOf.get(record.k)
  if (!parts)
    throw badLine(`expected k to be i, f, e, p, c or r, got ${JSON.stringify(record.k)?.slice(0, 40) ?? 'nothing'}`)
  const mustFit = ({ name, need, check }: (typeof parts)[number]) => {
    if (!check(record[name])) throw badLine(`${name} expected ${need}, got ${kindOf(record[name])}`)
  }
  for (const part of parts) if (!part.isOptional) mustFit(part)
  for (const name in record) {
    const part = parts.find(one => one.name === name)
    if (!part) throw badLine(`expected no field ${name.slice(0, 40)}, got one`)
    mustFit(part)
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value
}

function badLine(message: string): Fault {
  return new Fault('bad_input', `log line: ${message}`)
}
