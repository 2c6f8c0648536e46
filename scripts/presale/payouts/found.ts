/**
 * Payments of a batch as the chain has them.
 *
 * 1. A successful transaction that names the batch's reference and is signed by the payer is its payment, whatever else it holds: a
 *    stranger can name the reference, but cannot sign.
 * 2. A payment that is not the plan's to the unit stops everything. It may leave rows out, which no payment of the plan pays then; one
 *    that leaves out all moves nothing, from the payer to itself.
 */
import { Fault } from '../../../src/runtime/failure.ts'
import { payRef } from '../../../src/worker/chains/solana/references.ts'
import { decodeTransaction } from '../../../src/worker/chains/solana/decode.ts'
import type { DecodedInstruction } from '../../../src/events/values/solana/transaction.ts'
import type { LedgerSale, SaleAccounts } from '../../../src/worker/ledger/ledgerSale.ts'
import { readLedgerTransaction, type ReadLedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'
import { type CallNode, listedUnder } from '../../../src/worker/ledger/saleHistory.ts'
import { isNewerKind } from '../../../src/worker/rpc/errors.ts'
import { feeOf } from '../../../src/worker/rpc/fees.ts'
import { isSignedBy } from '../../../src/worker/services/signatures.ts'
import { verify } from '../verify.ts'
import { batchOf, type HashedPlan, rowsPaid } from './batch.ts'
import { feePayerOf, type Plan } from '../../../src/worker/services/planFile.ts'

/** A batch's final payment. `leftOut`: places of the rows that it does not pay; absent when it pays all. */
export type Payment = { signature: string; slot: number; leftOut?: number[] }

/**
 * Finds the payment of a batch, and holds it against the plan.
 *
 * @param slot the last one that counts; the node has to have seen it
 * @param also final transactions that may be it, whether or not the node lists them under the reference
 * @throws Fault `on_chain_error` when it differs from the plan, or there are two; as `listedUnder`
 */
export async function paymentOf(
  call: CallNode,
  sale: LedgerSale,
  hashed: HashedPlan,
  batch: number,
  slot: number,
  also: readonly Payment[] = [],
): Promise<Payment | undefined> {
  const named = new Map(also.map(one => [one.signature, one.slot]))
  for await (const line of listedUnder(call, payRef(hashed.hash, batch), slot)) {
    if (line.failed) continue
    named.set(line.signature, line.slot)
  }
  const found: Payment[] = []
  for (const [signature, at] of named) {
    const read = await readPayment(call, sale, hashed, batch, signature)
    if (!read || !(await isByPayer(read, hashed))) continue
    const leftOut = checkPayment(read, hashed, batch)
    found.push({ signature, slot: at, ...(leftOut.length > 0 && { leftOut }) })
  }
  const [first, second] = found
  if (second)
    throw new Fault(
      'on_chain_error',
      `batch ${batch} expected one payment, got ${first?.signature} and ${second.signature}`,
    )
  return first
}

/** Watches the account that the batch is paid from. */
async function readPayment(
  call: CallNode,
  sale: LedgerSale,
  { plan }: HashedPlan,
  batch: number,
  signature: string,
): Promise<ReadLedgerTransaction | undefined> {
  return readFrom(call, sale, { plan, asset: batchOf(plan, batch).asset }, signature)
}

/**
 * Reads a transaction as one of the account that a plan pays an asset from.
 *
 * @returns undefined for one of a newer version, which is a stranger's
 * @throws Fault `bad_response` when the node lists it and does not have it
 */
export async function readFrom(
  call: CallNode,
  sale: LedgerSale,
  { plan, asset }: { plan: Plan; asset: string },
  signature: string,
): Promise<ReadLedgerTransaction | undefined> {
  const { terms, hash } = sale.first
  const watching: LedgerSale = {
    ...sale,
    first: { terms: { ...terms, treasury: plan.payer }, hash },
    watched: [{ asset, address: plan.assets[asset]?.source ?? plan.payer }],
  }
  return readFinal(call, watching, signature)
}

/**
 * Reads a final transaction with the balances of a sale's accounts.
 *
 * @returns undefined for one of a newer version, which is a stranger's
 * @throws Fault `bad_response` when the node lists it and does not have it
 */
export async function readFinal(
  call: CallNode,
  sale: SaleAccounts,
  signature: string,
): Promise<ReadLedgerTransaction | undefined> {
  const config = { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 0 }
  const answer = await call('getTransaction', [signature, config]).catch((cause: unknown) => {
    // A stranger's transaction of a newer version; ours are legacy ones
    if (isNewerKind(cause)) return undefined
    throw cause
  })
  if (answer === undefined) return undefined
  if (answer === null)
    throw new Fault('bad_response', `getTransaction expected ${signature}, which the node lists, got nothing`)
  return readLedgerTransaction(answer, signature, sale)
}

async function isByPayer(
  { transaction, message, signatures }: ReadLedgerTransaction,
  { plan }: HashedPlan,
): Promise<boolean> {
  const place = transaction.signers.indexOf(plan.payer)
  return place >= 0 && (await isSignedBy(plan.payer, message, signatures[place], verify))
}

/** @returns places of rows that it leaves out */
function checkPayment({ transaction, bytes }: ReadLedgerTransaction, hashed: HashedPlan, batch: number): number[] {
  const { plan } = hashed
  const { asset, rows } = batchOf(plan, batch)
  const { instructions } = decodeTransaction(bytes)
  const differs = (expected: unknown, got: unknown) =>
    new Fault(
      'on_chain_error',
      `batch ${batch}, paid by ${transaction.signature}: expected ${expected}, got ${got}. Nothing more is sent: compare it with the plan`,
    )
  const moves = movesIn(instructions)
  const leftOut = leftOutBy(moves, hashed, batch)
  if (!leftOut) {
    const [moved, wanted] = [textsOf(moves), textsOf(rows)]
    const at = moved.findIndex((move, place) => move !== wanted[place])
    throw differs(`${asset} ${wanted[at < 0 ? 0 : at] ?? 'no more'}`, moved[at] ?? 'no more')
  }
  const [change] = transaction.balances
  // A payment to the account that pays leaves it as it was
  const source = plan.assets[asset]?.source ?? plan.payer
  const paid = rowsPaid(rows, leftOut).reduce((sum, { to, units }) => (to === source ? sum : sum + BigInt(units)), 0n)
  const isFeeOwn = plan.assets[asset]?.mint === undefined && feePayerOf(plan) === plan.payer
  const effect = isFeeOwn ? paid + feeIn(instructions) : paid
  const left = change ? change.before - change.after : 0n
  if (left !== effect) throw differs(`${effect} base units of ${asset} to leave the paying account`, left)
  return leftOut
}

/** @returns places in a list that another list in the same order lacks; undefined when that one is empty, or has something else */
export function missingIn(some: readonly string[], all: readonly string[]): number[] | undefined {
  let met = 0
  const missing = all.flatMap((one, at) => {
    if (one !== some[met]) return [at]
    met += 1
    return []
  })
  return met === 0 || met < some.length ? undefined : missing
}

/** A transfer, base units. `refs`: read-only keys by which it is found. */
export type Move = { from: string; to: string; units: string; refs: string[] }

/** @returns places of a batch's rows that the transfers of its payment leave out; undefined when they are not the batch's */
export function leftOutBy(moves: readonly Move[], { plan, hash }: HashedPlan, batch: number): number[] | undefined {
  const rows = plan.batches[batch]?.rows ?? []
  const [first, second] = moves
  const isOwn = first?.from === plan.payer && first.to === plan.payer && first.refs.includes(payRef(hash, batch))
  if (isOwn && first.units === '0' && !second) return [...rows.keys()]
  return missingIn(textsOf(moves), textsOf(rows))
}

function textsOf(list: readonly { to: string; units: string }[]): string[] {
  return list.map(({ to, units }) => `${units} to ${to}`)
}

/** @returns the transfers of decoded instructions, in order */
export function movesIn(instructions: readonly DecodedInstruction[]): Move[] {
  return instructions.flatMap(one => {
    if (one.kind === 'transfer') return [{ from: one.from, to: one.to, units: one.lamports, refs: one.references }]
    if (one.kind !== 'tokenTransfer') return []
    return [{ from: one.source, to: one.destination, units: one.amount, refs: one.references }]
  })
}

/** @returns fee of a transaction with one signature and this compute budget, lamports */
export function feeIn(instructions: readonly DecodedInstruction[]): bigint {
  const limit = instructions.find(one => one.kind === 'computeLimit')?.units ?? 0
  const price = instructions.find(one => one.kind === 'computePrice')?.microLamports ?? '0'
  return feeOf(limit, BigInt(price))
}
