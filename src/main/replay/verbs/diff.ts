/** Compares two recordings: the first different line, and the counts of types. */
import { printable } from '../../../runtime/replay/describe.ts'
import { firstDifference } from '../../../runtime/replay/firstDifference.ts'
import type { Recording } from '../../../runtime/recording/recording.ts'
import { counts } from '../../../runtime/replay/verdict.ts'
import { countByType, typeLines } from './byType.ts'
import { readRecordingAt } from '../files.ts'
import { type Output, safeJson, type Verb, takeWords } from '../verb.ts'

export const diff: Verb = {
  takes: 'A B [--json]',
  summary: 'compares two recordings: the first different line, and types with different counts',
  about: `Compares two recordings line by line, without re-execution. Headers and trailers do not count.
Exit code: 0 the same lines, 1 different lines, 2 one of them is unreadable.`,
  options: { json: { about: 'one JSON document: {"same", "first", "types"}' } },
  async run(asked, { out }) {
    const [a, b] = takeWords(asked, ['A', 'B'])
    const [before, after] = [await readRecordingAt(a), await readRecordingAt(b)]
    const first = divergenceOf(before, after)
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

/** The first place with different lines; a side without a line has ended. */
type Divergence = { index: number; a?: Line; b?: Line; field?: string; values?: { a?: string; b?: string } }
type Line = { number: number; line: string }

function divergenceOf(before: Recording, after: Recording): Divergence | undefined {
  const most = Math.max(before.records.length, after.records.length)
  for (let index = 0; index < most; index++) {
    const [a, b] = [before.records[index], after.records[index]]
    if (a?.line === b?.line) continue
    const divergence: Divergence = { index }
    if (a) divergence.a = { number: a.number, line: a.line }
    if (b) divergence.b = { number: b.number, line: b.line }
    const field = a && b ? firstDifference(a.line, b.line) : undefined
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
