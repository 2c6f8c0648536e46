/**
 * Record ↔ one line of text. Keys of an envelope and of its data have a fixed order, so equal records are equal lines.
 * `createDecoder.ts` reads untrusted lines. Writers write the newest version only.
 */
import type {
  CheckpointRecord,
  EffectRecord,
  FactRecord,
  InputRecord,
  LogRecord,
  PageRecord,
  RunningRecord,
} from './record.ts'
import type { Definition, Definitions } from '../schema/registry.ts'

/** The types of a log, by the kind of line that holds them. */
type LogTypes = { readonly inputs: Definitions; readonly facts: Definitions; readonly pageFacts: Definitions }

export type Codec = {
  /** @returns today's definition of a type of this kind */
  definitionOf(this: void, kind: RunningRecord['k'], type: string): Definition | undefined
  /** @returns the current version of a type, or 1 for an unknown type */
  versionOf(this: void, kind: RunningRecord['k'], type: string): number
  /** @returns a running record's line, without the line end; `lineOf` gives any record's */
  encode(this: void, record: RunningRecord): string
  /**
   * Parses a running line that this device wrote and whose bytes are known to be whole: lifts it, but does not validate it.
   *
   * @throws SyntaxError when it does not parse
   */
  decodeOwn(this: void, line: string): RunningRecord
}

/** @returns the codec of a log with these types */
export function createCodec({ inputs, facts, pageFacts }: LogTypes): Codec {
  const definitionsOf: { [kind in RunningRecord['k']]: Definitions | undefined } = {
    i: inputs,
    f: facts,
    p: pageFacts,
    e: undefined,
  }

  function definitionOf(kind: RunningRecord['k'], type: string): Definition | undefined {
    const table = definitionsOf[kind]
    return table && Object.hasOwn(table, type) ? table[type] : undefined
  }

  function body({ k, type, v, data }: InputRecord | FactRecord | PageRecord): string {
    const definition = definitionOf(k, type)
    // A defined type needs no escaping
    if (!definition) return `,"type":${JSON.stringify(type)},"v":${v},"data":${JSON.stringify(data)}`
    return `,"type":"${type}","v":${v},"data":${dataText(definition, data)}`
  }

  return {
    definitionOf,
    versionOf: (kind, type) => definitionOf(kind, type)?.version ?? 1,
    encode(record) {
      switch (record.k) {
        case 'i':
          // Fields that differ from line to line stand together: compressed, a line is a fifth smaller
          return `{"k":"i","n":${record.n},"at":${record.at}${tail('to', record.to)}${tail('tab', record.tab)}${tail('ref', record.ref)}${body(record)}}`
        case 'f':
          return `{"k":"f","seq":${record.seq},"n":${record.n},"at":${record.at}${body(record)}${tail('ref', record.ref)}}`
        case 'e':
          return `{"k":"e"${record.n === undefined ? '' : `,"n":${record.n}`},"types":${JSON.stringify(record.types)},"h":${JSON.stringify(record.h)}}`
        case 'p':
          return `{"k":"p","p":${record.p},"life":${record.life},"after":${record.after},"tab":${JSON.stringify(record.tab)},"at":${record.at}${body(record)}}`
      }
    },
    decodeOwn(line) {
      const record = JSON.parse(line) as RunningRecord
      const definition = record.k === 'e' ? undefined : definitionOf(record.k, record.type)
      if (definition && record.k !== 'e') lift(definition, record)
      return record
    },
  }
}

/**
 * @returns the data with its fields in the order of their definition, as in the line: models folded from memory and from disk
 *   are equal down to the order of their keys
 */
export function fieldsInOrder(
  definition: Definition | undefined,
  data: Record<string, unknown>,
): Record<string, unknown> {
  if (!definition) return data
  const ordered: Record<string, unknown> = {}
  for (const name in definition.fields) if (data[name] !== undefined) ordered[name] = data[name]
  return ordered
}

function dataText({ fields }: Definition, data: Record<string, unknown>): string {
  let text = ''
  for (const name in fields) {
    const value = data[name]
    if (value === undefined) continue
    // Most values are small, and a call of JSON.stringify for each costs more than writing them
    const json = typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
    text += `${text === '' ? '' : ','}"${name}":${json}`
  }
  return `{${text}}`
}

function tail(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`
}

/** Lifts an older version's data to today's shape, in place. Lifts see unvalidated data, and may throw. */
export function lift(
  { version, lifts = [] }: Definition,
  record: Exclude<LogRecord, EffectRecord | CheckpointRecord>,
): void {
  for (; record.v >= 1 && record.v < version; record.v += 1) record.data = lifts[record.v - 1]?.(record.data) ?? {}
}
