/**
 * A lane's transactions up to the nonce that it shows, each link of the chain proved.
 *
 * 1. A nonce that advances takes its value from the hash of the block before. So a transaction on a nonce leads from one value to the
 *    next, and the lane's transactions form one chain from its creation to the value that the account shows.
 * 2. A list that lags, or lacks one of them, breaks the chain: it proves nothing. A chain without a gap has every payment that the lane
 *    ever made.
 * 3. An advance by hand in a usual transaction does not tell the value before it, so a payment right before it may be missing.
 * 4. An account that was closed and made again has a second chain, which says nothing of the payments before it.
 *
 * @see Agave, `DurableNonce::from_blockhash`
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { Fault } from '../../../src/runtime/failure.ts'
import { looseObject, nullable, string } from '../../../src/runtime/schema/schema.ts'
import { dataViewOf } from '../../../src/runtime/dataView.ts'
import { encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { payRef } from '../../../src/worker/chains/solana/references.ts'
import { bytesOfBase58, readTransaction } from '../../../src/worker/chains/solana/wire.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { LedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'
import { listedUnder } from '../../../src/worker/ledger/saleHistory.ts'
import { readAnswer } from '../../../src/worker/rpc/answers.ts'
import { feePayerOf, type Plan } from '../../../src/worker/services/planFile.ts'
import type { Node } from '../node.ts'
import type { HashedPlan } from './batch.ts'
import { type Payment, readFrom } from './found.ts'

/**
 * A lane up to a value of its nonce. `head`: that value. `payments`: every transaction before it that may be one, in any order; some
 * may be missing where the account `wasClosed` and made again, or where it `wasAdvanced` by hand.
 */
export type LaneHistory = { head: string; payments: LanePayment[]; wasClosed?: true; wasAdvanced?: true }

/** A transaction that succeeded and names the reference of a batch of the plan. */
export type LanePayment = Payment & { batch: number }

/**
 * A final transaction that names a lane. `makes`: the nonce after it, where it advances or creates the lane. `uses`: the nonce that it
 * was built on; absent where it takes any. `isFirst`: it creates the lane. `isOwn`: its owner made, advanced or emptied it.
 */
type LaneStep = { payments: LanePayment[]; makes?: string; uses?: string; isFirst: boolean; isOwn: boolean }

/** Final transactions and whole histories do not change: each is read once for each node. */
const readSteps = new WeakMap<Node, Map<string, LaneStep>>()
const wholeHistories = new WeakMap<Node, Map<string, LaneHistory>>()

/** `proved`: what the journal has of it. */
type Lane = { address: string; hashed: HashedPlan; proved: LaneHistory | undefined }

/**
 * @param seen the nonce of the lane, and a final slot at which the node showed it
 * @returns the lane's history up to that value; undefined when the node's list lacks any part
 * @throws Fault as `listedUnder` and `readFrom`
 */
export async function laneHistory(
  node: Node,
  sale: LedgerSale,
  lane: Lane,
  { slot, value }: { slot: number; value: string },
): Promise<LaneHistory | undefined> {
  const known = kept(wholeHistories, node)
  const earlier = known.get(lane.address) ?? lane.proved
  if (earlier?.head === value) return earlier
  const payments: LanePayment[] = []
  const whole: LaneHistory = { head: value, payments }
  // Absent after a creation or an advance by hand: an older transaction may have led to any value
  let [open, isBegun]: [string | undefined, boolean] = [value, false]
  for await (const line of listedUnder(node.call, lane.address, slot)) {
    const step = await stepOf(node, sale, lane, line.signature)
    if (!step) continue
    payments.push(...step.payments)
    if (isBegun) {
      if (step.isOwn) whole.wasClosed = true
      continue
    }
    const isLinked = step.makes !== undefined && (open === undefined || open === step.makes)
    if (isLinked) [open, isBegun] = [step.uses, step.isFirst]
    if (isLinked && !isBegun && open === undefined) whole.wasAdvanced = true
    if (earlier && open === earlier.head) {
      payments.push(...earlier.payments)
      if (earlier.wasClosed) whole.wasClosed = true
      if (earlier.wasAdvanced) whole.wasAdvanced = true
      isBegun = true
      break
    }
  }
  // In a list with a gap nothing made the value that is looked for
  if (!isBegun) return undefined
  known.set(lane.address, whole)
  return whole
}

function kept<T>(all: WeakMap<Node, Map<string, T>>, node: Node): Map<string, T> {
  const found = all.get(node) ?? new Map<string, T>()
  all.set(node, found)
  return found
}

/** @returns undefined for one of a newer version, which is a stranger's */
async function stepOf(
  node: Node,
  sale: LedgerSale,
  { address, hashed }: Lane,
  signature: string,
): Promise<LaneStep | undefined> {
  const steps = kept(readSteps, node)
  const known = steps.get(signature)
  if (known) return known
  const { plan } = hashed
  // Its balances do not matter here
  const [asset = ''] = Object.keys(plan.assets)
  const read = await readFrom(node.call, sale, { plan, asset }, signature)
  if (!read) return undefined
  const { slot, failed, instructions, signers } = read.transaction
  const batches = failed ? [] : batchesNamed(hashed, instructions)
  const kinds = instructions.map(one => nonceKind(one, address))
  // An advance by hand, which voids signed bytes, may be a usual transaction, also with a memo: its blockhash is no nonce
  const isPayment = kinds[0] === 'advance' && kinds.includes('other') && (failed || batches.length > 0)
  // On live clusters a payment that fails advances its nonce, too; a usual transaction that fails does not
  const isMove = isPayment || (!failed && kinds.some(kind => kind === 'advance' || kind === 'create'))
  const moves = isMove && signers.includes(feePayerOf(plan))
  const step: LaneStep = {
    payments: batches.map(batch => ({ batch, signature, slot })),
    isFirst: kinds.includes('create'),
    isOwn: moves || (!failed && kinds.includes('empty')),
    ...(moves && { makes: await nonceMadeIn(node, slot) }),
    ...(moves && isPayment && { uses: readTransaction(read.bytes).recentBlockhash }),
  }
  steps.set(signature, step)
  return step
}

const referencesOf = new WeakMap<Plan, ReadonlyMap<string, number>>()

/** @returns the batches of the plan whose reference any of these names */
function batchesNamed({ plan, hash }: HashedPlan, instructions: LedgerTransaction['instructions']): number[] {
  const references =
    referencesOf.get(plan) ?? new Map(plan.batches.map((_, batch) => [payRef(hash, batch), batch] as const))
  referencesOf.set(plan, references)
  const named = instructions.flatMap(({ accounts }) => accounts.flatMap(account => references.get(account) ?? []))
  return [...new Set(named)]
}

/** Numbers of the System program's instructions. */
const kindsOf: ReadonlyMap<number, 'advance' | 'create' | 'empty'> = new Map([
  [4, 'advance'],
  [5, 'empty'],
  [6, 'create'],
] as const)

function nonceKind(
  { program, accounts, data }: LedgerTransaction['instructions'][number],
  lane: string,
): 'advance' | 'create' | 'empty' | 'fees' | 'other' {
  if (program === programs.computeBudget) return 'fees'
  if (program !== programs.system || accounts[0] !== lane || data.length < 4) return 'other'
  return kindsOf.get(dataViewOf(data).getUint32(0, true)) ?? 'other'
}

const blockHead = nullable(looseObject({ previousBlockhash: string({ most: 44 }) }))

/** @returns the value of a nonce that advances in the block of a slot, base58. @throws Fault `bad_response` without that block */
async function nonceMadeIn(node: Node, slot: number): Promise<string> {
  const config = {
    transactionDetails: 'none',
    rewards: false,
    commitment: 'finalized',
    maxSupportedTransactionVersion: 0,
  }
  const block = readAnswer(blockHead, await node.call('getBlock', [slot, config]), 'getBlock')
  if (!block) throw new Fault('bad_response', `getBlock expected the block of slot ${slot}, got nothing`)
  return encodeBase58(sha256(concatBytes(utf8ToBytes('DURABLE_NONCE'), bytesOfBase58(block.previousBlockhash))))
}
