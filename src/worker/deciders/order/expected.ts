/** The expected transaction of an order: from the order and its terms, compared with all that a driver or a wallet returns. */
import { Fault } from '../../../runtime/failure.ts'
import {
  type AcceptedOrder,
  type AskedOrder,
  builtOf,
  type Order,
  type SendOrder,
} from '../../../events/subjects/order/order.ts'
import { orderMemo } from '../../../events/sale/payments/memo.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import type { ExpectedTransfer } from '../../../events/values/solana/transaction.ts'
import type { ExpectedOrder } from '../../chains/solana/check.ts'
import { programs } from '../../chains/solana/programs.ts'
import type { Ctx, InputData } from '../../core/context.ts'

type Prepared = InputData<'chain.orderPrepared'>

/** @returns the order's transaction as it must be built, undefined when the answer does not belong to this order */
export function expectedOf(ctx: Ctx, order: AcceptedOrder, prepared: Prepared): ExpectedOrder | undefined {
  const { terms } = ctx.model.sale
  const { derived, blockhash, fee } = prepared
  if (terms.phase !== 'read' || !derived || derived.references.length !== 3) return undefined
  const [presaleRef, buyerRef, orderRef] = derived.references
  const memo = memoOf(order)
  const isOfOrder =
    presaleRef === terms.presaleRef &&
    buyerRef === prepared.buyerRef &&
    orderRef === prepared.orderRef &&
    memo === prepared.memo &&
    order.accepted.termsHash === terms.termsHash
  const transfer = transferOf(order, terms.terms, derived)
  const { guard: mayAssert } = ctx.transient.sale
  return isOfOrder && memo !== undefined && transfer
    ? { buyer: order.account, memo, transfer, blockhash, fee, ...(mayAssert && { mayAssert }) }
    : undefined
}

/** @returns a transfer's transaction as it must be built, undefined when the answer costs more than was shown */
export function expectedSend(
  { account, units, send, ...order }: SendOrder,
  { blockhash, fee, reference, destination, rent }: InputData<'chain.sendPrepared'>,
): ExpectedOrder | undefined {
  const shown = builtOf(order as Order)?.fee
  const { to, mint, program, source, decimals } = send
  const references = [reference]
  const shared = { buyer: account, memo: '', blockhash, fee }
  if (shown !== undefined && BigInt(fee) > BigInt(shown)) return undefined
  if (mint === undefined)
    return { ...shared, transfer: { kind: 'transfer', from: account, to, lamports: units, references } }
  if (source === undefined || destination === undefined) return undefined
  const transfer = {
    kind: 'tokenTransfer' as const,
    source,
    mint,
    destination,
    owner: account,
    amount: units,
    decimals,
  }
  return {
    ...shared,
    transfer: { ...transfer, references, ...programOf(program) },
    ...(rent === undefined ? {} : { createdFor: to }),
  }
}

/** @returns the order's transaction as it was built; `anyBlockhash` for landed ones, whose expiry is past */
export function agreedOf({ account, built }: AskedOrder, anyBlockhash = false): ExpectedOrder {
  const { memo, transfer, program, creates, blockhash, fee } = built
  return {
    buyer: account,
    memo,
    transfer: { ...transfer, ...programOf(program) },
    fee,
    ...(creates && { createdFor: creates.owner }),
    ...(anyBlockhash ? {} : { blockhash }),
  }
}

/** The classic token program is not named. */
function programOf(program: string | undefined): { program?: string } {
  return program === undefined || program === programs.token ? {} : { program }
}

function memoOf({ asset, units, quote, accepted }: AcceptedOrder): string | undefined {
  const { termsHash, orderKey, referrer } = accepted
  try {
    const parts = { terms: termsHash.slice(0, 16), id: orderKey, asset, units, ...quote }
    return orderMemo(referrer === undefined ? parts : { ...parts, referrer })
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

function transferOf(
  order: AcceptedOrder,
  terms: Terms,
  derived: NonNullable<Prepared['derived']>,
): ExpectedTransfer | undefined {
  const { account, units } = order
  const { references, source, destination } = derived
  const asset = terms.assets.find(listed => listed.symbol === order.asset)
  if (!asset) return undefined
  const { mint, decimals } = asset
  if (mint === undefined) return { kind: 'transfer', from: account, to: terms.treasury, lamports: units, references }
  if (source === undefined || destination === undefined) return undefined
  return { kind: 'tokenTransfer', source, mint, destination, owner: account, amount: units, decimals, references }
}
