/**
 * Orders as transactions tell them. References are public, so anybody can attach anything to them: whose order it is
 * follows from who signed the transfer, never from where the transaction was found.
 * @see reference "Presale", §6 to §8
 */
import { Fault } from '../../events/failure.ts'
import { type OrderMemo, parseOrderMemo } from '../../events/values/memo.ts'
import type { Terms } from '../../events/values/terms.ts'
import type { DecodedTransaction } from '../../events/values/transaction.ts'
import { associatedTokenAddress } from '../chains/solana/ata.ts'
import { decodeTransaction } from '../chains/solana/decode.ts'
import { orderRef } from '../chains/solana/references.ts'

type Transfer = Extract<DecodedTransaction['instructions'][number], { kind: 'transfer' | 'tokenTransfer' }>

/** @returns what the transaction does, undefined when its bytes are none that can be read */
export function readable(bytes: Uint8Array): DecodedTransaction | undefined {
  try {
    return decodeTransaction(bytes)
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** @returns the only order memo of a transaction; undefined when there is none or more than one */
export function orderMemoIn({ instructions }: DecodedTransaction): OrderMemo | undefined {
  const orders = instructions.flatMap(one => (one.kind === 'memo' ? [parseOrderMemo(one.text)] : []))
  const found = orders.filter(order => order !== undefined)
  return found.length === 1 ? found[0] : undefined
}

/**
 * @param reference an order's own reference key
 * @returns whether this transaction is that order: only its buyer could sign a transfer whose signer, memo id and
 * presale hash to the reference
 */
export function isOrder(decoded: DecodedTransaction, reference: string): boolean {
  const memo = orderMemoIn(decoded)
  if (!memo) return false
  return transfersIn(decoded).some(transfer => {
    if (!transfer.references.includes(reference)) return false
    return transfer.references.some(presale => orderRef(presale, signerOf(transfer), memo.id) === reference)
  })
}

/**
 * @param sale the account whose purchases are wanted, and the terms that say what a payment is
 * @returns the order this transaction pays for, undefined when it is somebody else's, pays another amount than its memo
 * says, pays more than once, or pays nothing the sale takes
 */
export function purchaseIn(
  decoded: DecodedTransaction,
  sale: { account: string; terms: Terms },
): OrderMemo | undefined {
  const memo = orderMemoIn(decoded)
  const asset = memo && sale.terms.assets.find(one => one.symbol === memo.asset)
  if (!memo || !asset) return undefined
  const { treasury } = sale.terms
  const accounts = new Map(
    sale.terms.assets.map(one => [
      one.mint === undefined ? treasury : associatedTokenAddress(treasury, one.mint),
      one.symbol,
    ]),
  )
  const payments = transfersIn(decoded).filter(one => accounts.has(one.kind === 'transfer' ? one.to : one.destination))
  const [payment] = payments
  if (!payment || payments.length > 1 || signerOf(payment) !== sale.account) return undefined
  const paid =
    payment.kind === 'transfer'
      ? { symbol: accounts.get(payment.to), units: payment.lamports }
      : { symbol: accounts.get(payment.destination), units: payment.amount }
  return paid.symbol === memo.asset && paid.units === memo.units ? memo : undefined
}

function transfersIn({ instructions }: DecodedTransaction): Transfer[] {
  return instructions.filter(one => one.kind === 'transfer' || one.kind === 'tokenTransfer')
}

function signerOf(transfer: Transfer): string {
  return transfer.kind === 'transfer' ? transfer.from : transfer.owner
}
