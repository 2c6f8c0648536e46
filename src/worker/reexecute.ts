/**
 * Strict re-execution: the inputs of a recording go through the core again, and every fact and effect line must come out
 * byte for byte as it was recorded. No driver is attached, so nothing can be paid, called or stored.
 */
import { emptyCoreModel } from '../events/app.ts'
import { encode } from '../events/codec.ts'
import { Fault } from '../events/failure.ts'
import { firstDifference } from '../events/firstDifference.ts'
import { isKnown, type Recorded } from '../events/recording.ts'
import type { Decider } from './context.ts'
import { createCore, effectRecord } from './core.ts'

/** The first line that came out otherwise. `expected` is what was recorded; absent: no line was wanted, or none came. */
export type Difference = {
  /** index of the cause in the records, its number among the inputs, its line */
  index: number
  n: number
  input: string
  /** index and line number in the file of the line that differs, or of the one where another was wanted */
  at: number
  line: number
  expected?: string
  actual?: string
  /** path of the first field that differs, such as `data.phase`; absent when a whole line is missing or too many */
  field?: string
}

export type Verdict =
  | { ok: true; inputs: number; facts: number }
  | { ok: false; inputs: number; facts: number; difference: Difference }

/**
 * Re-executes a log from its first boot on.
 *
 * @param records of a recording, in order
 * @param deciders as the core is made of
 * @param options `cut`: the log has no end, so what the last input caused may be missing in part
 * @returns how much was identical, and the first difference if there is one
 * @throws Fault `bad_input` when the log does not begin with a boot, `unsupported` when a type is not known to this build
 */
export function reexecute(
  records: readonly Recorded[],
  deciders: readonly Decider[],
  options: { cut?: boolean } = {},
): Verdict {
  const core = createCore(deciders, emptyCoreModel())
  let inputs = 0
  let facts = 0
  let index = 0
  while (index < records.length) {
    const cause = records[index]
    if (!cause) break
    const { record, line: input, number } = cause
    refuseUnknown(cause)
    if (record.k === 'p') {
      index += 1
      continue
    }
    if (record.k !== 'i' || (inputs === 0 && record.type !== 'core.boot')) {
      const got = record.k === 'e' ? 'effects' : record.type
      throw new Fault(
        'bad_input',
        `recording, line ${number}: the log expected core.boot as its first input, got ${got}`,
      )
    }
    const { facts: made, effects } = core.step(record)
    inputs += 1
    const actual = made.map(encode)
    const ordered = effectRecord(record.n, effects)
    if (ordered) actual.push(encode(ordered))

    let taken = 0
    let at = index + 1
    const differs = (): Verdict => {
      const recorded = followsFrom(records, at)
      const expected = recorded?.line
      const came = actual[taken]
      const difference: Difference = {
        index,
        n: record.n,
        input,
        at,
        line: (records[at] ?? records[records.length - 1])?.number ?? number,
      }
      if (expected !== undefined) difference.expected = expected
      if (came !== undefined) difference.actual = came
      const field = expected !== undefined && came !== undefined ? firstDifference(expected, came) : undefined
      if (field !== undefined) difference.field = field
      return { ok: false, inputs, facts, difference }
    }
    for (; at < records.length; at++) {
      const next = records[at]
      if (!next || next.record.k === 'i') break
      if (next.record.k === 'p') continue
      refuseUnknown(next)
      if (next.line !== actual[taken]) return differs()
      taken += 1
      if (next.record.k === 'f') facts += 1
    }
    const isLast = at >= records.length
    if (taken < actual.length && !(isLast && options.cut)) return differs()
    index = at
  }
  if (inputs === 0) throw new Fault('bad_input', 'the recording expected at least one input, core.boot, got none')
  return { ok: true, inputs, facts }
}

/** What the core had to say at this place: a fact or effects; undefined when the next input comes first. */
function followsFrom(records: readonly Recorded[], at: number): Recorded | undefined {
  const found = records[at]
  return found && (found.record.k === 'f' || found.record.k === 'e') ? found : undefined
}

function refuseUnknown({ record, number }: Recorded): void {
  // What a page showed is not the core's: an unknown page fact is skipped, as in views
  if (record.k === 'p' || record.k === 'e' || isKnown(record)) return
  throw new Fault(
    'unsupported',
    `recording, line ${number}: ${record.type} version ${record.v} is not known to this build, so it cannot be re-executed strictly`,
  )
}
