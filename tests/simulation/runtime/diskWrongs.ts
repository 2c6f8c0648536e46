/** Checks a log's database as a life has left it. */
import type { StoredCheckpoint } from '../../../src/runtime/journal/journal.ts'
import { emptyHead, type Head } from '../../../src/runtime/journal/head.ts'
import { linesOf } from '../../../src/runtime/journal/segmentLines.ts'
import type { Segment } from '../../../src/runtime/journal/segments.ts'
import type { LogDatabase } from './logStore.ts'

/** @returns what does not agree: the head with the segments, or a checkpoint with the end of its segment */
export function diskWrongs(database: LogDatabase): string[] {
  const wrongs: string[] = []
  const head = (database.value('head', 'head') as Head | undefined) ?? emptyHead
  const keys = database.keys('seg').map(Number)
  const segments = new Map(keys.map(key => [key, database.value('seg', key) as Segment]))
  const counted = { records: 0, bytes: 0 }
  for (const { records, bytes } of segments.values()) {
    counted.records += records
    counted.bytes += bytes.length
  }
  if (head.records !== counted.records || head.bytes !== counted.bytes)
    wrongs.push(`the head counts ${head.records} records of ${head.bytes} bytes, there are ${JSON.stringify(counted)}`)
  if (keys.length > 0 && head.first !== Math.min(...keys)) wrongs.push(`the head names ${head.first} as first segment`)
  for (let key = head.first; key <= head.segment; key++)
    if (!segments.has(key)) wrongs.push(`segment ${key} is missing`)
  const checkpoints = database.keys('ckpt').map(key => database.value('ckpt', key) as StoredCheckpoint)
  if (checkpoints.length > 2) wrongs.push(`${checkpoints.length} checkpoints stay`)
  for (const { n, segment } of checkpoints) {
    if (head.first > segment + 1) wrongs.push(`segments after the checkpoint of input ${n} are deleted`)
    const end = segments.get(segment)
    const input =
      end &&
      linesOf(end)
        .filter(line => line.startsWith('{"k":"i"'))
        .at(-1)
    if (input && (JSON.parse(input) as { n: number }).n !== n)
      wrongs.push(`the checkpoint of input ${n} does not stand at the end of segment ${segment}`)
  }
  return wrongs
}
