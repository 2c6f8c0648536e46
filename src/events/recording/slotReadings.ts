/** Readings of a slot in a log, and when this device made them: the core believes only growth that fits the time between. */
import type { LogRecord } from '../log/record.ts'
import { follows, type SlotReading, shortestSlotMs } from '../sale/slots.ts'

const read: readonly string[] = ['chain.sale', 'chain.balances']

/** @returns the readings that a core may compare with each other, in the order of the log */
export function readingsIn(records: readonly LogRecord[]): SlotReading[] {
  return records.flatMap(record => {
    if (record.k === 'i' && read.includes(record.type)) return [{ slot: Number(record.data.slot), readAt: record.at }]
    if (record.k === 'r' && record.type === 'sale.restated') return readingOf(record.data.reading)
    if (record.k === 'r' && record.type === 'balance.restated') return readingOf(record.data.balance)
    if (record.k !== 'c') return []
    const { sale, balance } = record.transient as { sale?: { slots?: unknown }; balance?: Record<string, unknown> }
    return [sale?.slots, ...Object.values(balance ?? {})].flatMap(watch =>
      readingOf((watch as { suspect?: unknown } | undefined)?.suspect),
    )
  })
}

/**
 * @param pairs readings of which one may be compared with a later one
 * @returns of readings on both sides of a gap, whether a later one above fits one below it, and whether another does not
 */
export function acrossGap(
  pairs: readonly SlotReading[],
  below: number,
  above: number,
): { fits: boolean; exceeds: boolean } {
  let fits = false
  let exceeds = false
  /** of those below, the one that the most fits, and the one that the least fits */
  let most: SlotReading | undefined
  let least: SlotReading | undefined
  for (const one of pairs) {
    if (one.slot <= below) {
      if (!most || reach(one) > reach(most)) most = one
      if (!least || reach(one) < reach(least)) least = one
    } else if (one.slot >= above && most && least) {
      fits ||= follows(most, one)
      exceeds ||= !follows(least, one)
    }
  }
  return { fits, exceeds }
}

/** The later a reading and the lower its slot, the less may follow it. */
function reach({ slot, readAt }: SlotReading): number {
  return slot - readAt / shortestSlotMs
}

function readingOf(value: unknown): SlotReading[] {
  const { slot, readAt } = (value ?? {}) as Partial<SlotReading>
  return typeof slot === 'number' && typeof readAt === 'number' ? [{ slot, readAt }] : []
}
