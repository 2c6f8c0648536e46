/**
 * A lane's transactions up to the nonce that it shows, each link of the chain proved.
 *
 * 1. A nonce that advances takes its value from the hash of the block before. So a transaction on a nonce leads from one value to the
 *    next, and the lane's transactions form one chain from its creation to the value that the account shows.
 * 2. A list that lags, or lacks one of them, breaks the chain: it proves nothing. A chain without a gap has every payment that the lane
 *    ever made.
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
import { bytesOfBase58, readTransaction } from '../../../src/worker/chains/solana/wire.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { LedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'
import { listedUnder } from '../../../src/worker/ledger/saleHistory.ts'
import { readAnswer } from '../../../src/worker/rpc/answers.ts'
import { feePayerOf, type Plan } from '../../../src/worker/services/planFile.ts'
import type { Node } from '../node.ts'
import { readFrom } from './found.ts'

/** Transactions that succeeded on a lane. `head`: the value of the nonce after them. */
type LaneHistory = { head: string; landed: LaneTransaction[] }
type LaneTransaction = { signature: string; slot: number; accounts: ReadonlySet<string> }

/**
 * A final transaction that names a lane. `makes`: the nonce after it, where it advances or creates the lane. `uses`: the nonce that it
 * was built on; absent where it takes any. `isFirst`: it creates the lane.
 */
type LaneStep = LaneTransaction & { failed: boolean; makes?: string; uses?: string; isFirst: boolean }

/** Final transactions and whole histories do not change: each is read once for each node. */
const readSteps = new WeakMap<Node, Map<string, LaneStep>>()
const wholeHistories = new WeakMap<Node, Map<string, LaneHistory>>()

type Lane = { address: string; plan: Plan; asset: string }

/**
 * @param seen the nonce of the lane, and a final slot at which the node showed it
 * @returns the transactions that succeeded on a lane up to that value; undefined when the node's list lacks any
 * @throws Fault as `listedUnder` and `readFrom`
 */
export async function laneHistory(
  node: Node,
  sale: LedgerSale,
  lane: Lane,
  { slot, value }: { slot: number; value: string },
): Promise<readonly LaneTransaction[] | undefined> {
  const known = kept(wholeHistories, node)
  const earlier = known.get(lane.address)
  if (earlier?.head === value) return earlier.landed
  const landed: LaneTransaction[] = []
  // Absent after a creation or an advance by hand: an older transaction may have led to any value
  let [open, isBegun]: [string | undefined, boolean] = [value, false]
  for await (const line of listedUnder(node.call, lane.address, slot)) {
    if (earlier && open === earlier.head) {
      landed.push(...earlier.landed)
      known.set(lane.address, { head: value, landed })
      return landed
    }
    const step = await stepOf(node, sale, lane, line.signature)
    if (!step) continue
    if (!step.failed) landed.push(step)
    const isLinked = step.makes !== undefined && (open === undefined || open === step.makes)
    if (isLinked) [open, isBegun] = [step.uses, step.isFirst]
  }
  // In a list with a gap nothing made the value that is looked for
  if (!isBegun) return undefined
  known.set(lane.address, { head: value, landed })
  return landed
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
  { address, plan, asset }: Lane,
  signature: string,
): Promise<LaneStep | undefined> {
  const steps = kept(readSteps, node)
  const known = steps.get(signature)
  if (known) return known
  const read = await readFrom(node.call, sale, { plan, asset }, signature)
  if (!read) return undefined
  const { slot, failed, instructions, signers } = read.transaction
  const accounts = new Set(instructions.flatMap(one => one.accounts))
  const kinds = instructions.map(one => nonceKind(one, address))
  // An advance by hand, which voids signed bytes, may be a usual transaction: its blockhash is no nonce
  const isPayment = kinds[0] === 'advance' && kinds.includes('other')
  // On live clusters a payment that fails advances its nonce, too; a usual transaction that fails does not
  const isMove = isPayment || (!failed && kinds.some(kind => kind === 'advance' || kind === 'create'))
  const moves = isMove && signers.includes(feePayerOf(plan))
  const step: LaneStep = {
    signature,
    slot,
    failed,
    accounts,
    isFirst: kinds.includes('create'),
    ...(moves && { makes: await nonceMadeIn(node, slot) }),
    ...(moves && isPayment && { uses: readTransaction(read.bytes).recentBlockhash }),
  }
  steps.set(signature, step)
  return step
}

/** Numbers of the System program's instructions. */
const [advance, create] = [4, 6]

function nonceKind(
  { program, accounts, data }: LedgerTransaction['instructions'][number],
  lane: string,
): 'advance' | 'create' | 'fees' | 'other' {
  if (program === programs.computeBudget) return 'fees'
  if (program !== programs.system || accounts[0] !== lane || data.length < 4) return 'other'
  const number = dataViewOf(data).getUint32(0, true)
  return number === advance ? 'advance' : number === create ? 'create' : 'other'
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
