/**
 * How far a node's slot may move between two readings. One answer with a huge slot must not make every honest one after it
 * look old.
 */

/** Slots that one node of a pool may be behind another. */
const lagSlots = 500
/** A slot takes 400 ms; twice as fast is still believed. */
export const shortestSlotMs = 200
/** Growth that is believed at once: a node that just caught up. */
export const slackSlots = 1000

/** A slot, and when this device read it, ms. */
export type SlotReading = { slot: number; readAt: number }

/** @returns whether `slot` is the known one or a little behind it, as with a node that lags */
export function lags(known: Pick<SlotReading, 'slot'>, slot: number): boolean {
  return slot <= known.slot && known.slot - slot <= lagSlots
}

/** @returns whether a reading can come after the known one, by the time that passed between them */
export function follows(known: SlotReading, now: SlotReading): boolean {
  return now.slot >= known.slot - lagSlots && grows(known, now, slackSlots)
}

/** @returns whether a count of slots, or of the blocks in them, can have grown so far by the time that passed, with this slack */
export function grows(known: SlotReading, { slot, readAt }: SlotReading, slack = 0): boolean {
  const passed = Math.max(0, readAt - known.readAt)
  return slot - known.slot <= passed / shortestSlotMs + slack
}
