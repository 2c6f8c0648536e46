/**
 * Steps a core with a recording's inputs, some dropped, changed or added. Inputs are renumbered, and ids in them renamed to
 * those of this run.
 */
import { emptyCoreModel } from '../../events/emptyModel.ts'
import { encode } from '../../events/log/codec.ts'
import type { Effect, FactRecord, InputRecord, LogRecord } from '../../runtime/log/record.ts'
import type { Recorded } from '../../runtime/recording/recording.ts'
import type { Decider } from '../core/context.ts'
import { type CoreMachine, createCore } from '../core/core.ts'
import { effectRecord } from '../../runtime/core/coreMachine.ts'
import { createNames, type Names } from './names.ts'
import { restoreCore } from './restoreCore.ts'
import { blockAt } from '../../runtime/replay/restoreMachine.ts'

/** An input as stepped, and its results. */
export type Group = { input: InputRecord; facts: FactRecord[]; effects: Effect[] }

/** The start of a run: `make` restores a core there, `lines` are the checkpoint's, `n` and `seq` its numbers. */
export type Start = { make(): CoreMachine; n: number; seq: number; lines: string[] }

/** An input to step, and its results in the run compared with, if it was there. */
export type Item = { input: InputRecord; before?: Group }

/** @returns the start of the records: their checkpoint, or an empty core */
export function startOf(records: readonly Recorded[], deciders: readonly Decider[]): Start {
  const block = blockAt(records, 0)
  if (!block) return { make: () => createCore(deciders, emptyCoreModel()), n: 0, seq: 0, lines: [] }
  return {
    make: () => restoreCore(block, deciders),
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
export function rerun(
  start: Start,
  items: readonly Item[],
  after?: (core: CoreMachine, names: Names) => void,
): { groups: Group[]; names: Names } {
  const core = start.make()
  const names = createNames()
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
export function linesOfGroups(start: Start, groups: readonly Group[]): string[] {
  const lines = [...start.lines]
  for (const { input, facts, effects } of groups) {
    lines.push(encode(input))
    for (const fact of facts) lines.push(encode(fact))
    const ordered: LogRecord | undefined = effectRecord(input, effects)
    if (ordered) lines.push(encode(ordered))
  }
  return lines
}
