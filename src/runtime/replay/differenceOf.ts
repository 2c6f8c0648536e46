/** Details of a difference for the report: the input's records then and now, and the model around them. */
import { copyOf } from '../json/copyOf.ts'
import { subjectOf } from '../log/subjectOf.ts'
import { firstDifference } from './firstDifference.ts'
import type { Effect, FactRecord, LogRecord } from '../log/record.ts'
import type { Difference } from './verdict.ts'

/** The causing input, and its place in the file. */
export type DifferencePlace = Pick<Difference, 'index' | 'n' | 'type' | 'input' | 'at' | 'line'>

/**
 * @param lines the recorded and the actual line; either may be missing
 * @param model of this run
 * @param came the recorded records after the input, and this run's step; absent where a checkpoint differs
 */
export function differenceOf(
  place: DifferencePlace,
  { expected, actual }: { expected?: string | undefined; actual?: string | undefined },
  model: Record<string, unknown>,
  came?: { recorded: readonly LogRecord[]; step: { facts: readonly FactRecord[]; effects: readonly Effect[] } },
): Difference {
  const difference: Difference = { ...place }
  if (expected !== undefined) difference.expected = expected
  if (actual !== undefined) difference.actual = actual
  const types = [expected, actual].map(typeOfLine)
  const field = expected !== undefined && actual !== undefined ? firstDifference(expected, actual) : undefined
  if (field) {
    const { path, ...values } = field
    difference.field = path
    if (path.startsWith('state.')) types.push(path.slice('state.'.length))
    if (Object.keys(values).length > 0) difference.values = values
  }
  if (came) {
    const { facts, effects } = came.step
    const now = facts.map(fact => fact.type)
    const ordered = effects.map(effect => effect.type)
    if (ordered.length > 0) now.push(effectsText(ordered))
    difference.lines = { recorded: typesOf(came.recorded), now }
    difference.effects = effects.map(({ type, data }) => ({ type, data: copyOf(data) }))
    types.push(...now, ...difference.lines.recorded, place.type, ...ordered)
  }
  const subject = types.map(type => subjectOf(type ?? '')).find(name => Object.hasOwn(model, name))
  if (subject !== undefined) difference.around = { subject, model: copyOf(model[subject]) }
  return difference
}

/** Types of an input's recorded results: its facts, then its effects. */
function typesOf(records: readonly LogRecord[]): string[] {
  const types: string[] = []
  for (const record of records) {
    if (record.k === 'i') break
    if (record.k === 'f') types.push(record.type)
    else if (record.k === 'e') types.push(effectsText(record.types))
  }
  return types
}

function effectsText(types: readonly string[]): string {
  return `effects: ${types.join(' ')}`
}

/** The type in the line of a fact or a row. */
function typeOfLine(line: string | undefined): string | undefined {
  return /^\{"k":"[fr]",.{0,80}?"type":"([^"]+)"/.exec(line ?? '')?.[1]
}
