/** Loaded only when a transaction is built: web3.js weighs more than the rest of the worker. */
import './buffer.ts'
import { createTransferCheckedInstruction } from '@solana/spl-token'
import { ComputeBudgetProgram, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import { Buffer } from 'buffer'
import { programs } from '../../chains/solana/programs.ts'

/** What an order pays: lamports, or base units of a token from one token account to another. */
export type Payment =
  | { kind: 'native'; to: string; units: bigint }
  | { kind: 'spl'; source: string; mint: string; to: string; units: bigint; decimals: number }

/** Everything an order's transaction says. Keys are base58; `price` in µlamports a unit. */
export type OrderMessage = {
  account: string
  blockhash: string
  limit: number
  price: bigint
  memo: string
  payment: Payment
  references: readonly string[]
}

/**
 * Builds an order: compute limit, compute price, memo, and last the transfer, which carries the references.
 *
 * @returns a legacy transaction with one empty signature
 * @see reference "Presale", §6
 */
export function buildOrder(order: OrderMessage): Uint8Array {
  const { account, blockhash, limit, price, memo, payment, references } = order
  const payer = new PublicKey(account)
  const transfer = transferOf(payer, payment)
  for (const reference of references) {
    transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false })
  }
  const transaction = new Transaction()
  transaction.feePayer = payer
  transaction.recentBlockhash = blockhash
  transaction.add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: limit }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
    // No account stands on the memo: its program would demand that account's signature.
    new TransactionInstruction({ programId: new PublicKey(programs.memo), keys: [], data: Buffer.from(memo, 'utf8') }),
    transfer,
  )
  return Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

function transferOf(payer: PublicKey, payment: Payment): TransactionInstruction {
  const to = new PublicKey(payment.to)
  if (payment.kind === 'native') {
    return SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports: payment.units })
  }
  const { source, mint, units, decimals } = payment
  return createTransferCheckedInstruction(new PublicKey(source), new PublicKey(mint), to, payer, units, decimals)
}
