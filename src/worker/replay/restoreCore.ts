/** Restores a core from a checkpoint: its snapshot and the transient memory. */
import { copyOf } from '../../events/json/copyOf.ts'
import { Fault } from '../../events/failure.ts'
import { modelOf } from '../../events/checkpoint/snapshot.ts'
import { hashOfLines } from '../../events/checkpoint/createSnapshots.ts'
import { inputDefinitions } from '../../events/input.ts'
import { lineOf } from '../../events/log/lineOf.ts'
import type { CheckpointRecord, RowRecord } from '../../events/log/record.ts'
import type { Recorded } from '../../events/recording/recording.ts'
import { misfit } from '../../events/schema/registry.ts'
import type { BootData, Decider } from '../core/context.ts'
import { type CoreMachine, createCore } from '../core/core.ts'
import { freshTransient, type Transient } from '../core/transient.ts'
import { transientDefinition } from '../core/transientShape.ts'

/** A checkpoint of a recording with its rows. */
export type Block = {
  record: CheckpointRecord
  number: number
  rows: readonly RowRecord[]
  /** Some rows were lifted from an older shape, which the hash covers. */
  lifted?: boolean
}

/** @returns the checkpoint at `index` of the records; undefined when it is not a whole one */
export function blockAt(records: readonly Recorded[], index: number): Block | undefined {
  const cause = records[index]
  if (cause?.record.k !== 'c') return undefined
  const { record, number } = cause
  const rows: RowRecord[] = []
  let lifted = false
  for (let at = index + 1; rows.length < record.rows; at++) {
    const next = records[at]
    if (next?.record.k !== 'r') return undefined
    rows.push(next.record)
    lifted ||= next.lifted === true
  }
  return { record, number, rows, lifted }
}

/**
 * Restores the core.
 *
 * @throws Fault `bad_input` when the checkpoint was edited, or its transient memory is invalid
 */
export function restoreCore(
  { record, number, rows, lifted = false }: Block,
  deciders: readonly Decider[],
): CoreMachine {
  const expected = hashOfLines(rows.map(lineOf))
  if (!lifted && expected !== record.state)
    throw bad(number, `state expected ${expected}, the hash of its rows, got ${record.state.slice(0, 40)}`)
  const { boot, ...memory } = record.transient
  const fresh = freshTransient('', 0)
  const wrong = misfit(transientDefinition, memory)
  if (wrong !== undefined) throw bad(number, `transient expected the core's scratch memory: ${wrong}`)
  if (boot !== undefined) {
    const problem = misfit(inputDefinitions['core.boot'], boot)
    if (problem) throw bad(number, `transient.boot: ${problem}`)
  }
  // Copies, as the core mutates both, and a recording may be re-executed more than once
  const world = modelOf(copyOf(rows))
  const transient = { ...fresh, ...copyOf(memory) } as Transient
  const from = boot === undefined ? { transient } : { transient, boot: copyOf(boot) as BootData }
  return createCore(deciders, world, { seq: record.seq, ...from })
}

function bad(line: number, message: string): Fault {
  return new Fault('bad_input', `recording, line ${line}: ${message}`)
}
