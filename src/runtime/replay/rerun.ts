/**
 * Steps a core with a recording's inputs, some dropped, changed or added. Inputs are renumbered, and ids in them renamed to
 * those of this run.
 */
import { effectRecord, type MachineOf } from '../core/coreMachine.ts'
import type { CoreTypes } from '../core/coreTypes.ts'
import type { Codec } from '../log/createCodec.ts'
import type { Effect, FactRecord, InputRecord, LogRecord } from '../log/record.ts'
import type { Recorded } from '../recording/recording.ts'
import { createNames, type Names } from './names.ts'
import { type Block, blockAt } from './restoreMachine.ts'

/** An input as stepped, and its results. */
export type Group = { input: InputRecord; facts: FactRecord[]; effects: Effect[] }

/** A product's means of a run. `outsideIds` are those that its drivers make. */
type Means<P extends CoreTypes> = {
  fresh(): MachineOf<P>
  restore(block: Block): MachineOf<P>
  encode: Codec['encode']
  outsideIds?: RegExp
}

/** The start of a run: `make` gives a core there, `lines` are the checkpoint's, `n` and `seq` its numbers. */
export type Start<P extends CoreTypes = CoreTypes> = Pick<Means<P>, 'encode' | 'outsideIds'> & {
  make(): MachineOf<P>
  n: number
  seq: number
  lines: string[]
}

/** An input to step, and its results in the run compared with, if it was there. */
export type Item = { input: InputRecord; before?: Group }

/** @returns the start of the records: their checkpoint, or an empty core */
export function startAt<P extends CoreTypes>(
  records: readonly Recorded[],
  { fresh, restore, ...means }: Means<P>,
): Start<P> {
  const block = blockAt(records, 0)
  if (!block) return { ...means, make: fresh, n: 0, seq: 0, lines: [] }
  return {
    ...means,
    make: () => restore(block),
    n: block.record.n,
    seq: block.record.seq,
    lines: records.slice(0, 1 + block.rows.length).map(({ line }) => line),
  }
}

/** @returns the inputs of the records, in order */
export function inputsOf(records: readonly Recorded[]): InputRecord[] {
  return records.flatMap(({ record }) => (record.k === 'i' ? [record] : []))
}

/**
 * Runs the items from a start.
 *
 * @param after called after each item
 * @throws Error when the first item is not a boot and the start has none
 */
export function rerun<P extends CoreTypes>(
  start: Start<P>,
  items: readonly Item[],
  after?: (core: MachineOf<P>, names: Names) => void,
): { groups: Group[]; names: Names } {
  const core = start.make()
  const names = createNames(start.outsideIds)
  const groups: Group[] = []
  let { n } = start
  for (const { input: given, before } of items) {
    n += 1
    const input =
      given.n === n && names.now(given.data) === given.data
        ? { ...given }
        : { ...given, n, data: names.now(given.data) }
    if (input.to !== undefined) input.to = names.now(input.to)
    const group: Group = { input, ...core.step(input) }
    if (before) names.learn(before, group)
    groups.push(group)
    after?.(core, names)
  }
  return { groups, names }
}

/** The groups as lines of a log, after the start's checkpoint. */
export function linesOfGroups(
  { lines: before, encode }: Pick<Start, 'lines' | 'encode'>,
  groups: readonly Group[],
): string[] {
  const lines = [...before]
  for (const { input, facts, effects } of groups) {
    lines.push(encode(input))
    for (const fact of facts) lines.push(encode(fact))
    const ordered: LogRecord | undefined = effectRecord(input, effects)
    if (ordered) lines.push(encode(ordered))
  }
  return lines
}
