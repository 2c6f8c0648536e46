/** Token accounts that existed when the plan was made, and were closed since: without them their batch can never land. */
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { lamportsPerSignature } from '../../../src/events/values/solana/fees.ts'
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import type { SigningKey } from '../verb.ts'
import { sendOrThrow } from '../send.ts'
import { batchOf } from './batch.ts'
import { spend, type Spending, tokenRent } from './limits.ts'
import { createTokenAccount, type Instruction } from './message.ts'
import { accountsAt } from './payees.ts'
import { feePayerOf } from '../../../src/worker/services/planFile.ts'

/**
 * Creates the associated accounts of a batch that are missing, in a transaction of its own; one that is there already stays.
 *
 * @param key of the account that pays the plan's fees
 * @returns whether any was missing. @throws Fault of a limit; as `sendOrThrow`
 */
export async function createMissing(
  { hashed, sending, limits }: Spending,
  batch: number,
  key: SigningKey,
): Promise<boolean> {
  const { plan, hash } = hashed
  const { asset, rows } = batchOf(plan, batch)
  const { mint, program } = plan.assets[asset] ?? {}
  if (mint === undefined || program === undefined) return false
  const there = await accountsAt(
    sending.node,
    rows.map(({ to }) => to),
  )
  const missing = rows.filter(({ to, owner, create }) => {
    return !create && !there.get(to) && to === associatedTokenAddress(owner, mint, program)
  })
  if (missing.length === 0) return false
  const about = `accounts for batch ${batch} of plan ${hash.slice(0, 16)}`
  spend(limits, about, BigInt(missing.length) * tokenRent + lamportsPerSignature)
  for (let at = 0; at < missing.length; at += mostCreated) {
    const instructions = missing.slice(at, at + mostCreated).map(({ to, owner }) => {
      return legacy(createTokenAccount(feePayerOf(plan), { account: to, owner, mint, program }))
    })
    await sendOrThrow(sending, { about, payer: feePayerOf(plan), instructions }, [key])
  }
  return true
}

/** Creations in one transaction, which the compute limit of a transaction of the tool allows on live clusters. */
const mostCreated = 6

function legacy({ program, accounts, data }: Instruction): TransactionInstruction {
  const keys = accounts.map(({ address, signer = false, writable = false }) => {
    return { pubkey: new PublicKey(address), isSigner: signer, isWritable: writable }
  })
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data: Buffer.from(data) })
}
