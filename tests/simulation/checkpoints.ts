/** Checkpoints of a simulated run: what each restates must lead on to the same world, and its scratch memory to the same lines. */
import { type CoreModel, foldCoreFact } from '../../src/events/app.ts'
import { decode } from '../../src/events/log/decode.ts'
import { firstDifference } from '../../src/events/replay/firstDifference.ts'
import type { FactRecord, RestatedRecord } from '../../src/events/log/record.ts'
import type { Recorded } from '../../src/events/recording/recording.ts'
import { worldOf } from '../../src/events/checkpoint/worldOf.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'

/** What was kept after an input. */
export type Kept = {
  n: number
  /** the input's own line: with it on disk the checkpoint belongs to that log */
  input: string
  /** the checkpoint and its restated facts */
  lines: readonly string[]
}

/** A checkpoint is taken after every so many inputs. */
export const keptEvery = 300

type Log = {
  records: readonly Recorded[]
  facts: readonly FactRecord[]
  folded: CoreModel
  deciders: readonly Decider[]
}

/**
 * @param which of the checkpoints that lie in the log is re-executed from; all are folded from
 * @returns what does not go on from a checkpoint as it did in the run
 */
export function checkpointWrongs(kept: readonly Kept[], log: Log, which: number): string[] {
  const lines = new Map(log.records.flatMap(({ record, line }) => (record.k === 'i' ? [[record.n, line]] : [])))
  const own = kept.filter(({ n, input }) => lines.get(n) === input)
  const found = own.flatMap(one => foldWrong(one, log) ?? [])
  const chosen = own[which % own.length]
  return chosen ? [...found, ...tailWrongs(chosen, log)] : found
}

function foldWrong({ n, lines }: Kept, { facts, folded }: Log): string | undefined {
  const world = worldOf(lines.slice(1).map(line => decode(line) as RestatedRecord))
  for (const fact of facts) if (fact.n > n) foldCoreFact(world, fact)
  // Fields stand in the order of their definition there
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
