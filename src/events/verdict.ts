/** What strict re-execution found, and how it is told in text. */
import { printable } from './describe.ts'

/** The first line that came out otherwise. `expected` is what was recorded; absent: no line was wanted, or none came. */
export type Difference = {
  /** The cause: its place in the records, its number among the inputs, its type and line. */
  index: number
  n: number
  type: string
  input: string
  /** Place and line number in the file of the line that differs, or of the one that stands where another was wanted. */
  at: number
  line: number
  expected?: string
  actual?: string
  /** Path of the first field that differs, such as `data.phase`; absent when a whole line is missing or too many. */
  field?: string
}

/** `inputs` and `facts` count what was re-executed and came out identical, the differing input itself not included. */
export type Verdict =
  | { ok: true; inputs: number; facts: number }
  | { ok: false; inputs: number; facts: number; difference: Difference }

/** @returns one line for the end of a run: `re-executed 812 inputs, 1,490 facts: identical` */
export function verdictLine(verdict: Verdict): string {
  const { inputs, facts } = verdict
  const counted = `re-executed ${counts(inputs, 'input')}, ${counts(facts, 'fact')}`
  return verdict.ok ? `${counted}: identical` : `${counted}: different from input ${verdict.difference.n} on`
}

/**
 * The first difference as a small report.
 *
 * @param builds of the core that recorded and of the one that ran; either may be unknown
 */
export function differenceReport(difference: Difference, builds: { recorded?: string; running?: string } = {}): string {
  const { n, type, line, field, input, expected, actual } = difference
  const rows: [string, string][] = [
    ['input', input],
    ['recorded', expected ?? (actual === undefined ? 'nothing' : 'no line here')],
    ['now', actual ?? 'no line here'],
  ]
  if (field !== undefined) rows.unshift(['field', field])
  if (builds.recorded) rows.push(['recorded by', `core ${builds.recorded}`])
  if (builds.running) rows.push(['run by', `core ${builds.running}`])
  return [
    `First difference at input ${n}, ${printable(type)} (line ${line} of the file)`,
    ...rows.map(([name, text]) => `  ${name.padEnd(12)}${printable(text)}`),
    '',
  ].join('\n')
}

/** @returns `1,490 facts`, `1 fact` */
export function counts(count: number, noun: string): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${noun}${count === 1 ? '' : 's'}`
}
