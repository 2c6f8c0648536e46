/**
 * Reads the log at the start: its newest checkpoint and the lines after it.
 *
 * 1. Every link of the chain is verified; a log that fails is repaired, on disk too.
 * 2. The checkpoint is verified; when it fails, the log is read from the older one.
 * 3. A log of a newer build is refused before anything is written: by its format number, or by a fact of it.
 */
import { type Groups, newerLog, readGroups } from './groups.ts'
import type { LogStore } from './journal.ts'
import { emptyHead, type Head } from './head.ts'
import { isVerified, readStoredCheckpoint } from './checkpointRow.ts'
import type { KnownLog, LogMeans } from './known.ts'
import { linesOf } from './segmentLines.ts'
import { linkOf } from './segments.ts'

/** `lost` counts damaged records that are cut off. */
export type ReadLog = { head: Head; groups: Groups; lost?: { records: number } }

/**
 * @throws Fault `storage_down` with `why: 'newer'`; an error when the storage fails or the repair cannot be loaded
 */
export async function readLog<M>(log: LogStore, means: LogMeans<M>): Promise<KnownLog<M>> {
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
  if ((head.format ?? 0) > means.format) throw newerLog(`format ${head.format}, known is ${means.format}`)
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
    const groups = readGroups(block.concat(...segments.map(linesOf)), means)
    if (groups.whole && groups.n === head.n && groups.seq === head.seq && isVerified(groups, means))
      return knownFrom({ head, groups }, means)
  }
  const { repairLog } = await import('./repairLog.ts')
  return knownFrom(await repairLog(log, means), means)
}

/** Reads a newer build's log as far as this build understands it; nothing is written. */
export async function readLater<M>(name: string, means: LogMeans<M>): Promise<KnownLog<M>> {
  const { linesOfLater } = await import('./repairLog.ts')
  const { lines, life } = await linesOfLater(name)
  const groups = readGroups(lines, means, 'cut')
  return knownFrom({ head: { ...emptyHead, life, n: groups.n, seq: groups.seq }, groups }, means)
}

function knownFrom<M>({ head, groups, lost }: ReadLog, { snapshots }: LogMeans<M>): KnownLog<M> {
  const { rows, from, facts, lines, checkpoint } = groups
  const model = snapshots.modelOf(rows)
  const made = checkpoint && { build: checkpoint.build }
  return { head, model, from, facts, lines, ...made, ...(lost && { lost }) }
}
