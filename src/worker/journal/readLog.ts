/**
 * Reads the log at the start: its newest checkpoint and the lines after it.
 *
 * 1. Every link of the chain is verified; a log that fails is repaired, on disk too.
 * 2. The checkpoint is verified; when it fails, the log is read from the older one.
 * 3. A log of a newer build is refused before anything is written: by its format number, or by a fact of it.
 */
import { modelOf } from '../../events/checkpoint/snapshot.ts'
import { logFormat } from '../../events/log/logFormat.ts'
import { type Decode, type Groups, newerLog, readGroups } from './groups.ts'
import { emptyHead, type Head, type LogStore } from './journal.ts'
import { isVerified, readStoredCheckpoint } from './checkpointRow.ts'
import type { LogState } from './known.ts'
import { linesOf } from './segmentLines.ts'
import { linkOf } from './segments.ts'

/** `lost` counts damaged records that are cut off. */
export type ReadLog = { head: Head; groups: Groups; lost?: { records: number } }

/** How lines are read: `build` is that of this core. */
export type ReadOptions = { decode: Decode; build?: string | undefined }

/**
 * @throws Fault `storage_down` with `why: 'newer'`; an error when the storage fails or the repair cannot be loaded
 */
export async function readLog(log: LogStore, means: ReadOptions): Promise<LogState> {
  const { decode, build } = means
  const { stored, kept, keys, segments } = await log.run(db =>
    db.transact(['head', 'ckpt', 'seg'], 'reading', async store => {
      const [stored, checkpoints] = await Promise.all([store('head').get('head'), store('ckpt').getAll()])
      const kept = checkpoints[checkpoints.length - 1]
      const after = kept ? IDBKeyRange.lowerBound(kept.segment, true) : undefined
      const [keys, segments] = await Promise.all([store('seg').getAllKeys(after), store('seg').getAll(after)])
      return { stored, kept, keys, segments }
    }),
  )
  const head = stored ?? emptyHead
  if ((head.format ?? 0) > logFormat) throw newerLog(`format ${head.format}, known is ${logFormat}`)
  const links = await Promise.all(segments.map(async segment => ('bytes' in segment ? linkOf(segment) : '')))
  let link = kept?.link ?? ''
  const isChained = segments.every((segment, index) => {
    const fits = segment.before === link
    link = links[index] ?? ''
    return fits && keys[index] === (kept?.segment ?? 0) + 1 + index
  })
  const block = kept ? await readStoredCheckpoint(kept) : []
  const isWhole = isChained && link === head.link && head.segment === (kept?.segment ?? 0) + segments.length
  if (block && isWhole) {
    const groups = readGroups(block.concat(...segments.map(linesOf)), decode)
    if (groups.whole && groups.n === head.n && groups.seq === head.seq && isVerified(groups, build))
      return knownFrom({ head, groups })
  }
  const { repairLog } = await import('./repairLog.ts')
  return knownFrom(await repairLog(log, means))
}

/** Reads a newer build's log as far as this build understands it; nothing is written. */
export async function readLater(name: string, { decode }: ReadOptions): Promise<LogState> {
  const { linesOfLater } = await import('./repairLog.ts')
  const { lines, life } = await linesOfLater(name)
  const groups = readGroups(lines, decode, 'cut')
  return knownFrom({ head: { ...emptyHead, life, n: groups.n, seq: groups.seq }, groups })
}

function knownFrom({ head, groups, lost }: ReadLog): LogState {
  const { rows, from, facts, lines, checkpoint } = groups
  const model = modelOf(rows)
  const made = checkpoint && { build: checkpoint.build }
  return { head, model, from, facts, lines, ...made, ...(lost && { lost }) }
}
