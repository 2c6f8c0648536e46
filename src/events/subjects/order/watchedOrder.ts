/** Orders whose outcome the chain can still change, so that it is searched for them. */
import {
  type AskedOrder,
  failureOf,
  isAsked,
  isPaid,
  isProved,
  isReadAlarm,
  mayBeNamedLate,
  type Order,
  searchedPhases,
} from './order.ts'

/** Longest time after its request in which a wallet's own transaction is searched for, once the order's end was proved, ms. */
const lateMs = 86_400_000
/** Far beyond the time of a blockhash's blocks, ms. */
export const outlivedMs = 300_000

/** @returns whether the chain can still change the order's outcome at a time, ms */
export function isWatched(order: Order, at: number): order is AskedOrder {
  if (isReadAlarm(order) && !mayLandBeside(order, at)) return false
  if (searchedPhases.includes(order.phase)) return true
  return isProved(order) ? isSilentOrDeclined(order) && sinceAsked(order, at) < lateMs : mayBeSent(order)
}

/**
 * Whether its wallet sends by itself, and was silent or says that it was declined: it may still use a newer blockhash, and the
 * proof is about the one built here. Other rejections are this page's own: no wallet was asked.
 */
function isSilentOrDeclined(order: Order): boolean {
  return mayBeNamedLate(order) && (order.phase === 'expired' || failureOf(order)?.code === 'user_rejected')
}

/** @returns the time since its wallet was asked, ms */
export function sinceAsked({ times }: Order, at: number): number {
  return at - (times.awaitingSignature ?? 0)
}

/** @returns whether it was refused or rejected after the wallet was asked, which may have sent its own copy */
export function mayBeSent(order: Order): boolean {
  return (order.phase === 'gateRefused' || order.phase === 'rejected') && isAsked(order)
}

/** @returns whether the agreed transaction may yet land beside the altered one, whose alarm was read */
export function mayLandBeside(order: Order, at: number): boolean {
  return isReadAlarm(order) && !isPaid(order) && at - (order.times.built ?? 0) < outlivedMs
}
