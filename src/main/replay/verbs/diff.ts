/** Compares two recordings: the first different line, and the counts of types. */
import { printable } from '../../../runtime/replay/describe.ts'
import { type FirstDifference, firstDifference } from '../../../runtime/replay/firstDifference.ts'
import type { Recorded, Recording } from '../../../runtime/recording/recording.ts'
import { counts } from '../../../runtime/replay/verdict.ts'
import { createVisitComparison } from '../alike.ts'
import { countByType, typeLines } from './byType.ts'
import { readRecordingAt } from '../files.ts'
import { type Output, safeJson, type Verb, takeWords } from '../verb.ts'

export const diff: Verb = {
  takes: 'A B [--exact] [--json]',
  summary: 'compares two recordings: the first different line, and types with different counts',
  about: `Compares two recordings line by line, without re-execution. Times, sequence numbers and ids of two visits differ anyway and
are ignored, as long as each id keeps its role; the core's lines are compared first, then each tab's. --exact compares every byte.
Headers and trailers do not count. Exit code: 0 the same lines, 1 different lines, 2 one of them is unreadable.`,
  options: {
    exact: { about: 'compare every byte, in the order of the files' },
    json: { about: 'one JSON document: {"same", "first", "types"}' },
  },
  async run(asked, { out }) {
    const [a, b] = takeWords(asked, ['A', 'B'])
    const [before, after] = [await readRecordingAt(a), await readRecordingAt(b)]
    const exact = asked.flags.has('exact')
    const sides = exact ? ([before.records, after.records] as const) : ([inOrder(before), inOrder(after)] as const)
    const first = divergenceOf(...sides, exact ? exactly : byLikeness())
    const types = countByType(
      before.records.map(({ record }) => record),
      after.records.map(({ record }) => record),
    )
    if (asked.flags.has('json')) {
      const other = types.filter(row => row.a !== row.b)
      out.write(`${safeJson({ same: !first, ...(first ? { first } : {}), types: other })}\n`)
    } else tell(before, after, first, typeLines(types), out)
    return first ? 1 : 0
  },
}

/** @returns the first field that differs; undefined for lines that count as the same */
type Compare = (a: Recorded, b: Recorded) => FirstDifference | undefined

const exactly: Compare = (a, b) => firstDifference(a.line, b.line)

function byLikeness(): Compare {
  const alike = createVisitComparison()
  return (a, b) => alike(a.record, b.record)
}

/** @returns the core's lines, then those of each tab: pages write between the core's lines at any time */
function inOrder({ records }: Recording): Recorded[] {
  const pages = new Map<string, Recorded[]>()
  const core = records.filter(recorded => {
    const { record } = recorded
    if (record.k !== 'p') return true
    const own = pages.get(record.tab)
    if (own) own.push(recorded)
    else pages.set(record.tab, [recorded])
    return false
  })
  return [...core, ...[...pages.values()].flat()]
}

/** The first place with different lines; a side without a line has ended. */
type Divergence = { index: number; a?: Line; b?: Line; field?: string; values?: { a?: string; b?: string } }
type Line = { number: number; line: string }

function divergenceOf(
  before: readonly Recorded[],
  after: readonly Recorded[],
  compare: Compare,
): Divergence | undefined {
  const most = Math.max(before.length, after.length)
  for (let index = 0; index < most; index++) {
    const [a, b] = [before[index], after[index]]
    const field = a && b ? compare(a, b) : undefined
    if (a && b && !field) continue
    const divergence: Divergence = { index }
    if (a) divergence.a = { number: a.number, line: a.line }
    if (b) divergence.b = { number: b.number, line: b.line }
    if (field) {
      divergence.field = field.path
      divergence.values = {
        ...(field.expected === undefined ? {} : { a: field.expected }),
        ...(field.actual === undefined ? {} : { b: field.actual }),
      }
    }
    return divergence
  }
  return undefined
}

function tell(before: Recording, after: Recording, first: Divergence | undefined, types: string, out: Output): void {
  const count = (recording: Recording) => counts(recording.records.length, 'line')
  if (!first) {
    out.write(`the same ${count(before)}\n`)
    return
  }
  const side = (name: string, line: Line | undefined, recording: Recording) =>
    `  ${name}  ${line ? `${`line ${line.number}`.padEnd(10)}  ${cut(line.line)}` : `ends after ${count(recording)}`}\n`
  out.write(`the same ${counts(first.index, 'line')}, then different:\n`)
  out.write(side('A', first.a, before) + side('B', first.b, after))
  if (first.field !== undefined) {
    const { a = 'absent', b = 'absent' } = first.values ?? {}
    out.write(`  first differing field: ${printable(first.field)}\n    A  ${cut(a)}\n    B  ${cut(b)}\n`)
  }
  out.write(types === '' ? 'every type has the same count in both\n' : `types, A → B:\n${types}`)
}

function cut(text: string): string {
  const plain = printable(text)
  return plain.length <= 82 ? plain : `${plain.slice(0, 81)}…`
}
