/**
 * Limits of a recording. Every line of any type is measured before it is parsed, so that a small compressed file cannot take
 * more memory than a large honest one.
 */
import { Fault } from '../failure.ts'
import { measureJson } from '../json/jsonText.ts'
import { badLine } from './badLine.ts'

/**
 * Most that a recording may hold. A visit has some hundred lines of twenty values; a log of 100,000 facts has 330,000 lines and
 * 3,500,000 values.
 */
export const recordingLimits = {
  /** after gunzip */
  bytes: 64 * 1024 * 1024,
  lines: 500_000,
  /** texts, numbers, lists and objects of all lines */
  values: 6_000_000,
  /** lists and objects alone, which take most memory */
  containers: 2_000_000,
  valuesOfLine: 50_000,
  depth: 64,
  /** distinct types that this build does not know, and characters in the name of one */
  unknownTypes: 100,
  nameOfType: 200,
} as const

/** Counts so far. */
type Used = { lines: number; values: number; containers: number }

type Budget = {
  /** Measures a line before it is parsed. @throws Fault `bad_input` with the counts so far as its facts */
  take(line: string, number: number): void
  /** Counts a record of a type this build does not know. */
  takeUnknown(type: string, number: number): void
  readonly used: Readonly<Used>
  /** Records of unknown types, by type; without a prototype, because a type may have any name. */
  readonly unknownTypes: Record<string, number>
}

/** Makes the budget of one file. */
export function createBudget(): Budget {
  const used: Used = { lines: 0, values: 0, containers: 0 }
  const unknownTypes: Record<string, number> = Object.create(null) as Record<string, number>
  let kinds = 0

  const refuse = (name: string, most: number, got: number | string) =>
    new Fault('bad_input', `the recording expected at most ${most} ${name}, got ${got}`, { ...used })

  return {
    used,
    unknownTypes,
    take(line, number) {
      const { values, containers } = measure(line, number)
      used.lines += 1
      used.values += values
      used.containers += containers
      if (used.lines > recordingLimits.lines) throw refuse('lines', recordingLimits.lines, 'more')
      if (used.values > recordingLimits.values) throw refuse('values', recordingLimits.values, 'more')
      if (used.containers > recordingLimits.containers)
        throw refuse('lists and objects', recordingLimits.containers, 'more')
    },
    takeUnknown(type, number) {
      if (type.length > recordingLimits.nameOfType)
        throw badLine(number, `type expected at most ${recordingLimits.nameOfType} characters, got ${type.length}`)
      const before = unknownTypes[type]
      if (before === undefined) kinds += 1
      if (kinds > recordingLimits.unknownTypes) throw refuse('unknown types', recordingLimits.unknownTypes, 'more')
      unknownTypes[type] = (before ?? 0) + 1
    },
  }
}

/**
 * Counts a line's values and lists without parsing it; a doubled key counts twice.
 *
 * @throws Fault `bad_input` naming the line when it is nested too deep or holds too many
 */
function measure(line: string, number: number): { values: number; containers: number } {
  const { depth: maxDepth, valuesOfLine } = recordingLimits
  const { depth, values, containers } = measureJson(line, maxDepth, valuesOfLine)
  if (depth > maxDepth) throw badLine(number, `expected at most ${maxDepth} levels of nesting, got ${depth}`)
  if (values > valuesOfLine) throw badLine(number, `expected at most ${valuesOfLine} values, got ${values}`)
  return { values, containers }
}
