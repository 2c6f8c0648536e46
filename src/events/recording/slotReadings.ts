/** Slot readings in a log, with their times: the core accepts only growth that fits the time between. */
import type { LogRecord } from '../../runtime/log/record.ts'
import { follows, type SlotReading, shortestSlotMs } from '../sale/slots.ts'

const read: readonly string[] = ['chain.sale', 'chain.balances']

/** @returns the readings that a core may compare, in the order of the log */
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
 * @param pairs readings, each of which may be compared with a later one
 * @returns across the gap: whether a later reading above fits one below, and whether another does not
 */
export function acrossGap(
  pairs: readonly SlotReading[],
  below: number,
  above: number,
): { fits: boolean; exceeds: boolean } {
  let fits = false
  let exceeds = false
  /** of those below, the one that allows most growth and the one that allows least */
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

/** Bound for later readings: the later this one and the lower its slot, the less may follow. */
function reach({ slot, readAt }: SlotReading): number {
  return slot - readAt / shortestSlotMs
}

function readingOf(value: unknown): SlotReading[] {
  const { slot, readAt } = (value ?? {}) as Partial<SlotReading>
  return typeof slot === 'number' && typeof readAt === 'number' ? [{ slot, readAt }] : []
}
