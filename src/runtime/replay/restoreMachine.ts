/** Restores a core from a checkpoint: its snapshot and the transient memory. */
import { copyOf } from '../json/copyOf.ts'
import { hashOfLines, type Snapshots } from '../log/createSnapshots.ts'
import type { Codec } from '../log/createCodec.ts'
import type { CheckpointRecord, RowRecord } from '../log/record.ts'
import type { Recorded } from '../recording/recording.ts'
import { type Definition, misfit } from '../schema/registry.ts'
import { createMachine, type MachineOf } from '../core/coreMachine.ts'
import type { CoreRules, CoreTypes, DeciderOf } from '../core/coreTypes.ts'
import { badLine } from '../recording/badLine.ts'

/** Means to restore and step a core without drivers. */
export type ReplayMeans<P extends CoreTypes> = {
  rules: CoreRules<P>
  codec: Pick<Codec, 'definitionOf' | 'encode'>
  snapshots: Snapshots<P['model']>
  /** the scratch memory as data; a member that an older build did not have is fresh */
  transient: Definition
}

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
export function restoreMachine<P extends CoreTypes>(
  { rules, codec, snapshots, transient: definition }: ReplayMeans<P>,
  { record, number, rows, lifted = false }: Block,
  deciders: readonly DeciderOf<P>[],
): MachineOf<P> {
  const expected = hashOfLines(rows.map(snapshots.lineOf))
  if (!lifted && expected !== record.state)
    throw badLine(number, `state expected ${expected}, the hash of its rows, got ${record.state.slice(0, 40)}`)
  const { boot, ...memory } = record.transient
  const fresh = rules.freshTransient('', 0)
  const wrong = misfit(definition, memory)
  if (wrong !== undefined) throw badLine(number, `transient expected the core's scratch memory: ${wrong}`)
  if (boot !== undefined) {
    const known = codec.definitionOf('i', 'core.boot')
    const problem = known ? misfit(known, boot) : 'expected core.boot to be defined'
    if (problem) throw badLine(number, `transient.boot: ${problem}`)
  }
  // Copies, as the core mutates both, and a recording may be re-executed more than once
  const world = snapshots.modelOf(copyOf(rows))
  const transient = { ...fresh, ...copyOf(memory) } as P['transient']
  const from = boot === undefined ? { transient } : { transient, boot: copyOf(boot) as P['boot'] }
  return createMachine(rules, deciders, world, { seq: record.seq, ...from })
}
