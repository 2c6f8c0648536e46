/**
 * Bounds on a node's slot between two readings. One answer with a huge slot must not make every honest one after it look old.
 */

/** Slots by which one node of a pool may lag behind another. */
const lagSlots = 500
/** A slot takes 400 ms; twice as fast is still accepted. */
export const shortestSlotMs = 200
/** Growth that is accepted at once: a node that just caught up. */
export const slackSlots = 1000

/** A slot, and when this device read it, ms. */
export type SlotReading = { slot: number; readAt: number }

/** @returns whether `slot` is the known one or lags a little behind it */
export function lags(known: Pick<SlotReading, 'slot'>, slot: number): boolean {
  return slot <= known.slot && known.slot - slot <= lagSlots
}

/** @returns whether a reading may follow the known one, by the time between them */
export function follows(known: SlotReading, now: SlotReading): boolean {
  return now.slot >= known.slot - lagSlots && grows(known, now, slackSlots)
}

/** @returns whether a count of slots, or of the blocks in them, may grow that far in the time between, with this slack */
export function grows(known: SlotReading, { slot, readAt }: SlotReading, slack = 0): boolean {
  const passed = Math.max(0, readAt - known.readAt)
  return slot - known.slot <= passed / shortestSlotMs + slack
}
