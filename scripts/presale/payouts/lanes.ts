/**
 * Lanes: durable nonce accounts whose addresses follow from payer and plan, so that a machine without a journal finds the same
 * ones. One transaction at a time can land on a nonce.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { NONCE_ACCOUNT_LENGTH, PublicKey, SystemProgram } from '@solana/web3.js'
import { Fault } from '../../../src/runtime/failure.ts'
import { decodeBase58, encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { rentMinimum } from '../../../src/events/values/solana/rent.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import type { SigningKey } from '../verb.ts'
import { type Draft, nonceValue, prepare, type Prepared, type Sending, sendOrThrow } from '../send.ts'
import type { HashedPlan } from './batch.ts'
import { feeOfBytes, type Limits, spend, type Spending } from './limits.ts'
import { feePayerOf, type Plan } from '../../../src/worker/services/planFile.ts'

/** Rent of a nonce account, lamports: 6,960 for each byte. */
export const laneRent = rentMinimum + BigInt(NONCE_ACCOUNT_LENGTH) * 6_960n

/** @returns the number of the lane that a batch is on for ever */
export function laneOf({ plan }: HashedPlan, batch: number): number {
  return batch % plan.lanes
}

/** A plan as its lanes follow from it. */
type LanesOf = { plan: Pick<Plan, 'payer' | 'feePayer'>; hash: string }

/** @returns the lane's nonce account, base58 */
export function laneAddress({ plan, hash }: LanesOf, lane: number): string {
  const [base, owner] = [feePayerOf(plan), programs.system].map(address => decodeBase58(address) ?? new Uint8Array(32))
  return encodeBase58(sha256(concatBytes(base as Uint8Array, utf8ToBytes(seedOf(hash, lane)), owner as Uint8Array)))
}

function seedOf(hash: string, lane: number): string {
  return `maid1:${hash.slice(0, 16)}:${lane}`
}

/**
 * The transaction that creates a lane: it lands at most once, as the account is then there. It is not the system program's own
 * creation, which fails when a stranger has sent lamports to the address before.
 */
export function laneDraft(hashed: HashedPlan, lane: number): Draft {
  const { plan, hash } = hashed
  const payer = feePayerOf(plan)
  const [base, account] = [new PublicKey(payer), new PublicKey(laneAddress(hashed, lane))]
  const place = { basePubkey: base, seed: seedOf(hash, lane), programId: SystemProgram.programId }
  return {
    about: `lane ${lane} of plan ${hash.slice(0, 16)}`,
    payer,
    instructions: [
      SystemProgram.transfer({ fromPubkey: base, toPubkey: account, lamports: laneRent }),
      SystemProgram.allocate({ accountPubkey: account, space: NONCE_ACCOUNT_LENGTH, ...place }),
      SystemProgram.nonceInitialize({ noncePubkey: account, authorizedPubkey: base }),
    ],
  }
}

const mostRounds = 40
const roundMs = 1_500

/**
 * Creates the lane's nonce account unless it is there, and waits until it is final.
 *
 * @param key of the account that pays the plan's fees
 * @throws Fault `timeout` when it does not appear; of a limit; as `sendOrThrow`
 */
export async function openLane({ sending, hashed, limits }: Spending, lane: number, key: SigningKey): Promise<void> {
  const isThere = async () => (await nonceValue(sending.node, laneAddress(hashed, lane))).value !== undefined
  if (await isThere()) return
  const draft = laneDraft(hashed, lane)
  try {
    await sendOrThrow(sending, draft, [key], ({ bytes }) => spendOnLane(limits, draft.about, bytes))
  } catch (cause) {
    // Another machine may have created it in the meantime
    const mayExist = cause instanceof Fault && ['simulation_failed', 'on_chain_error', 'expired'].includes(cause.code)
    if (!mayExist || !(await appears(isThere, sending))) throw cause
  }
  if (!(await appears(isThere, sending)))
    throw new Fault('timeout', `lane ${lane}: expected its nonce account to be final. Run the command again to go on`)
}

/**
 * @returns the creation of a lane, unsigned; undefined when its nonce account is there and final
 * @throws Fault `simulation_failed` when it would fail; `timeout`; those of the node
 */
export async function creationOf(
  { sending, hashed }: Pick<Spending, 'sending' | 'hashed'>,
  lane: number,
): Promise<Prepared | undefined> {
  const isThere = async (commitment?: 'confirmed') => {
    return (await nonceValue(sending.node, laneAddress(hashed, lane), commitment)).value !== undefined
  }
  if (await isThere()) return undefined
  try {
    return await prepare(sending.node, laneDraft(hashed, lane))
  } catch (cause) {
    // It may have landed, and not be final yet
    const isNew = cause instanceof Fault && cause.code === 'simulation_failed' && (await isThere('confirmed'))
    if (!isNew || !(await appears(isThere, sending))) throw cause
    return undefined
  }
}

/** Counts the creation of a lane. @throws Fault of a limit */
export function spendOnLane(limits: Limits, about: string, bytes: Uint8Array): void {
  spend(limits, about, laneRent + feeOfBytes(bytes))
}

async function appears(isThere: () => Promise<boolean>, { wait }: Sending): Promise<boolean> {
  for (let round = 0; round < mostRounds; round += 1) {
    if (await isThere()) return true
    await wait(roundMs)
  }
  return false
}
