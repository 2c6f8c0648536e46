/**
 * A line of text → record, checked whole: the line may come from anywhere. What an older build wrote is lifted to today's
 * shape. A type or version nobody knows is kept as it came.
 */
import { definitionOf, lift } from './codec.ts'
import { Fault } from './failure.ts'
import type { LogRecord } from './record.ts'
import { type QuickCheck, quickCheckOf } from './quickCheck.ts'
import { type Definition, type Definitions, misfit, schemaOf } from './registry.ts'
import { restatedDefinitions } from './restated.ts'

/** Longest line a log may hold, in characters. */
export const longestLine = 1_000_000

/**
 * Reads one line.
 *
 * @param line one record as `encode` writes it
 * @throws Fault `bad_input` naming what was expected and what came; keys like `__proto__` are refused
 */
export function decode(line: string): LogRecord {
  if (line.length > longestLine) throw badLine(`expected at most ${longestLine} characters, got ${line.length}`)
  let value: unknown
  try {
    // Looking at every key is slow, so only a line that might hold such a key is read that way
    value = mayHoldProto.test(line) ? JSON.parse(line, refuseProto) : JSON.parse(line)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw badLine('expected JSON, got text that does not parse')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badLine(`expected an object, got ${typeof value}`)
  const record = value as Record<string, unknown>
  const kind = record.k
  const needs = typeof kind === 'string' && Object.hasOwn(needsOf, kind) ? needsOf[kind as LogRecord['k']] : undefined
  if (!needs)
    throw badLine(`expected k to be i, f, e, p, c or r, got ${JSON.stringify(kind)?.slice(0, 40) ?? 'nothing'}`)
  for (const name in needs) {
    const type = needs[name] as Need
    if (!fits(record[name], type)) throw badLine(`${name} expected ${type}, got ${kindOf(record[name])}`)
  }
  const may = mayHave[kind as LogRecord['k']]
  for (const name in record) {
    if (name === 'k' || Object.hasOwn(needs, name)) continue
    if (!may.includes(name)) throw badLine(`expected no field ${name.slice(0, 40)}, got one`)
    if (!fits(record[name], 'text')) throw badLine(`${name} expected text, got ${kindOf(record[name])}`)
  }
  const known = record as unknown as LogRecord
  if (known.k === 'e' || known.k === 'c') return known
  const definition = known.k === 'r' ? restatedDefinitionOf(known.type) : definitionOf(known.k, known.type)
  if (!definition) return known
  const written = known.v
  try {
    lift(definition, known)
  } catch {
    throw badLine(`${known.type}: version ${written} expected its own shape, got another`)
  }
  if (definition.version === known.v) {
    const problem = fitsQuickly(definition, known.data) ? undefined : misfit(definition, known.data)
    if (problem) throw badLine(`${known.type}: ${problem}`)
  }
  return known
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
  if (key === '__proto__' || key === 'constructor' || key === 'prototype')
    throw badLine(`expected no key ${key}, got one`)
  return value
}

function badLine(message: string): Fault {
  return new Fault('bad_input', `log line: ${message}`)
}

const quickChecks = new WeakMap<Definition, QuickCheck>()

/** Only for reading: the worker, which has not to read a stranger's file, does without. */
function fitsQuickly(definition: Definition, data: unknown): boolean {
  let check = quickChecks.get(definition)
  if (!check) {
    check = quickCheckOf(schemaOf(definition))
    quickChecks.set(definition, check)
  }
  return check(data)
}
