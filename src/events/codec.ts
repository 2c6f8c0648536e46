/**
 * Record ↔ one line of text. Keys of an envelope and of its data stand in a fixed order, so equal records are equal lines.
 * What an older build wrote is lifted to today's shape on reading, here and nowhere else; writers write the newest only.
 * A type or version nobody knows is kept as it came.
 */
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from './definitions.ts'
import { Fault } from './failure.ts'
import type {
  CheckpointRecord,
  EffectRecord,
  FactRecord,
  InputRecord,
  LogRecord,
  PageRecord,
  RunningRecord,
} from './record.ts'
import { type Definition, type Definitions, misfit } from './registry.ts'
import { restatedDefinitions } from './restated.ts'

/** Longest line a log may hold, in characters. */
export const longestLine = 1_000_000

const definitionsOf: { [kind in RunningRecord['k']]: Definitions | undefined } = {
  i: allInputDefinitions,
  f: factDefinitions,
  p: pageFactDefinitions,
  e: undefined,
}

function definitionOf(kind: RunningRecord['k'], type: string): Definition | undefined {
  const table = definitionsOf[kind]
  return table && Object.hasOwn(table, type) ? table[type] : undefined
}

/** @returns the current version of a type, or 1 for a type nobody knows */
export function versionOf(kind: RunningRecord['k'], type: string): number {
  return definitionOf(kind, type)?.version ?? 1
}

/** @returns the one line, without the line end, of a record that is written as it happens; `lineOf` gives any record's */
export function encode(record: RunningRecord): string {
  switch (record.k) {
    case 'i':
      return `{"k":"i","n":${record.n},"at":${record.at}${body(record)}${tail('to', record.to)}${tail('tab', record.tab)}${tail('ref', record.ref)}}`
    case 'f':
      return `{"k":"f","seq":${record.seq},"n":${record.n},"at":${record.at}${body(record)}${tail('ref', record.ref)}}`
    case 'e':
      return `{"k":"e","n":${record.n},"types":${JSON.stringify(record.types)},"h":"${record.h}"}`
    case 'p':
      return `{"k":"p","p":${record.p},"life":${record.life},"after":${record.after},"tab":${JSON.stringify(record.tab)},"at":${record.at}${body(record)}}`
  }
}

/**
 * @returns the data with its fields in the order of their definition, as they stand in the line: so a model folded from
 *   memory and one folded from disk are the same down to the order of their keys
 */
export function inOrder(
  kind: RunningRecord['k'],
  type: string,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const definition = definitionOf(kind, type)
  if (!definition) return data
  const ordered: Record<string, unknown> = {}
  for (const name in definition.fields) if (data[name] !== undefined) ordered[name] = data[name]
  return ordered
}

function body({ k, type, v, data }: InputRecord | FactRecord | PageRecord): string {
  const definition = definitionOf(k, type)
  // A type that is defined has nothing in it that would be escaped
  if (!definition) return `,"type":${JSON.stringify(type)},"v":${v},"data":${JSON.stringify(data)}`
  return `,"type":"${type}","v":${v},"data":${dataText(definition, data)}`
}

function dataText({ fields }: Definition, data: Record<string, unknown>): string {
  let text = ''
  for (const name in fields) {
    const value = data[name]
    if (value === undefined) continue
    // By far most values are small, and going into JSON for each costs more than writing them
    const json = typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
    text += `${text === '' ? '' : ','}"${name}":${json}`
  }
  return `{${text}}`
}

function tail(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`
}

/**
 * Reads one line.
 *
 * @param line one record as `encode` writes it
 * @throws Fault `bad_input` naming what was expected and what came; keys like `__proto__` are refused
 */
export function decode(line: string): LogRecord {
  if (line.length > longestLine) throw bad(`expected at most ${longestLine} characters, got ${line.length}`)
  let value: unknown
  try {
    // Looking at every key is slow, so only a line that might hold such a key is read that way
    value = mayHoldProto.test(line) ? JSON.parse(line, refuseProto) : JSON.parse(line)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw bad('expected JSON, got text that does not parse')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(`expected an object, got ${typeof value}`)
  const record = value as Record<string, unknown>
  const kind = record.k
  const needs = typeof kind === 'string' && Object.hasOwn(needsOf, kind) ? needsOf[kind as LogRecord['k']] : undefined
  if (!needs) throw bad(`expected k to be i, f, e, p, c or r, got ${JSON.stringify(kind)?.slice(0, 40) ?? 'nothing'}`)
  for (const name in needs) {
    const type = needs[name] as Need
    if (!fits(record[name], type)) throw bad(`${name} expected ${type}, got ${kindOf(record[name])}`)
  }
  const may = mayHave[kind as LogRecord['k']]
  for (const name in record) {
    if (name === 'k' || Object.hasOwn(needs, name)) continue
    if (!may.includes(name)) throw bad(`expected no field ${name.slice(0, 40)}, got one`)
    if (!fits(record[name], 'text')) throw bad(`${name} expected text, got ${kindOf(record[name])}`)
  }
  const known = record as unknown as LogRecord
  if (known.k === 'e' || known.k === 'c') return known
  const definition = known.k === 'r' ? restatedDefinitionOf(known.type) : definitionOf(known.k, known.type)
  if (!definition) return known
  lift(definition, known)
  if (definition.version === known.v) {
    const problem = misfit(definition, known.data)
    if (problem) throw bad(`${known.type}: ${problem}`)
  }
  return known
}

/**
 * Reads a running line that this device wrote and whose bytes are known to be whole: lifted like any other, but not checked
 * again.
 *
 * @throws Fault `bad_input` when it does not parse
 */
export function decodeOwn(line: string): RunningRecord {
  let record: RunningRecord
  try {
    record = JSON.parse(line) as RunningRecord
  } catch {
    throw bad('expected JSON, got text that does not parse')
  }
  const definition = record.k === 'e' ? undefined : definitionOf(record.k, record.type)
  if (definition && record.k !== 'e') lift(definition, record)
  return record
}

/** Brings an older version's data into today's shape, in place. */
function lift(definition: Definition, record: Exclude<LogRecord, EffectRecord | CheckpointRecord>): void {
  const { version, lifts = [] } = definition
  const written = record.v
  try {
    // Lifts see what nobody has checked: the outcome is
    while (record.v >= 1 && record.v < version) {
      record.data = lifts[record.v - 1]?.(record.data) ?? record.data
      record.v += 1
    }
  } catch {
    throw bad(`${record.type}: version ${written} expected its own shape, got another`)
  }
}

/** @returns whether a line was written in the newest version of its type, so that reading it changed nothing */
export function isNewest(line: string, record: LogRecord): boolean {
  return (
    record.k === 'e' || record.k === 'c' || line.includes(`,"type":${JSON.stringify(record.type)},"v":${record.v},`)
  )
}

/** Fields a line may have beside those it needs; each is text. */
const mayHave: { [kind in LogRecord['k']]: readonly string[] } = {
  i: ['to', 'tab', 'ref'],
  f: ['ref'],
  e: [],
  p: [],
  c: [],
  r: [],
}

type Need = 'whole number' | 'text' | 'object' | 'list of text'
const inputNeeds: Record<string, Need> = {
  n: 'whole number',
  at: 'whole number',
  type: 'text',
  v: 'whole number',
  data: 'object',
}
const factNeeds: Record<string, Need> = { seq: 'whole number', ...inputNeeds }
const effectNeeds: Record<string, Need> = { n: 'whole number', types: 'list of text', h: 'text' }
const pageNeeds: Record<string, Need> = {
  p: 'whole number',
  life: 'whole number',
  after: 'whole number',
  tab: 'text',
  at: 'whole number',
  type: 'text',
  v: 'whole number',
  data: 'object',
}
const checkpointNeeds: Record<string, Need> = {
  n: 'whole number',
  seq: 'whole number',
  life: 'whole number',
  at: 'whole number',
  build: 'text',
  state: 'text',
  transient: 'object',
  restated: 'whole number',
}
const restatedNeeds: Record<string, Need> = { type: 'text', v: 'whole number', data: 'object' }
const needsOf: { [kind in LogRecord['k']]: Record<string, Need> } = {
  i: inputNeeds,
  f: factNeeds,
  e: effectNeeds,
  p: pageNeeds,
  c: checkpointNeeds,
  r: restatedNeeds,
}

function restatedDefinitionOf(type: string): Definition | undefined {
  return Object.hasOwn(restatedDefinitions, type) ? (restatedDefinitions as Definitions)[type] : undefined
}

function fits(value: unknown, need: Need): boolean {
  switch (need) {
    case 'whole number':
      return Number.isSafeInteger(value)
    case 'text':
      return typeof value === 'string'
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'list of text':
      return Array.isArray(value) && value.every(member => typeof member === 'string')
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value
}

/** An escape may spell any key, so a line with one is looked at too. */
const mayHoldProto = /__proto__|constructor|prototype|\\u/

function refuseProto(this: unknown, key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw bad(`expected no key ${key}, got one`)
  return value
}

function bad(message: string): Fault {
  return new Fault('bad_input', `log line: ${message}`)
}
