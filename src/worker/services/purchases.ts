/**
 * Payments read from transactions. References are public, so anyone can attach anything to them: the buyer is the
 * transfer's signer, wherever the transaction was found.
 * @see reference "Presale", §6 to §8
 */
import type { BackendName } from '../../events/sale/backend.ts'
import { type OrderMemo, parseOrderMemo } from '../../events/sale/payments/memo.ts'
import type { Terms } from '../../events/sale/terms/terms.ts'
import type { DecodedTransaction } from '../../events/values/solana/transaction.ts'
import { associatedTokenAddress } from '../chains/solana/ata.ts'

type Transfer = Extract<DecodedTransaction['instructions'][number], { kind: 'transfer' | 'tokenTransfer' }>

/** @returns the only order memo of a transaction; undefined when there is none or more than one */
function orderMemoIn({ instructions }: DecodedTransaction): OrderMemo | undefined {
  const orders = instructions.flatMap(one => (one.kind === 'memo' ? [parseOrderMemo(one.text)] : []))
  const found = orders.filter(order => order !== undefined)
  return found.length === 1 ? found[0] : undefined
}

/** A payment to the treasury. Without a fault it is the order in its memo. */
export type ParsedPayment = {
  asset: string
  units: string
  memo?: OrderMemo
  fault?: 'mismatch' | 'malformed' | 'no_memo'
}

/**
 * @param sale the buyer's account, and the terms with the treasury
 * @returns the account's payment in this transaction, undefined when there is none
 * @see reference "Presale", §7, extraction
 */
export function paymentIn(
  decoded: DecodedTransaction,
  sale: { account: string; terms: Terms },
): ParsedPayment | undefined {
  const { treasury } = sale.terms
  const assets = new Map(
    sale.terms.assets.map(one => [
      one.mint === undefined ? treasury : associatedTokenAddress(treasury, one.mint),
      one.symbol,
    ]),
  )
  const inflows = transfersIn(decoded).flatMap(transfer => {
    const asset = assets.get(transfer.kind === 'transfer' ? transfer.to : transfer.destination)
    if (asset === undefined) return []
    return [
      { asset, by: signerOf(transfer), units: transfer.kind === 'transfer' ? transfer.lamports : transfer.amount },
    ]
  })
  const own = inflows.filter(({ by }) => by === sale.account)
  const [paid] = own
  if (!paid) return undefined
  const { asset } = paid
  const units = own.reduce((sum, one) => (one.asset === asset ? sum + BigInt(one.units) : sum), 0n).toString()
  const memo = orderMemoIn(decoded)
  const base = { asset, units, ...(memo && { memo }) }
  if (inflows.length > 1 || (!memo && hasOrderMemo(decoded))) return { ...base, fault: 'malformed' }
  if (!memo) return { ...base, fault: 'no_memo' }
  return memo.asset === asset && memo.units === units ? base : { ...base, fault: 'mismatch' }
}

/** The part of a sale's backend that finds payments; pure. */
export type PaymentParser = {
  /** @returns the account's payment to the sale; undefined when the transaction holds none */
  parse(decoded: DecodedTransaction, sale: { account: string; terms: Terms }): ParsedPayment | undefined
}

export const paymentParsers: Record<BackendName, PaymentParser> = { direct: { parse: paymentIn } }

/** Whether a memo claims to be an order, even outside the grammar. */
function hasOrderMemo({ instructions }: DecodedTransaction): boolean {
  return instructions.some(one => one.kind === 'memo' && one.text.startsWith('mai1:'))
}

function transfersIn({ instructions }: DecodedTransaction): Transfer[] {
  return instructions.filter(one => one.kind === 'transfer' || one.kind === 'tokenTransfer')
}

function signerOf(transfer: Transfer): string {
  return transfer.kind === 'transfer' ? transfer.from : transfer.owner
}
