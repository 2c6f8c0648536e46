/** Token accounts that existed when the plan was made, and were closed since: without them their batch can never land. */
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import { decodeTransaction } from '../../../src/worker/chains/solana/decode.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import type { SigningKey } from '../verb.ts'
import { type Draft, follow, sendOrThrow, unfinished } from '../send.ts'
import { batchOf, type HashedPlan } from './batch.ts'
import { feeOfBytes, type Limits, spend, type Spending } from './limits.ts'
import { createTokenAccount, type Instruction } from './message.ts'
import { accountsAt } from './payees.ts'
import { feePayerOf } from '../../../src/worker/services/planFile.ts'

/**
 * Creates the associated accounts of a batch that are missing, in transactions of their own; one that is there already stays.
 *
 * @param key of the account that pays the plan's fees
 * @returns whether any was missing. @throws Fault of a limit; as `sendOrThrow`
 */
export async function createMissing(spending: Spending, batch: number, key: SigningKey): Promise<boolean> {
  const drafts = await creationsMissing(spending, batch)
  for (const draft of drafts)
    await sendOrThrow(spending.sending, draft, [key], ({ about, bytes }) => {
      spendOnAccounts(spending.limits, about, bytes)
    })
  return drafts.length > 0
}

/** @returns the transactions that create what is missing of a batch's associated accounts; none when each is there */
export async function creationsMissing(
  { hashed, sending }: Pick<Spending, 'hashed' | 'sending'>,
  batch: number,
): Promise<Draft[]> {
  const { plan } = hashed
  const { asset, rows } = batchOf(plan, batch)
  const { mint, program } = plan.assets[asset] ?? {}
  if (mint === undefined || program === undefined) return []
  const there = await accountsAt(
    sending.node,
    rows.map(({ to }) => to),
  )
  const missing = rows.filter(({ to, owner, create }) => {
    // A stranger may have sent lamports to the address since
    const isClosed = (there.get(to)?.owner ?? programs.system) === programs.system
    return !create && isClosed && to === associatedTokenAddress(owner, mint, program)
  })
  const payer = feePayerOf(plan)
  const drafts: Draft[] = []
  for (let at = 0; at < missing.length; at += mostCreated) {
    const some = missing.slice(at, at + mostCreated)
    const instructions = some.map(({ to, owner }) => {
      return legacy(createTokenAccount(payer, { account: to, owner, mint, program }))
    })
    drafts.push({ about: aboutAccounts(hashed, batch), payer, instructions })
  }
  return drafts
}

/** Follows creations that an earlier run left open. @throws Fault of a limit; as `follow` */
export async function endCreations({ hashed, sending, limits }: Spending, batch: number): Promise<void> {
  const about = aboutAccounts(hashed, batch)
  for (const signed of unfinished(sending.journal.lines))
    if (signed.about === about)
      await follow(sending, signed, () => spendOnAccounts(limits, about, Buffer.from(signed.bytes, 'base64')))
}

function aboutAccounts({ hash }: HashedPlan, batch: number): string {
  return `accounts for batch ${batch} of plan ${hash.slice(0, 16)}`
}

/** Counts creations of accounts. @throws Fault of a limit */
export function spendOnAccounts(limits: Limits, about: string, bytes: Uint8Array): void {
  const made = decodeTransaction(bytes).instructions.filter(({ kind }) => kind === 'createTokenAccount')
  spend(limits, about, BigInt(made.length) * limits.rent + feeOfBytes(bytes))
}

/** Creations in one transaction, which the compute limit of a transaction of the tool allows on live clusters. */
const mostCreated = 6

function legacy({ program, accounts, data }: Instruction): TransactionInstruction {
  const keys = accounts.map(({ address, signer = false, writable = false }) => {
    return { pubkey: new PublicKey(address), isSigner: signer, isWritable: writable }
  })
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data: Buffer.from(data) })
}
