/**
 * The inputs of a recording go through the core once more, some of them left out, changed or new. They are numbered anew, and
 * what they name is called as in this run.
 */
import { emptyCoreModel } from '../../events/app.ts'
import { encode } from '../../events/log/codec.ts'
import type { Effect, FactRecord, InputRecord, LogRecord } from '../../events/log/record.ts'
import type { Recorded } from '../../events/recording/recording.ts'
import type { Decider } from '../core/context.ts'
import { type CoreMachine, createCore, effectRecord } from '../core/core.ts'
import { createNames, type Names } from './names.ts'
import { blockAt, standAt } from './restoreCore.ts'

/** An input as it went in, and what it caused. */
export type Group = { input: InputRecord; facts: FactRecord[]; effects: Effect[] }

/** Where a run begins: `make` gives a core that stands there, `lines` are the checkpoint's, `n` and `seq` go on from there. */
export type Start = { make(): CoreMachine; n: number; seq: number; lines: string[] }

/** An input that is to go in, and what it caused in the run that is compared with, if it was there. */
export type Item = { input: InputRecord; before?: Group }

/** @returns where the records begin: at their checkpoint, or at nothing */
export function startOf(records: readonly Recorded[], deciders: readonly Decider[]): Start {
  const block = blockAt(records, 0)
  if (!block) return { make: () => createCore(deciders, emptyCoreModel()), n: 0, seq: 0, lines: [] }
  return {
    make: () => standAt(block, deciders),
    n: block.record.n,
    seq: block.record.seq,
    lines: records.slice(0, 1 + block.restated.length).map(({ line }) => line),
  }
}

/** @returns the inputs of the records as items that nothing is compared with, in order */
export function inputsOf(records: readonly Recorded[]): InputRecord[] {
  return records.flatMap(({ record }) => (record.k === 'i' ? [record] : []))
}

/**
 * Runs the items from a start.
 *
 * @param after hears the core after each item
 * @throws Error when the first of them is no boot and the start has none
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

/** The groups as lines of a log, with the checkpoint they begin at. */
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
