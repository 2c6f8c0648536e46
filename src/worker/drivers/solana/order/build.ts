/** Loaded only to build a transaction: web3.js is larger than the rest of the worker. */
import './buffer.ts'
import { createAssociatedTokenAccountIdempotentInstruction, createTransferCheckedInstruction } from '@solana/spl-token'
import { ComputeBudgetProgram, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import { Buffer } from 'buffer'
import { dataViewOf } from '../../../../runtime/dataView.ts'
import { programs } from '../../../chains/solana/programs.ts'

/** An order's payment: lamports, or base units of a token between two token accounts. */
export type Payment =
  | { kind: 'native'; to: string; units: bigint }
  | {
      kind: 'spl'
      source: string
      mint: string
      to: string
      units: bigint
      decimals: number
      /** token program; default the classic one */
      program?: string
      /** owner for whom the destination is created */
      createdFor?: string
    }

/** The content of an order's transaction. Keys are base58; `price` in µlamports a unit. */
export type OrderMessage = {
  account: string
  blockhash: string
  limit: number
  price: bigint
  memo: string
  payment: Payment
  references: readonly string[]
  guard?: Guard
}

/** Asserts before the payment that an account holds at most so many lamports, or base units of its token. */
export type Guard = { account: string; of: 'lamports' | 'token'; most: bigint }

/**
 * Builds an order: compute limit, compute price, the guard if asked for, memo or none, the destination's creation where it is missing, and last the
 * transfer, which carries the references.
 *
 * @returns a legacy transaction with one empty signature slot
 * @see reference "Presale", §6
 */
export function buildOrder(order: OrderMessage): Uint8Array {
  const { account, blockhash, limit, price, memo, payment, references, guard } = order
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
    ...(guard ? [assertionOf(guard)] : []),
    ...(memo === '' ? [] : [memoOf(memo)]),
    ...creationOf(payer, payment),
    transfer,
  )
  return Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

/**
 * Lighthouse's AssertAccountInfo of Lamports, or AssertTokenAccount of Amount, less than or equal, without a log.
 *
 * @see lighthouse-sdk 2.1.0
 */
function assertionOf({ account, of, most }: Guard): TransactionInstruction {
  const data = Buffer.from([...(of === 'lamports' ? [5, 0, 0] : [9, 0, 2]), 0, 0, 0, 0, 0, 0, 0, 0, 5])
  dataViewOf(data).setBigUint64(3, most, true)
  const keys = [{ pubkey: new PublicKey(account), isSigner: false, isWritable: false }]
  return new TransactionInstruction({ programId: new PublicKey(programs.assertion), keys, data })
}

/** @returns a memo without accounts: its program would demand their signatures */
export function memoOf(memo: string): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programs.memo),
    keys: [],
    data: Buffer.from(memo, 'utf8'),
  })
}

function creationOf(payer: PublicKey, payment: Payment): TransactionInstruction[] {
  if (payment.kind === 'native' || payment.createdFor === undefined) return []
  const { to, createdFor, mint, program = programs.token } = payment
  const [owner, token, by] = [new PublicKey(createdFor), new PublicKey(mint), new PublicKey(program)]
  return [createAssociatedTokenAccountIdempotentInstruction(payer, new PublicKey(to), owner, token, by)]
}

function transferOf(payer: PublicKey, payment: Payment): TransactionInstruction {
  const to = new PublicKey(payment.to)
  if (payment.kind === 'native') {
    return SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports: payment.units })
  }
  const { source, mint, units, decimals, program = programs.token } = payment
  const [from, token, by] = [new PublicKey(source), new PublicKey(mint), new PublicKey(program)]
  return createTransferCheckedInstruction(from, token, to, payer, units, decimals, [], by)
}
