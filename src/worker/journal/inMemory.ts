/** A record that lasts as long as this worker: money waits for a durable one. */
import { decodeOwn } from '../../events/log/codec.ts'
import { Fault } from '../../events/failure.ts'
import { memoryBytes, memoryKeys } from './memoryStores.ts'
import { logName } from './storage.ts'
import { emptyHead, type Journal, type LogPosition } from './journal.ts'
import type { LogState } from './known.ts'

/**
 * @param cause why nothing can be kept; what a later version of this page keeps is read as far as it can be
 * @param known what could be read before that
 * @param lastLife the last life a page knew
 */
export async function openInMemory(cause: unknown, genesisHash: string, known: LogState, lastLife: number) {
  const why = cause instanceof Fault ? cause.facts?.why : undefined
  const obstacle =
    why === 'VersionError' || why === 'newer'
      ? ('newer' as const)
      : why === 'BlockedError'
        ? ('blocked' as const)
        : undefined
  const read = obstacle === 'newer' ? await later(genesisHash, known) : known
  const beside = { keys: memoryKeys(), bytes: memoryBytes() }
  const life = Math.max(read.head.life, lastLife) + 1
  return { journal: memoryJournal(read), ...beside, known: read, life, ...(obstacle && { obstacle }) }
}

async function later(genesisHash: string, known: LogState): Promise<LogState> {
  try {
    const { readLater } = await import('./readLog.ts')
    return await readLater(logName(genesisHash), { decode: decodeOwn })
  } catch {
    return known
  }
}

/** A journal that forgets everything when its worker ends. It refuses a strict flush: nothing it holds is durable. */
export function memoryJournal(
  begun: { head: LogPosition; lines: readonly string[] } = { head: emptyHead, lines: [] },
): Journal {
  const { life, n, seq } = begun.head
  let place: LogPosition = { life, n, seq }
  const kept = [...begun.lines]
  return {
    storage: 'memory',
    head: () => place,
    append(lines, { life, n, seq }) {
      for (const line of lines) kept.push(line)
      place = { life, n, seq }
    },
    mark: () => undefined,
    carry: () => undefined,
    carried: () => undefined,
    async flush(durability) {
      if (durability === 'strict')
        throw new Fault('storage_down', 'a strict flush expected a log on disk, this one is kept in memory')
    },
    seam: async () => ({ ...place, segment: 0, link: '' }),
    keep: async () => undefined,
    lines: async () => [...kept],
    close: () => undefined,
  }
}
