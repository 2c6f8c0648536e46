/** The result of strict re-execution, and its text. */
import { printable } from './describe.ts'

/** The first line that differs. `expected` is the recorded line, `actual` this run's; absent when that side has none. */
export type Difference = {
  /** The cause: its place in the records, its number among the inputs, its type and line. */
  index: number
  n: number
  type: string
  input: string
  /** Place in the records, and line number in the file, of the line that differs or stands where another was expected. */
  at: number
  line: number
  expected?: string
  actual?: string
  /** Path of the first field that differs, such as `data.phase`; absent when a whole line is missing or extra. */
  field?: string
  /** The field's values as JSON; absent where there is none. */
  values?: { expected?: string; actual?: string }
  /** Types of all lines that the input caused, recorded and now; effects as `effects: a, b`. */
  lines?: { recorded: string[]; now: string[] }
  /** The effects that this run would have ordered. */
  effects?: { type: string; data: unknown }[]
  /** The part of the model that the difference concerns, after the input, in this run. */
  around?: { subject: string; model: unknown }
}

/** `inputs` and `facts` count what was re-executed and is identical, without the differing input. */
export type Verdict =
  | { ok: true; inputs: number; facts: number }
  | { ok: false; inputs: number; facts: number; difference: Difference }

/** @returns one line for the end of a run: `re-executed 812 inputs, 1,490 facts: identical` */
export function verdictLine(verdict: Verdict): string {
  const { inputs, facts } = verdict
  const counted = `re-executed ${counts(inputs, 'input')}, ${counts(facts, 'fact')}`
  return verdict.ok ? `${counted}: identical` : `${counted}: different from input ${verdict.difference.n} on`
}

/** Columns and lines of one screen. */
const columns = 100
const rowsAtMost = 24
const labelled = 14

/**
 * The first difference on one screen, at most 24 lines of 100 columns.
 *
 * @param builds of the core that recorded and of the one that ran; either may be unknown
 * @param again the command that runs it once more
 */
export function differenceReport(
  difference: Difference,
  builds: { recorded?: string; running?: string } = {},
  again?: string,
): string {
  const { n, type, line, field, values, expected, actual, input } = difference
  const [was, is] = beside(expected, actual)
  const before: [string, string][] = []
  if (field !== undefined) before.push(['field', isEffects(expected) && field === 'h' ? fingerprint : field])
  if (values) before.push(['  recorded', values.expected ?? 'absent'], ['  now', values.actual ?? 'absent'])
  before.push(['input', input], ['recorded', was ?? (actual === undefined ? 'nothing' : 'no line here')])
  before.push(['now', is ?? 'no line here'], ...allLines(difference), ...effectRows(difference))
  const after: [string, string][] = []
  if (builds.recorded) after.push(['recorded by', `core ${builds.recorded}`])
  if (builds.running) {
    const same = builds.running === builds.recorded ? ', the same build' : ''
    after.push(['run by', `core ${builds.running}${same}`])
  }
  // The command is for copying, so it alone is never cut
  const command = again === undefined ? [] : [row('run again', again)]
  // The title and the empty last line count, too
  const room = rowsAtMost - 2 - before.length - after.length - command.length
  const rows = [...before, ...modelRows(difference, room), ...after]
  return [
    fit(`First difference at input ${n}, ${printable(type)} (line ${line} of the file)`, columns),
    ...rows.map(([name, text]) => row(name, fit(text, columns - labelled))),
    ...command,
    '',
  ].join('\n')
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(labelled - 2)}${text}`
}

/** The two lines, each cut around their first difference when it is far behind. */
function beside(expected: string | undefined, actual: string | undefined): [string | undefined, string | undefined] {
  if (expected === undefined || actual === undefined) return [expected, actual]
  let part = 0
  while (part < expected.length && expected[part] === actual[part]) part += 1
  const width = columns - labelled
  if (part < width - 20) return [expected, actual]
  const head = 36
  const from = part - 24
  const cut = (line: string) => `${line.slice(0, head)} … ${line.slice(from)}`
  return [cut(expected), cut(actual)]
}

/** All types on both sides, when they differ. */
function allLines({ lines }: Difference): [string, string][] {
  if (!lines || lines.recorded.join() === lines.now.join()) return []
  const told = (types: string[]) => (types.length === 0 ? 'nothing' : types.join(', '))
  return [
    ['all recorded', told(lines.recorded)],
    ['all now', told(lines.now)],
  ]
}

const fingerprint = 'h, the fingerprint of its effects: their recorded data is not in the file'

function isEffects(line: string | undefined): boolean {
  return line?.startsWith('{"k":"e"') ?? false
}

/** A recording holds only the types and a hash of effects, so a difference among them shows those of this run. */
function effectRows({ expected, actual, effects = [] }: Difference): [string, string][] {
  if (![expected, actual].some(isEffects)) return []
  if (effects.length === 0) return [['effects now', 'none']]
  const told = effects.slice(0, 5).map(({ type, data }) => `${type} ${JSON.stringify(data)}`)
  if (effects.length > told.length) told.push(`and ${effects.length - told.length} more`)
  return told.map((text, index) => [index === 0 ? 'effects now' : '', text])
}

function modelRows({ around }: Difference, room: number): [string, string][] {
  if (!around || room < 1) return []
  const { subject, model } = around
  const parts =
    typeof model === 'object' && model !== null
      ? Object.entries(model).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
      : [JSON.stringify(model)]
  const shown = parts.length > room ? parts.slice(0, room - 1) : parts
  if (shown.length < parts.length) shown.push(`and ${parts.length - shown.length} more`)
  if (shown.length === 0) shown.push('empty')
  return shown.map((text, index) => [index === 0 ? subject : '', text])
}

function fit(text: string, width: number): string {
  const plain = printable(text)
  return plain.length <= width ? plain : `${plain.slice(0, width - 1)}…`
}

/** @returns `1,490 facts`, `1 fact` */
export function counts(count: number, noun: string): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${noun}${count === 1 ? '' : 's'}`
}
