/** From the press to an unsigned transaction: checks the order, builds it, compares it. */
import type { Failure } from '../../../runtime/failure.ts'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import {
  type AcceptedOrder,
  builtOf,
  type EarlyOrder,
  isAccepted,
  isBeforeWallet,
  isSend,
  openOrder,
  type Order,
  type ReadyOrder,
} from '../../../events/subjects/order/order.ts'
import { saleNow } from '../../../events/sale/saleNow.ts'
import { mostFeeOf } from '../../../events/values/solana/fees.ts'
import { checkBuilt, type ExpectedOrder } from '../../chains/solana/check.ts'
import type { Ctx, InputData } from '../../core/context.ts'
import { forgetBytes } from '../forget.ts'
import { askRefusal } from '../request/askSession.ts'
import { askOrWait, meansOf, pressFor, refuseOrder, scratch } from './ask.ts'
import { expectedOf, expectedSend } from './expected.ts'
import { openGate } from './gate.ts'
import { keyForOrder } from './keyOut.ts'
import { countFromBuild } from './proof.ts'
import { keyRefusal, quoteRefusal, saleRefusal, termsRefusal } from './judge.ts'
import { boundedSlot } from '../sale/plausible.ts'
import { readOnce } from '../sale/purchase.ts'
import { networkRefusal, prepareSend } from './prepareSend.ts'
import { own } from '../../../runtime/schema/own.ts'
import { isUnderWay } from './underWay.ts'

const noWallet: Failure = { code: 'wallet_gone', message: 'an order expected a connected wallet, there is none' }

/** The reason why this press may buy nothing under these terms, for any payer; undefined if it may. */
export function pressRefusal(
  ctx: Ctx,
  data: Pick<InputData<'order.place'>, 'termsHash' | 'acknowledged'>,
): Failure | undefined {
  const { sale, network, core } = ctx.model
  if (core.storage !== 'durable')
    return { code: 'storage_down', message: 'an order expected a durable record on this device, there is none' }
  if (network.phase !== 'identified')
    return { code: 'unreachable', message: 'an order expected the chain to be identified, it is not' }
  if (sale.distrust) return sale.distrust
  if (sale.terms.phase !== 'read')
    return { code: 'terms_invalid', message: 'an order expected the terms to be read, they are not' }
  if (!sale.notices)
    return { code: 'unreachable', message: 'an order expected the published notices to be read, they are not' }
  if (sale.terms.termsHash !== data.termsHash)
    return { code: 'terms_changed', message: 'the terms on the page are not the terms in force' }
  const missing = sale.terms.terms.legal.acknowledge.filter(statement => !data.acknowledged.includes(statement))
  if (missing.length > 0) {
    const message = `an order expected the statements ${missing.join(', ')} to be ticked, they were not`
    return { code: 'bad_input', message }
  }
  return undefined
}

/** The reason an order may not be placed now, or undefined. */
function refusalOf(ctx: Ctx, data: InputData<'order.place'>): Failure | undefined {
  const early = pressRefusal(ctx, data)
  if (early) return early
  const active = activeConnection(ctx.model)
  if (!active || active.connection.phase !== 'live') return noWallet
  const { account } = active
  const refused = askRefusal(ctx, active.connection, account)
  return refused ?? saleRefusal(ctx, account) ?? quoteRefusal(ctx, { ...data, account })
}

/** Places an order, unless one is open: two presses are one order. */
export function place(ctx: Ctx, data: InputData<'order.place'>): void {
  const { asset, units, quoted, min, termsHash, referrer, shownFee } = data
  const drafted = draft(ctx, { asset, units })
  if (!drafted) return
  const { orderId, account } = drafted
  const { orderKey, code } = keyForOrder(ctx, account) ?? { orderKey: data.orderKey }
  const failure = refusalOf(ctx, data) ?? keyRefusal(ctx, { account, orderKey })
  if (failure) return ctx.fact('order.gateRefused', { orderId, failure })
  const intent = { orderKey, account, asset, units, quoted, min, termsHash, ...(referrer ? { referrer } : {}) }
  ctx.fact('order.quoted', { orderId, quoted, min })
  ctx.fact('order.accepted', { orderId, termsHash, orderKey, ...(referrer ? { referrer } : {}) })
  // It may have been paid since it was last looked for
  if (code !== undefined) ctx.effect('timer.set', { timerId: `invoice:${code}`, at: ctx.at })
  pressFor(ctx, orderId, shownFee && `${mostFeeOf(BigInt(shownFee))}`)
  build(ctx, orderId, intent)
  // Purchases on another device count towards the limit of the account, which the gate judges before the wallet is asked
  readOnce(ctx, account)
}

/** Drafts an order of the active account. @returns undefined while one is open; a transfer that waits for its press gives way */
export function draft(
  ctx: Ctx,
  { asset, units, send }: Pick<Order, 'asset' | 'units' | 'send'>,
): { orderId: string; account: string } | undefined {
  const open = openOrder(ctx.model)
  if (open && !(isSend(open) && isBeforeWallet(open))) return undefined
  if (open) giveUpEarly(ctx, open)
  const active = activeConnection(ctx.model)
  const orderId = ctx.id('order')
  const account = active?.account ?? ''
  const peerName = active?.connection.peerName
  ctx.fact('order.drafted', {
    orderId,
    account,
    connectionId: active?.connection.connectionId ?? 'none',
    walletName: active?.connection.wallet.name ?? '',
    ...(peerName === undefined ? {} : { peerName }),
    asset,
    units,
    ...(send && { send }),
  })
  forgetEvicted(ctx)
  for (const old of Object.values(ctx.model.order))
    if (!old.dismissed) ctx.fact('order.dismissed', { orderId: old.orderId })
  return { orderId, account }
}

/** The person leaves an order before its wallet was asked. */
export function giveUpEarly(ctx: Ctx, order: EarlyOrder): void {
  const { orderId } = order
  const message = 'the person gave up before the wallet was asked'
  ctx.fact('order.abandoned', { orderId, failure: { code: 'user_rejected', message } })
  forgetBytes(ctx, builtOf(order)?.bytesRef)
}

/** Drops the transient memory of orders that have left the model. */
function forgetEvicted({ model, transient }: Ctx): void {
  for (const orderId of Object.keys(transient.order)) if (!own(model.order, orderId)) delete transient.order[orderId]
}

type Intent = {
  orderKey: string
  account: string
  asset: string
  units: string
  quoted: string
  min: string
  termsHash: string
  referrer?: string
}

function build(ctx: Ctx, orderId: string, intent: Intent): void {
  const { terms } = ctx.model.sale
  if (terms.phase !== 'read' || isUnderWay(ctx, 'chain.prepareOrder', orderId)) return
  const { presaleRef } = terms
  ctx.effect(
    'chain.prepareOrder',
    { orderId, terms: terms.terms, order: { ...intent, presaleRef }, ...guardOf(ctx) },
    { about: orderId },
  )
}

/** @returns the sale for an assertion about the treasury, where the build wants one; none while the received amount is unknown */
function guardOf({ model, transient, at }: Ctx): { guard?: { mostPos: string; balances: Record<string, string> } } {
  const { reading } = model.sale
  const sale = transient.sale.guard && saleNow(model, at)
  return sale && reading && sale.received !== null
    ? { guard: { mostPos: sale.mostPos, balances: reading.balances } }
    : {}
}

/** Rebuilds the same intent, same order key, new blockhash, unless its terms are no longer in force. */
export function prepareAgain(ctx: Ctx, order: AcceptedOrder): void {
  const changed = termsRefusal(ctx, order)
  if (changed) return refuseOrder(ctx, order, changed)
  if (isSend(order)) {
    // A life may begin while the RPC serves another chain
    const network = networkRefusal(ctx)
    return network ? refuseOrder(ctx, order, network) : prepareSend(ctx, order, order.accepted.orderKey, order)
  }
  const { orderId, account, asset, units, quote, accepted } = order
  const { orderKey, termsHash, referrer } = accepted
  const intent = { orderKey, account, asset, units, ...quote, termsHash }
  build(ctx, orderId, { ...intent, ...(referrer !== undefined && { referrer }) })
}

/** Handles a purchase's built and simulated transaction. */
export function prepared(ctx: Ctx, data: InputData<'chain.orderPrepared'>): void {
  const order = acceptedFor(ctx, data)
  if (order) take(ctx, order, data, order.send ? undefined : expectedOf(ctx, order, data))
}

/** The same of a transfer. A person reads its fee and rent before the press for it. */
export function sendPrepared(ctx: Ctx, data: InputData<'chain.sendPrepared'>): void {
  const order = acceptedFor(ctx, data)
  if (order) take(ctx, order, data, isSend(order) ? expectedSend(order, data) : undefined, data)
}

function acceptedFor(
  ctx: Ctx,
  { orderId, bytesRef }: { orderId: string; bytesRef: string },
): AcceptedOrder | undefined {
  const order = own(ctx.model.order, orderId)
  if (order && isAccepted(order)) return order
  forgetBytes(ctx, bytesRef)
  return undefined
}

type Recipient = Pick<InputData<'chain.sendPrepared'>, 'rent' | 'unused'>
type Unsigned = Omit<InputData<'chain.sendPrepared'>, 'reference' | 'destination' | keyof Recipient>

/** Compares it, then asks the wallet, through the gate when the wallet sends by itself. */
function take(
  ctx: Ctx,
  order: AcceptedOrder,
  data: Unsigned,
  expected: ExpectedOrder | undefined,
  { rent = '0', unused }: Recipient = {},
): void {
  const { orderId, bytesRef, blockhash, validUntilHeight, fee, unitsConsumed } = data
  const check = expected && checkBuilt(data.decoded, expected)
  if (!expected || !check?.ok) {
    const fields = check?.ok === false ? check.differences.map(({ field }) => field).join(', ') : 'its keys'
    const message = `the transaction built here differs from the order in ${fields}`.slice(0, 300)
    forgetBytes(ctx, bytesRef, builtOf(order)?.bytesRef)
    return ctx.fact('order.simulationFailed', {
      orderId,
      failure: { code: 'treasury_mismatch', message, facts: { rule: 'BUILT' } },
    })
  }
  const { memo, createdFor: owner } = expected
  const { program, ...transfer } = { program: undefined, ...expected.transfer }
  const orderRef = transfer.references.at(-1) ?? ''
  const built = {
    bytesRef,
    blockhash,
    validUntilHeight,
    // Searches begin there: a slot that is too high would hide the payment
    slot: boundedSlot(ctx, order.account, data.slot),
    orderRef,
    memo,
    fee,
    transfer,
    ...(program !== undefined && { program }),
    ...(owner !== undefined && { creates: { owner, rent } }),
    ...(unused && { unused }),
  }
  ctx.fact('order.built', { orderId, ...built })
  ctx.fact('order.simulated', { orderId, unitsConsumed })
  // A rebuild with equal bytes has the same ref
  const before = builtOf(order)
  if (before?.bytesRef !== bytesRef) forgetBytes(ctx, before?.bytesRef)
  countFromBuild(ctx, orderId)
  const ready: ReadyOrder = { ...order, phase: 'simulated', built }
  const isUnread = scratch(ctx, orderId).pressedAt === 0 || (owner !== undefined && !before?.creates)
  if (order.send && isUnread) ctx.fact('order.pressAwaited', { orderId })
  else if (meansOf(ctx, order) === 'signAndSend') openGate(ctx, ready, 'ask')
  else askOrWait(ctx, ready)
}
