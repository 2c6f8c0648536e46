/** The expected transaction of an order: from the order and the terms, compared with all that a driver or a wallet returns. */
import { Fault } from '../../../events/failure.ts'
import type { AcceptedOrder, AskedOrder } from '../../../events/subjects/order.ts'
import { orderMemo } from '../../../events/sale/payments/memo.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import type { ExpectedTransfer } from '../../../events/values/transaction.ts'
import type { ExpectedOrder } from '../../chains/solana/check.ts'
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
  return isOfOrder && memo !== undefined && transfer
    ? { buyer: order.account, memo, transfer, blockhash, fee }
    : undefined
}

/** @returns the order's transaction as it was built; `anyBlockhash` for landed ones, whose expiry is past */
export function agreedOf({ account, built }: AskedOrder, anyBlockhash = false): ExpectedOrder {
  const { memo, transfer, blockhash, fee } = built
  return { buyer: account, memo, transfer, fee, ...(anyBlockhash ? {} : { blockhash }) }
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
