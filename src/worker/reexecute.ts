/**
 * Strict re-execution: the inputs of a recording go through the core again, and every fact and effect line must come out
 * byte for byte as it was recorded. No driver is attached, so nothing can be paid, called or stored.
 */
import { emptyCoreModel } from '../events/app.ts'
import { encode } from '../events/codec.ts'
import { Fault } from '../events/failure.ts'
import { firstDifference } from '../events/firstDifference.ts'
import type { InputRecord } from '../events/record.ts'
import { isKnown, type Recorded } from '../events/recording.ts'
import type { Difference, Verdict } from '../events/verdict.ts'
import type { Decider } from './context.ts'
import { type CoreMachine, createCore, effectRecord } from './core.ts'

/**
 * Re-executes a log from its first boot on. A later boot is an input like any other: the core drops what it must.
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
  for (let index = 0; index < records.length; ) {
    const cause = records[index]
    if (!cause) break
    refuseUnknown(cause)
    const { record, number } = cause
    if (record.k === 'p') {
      index += 1
      continue
    }
    if (record.k !== 'i' || (inputs === 0 && record.type !== 'core.boot')) {
      const got = record.k === 'e' ? 'effects' : record.type
      throw new Fault('bad_input', `recording, line ${number}: expected core.boot as the log's first input, got ${got}`)
    }

    const actual = linesOf(core, record)
    let taken = 0
    let at = index + 1
    for (; at < records.length; at++) {
      const next = records[at]
      if (!next || next.record.k === 'i') break
      if (next.record.k === 'p') continue
      refuseUnknown(next)
      if (next.line !== actual.lines[taken]) break
      taken += 1
    }
    const next = records[at]
    const wanted = next && next.record.k !== 'i' ? next.line : undefined
    const missing = taken < actual.lines.length && !(next === undefined && options.cut)
    if (wanted !== undefined || missing) {
      const line = next?.number ?? (records[records.length - 1]?.number ?? number) + 1
      const difference = compare(
        { index, n: record.n, type: record.type, input: cause.line, at, line },
        wanted,
        actual.lines[taken],
      )
      return { ok: false, inputs, facts, difference }
    }
    inputs += 1
    facts += Math.min(taken, actual.facts)
    index = at
  }
  if (inputs === 0) throw new Fault('bad_input', 'the recording expected at least one input, core.boot, got none')
  return { ok: true, inputs, facts }
}

/** What the log would say after this input today. */
function linesOf(core: CoreMachine, input: InputRecord): { lines: string[]; facts: number } {
  const { facts, effects } = core.step(input)
  const lines = facts.map(encode)
  const ordered = effectRecord(input.n, effects)
  if (ordered) lines.push(encode(ordered))
  return { lines, facts: facts.length }
}

function compare(difference: Difference, expected: string | undefined, actual: string | undefined): Difference {
  if (expected !== undefined) difference.expected = expected
  if (actual !== undefined) difference.actual = actual
  const field = expected !== undefined && actual !== undefined ? firstDifference(expected, actual) : undefined
  if (field !== undefined) difference.field = field
  return difference
}

function refuseUnknown({ record, number }: Recorded): void {
  // What a page showed is not the core's: an unknown page fact is skipped, as in views
  if (record.k === 'p' || record.k === 'e' || isKnown(record)) return
  throw new Fault(
    'unsupported',
    `recording, line ${number}: ${record.type} version ${record.v} is not known to this build, so it cannot be re-executed strictly`,
  )
}
