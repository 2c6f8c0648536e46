/** Logs made by the real core, group by group, and ways to write them to disk and to damage them there. */
import 'fake-indexeddb/auto'
import { type IDBPDatabase, openDB } from 'idb'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode } from '../../src/events/log/codec.ts'
import type { InputRecord } from '../../src/runtime/log/record.ts'
import { checkpointLines } from '../../src/events/checkpoint/snapshot.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { logName } from '../../src/worker/journal/storage.ts'
import { type OpenedRecord, openRecord } from '../../src/worker/journal/openLog.ts'

export type Group = {
  lines: string[]
  head: { life: number; n: number; seq: number }
  checkpoint(): string[]
  model: string
}

/** Groups of these inputs: each with its lines, the head after it, and the core's model. */
export function groupsOf(inputs: readonly InputRecord[]): Group[] {
  const core = createCore(deciders, emptyCoreModel())
  return inputs.map(input => {
    const { facts, effects } = core.step(input)
    const ordered = effectRecord(input, effects)
    const lines = [encode(input), ...facts.map(encode), ...(ordered ? [encode(ordered)] : [])]
    const { life, build } = core.model.core
    const head = { life, n: input.n, seq: core.seq }
    const kept = JSON.stringify([core.model, core.memory()])
    const checkpoint = () => {
      const [model, transient] = JSON.parse(kept)
      return checkpointLines({ ...head, at: input.at, build, transient }, model)
    }
    return { lines, head, checkpoint, model: kept }
  })
}

/** A log of network changes, `count` inputs after the boot; two records each. */
export function flickering(boot: InputRecord, count: number): InputRecord[] {
  const blinks = Array.from({ length: count }, (_, index) => ({
    k: 'i' as const,
    n: 2 + index,
    at: boot.at + index,
    type: 'page.online',
    v: 1,
    data: { online: index % 2 === 1 },
  }))
  return [boot, ...blinks]
}

export type Heard = { failures: string[]; taken: number; shrunk: number[] }

/** Opens a chain's log as a core does. */
export async function open(chain: string, lastLife?: number): Promise<OpenedRecord & { heard: Heard }> {
  const heard: Heard = { failures: [], taken: 0, shrunk: [] }
  const ports = {
    failed: (message: string) => void heard.failures.push(message),
    taken: () => void (heard.taken += 1),
    shrunk: (records: number) => void heard.shrunk.push(records),
  }
  const record = await openRecord(chain, ports, lastLife)
  return { ...record, heard }
}

/** Writes groups, `perSegment` in each segment, with a checkpoint after the listed groups. */
export async function write(
  { journal }: OpenedRecord,
  groups: readonly Group[],
  { perSegment = 4, checkpoints = [] as readonly number[] } = {},
): Promise<void> {
  for (const [index, { lines, head, checkpoint }] of groups.entries()) {
    journal.append(lines, head)
    if (index % perSegment === perSegment - 1) await journal.flush('relaxed')
    if (checkpoints.includes(index))
      await journal.keep(await journal.seam(), new TextEncoder().encode(checkpoint().join('\n')))
  }
  await journal.flush('strict')
}

/** Reads or damages a log on disk, past the journal. */
export async function onDisk<T>(chain: string, task: (db: IDBPDatabase) => Promise<T>): Promise<T> {
  const db = await openDB(logName(chain))
  try {
    return await task(db)
  } finally {
    db.close()
  }
}
