/**
 * Payments read from transactions. References are public, so anyone can attach anything to them: the buyer is the
 * transfer's signer, wherever the transaction was found. The ledger's own extraction decides what a transaction is.
 * @see reference "Presale", §6 to §8
 */
import type { BackendName } from '../../events/sale/backend.ts'
import type { OrderMemo } from '../../events/sale/payments/memo.ts'
import type { Terms } from '../../events/sale/terms/terms.ts'
import { associatedTokenAddress } from '../chains/solana/ata.ts'
import { readTransaction } from '../chains/solana/wire.ts'
import { findingsIn, inflowsIn, ordersIn } from '../ledger/findings.ts'
import { type TopLevel, topLevelIn } from '../ledger/topLevel.ts'

/** A payment to the treasury. Without a fault it is the order in its memo. */
export type ParsedPayment = {
  asset: string
  units: string
  memo?: OrderMemo
  fault?: 'mismatch' | 'malformed' | 'no_memo'
}

/**
 * Only signed bytes count here: balances and the owners of token accounts are a node's word. So a payment by a delegate, or with more
 * money from inside a program, has no fault here.
 *
 * @param sale the buyer's account, and the terms with the treasury
 * @returns the account's payment in this transaction, undefined when there is none
 * @see reference "Presale", §7, extraction
 */
export function paymentIn(
  transaction: TopLevel,
  { account, terms }: { account: string; terms: Terms },
): ParsedPayment | undefined {
  const { treasury, assets } = terms
  const watched = assets.map(({ symbol, mint }) => ({
    asset: symbol,
    address: mint === undefined ? treasury : associatedTokenAddress(treasury, mint),
  }))
  const sale = { first: { terms }, watched }
  const moved = { ...transaction, failed: false, owners: new Map<string, string>() }
  const balances = watched.map(({ asset }) => ({ asset, before: 0n, after: 0n }))
  for (const { asset, units } of inflowsIn(moved, sale))
    for (const balance of balances) if (balance.asset === asset) balance.after += units
  const own = findingsIn({ ...moved, balances }, sale).flatMap(one =>
    'buyer' in one && one.buyer === account ? [one] : [],
  )
  const [paid] = own
  if (!paid) return undefined
  const { asset } = paid
  const units = own.reduce((sum, one) => (one.asset === asset ? sum + one.units : sum), 0n).toString()
  const [memo, second] = ordersIn(transaction)
  const fault =
    paid.kind === 'order' || paid.status === 'delegated' || paid.status === 'inner' ? undefined : paid.status
  return { asset, units, ...(memo && !second && { memo }), ...(fault && { fault }) }
}

/** @returns a landed transaction as a backend's `parse` takes it. @throws Fault `bad_response` when the bytes are none */
export function topLevelOf({ bytes, loaded }: { bytes: Uint8Array; loaded: readonly string[] }): TopLevel {
  const wire = readTransaction(bytes)
  return topLevelIn(wire, [...wire.accountKeys, ...loaded])
}

/** The part of a sale's backend that finds payments; pure. */
export type PaymentParser = {
  /** @returns the account's payment to the sale; undefined when the transaction holds none */
  parse(transaction: TopLevel, sale: { account: string; terms: Terms }): ParsedPayment | undefined
}

export const paymentParsers: Record<BackendName, PaymentParser> = { direct: { parse: paymentIn } }
