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
import { type Definition, type Definitions, misfit } from '../schema/registry.ts'
import { absentable, custom, object, type Schema } from '../schema/schema.ts'

/** Longest line a log may hold, in characters. */
export const longestLine = 1_000_000

const suspectLine: JsonOptions = {
  name: 'the line',
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
type Reading = { definition: Definition; head: string }

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
    const reading = { definition, head: headOf(type, definition.version) }
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
    const { definition } = reading
    const written = known.v
    if (written !== definition.version) {
      try {
        lift(definition, known)
      } catch {
        throw badLine(`${known.type}: version ${written} expected its own shape, got another`)
      }
    }
    if (definition.version === known.v) {
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

const whole = custom<number>(Number.isSafeInteger, 'whole number')
const text = custom<string>(value => typeof value === 'string', 'text')
const texts = custom<string[]>(
  value => Array.isArray(value) && value.every(member => typeof member === 'string'),
  'list of text',
)
const data = custom<object>(isRecord, 'object')
const typed = { type: text, v: whole, data }
const ref = absentable(text)

/** Each kind of line, its fields in the order in which they are written. */
const envelopes: ReadonlyMap<unknown, Schema> = new Map<LogRecord['k'], Schema>([
  ['i', object({ k: text, n: whole, at: whole, to: ref, tab: ref, ref, ...typed })],
  ['f', object({ k: text, seq: whole, n: whole, at: whole, ...typed, ref })],
  ['e', object({ k: text, n: absentable(whole), types: texts, h: text })],
  ['p', object({ k: text, p: whole, life: whole, after: whole, tab: text, at: whole, ...typed })],
  [
    'c',
    object({
      k: text,
      format: whole,
      n: whole,
      seq: whole,
      life: whole,
      at: whole,
      build: text,
      state: text,
      transient: data,
      rows: whole,
    }),
  ],
  ['r', object({ k: text, ...typed })],
])

/** @throws Fault `bad_input` saying what is wrong with a line's fields, if anything is */
function checkEnvelope(record: Readonly<Record<string, unknown>>): void {
  const envelope = envelopes.get(record.k)
  if (!envelope)
    throw badLine(`expected k to be i, f, e, p, c or r, got ${JSON.stringify(record.k)?.slice(0, 40) ?? 'nothing'}`)
  const found = envelope.check(record)
  if (found) throw badLine(`${found.path} expected ${found.expected}, got ${kindOf(record[found.path])}`)
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value
}

/** Its caller says which line it is. */
function badLine(message: string): Fault {
  return new Fault('bad_input', message)
}
