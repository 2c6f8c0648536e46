/**
 * Transactions on the chain under an order's reference. The driver proved that the order's account signed them; here their
 * content is compared with the agreed one, and only an equal transaction is a success.
 */
import { own } from '../../../runtime/schema/own.ts'
import {
  type AskedOrder,
  isAsked,
  isPaid,
  orderSignatureOf,
  signedRefOf,
} from '../../../events/subjects/order/order.ts'
import type { TransactionDifference } from '../../../events/values/solana/transaction.ts'
import type { OrderCheck } from '../../chains/solana/check.ts'
import { signedCheckOf } from '../../services/saleChecks.ts'
import type { Ctx, InputData } from '../../core/context.ts'
import { agreedOf } from './expected.ts'
import { scratch } from './ask.ts'

type Status = InputData<'chain.status'>
type Landed = NonNullable<Status['landed']>[number]
/** An order's state on the chain. */
type Sighting = Pick<Status, 'status' | 'slot' | 'error'> & { signature?: string }

/** Verdicts on a transaction that belongs to no order of this reference: an alarm, and a harmless one. */
const altered = 'altered'
const unrelated = 'unrelated'
/**
 * Slots before an order's own in which it is searched for, an hour: the node that gave its blockhash may have told one too high, by as
 * much as a reading is allowed.
 */
export const marginSlots = 10_000
/** Most differences recorded. */
export const mostShown = 8

const levels = ['processed', 'confirmed', 'finalized'] as const

/**
 * @returns `shown`, the order's state on the chain, undefined when it is not there; `isOpen` while something rules out an
 *   expiry: an alarm, or a transaction without a verdict
 */
export function readLanded(
  ctx: Ctx,
  order: AskedOrder,
  said: Status,
): { shown: Sighting | undefined; isOpen: boolean } {
  const { judged = {} } = scratch(ctx, order.orderId)
  const sightings: Sighting[] = []
  let isOpen = false
  for (const one of said.landed ?? []) {
    const { signature, status, slot, error } = one
    const verdict = own(judged, signature) ?? judge(ctx, order, one)
    if (verdict === undefined || verdict === altered) isOpen = true
    else if (verdict === order.orderId) sightings.push({ signature, status, slot, ...(error ? { error } : {}) })
    else if (verdict !== unrelated) settleOlder(ctx, verdict, one, said)
  }
  // The altered transaction's own status, from a node that is behind, is none of the order's
  const isAltered = order.alarm !== undefined && order.alarm.signature === orderSignatureOf(order)
  const { status, slot, error } = isAltered ? {} : said
  // Bytes sent from here were compared before; for others `processed` claims nothing
  const counts = signedRefOf(order) !== undefined || status === 'processed'
  if (status !== undefined && counts)
    sightings.push({ status, ...(slot === undefined ? {} : { slot }), ...(error ? { error } : {}) })
  const rank = (one: Sighting) => (one.error ? 0 : 3) + levels.indexOf(one.status ?? 'processed')
  const [shown] = sightings.sort((a, b) => rank(b) - rank(a))
  // A signature named by the wallet, not readable yet, does not undo `seen` or `confirmed`
  const isNamed = status !== undefined && !counts && (order.phase === 'seen' || order.phase === 'confirmed')
  return { shown, isOpen: isOpen || isNamed }
}

/** The verdict, remembered; a transaction that was never agreed raises an alarm at once. */
function judge(ctx: Ctx, order: AskedOrder, landed: Landed): string | undefined {
  const { decoded, signature, slot, error } = landed
  if (!decoded) return undefined
  const { orderId } = order
  // Nothing was agreed under an order that no wallet was asked for
  const namesakes = Object.values(ctx.model.order)
    .filter(isAsked)
    .filter(
      one => one.built.orderRef === order.built.orderRef && one.account === order.account && one.orderId !== orderId,
    )
  const orders = [order, ...namesakes]
  const checkSigned = signedCheckOf(ctx.model.sale, order)
  const fits = (anyBlockhash: boolean) => orders.find(one => checkSigned(decoded, agreedOf(one, anyBlockhash)).ok)
  // Two orders of one key may differ only in the blockhash
  const match = fits(false) ?? fits(true)
  const isOwn = signature === orderSignatureOf(order)
  // A failed transaction moved nothing, nor did one older than the search under this order's reference. A wallet may name any other
  const isUnderRef = !isOwn || JSON.stringify(decoded).includes(order.built.orderRef)
  // An earlier order of the same key has told of it: this order's own transaction is another one
  const isTold = !isOwn && namesakes.some(one => 'alarm' in one && one.alarm?.signature === signature)
  const isRecent = slot >= order.built.slot - (isUnderRef ? marginSlots : 0)
  const isAlarm = !match && !error && !isTold && isRecent
  // The wallet named it, and it moved nothing: so did the order
  const isFailed = isOwn && error !== undefined && isRecent
  const verdict = match?.orderId ?? (isAlarm ? altered : isFailed ? orderId : unrelated)
  const memory = scratch(ctx, orderId)
  memory.judged = { ...memory.judged, [signature]: verdict }
  if (isAlarm) warn(ctx, order, landed, differencesFrom(checkSigned(decoded, agreedOf(order, true))))
  return verdict
}

function differencesFrom(check: OrderCheck): TransactionDifference[] {
  return check.ok ? [] : check.differences
}

function warn(ctx: Ctx, order: AskedOrder, { signature, slot }: Landed, differences: TransactionDifference[]): void {
  if (order.alarm?.signature === signature) return
  const fields = differences.map(({ field }) => field).join(', ')
  const message = `${order.walletName} signed another transaction than was agreed, and it landed: ${fields}`.slice(
    0,
    300,
  )
  ctx.fact('order.mismatched', {
    orderId: order.orderId,
    signature,
    slot,
    failure: { code: 'wallet_changed_tx', message },
    differences: differences.slice(0, mostShown),
  })
}

/** Finalises an earlier order of the same key that landed late. */
function settleOlder(ctx: Ctx, orderId: string, { status, error, signature, slot }: Landed, { finalBy }: Status): void {
  const older = own(ctx.model.order, orderId)
  if (!older || error || status !== 'finalized' || isPaid(older)) return
  ctx.fact('order.finalised', { orderId, slot, signature, ...(finalBy === undefined ? {} : { finalBy }) })
}
