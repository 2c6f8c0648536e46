import type { Journal } from './journal.ts'
import { emptyHead, type LogPosition, notOnDisk } from './head.ts'

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
      if (durability === 'strict') throw notOnDisk()
    },
    seam: async () => ({ ...place, segment: 0, link: '' }),
    keep: async () => undefined,
    lines: async () => [...kept],
    close: () => undefined,
  }
}
