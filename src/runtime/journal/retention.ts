/**
 * Retention: stores checkpoints, deletes old segments, reads the whole log for a recording.
 *
 * 1. Two checkpoints stay, and every segment after the older one.
 * 2. Each write compares the head first, as every commit does.
 */
import { isSame, type StoredCheckpoint, type LogStore, type Seam, moved } from './journal.ts'
import { emptyHead, type Head } from './head.ts'
import { readStoredCheckpoint, checksumOf } from './checkpointRow.ts'
import { linesOf } from './segmentLines.ts'
import { linkOf } from './segments.ts'

/** Size of a log above which its oldest segments are deleted. */
const budget = { records: 50_000, bytes: 8 * 1024 * 1024 }
const checkpointsKept = 2

/** @returns the budget after so many halvings for want of room */
export function budgetOf(halved: number): { records: number; bytes: number } {
  return { records: Math.floor(budget.records / 2 ** halved), bytes: Math.floor(budget.bytes / 2 ** halved) }
}

/** @returns the row of a checkpoint at a seam */
export async function checkpointRow(seam: Seam, bytes: Uint8Array): Promise<StoredCheckpoint> {
  return { ...seam, bytes, sum: await checksumOf({ ...seam, bytes }) }
}

/** Stores a checkpoint and deletes all but the newest two. */
export async function storeCheckpoint(log: LogStore, head: Head, kept: StoredCheckpoint): Promise<void> {
  await log.run(db =>
    db.transact(['head', 'ckpt'], 'strict', async store => {
      const [stored = emptyHead, known] = await Promise.all([store('head').get('head'), store('ckpt').getAllKeys()])
      if (!isSame(stored, head)) throw moved(head, stored)
      const old = known.filter(n => n !== kept.n).slice(0, 1 - checkpointsKept)
      await Promise.all([store('ckpt').put(kept, kept.n), ...old.map(n => store('ckpt').delete(n))])
    }),
  )
}

/**
 * Deletes the oldest segments while the log is over its budget, never one after the older of two checkpoints.
 *
 * @param halved how often the budget is halved
 * @returns the head after that; the same head when no segment may go
 */
export async function truncate(log: LogStore, head: Head, halved: number): Promise<Head> {
  const { records, bytes } = budgetOf(halved)
  if (head.records <= records && head.bytes <= bytes) return head
  return log.run(db =>
    db.transact(['seg', 'head', 'ckpt'], 'relaxed', async store => {
      const [stored = emptyHead, checkpoints, keys] = await Promise.all([
        store('head').get('head'),
        store('ckpt').getAllKeys(),
        store('seg').getAllKeys(),
      ])
      if (!isSame(stored, head)) throw moved(head, stored)
      const place = checkpoints[checkpoints.length - checkpointsKept]
      const older = place === undefined ? undefined : await store('ckpt').get(place)
      const same: Head = { ...stored, ...(head.format !== undefined && { format: head.format }) }
      const next: Head = { ...same, halved }
      for (const key of keys) {
        if (!older || key > older.segment || (next.records <= records && next.bytes <= bytes)) break
        const segment = await store('seg').get(key)
        await store('seg').delete(key)
        next.records -= segment?.records ?? 0
        next.bytes -= segment?.bytes.length ?? 0
        next.first = key + 1
      }
      // A budget that frees nothing stays as it was
      if (next.first === same.first) return same
      await store('head').put(next, 'head')
      return next
    }),
  )
}

/**
 * Reads every line of a log, each checkpoint at its place. Lines before the oldest checkpoint are left out once the log's
 * first segment is deleted, since nothing could be folded from there.
 */
export async function wholeLog(log: LogStore, head: Head): Promise<string[]> {
  const { stored, keys, segments, checkpoints } = await log.run(db =>
    db.transact(['seg', 'head', 'ckpt'], 'reading', async store => {
      const [stored = emptyHead, keys, segments, checkpoints] = await Promise.all([
        store('head').get('head'),
        store('seg').getAllKeys(),
        store('seg').getAll(),
        store('ckpt').getAll(),
      ])
      return { stored, keys, segments, checkpoints }
    }),
  )
  if (stored.segment < head.segment) throw moved(head, stored)
  const blocks = new Map<number, string[]>()
  for (const kept of checkpoints) {
    const lines = await readStoredCheckpoint(kept)
    if (lines) blocks.set(kept.segment, lines)
  }
  const links = await Promise.all(segments.map(linkOf))
  const first = keys[0] ?? stored.segment + 1
  let lines = first === 1 ? [] : blocks.get(first - 1)
  for (const [index, key] of keys.entries()) {
    const segment = segments[index]
    if (!segment) break
    const isSound = links[index] === (segments[index + 1]?.before ?? stored.link)
    if (isSound && lines) for (const line of linesOf(segment)) lines.push(line)
    // After a damaged segment the lines go on from the next checkpoint, if there is one
    if (!isSound && [...blocks.keys()].some(later => later >= key)) lines = undefined
    else if (!isSound) break
    const block = blocks.get(key)
    if (block) lines = lines ? lines.concat(block) : block
  }
  return lines ?? []
}
