/** Plausibility of slot readings; see `events/sale/slots.ts` for the bounds. */
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx } from '../../core/context.ts'
import type { SlotWatch } from '../../core/transient.ts'
import { follows, shortestSlotMs, slackSlots, type SlotReading } from '../../../events/sale/slots.ts'
import { isOfThisLife } from '../../../events/subjects/sale/sale.ts'

/** @returns what is remembered of the sale's readings */
export function saleWatch(ctx: Ctx): SlotWatch {
  ctx.transient.sale.slots ??= {}
  return ctx.transient.sale.slots
}

/** @returns the memory of an account's balance readings */
export function balanceWatch(ctx: Ctx, account: string): SlotWatch {
  const { balance } = ctx.transient
  const watch = own(balance, account) ?? {}
  balance[account] = watch
  return watch
}

/**
 * Decides whether a reading replaces the accepted one. The first of a life is the baseline. A contradicting one waits for
 * another that agrees with it, unless the baseline is unconfirmed and the higher of the two: a slot that is too high would
 * reject all true readings. One endpoint's confirmation does not hold against another endpoint.
 *
 * @param watch is mutated
 * @param known the reading accepted so far in this life
 */
export function isBelieved(ctx: Ctx, watch: SlotWatch, known: SlotReading | undefined, now: SlotReading): boolean {
  const endpoint = ctx.transient.rpc.pools.sale?.answering ?? 0
  if (!known || (watch.endpoint ?? 0) !== endpoint) {
    delete watch.confirmed
    delete watch.suspect
  }
  watch.endpoint = endpoint
  const { suspect, confirmed } = watch
  if (known && !follows(known, now)) {
    const agrees = suspect !== undefined && follows(suspect, now)
    if (!agrees && (confirmed || now.slot > known.slot)) {
      watch.suspect = now
      return false
    }
    watch.confirmed = agrees
  } else if (known && now.slot > known.slot) watch.confirmed = true
  delete watch.suspect
  return true
}

/** @returns a slot that one node told, at most what the chain can have reached since this life's readings of others, with their slack */
export function boundedSlot({ model, at }: Ctx, account: string, slot: number): number {
  const readings = [own(model.balance, account), model.sale.reading].filter(one => isOfThisLife(one, model.core))
  const most = readings.map(
    known => known.slot + slackSlots + Math.floor(Math.max(0, at - known.readAt) / shortestSlotMs),
  )
  return Math.min(slot, ...most)
}
