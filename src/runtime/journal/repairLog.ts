/**
 * Repairs a log that an earlier version wrote or that is damaged, and reads one of a later version.
 *
 * 1. The repaired log ends with the last whole group that is proved by a link or, in the first broken segment, by the checks
 *    of its lines; the rest is cut off and counted.
 * 2. The repair is one strict transaction, and changes nothing when another core wrote meanwhile.
 * 3. Among checkpoints that lead equally far a verified one is preferred, then the newer one. Damaged ones go, and those that
 *    stand among rewritten segments.
 * 4. A log with facts of a newer build is not repaired.
 */
import { Fault } from '../failure.ts'
import { lineKind } from '../log/record.ts'
import { openDatabase } from './database.ts'
import { type Groups, readGroups } from './groups.ts'
import type { StoredCheckpoint, LogStore } from './journal.ts'
import { emptyHead, type Head } from './head.ts'
import { isVerified, readStoredCheckpoint } from './checkpointRow.ts'
import type { LogMeans } from './known.ts'
import type { ReadLog } from './readLog.ts'
import { linesOf, soundLines } from './segmentLines.ts'
import { linkOf, sealSegment, type Segment } from './segments.ts'

/** Version 1: a segment is the bytes of plain lines; the head has neither link nor counts. */
type OldHead = Pick<Head, 'life' | 'n' | 'seq' | 'segment'> & Partial<Head>
/** Start of reading: the beginning of the log, or a checkpoint with its lines. */
type Start = { segment: number; link: string; lines: readonly string[] }
type Found = { groups: Groups; plan: Plan; verified: boolean }
type Disk = { head: OldHead; segments: Map<number, Segment | Uint8Array>; checkpoints: StoredCheckpoint[] }

/** Repairs the log on disk. @returns its content, up to the last whole group that is proved */
export async function repairLog(log: LogStore, means: LogMeans<unknown>): Promise<ReadLog> {
  const disk = await readAll(log)
  const isOld = [...disk.segments.values()].some(segment => segment instanceof Uint8Array)
  const { groups, plan } = await (isOld ? adopted(disk, means) : furthest(disk, means))
  const life = Math.max(disk.head.life, ...livesIn(groups.lines))
  const head: Head = { ...plan.head, life, n: groups.n, seq: groups.seq }
  await rewrite(log, disk.head, { ...plan, head })
  const written = disk.head.records ?? [...disk.segments.values()].reduce((sum, one) => sum + linesLike(one).length, 0)
  const missing = Math.max(0, disk.head.n - groups.n) + Math.max(0, disk.head.seq - groups.seq)
  const records = Math.max(written - head.records, missing)
  return records > 0 ? { head, groups, lost: { records } } : { head, groups }
}

const readAll = (log: LogStore): Promise<Disk> =>
  log.run(db =>
    db.transact(['head', 'ckpt', 'seg'], 'reading', async store => {
      const [head = emptyHead, checkpoints, keys, values] = await Promise.all([
        store('head').get('head'),
        store('ckpt').getAll(),
        store('seg').getAllKeys(),
        store('seg').getAll(),
      ])
      const segments = new Map(keys.flatMap((key, index) => (values[index] ? [[key, values[index]] as const] : [])))
      return { head, segments, checkpoints }
    }),
  )

/** `segments` replace all segments from number `from` on; `damaged` are the keys of checkpoints to delete besides. */
type Plan = { from: number; segments: Segment[]; head: Head; damaged: readonly number[] }

const rewrite = (log: LogStore, before: OldHead, { from, segments, head, damaged }: Plan): Promise<void> =>
  log.run(db =>
    db.transact(['head', 'ckpt', 'seg'], 'strict', async store => {
      const stored: OldHead = (await store('head').get('head')) ?? emptyHead
      // A first try may have been committed before its connection was lost: then it is done again
      const isDone = stored.link === head.link && stored.segment === head.segment && stored.n === head.n
      if (!isDone && (stored.life !== before.life || stored.n !== before.n))
        throw new Fault('elsewhere', 'the repair expected to be the only writer, the log was written meanwhile')
      const checkpoints = await store('ckpt').getAll()
      const ends = checkpoints.filter(({ segment, n }) => segment >= from || damaged.includes(n)).map(({ n }) => n)
      await Promise.all([
        store('seg').delete(IDBKeyRange.lowerBound(from)),
        ...segments.map((segment, index) => store('seg').put(segment, from + index)),
        ...ends.map(n => store('ckpt').delete(n)),
        store('head').put(head, 'head'),
      ])
    }),
  )

/** Converts version 1: every line stays, each gets its check and each segment its link. */
async function adopted({ head, segments }: Disk, means: LogMeans<unknown>): Promise<Found> {
  const lines = [...segments.values()].flatMap(segment =>
    segment instanceof Uint8Array ? plainLines(segment) : linesOf(segment),
  )
  const start = { segment: 0, link: '', lines: [] }
  return resealed({ head, segments, checkpoints: [] }, { start, lines }, means)
}

/** Reads from the log's first line and from each checkpoint. @returns the one that reaches furthest */
async function furthest(disk: Disk, means: LogMeans<unknown>): Promise<Found> {
  let best = await reached(disk, { segment: 0, link: '', lines: [] }, means)
  const damaged: number[] = []
  for (const kept of disk.checkpoints) {
    const lines = await readStoredCheckpoint(kept)
    const next = lines && (await reached(disk, { ...kept, lines }, means))
    if (!next?.verified) damaged.push(kept.n)
    if (next && !isBetter(best, next)) best = next
  }
  return { ...best, plan: { ...best.plan, damaged: damaged.filter(n => n !== best.groups.checkpoint?.n) } }
}

function isBetter(one: Found, other: Found): boolean {
  const [n, otherN] = [one.groups.n, other.groups.n]
  return n > otherN || (n === otherN && one.verified && !other.verified)
}

async function reached(disk: Disk, start: Start, means: LogMeans<unknown>): Promise<Found> {
  const { head, segments } = disk
  const lines: string[] = []
  let { segment: key, link } = start
  for (;;) {
    key += 1
    const segment = segments.get(key)
    if (!segment || segment instanceof Uint8Array || segment.before !== link) break
    const next = segments.get(key + 1)
    const after = key === head.segment ? head.link : next instanceof Uint8Array ? undefined : next?.before
    link = await linkOf(segment)
    if (link === after) {
      for (const line of linesOf(segment)) lines.push(line)
      continue
    }
    const sound = soundLines(segment)
    // The damaged line may belong to the last group before it
    const end = sound.whole ? sound.lines.length : lastInput(sound.lines)
    lines.push(...sound.lines.slice(0, end))
    break
  }
  return resealed(disk, { start, lines }, means)
}

/** @returns index of the last input, or `lines.length` if there is none */
function lastInput(lines: readonly string[]): number {
  for (let at = lines.length - 1; at >= 0; at--) if (lineKind(lines[at]) === 'i') return at
  return lines.length
}

/** Lines that go on from a start, as segments; what stood there before goes. */
async function resealed(
  { head, segments }: Disk,
  { start, lines }: { start: Start; lines: readonly string[] },
  means: LogMeans<unknown>,
): Promise<Found> {
  const groups = readGroups([...start.lines, ...lines], means)
  const plan: Plan = {
    from: start.segment + 1,
    segments: [],
    damaged: [],
    head: { ...emptyHead, ...head, segment: start.segment, link: start.link, records: 0, bytes: 0 },
  }
  const kept = [...segments].flatMap(([key, segment]) =>
    key <= start.segment && !(segment instanceof Uint8Array) ? [{ key, segment }] : [],
  )
  plan.head.first = kept[0]?.key ?? plan.from
  const count = ({ records, bytes }: Segment) => {
    plan.head.records += records
    plan.head.bytes += bytes.length
  }
  for (const { segment } of kept) count(segment)
  for (const part of partsOf(groups.lines.slice(start.lines.length))) {
    const { segment, link } = await sealSegment(plan.head.link, part)
    plan.segments.push(segment)
    plan.head.link = link
    plan.head.segment += 1
    count(segment)
  }
  return { groups, plan, verified: isVerified(groups, means) }
}

/** Splits lines into parts of about 100; a group stays in one part. */
function partsOf(lines: readonly string[]): string[][] {
  const parts: string[][] = []
  let part: string[] = []
  for (const line of lines) {
    if (part.length >= 100 && lineKind(line) === 'i') {
      parts.push(part)
      part = []
    }
    part.push(line)
  }
  return part.length > 0 ? [...parts, part] : parts
}

/** @returns the numbers of all lives in these lines: no later life may reuse one */
function livesIn(lines: readonly string[]): number[] {
  return lines.flatMap(line => {
    if (lineKind(line) === 'c') return [(JSON.parse(line) as { life: number }).life]
    if (lineKind(line) !== 'i' || !line.includes('"type":"core.boot"')) return []
    const { data } = JSON.parse(line) as { data: { life?: unknown } }
    return typeof data.life === 'number' ? [data.life] : []
  })
}

function plainLines(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split('\n').slice(0, -1)
}

/**
 * Reads the lines of a log that a later version keeps; nothing is written. The layout is unknown, so every text that looks
 * like a line counts as one.
 */
export async function linesOfLater(name: string): Promise<{ lines: string[]; life: number }> {
  type Unknown = { seg: { key: number; value: unknown }; ckpt: { key: number; value: unknown } }
  const db = await openDatabase<Unknown>(name)
  try {
    if (!db.has('seg') || !db.has('ckpt')) return { lines: [], life: 0 }
    const { checkpoints, keys, segments } = await db.transact(['seg', 'ckpt'], 'reading', async store => {
      const [checkpoints, keys, segments] = await Promise.all([
        store('ckpt').getAll(),
        store('seg').getAllKeys(),
        store('seg').getAll(),
      ])
      return { checkpoints, keys, segments }
    })
    const tail = segments.flatMap(linesLike)
    const [block = []] = checkpoints
      .map(linesLike)
      .filter(lines => /^\{"k":"c",("format":\d+,)?"n":\d/.test(lines[0] ?? ''))
    const { n } = JSON.parse(block[0] ?? '{"n":0}') as { n: number }
    const next = tail.findIndex(line => line.startsWith(`{"k":"i","n":${n + 1},`))
    const lines = keys[0] === 1 ? tail : [...block, ...(next < 0 ? [] : tail.slice(next))]
    return { lines, life: Math.max(0, ...livesIn(lines)) }
  } finally {
    db.close()
  }
}

function linesLike(value: unknown): string[] {
  const bytes = value instanceof Uint8Array ? value : (value as { bytes?: unknown } | null)?.bytes
  if (!(bytes instanceof Uint8Array)) return []
  const lines = new TextDecoder().decode(bytes).split('\n')
  return lines.map(line => line.replace(/^[0-9a-f]{8} (?=\{)/, '')).filter(line => line.startsWith('{"k":"'))
}
