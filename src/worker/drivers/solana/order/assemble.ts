/** Builds a transaction from what a node shows now, simulates it, and stores the unsigned bytes. */
import { Fault, toFailure } from '../../../../runtime/failure.ts'
import { decodeTransaction } from '../../../chains/solana/decode.ts'
import type { DecodedTransaction } from '../../../../events/values/solana/transaction.ts'
import { lesser, toBigint } from '../../../../events/values/amount.ts'
import { lamportsPerSignature } from '../../../../events/values/solana/fees.ts'
import { type Funds, unaffordable } from '../../../rpc/affordability.ts'
import {
  type AccountInfo,
  genesisHash,
  latestBlockhash,
  prioritizationFees,
  readAnswer,
  simulation,
} from '../../../rpc/answers.ts'
import {
  cappedPrice,
  computeLimit,
  fallbackComputeLimit,
  feeOf,
  maxComputeLimit,
  minComputeLimit,
  priorityPrice,
  raisedComputeLimit,
} from '../../../rpc/fees.ts'
import { readTransactionError, refusedFault, type TransactionError } from '../../../rpc/transactionErrors.ts'
import { toBase64 } from '../../../walletconnect/crypto/encoding.ts'
import type { BytesStore } from '../../bytes.ts'
import type { Endpoint, Rpc } from '../rpc.ts'
import { buildOrder, type OrderMessage } from './build.ts'
import { readAccounts } from '../sale/accountsReader.ts'

/** Lighthouse's number for an assertion that does not hold. */
const assertionFailed = 6001
/** A person waits who has pressed: a node's longer pause fails the order, which may be placed again, ms. */
const personWaitsMs = 15_000

/** An order's content, and the accounts to read first. */
export type Content = Pick<OrderMessage, 'account' | 'memo' | 'payment' | 'references' | 'guard'> & {
  orderId: string
  /** chain that it is for */
  genesisHash: string
  places: string[]
  /** highest fee, lamports; absent: the priority fee's own limit */
  mostFee?: string
}

export type MeansWithoutFee = Funds extends infer M ? (M extends Funds ? Omit<M, 'fee'> : never) : never

type Found = readonly (AccountInfo | null)[]

/** A built transaction, as the core hears of it. */
type Assembled = {
  orderId: string
  bytesRef: string
  blockhash: string
  validUntilHeight: number
  slot: number
  fee: string
  unitsConsumed: number
  decoded: DecodedTransaction
}

type Ports = { rpc: Rpc; bytes: BytesStore }

/** Content for what a node showed, and the means to pay for it. */
type Judged = { content: Content; means: MeansWithoutFee }

/**
 * Looks, judges and assembles. Where no node knows the blockhash, once more with a newer one: the first may be of a fork that was
 * dropped, or the nodes behind one address may lag.
 *
 * @throws Fault as `judge` and `assemble`
 */
export async function buildFrom<J extends Judged>(
  ports: Ports,
  content: Content,
  judge: (found: Found) => J,
): Promise<{ built: Assembled; judged: J; found: Found }> {
  const once = async () => {
    const seen = await look(ports, content)
    const judged = judge(seen.found)
    return { built: await assemble(ports, judged.content, seen, judged.means), judged, found: seen.found }
  }
  return once().catch((cause: unknown) => {
    if (toFailure(cause).code !== 'blockhash_not_found') throw cause
    return once()
  })
}

/** @returns what one node shows at one moment, as fees, balances and the blockhash belong together */
async function look({ rpc }: Ports, { genesisHash: expected, payment, places }: Content) {
  const calls = [
    { method: 'getGenesisHash', params: [] },
    { method: 'getLatestBlockhash', params: [{ commitment: 'confirmed' }] },
    { method: 'getRecentPrioritizationFees', params: [[payment.to]] },
    { method: 'getMultipleAccounts', params: [places, { encoding: 'base64', commitment: 'confirmed' }] },
  ]
  const [chain, hash, fees, accounts] = await rpc.together(calls, { deadlineMs: personWaitsMs })
  const genesis = readAnswer(genesisHash, rpc.result(chain, 'getGenesisHash'), 'getGenesisHash')
  if (genesis !== expected) {
    throw new Fault('wrong_cluster', `the Solana RPC expected genesis hash ${expected}, got ${genesis}`)
  }
  const { context, value } = readAnswer(latestBlockhash, rpc.result(hash, 'getLatestBlockhash'), 'getLatestBlockhash')
  // Some nodes do not report recent fees; an order needs no priority fee
  const recent = fees && 'result' in fees ? readAnswer(prioritizationFees, fees.result, 'prioritization fees') : []
  return {
    slot: context.slot,
    blockhash: value.blockhash,
    validUntilHeight: value.lastValidBlockHeight,
    price: priorityPrice(recent.map(one => one.prioritizationFee)),
    found: readAccounts(rpc.result(accounts, 'getMultipleAccounts'), places).found,
  }
}

type Seen = Awaited<ReturnType<typeof look>>

/** @throws Fault when the account cannot pay, or the simulation fails */
async function assemble(ports: Ports, content: Content, seen: Seen, means: MeansWithoutFee): Promise<Assembled> {
  const { orderId, account, memo, payment, references, mostFee, guard } = content
  const { slot, blockhash, validUntilHeight, price } = seen
  const priceAt = (limit: number) => {
    const capped = cappedPrice(price, limit)
    if (mostFee === undefined) return capped
    return lesser(capped, ((toBigint(mostFee) - lamportsPerSignature) * 1_000_000n) / BigInt(limit))
  }
  const messageWith = (limit: number): OrderMessage => {
    const message = { account, blockhash, limit, price: priceAt(limit), memo, payment, references }
    return { ...message, ...(guard && { guard }) }
  }
  const feeWith = (limit: number) => feeOf(limit, priceAt(limit))

  // The exact fee is known only after the simulation: fail now if even the lowest fee is unaffordable, with the amounts of
  // the usual fee.
  const likely = unaffordable({ ...means, fee: feeWith(fallbackComputeLimit) })
  const hopeless = unaffordable({ ...means, fee: feeWith(minComputeLimit) })
  if (hopeless && hopeless.code !== 'rent') throw likely ?? hopeless

  const refusedBy = ({ error }: Trial) => {
    if (!error) return undefined
    if (!guard || error.custom !== assertionFailed) return refusedFault(error, payment.kind)
    return new Fault('sold_out', `the treasury expected at most ${guard.most} before the payment, it holds more`)
  }
  const trialWith = (units: number) => tryOut(ports, buildOrder(messageWith(units)))
  let most = maxComputeLimit
  let trial = await trialWith(most)
  if (refusedBy(trial)?.code === 'compute') {
    most = raisedComputeLimit
    trial = await trialWith(most)
  }
  const refused = refusedBy(trial)
  if (refused) throw likely?.code === refused.code ? likely : refused
  const { consumed } = trial
  const limit = consumed === undefined || consumed === 0 ? fallbackComputeLimit : computeLimit(consumed, most)
  const fee = feeWith(limit)
  const tooLittle = unaffordable({ ...means, fee })
  if (tooLittle) throw tooLittle

  const unsigned = buildOrder(messageWith(limit))
  return {
    orderId,
    bytesRef: await ports.bytes.put(unsigned, orderId),
    blockhash,
    validUntilHeight,
    slot,
    fee: String(fee),
    unitsConsumed: consumed ?? 0,
    decoded: decodeTransaction(unsigned),
  }
}

type Trial = { error: TransactionError | undefined; consumed: number | undefined }

/** Tries it out. A node that lags does not know a new blockhash yet: then every endpoint is asked by itself. */
async function tryOut({ rpc }: Ports, unsigned: Uint8Array): Promise<Trial> {
  const trial = await tryAt(rpc, unsigned)
  if (!isUnknownThere(trial)) return trial
  for (const endpoint of await rpc.endpoints()) {
    const other = await tryAt(endpoint, unsigned).catch(() => trial)
    if (!isUnknownThere(other)) return other
  }
  return trial
}

const isUnknownThere = ({ error }: Trial) => error?.name === 'BlockhashNotFound'

async function tryAt(node: Endpoint, unsigned: Uint8Array): Promise<Trial> {
  const options = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: false, commitment: 'confirmed' }
  const result = await node.call('simulateTransaction', [toBase64(unsigned), options])
  const { value } = readAnswer(simulation, result, 'simulateTransaction')
  return { error: readTransactionError(value.err ?? null), consumed: value.unitsConsumed ?? undefined }
}

/** @returns the lamports of the paying account. @throws Fault when it holds none */
export function lamportsOf([payer]: Found): bigint {
  const lamports = BigInt(payer?.lamports ?? 0)
  if (lamports > 0n) return lamports
  throw new Fault('account_not_found', 'the account expected to hold SOL for the fee, got none')
}
