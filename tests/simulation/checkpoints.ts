/**
 * Checkpoints of a simulated run: their rows must lead to the same model, their transient memory to the same lines.
 */
import type { CoreModel } from '../../src/events/app.ts'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { decode } from '../../src/events/log/decode.ts'
import { firstDifference } from '../../src/runtime/replay/firstDifference.ts'
import type { FactRecord, RowRecord } from '../../src/runtime/log/record.ts'
import type { Recorded } from '../../src/runtime/recording/recording.ts'
import { modelOf } from '../../src/events/checkpoint/snapshot.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'

/** A checkpoint taken after an input. */
export type Kept = {
  n: number
  /** the input's own line: if the disk has it, the checkpoint belongs to that log */
  input: string
  /** the checkpoint and its rows */
  lines: readonly string[]
}

/** Interval between checkpoints, inputs. */
export const keptEvery = 300

type Log = {
  records: readonly Recorded[]
  facts: readonly FactRecord[]
  folded: CoreModel
  deciders: readonly Decider[]
}

/**
 * @param which checkpoint in the log to re-execute from; all are folded from
 * @returns differences from the run
 */
export function checkpointWrongs(kept: readonly Kept[], log: Log, which: number): string[] {
  const lines = new Map(log.records.flatMap(({ record, line }) => (record.k === 'i' ? [[record.n, line]] : [])))
  const own = kept.filter(({ n, input }) => lines.get(n) === input)
  const found = own.flatMap(one => foldWrong(one, log) ?? [])
  const chosen = own[which % own.length]
  return chosen ? [...found, ...tailWrongs(chosen, log)] : found
}

function foldWrong({ n, lines }: Kept, { facts, folded }: Log): string | undefined {
  const world = modelOf(lines.slice(1).map(line => decode(line) as RowRecord))
  for (const fact of facts) if (fact.n > n) foldCoreFact(world, fact)
  // Their fields are in the order of the definition
  const differs = firstDifference(JSON.stringify(folded), JSON.stringify(world))?.path
  return differs === undefined || differs === 'order of keys'
    ? undefined
    : `folded on from input ${n} it is another world: ${differs}`
}

function tailWrongs({ n, lines }: Kept, { records, deciders }: Log): string[] {
  const from = records.findIndex(({ record }) => record.k === 'i' && record.n > n)
  if (from < 0) return []
  const tail = records.slice(from).filter(({ record }) => record.k !== 'p')
  const block = lines.map((line, at) => ({ record: decode(line), line, number: at + 2 }))
  try {
    const verdict = reexecute([...block, ...tail], deciders)
    if (verdict.ok) return []
    const { difference } = verdict
    return [
      `from the checkpoint ${n} on it differs at input ${difference.n} ${difference.type}: ${difference.field ?? 'a line'}`,
    ]
  } catch (cause) {
    return [`from the checkpoint ${n} on: ${(cause as Error).message}`]
  }
}
