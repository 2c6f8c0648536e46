/** Questions about an order, a purchase or a transfer; `orderState.ts` has its situations. */
import type { Failure } from '../../../runtime/failure.ts'
import type { StateOf } from '../../../runtime/schema/registry.ts'
import { grows } from '../../sale/slots.ts'
import type { OrderParts, OrderPhase, orderState } from './orderState.ts'

export type BuiltOrder = OrderParts['built']
type OrderAsk = OrderParts['ask']
export type OrderSignature = OrderParts['signed']

export type Order = StateOf<typeof orderState>
export type OrderIn<P extends OrderPhase> = Extract<Order, { phase: P }>
export type OrderView = Record<string, Order>

/** With a transaction that the wallet may be asked to sign. */
export type ReadyOrder = OrderIn<'built' | 'simulated' | 'pressAwaited'>
export type AcceptedOrder = OrderIn<'accepted'> | ReadyOrder
export type EarlyOrder = OrderIn<'drafted' | 'quoted'> | AcceptedOrder
type RefusedOrder = OrderIn<'rejected' | 'gateRefused' | 'abandoned'>
type ProvedOrder = OrderIn<'expired' | 'failedOnChain' | 'simulationFailed'>
export type PaidOrder = OrderIn<'finalised' | 'accounted'>
/** The wallet was asked for it: from here on the chain decides. */
export type AskedOrder =
  | Exclude<Order, EarlyOrder | OrderIn<'gateRefused' | 'abandoned' | 'simulationFailed'>>
  | (OrderIn<'gateRefused' | 'abandoned' | 'simulationFailed'> &
      Pick<OrderIn<'unknown'>, 'quote' | 'accepted' | 'built' | 'ask'>)
type Alarm = OrderIn<'unknown'> & { alarm: OrderParts['alarm'] }
export type SignedOrder = AskedOrder & { signed: OrderSignature }

/** A transfer: it pays a person's recipient, outside of the sale. */
export type SendOrder = Order & { send: NonNullable<Order['send']> }

/** Before the wallet's prompt: nothing can have been paid. */
export const earlyPhases = ['drafted', 'quoted', 'accepted', 'built', 'simulated', 'pressAwaited'] as const
/** The wallet has signed it, or may have: the chain is searched for it. */
export const searchedPhases: readonly OrderPhase[] = ['signed', 'sending', 'unknown', 'seen', 'confirmed']
/** Ended without a payment as far as this page knows; a wallet that was prompted may still have sent its copy. */
export const refusedPhases = ['rejected', 'gateRefused', 'abandoned'] as const
/** Ends that the chain has proved, or that came before there was anything to sign. */
export const provedPhases = ['expired', 'failedOnChain', 'simulationFailed'] as const

function isIn<P extends OrderPhase>(order: Order, phases: readonly P[]): order is OrderIn<P> {
  return (phases as readonly OrderPhase[]).includes(order.phase)
}
/** @returns true before the wallet's prompt: nothing can have been paid, and the order may be abandoned */
export function isBeforeWallet(order: Order): order is EarlyOrder {
  return isIn(order, earlyPhases)
}
/** @returns true while its transaction may be built, or built again */
export function isAccepted(order: Order): order is AcceptedOrder {
  return isBeforeWallet(order) && order.phase !== 'drafted' && order.phase !== 'quoted'
}
/** @returns true when the page refused it, or the wallet: the chain may still show a landing of one that was asked */
export function isRefused(order: Order): order is RefusedOrder {
  return isIn(order, refusedPhases)
}
/** @returns true when the order ended without a payment */
export function isDead(order: Order): order is RefusedOrder | ProvedOrder {
  return isRefused(order) || isIn(order, provedPhases)
}
/** @returns whether the payment is irreversible */
export function isPaid(order: Order): order is PaidOrder {
  return order.phase === 'finalised' || order.phase === 'accounted'
}
/** @returns whether the wallet has the order's transaction, or had it */
export function isAsked(order: Order): order is AskedOrder {
  return !isBeforeWallet(order) && askOf(order) !== undefined
}
/** @returns whether its signature is known */
export function isSigned(order: Order): order is SignedOrder {
  return isAsked(order) && orderSignatureOf(order) !== undefined
}

/** @returns the quote that it was placed with; an order refused at the press has none */
export function quoteOf(order: Order): OrderParts['quote'] | undefined {
  return 'quote' in order ? order.quote : undefined
}
/** @returns its transaction, once it was built */
export function builtOf(order: Order): BuiltOrder | undefined {
  return 'built' in order ? order.built : undefined
}
/** @returns the latest request to its wallet; before the prompt, one that never reached its page */
export function askOf(order: Order): OrderAsk | undefined {
  return 'ask' in order ? order.ask : undefined
}
/** @returns the key in its memo, once it was accepted */
export function orderKeyOf(order: Order): string | undefined {
  return 'accepted' in order ? order.accepted?.orderKey : undefined
}
export function orderSignatureOf(order: Order): string | undefined {
  return 'signed' in order ? order.signed?.signature : undefined
}
/** @returns the name of its signed bytes */
export function signedRefOf(order: Order): string | undefined {
  return 'signed' in order ? order.signed?.bytesRef : undefined
}
/** @returns why it was refused, or why its outcome is unknown */
export function failureOf(order: Order): Failure | undefined {
  return 'failure' in order ? order.failure : undefined
}
/** @returns whether another transaction than the agreed one landed under its key */
export function isMismatched(order: Order): boolean {
  return 'alarm' in order && order.alarm !== undefined
}
/** @returns whether it ended without a payment, and the chain has proved that none can come */
export function isProved(order: Order): boolean {
  return 'proof' in order && order.proof !== undefined
}
/** @returns whether it was proved unpaid, and a wallet that sends by itself may still tell that it sent: its blockhash may be newer */
export function mayBeNamedLate(order: Order): boolean {
  return isProved(order) && askOf(order)?.means === 'signAndSend' && orderSignatureOf(order) === undefined
}
/** @returns whether another transaction than the agreed one landed, and the order's own has not */
export function isAlarm(order: Order): order is Alarm {
  return order.phase === 'unknown' && order.alarm !== undefined
}

/** @returns the name by which the person knows the order's wallet */
export function walletOf({ peerName, walletName }: Order): string {
  return peerName ?? walletName
}
/** @returns whether this page ever submitted the signed bytes, or the chain has shown them */
export function wasSent({ times }: Order): boolean {
  return times.sending !== undefined || times.seen !== undefined
}
/**
 * @returns whether only its wallet says that it sent nothing: it sends by itself, and a proof tells of the blockhash built here, not
 *   of a newer one
 */
export function isOnlySaid(order: Order): boolean {
  return askOf(order)?.means === 'signAndSend' && (!isProved(order) || mayBeNamedLate(order))
}
/**
 * @returns whether the order is gone for certain: several endpoints agree, none is missing, and its wallet, if it sends by itself, said
 *   what it did. One endpoint alone may be wrong, and a silent wallet may still send with a newer blockhash
 */
export function agreedByAll(order: OrderIn<'expired'>): boolean {
  const { proof, lying, silent } = order
  return proof.providers > 1 && lying === undefined && silent === undefined && !mayBeNamedLate(order)
}
/** The failure of a purchase whose end strangers hide under its reference. */
export const hiddenRule = 'HIDDEN'
/** @returns whether strangers hide the end of a purchase: the next one may begin, with its key, so that one of the two is refunded */
export function isHidden(order: Order): boolean {
  return order.phase === 'unknown' && order.failure.facts?.rule === hiddenRule
}
/** @returns whether the person may put it away, though no payment of it is final: its end is proved, an alarm, or hidden */
export function mayPutAway(order: Order): boolean {
  return isProved(order) || isMismatched(order) || isHidden(order)
}
/** @returns true while the order may still move money: a new one must wait */
export function isOpen(order: Order): boolean {
  return !isDead(order) && !isPaid(order) && !isReadAlarm(order) && !(isHidden(order) && order.dismissed)
}
/** @returns true when the person has read the alarm that another transaction landed */
export function isReadAlarm(order: Order): boolean {
  return isMismatched(order) && order.dismissed === true
}
/** Longest silence of the wallet before the order is unknown, ms. */
export const silenceMs = 120_000
/** A blockhash is valid for this many blocks after the one it was read at. */
export const blockhashBlocks = 150
/**
 * An endpoint's finalised height that has grown by more than this since the blockhash was read is past the blockhash's end: at
 * the reading it was behind by at most the blocks that make one final, and a few.
 */
export const outlivingBlocks = 200
/** A block is final when this many follow it; the finalised height runs this many behind the newest. */
export const finalityBlocks = 32

/** @returns whether the finalised height can be that far at a time, ms: it has grown since the order's blockhash was read */
export function isReachable(validUntilHeight: number, builtAt: number, height: number, at: number): boolean {
  // The finalised height is behind the one at which the blockhash was read, by more than nodes differ
  const then = { slot: validUntilHeight - blockhashBlocks, readAt: builtAt }
  // Heights past the end are all alike
  return grows(then, { slot: Math.min(height, validUntilHeight), readAt: at })
}

/**
 * @returns blocks in which the submitted bytes can still land, 0 when none is left; undefined while unknown, and for bytes that a
 *   wallet sent by itself, as their blockhash may be newer
 */
export function blocksLeft(order: Order): number | undefined {
  if (askOf(order)?.means === 'signAndSend' && orderSignatureOf(order) !== undefined) return undefined
  const isSent = order.phase === 'sending' || (order.phase === 'unknown' && order.signed !== undefined)
  if (!isSent || !order.progress) return undefined
  return Math.max(0, order.built.validUntilHeight - (order.progress.height + finalityBlocks))
}
/** @returns how many blocks, of those that make a confirmed payment final, follow it; undefined while unknown */
export function blocksOnTop(order: Order): number | undefined {
  if (order.phase !== 'confirmed' || !order.progress) return undefined
  return Math.min(finalityBlocks, Math.max(0, order.progress.nodeSlot - order.slot))
}
/** @returns whether the order is a transfer */
export function isSend(order: Order): order is SendOrder {
  return order.send !== undefined
}
/** @returns the open order, if there is one */
export function openOrder(model: { order: OrderView }): Order | undefined {
  return Object.values(model.order).find(isOpen)
}
