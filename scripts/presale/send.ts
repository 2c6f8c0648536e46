/**
 * Sends one transaction and follows it to its end.
 *
 * 1. The signed bytes are in the journal before they are sent for the first time.
 * 2. Only these bytes are sent again, until they are final or can never land: their blockhash has passed its last height, or their
 *    nonce has moved, both at a final slot, and the node, which has seen that slot, repeatedly does not find them.
 * 3. A journalled transaction without an end is followed before anything else is sent. One on a durable nonce can land for ever, so
 *    its own payout alone follows it: a notice does not wait for it.
 */
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { Fault, toFailure } from '../../src/runtime/failure.ts'
import { encodeBase58 } from '../../src/events/values/solana/base58.ts'
import { messageBytes, readTransaction, withSignature } from '../../src/worker/chains/solana/wire.ts'
import {
  accounts,
  epochInfo,
  latestBlockhash,
  prioritizationFees,
  readAnswer,
  simulation,
  statuses,
} from '../../src/worker/rpc/answers.ts'
import {
  cappedPrice,
  computeLimit,
  fallbackComputeLimit,
  maxComputeLimit,
  priorityPrice,
} from '../../src/worker/rpc/fees.ts'
import {
  readTransactionError,
  type TransactionError,
  transactionErrorText,
} from '../../src/worker/rpc/transactionErrors.ts'
import type { SigningKey } from './verb.ts'
import type { Node, Wait } from './node.ts'
import type { Journal, JournalLine } from './state.ts'

/** A durable nonce: base58 of its account, of the value it shows, and of the key that may advance it. */
export type Nonce = { account: string; value: string; authority: string }

/** `about` names a transaction in journal and errors: `notice 3: pause -`. `payer`: base58. */
export type Draft = {
  about: string
  payer: string
  instructions: readonly TransactionInstruction[]
  nonce?: Nonce
}

/** A simulated transaction. `bytes`: one empty slot for each signature. */
export type Prepared = { about: string; bytes: Uint8Array; life: Life }

/** The end of bytes that have not landed: block height, or another value in a nonce account (base58). */
type Life = { height: number } | { nonceAccount: string; nonceValue: string }

/** `wait` as in `PresaleIo`; `node` is asked and sent to. */
export type Sending = { node: Node; journal: Journal; wait: Wait }

/** The end of a transaction. `slot`: of its block; absent when it expired. `error`: a clause. */
export type Ended = {
  about: string
  signature: string
  outcome: 'landed' | 'failed' | 'expired'
  slot?: number
  error?: string
}

/** A transaction of the journal whose bytes were signed. */
export type Signed = { about: string; signature: string; bytes: string; life: Life }

const roundMs = 1_500
/** About half an hour: more than a nonce account or a slow chain needs, less than for ever. */
const mostRounds = 1_200
/** Searches without a find, after the end of its life, that prove bytes gone. */
const emptySearches = 3

/**
 * Simulates a transaction and sets its compute limit and price.
 *
 * @throws Fault `simulation_failed` with the chain's reason; those of the node
 */
export async function prepare(node: Node, draft: Draft): Promise<Prepared> {
  const { about, payer, nonce } = draft
  const life = nonce
    ? { recent: nonce.value, life: { nonceAccount: nonce.account, nonceValue: nonce.value } }
    : await blockhashLife(node)
  const trial = await simulated(node, draft, built(draft, life.recent, maxComputeLimit, 0n))
  const limit = trial === undefined ? fallbackComputeLimit : computeLimit(trial)
  const asked = await node.call('getRecentPrioritizationFees', [[payer]])
  const recent = readAnswer(prioritizationFees, asked, 'getRecentPrioritizationFees')
  const price = cappedPrice(priorityPrice(recent.map(({ prioritizationFee }) => prioritizationFee)), limit)
  return { about, bytes: built(draft, life.recent, limit, price), life: life.life }
}

/**
 * Signs a prepared transaction, journals it, sends it and follows it.
 *
 * @param keys the payer and every other signer
 * @returns how it ended; it is final
 * @throws Fault as `follow`; `storage_down` before anything was sent
 */
export async function sendPrepared(
  sending: Sending,
  { about, bytes, life }: Prepared,
  keys: readonly SigningKey[],
): Promise<Ended> {
  return follow(sending, journalSigned(sending.journal, { about, bytes, life }, keys))
}

/**
 * Sends a transaction that must land.
 *
 * @param onPrepared sees it before it is signed, and may throw
 * @returns its signature and slot
 * @throws Fault `on_chain_error` or `expired` when it ended otherwise; as `prepare`, `onPrepared` and `follow`
 */
export async function sendOrThrow(
  sending: Sending,
  draft: Draft,
  keys: readonly SigningKey[],
  onPrepared: (prepared: Prepared) => void,
): Promise<{ signature: string; slot: number }> {
  const prepared = await prepare(sending.node, draft)
  onPrepared(prepared)
  return landed(await sendPrepared(sending, prepared, keys))
}

/** @throws Fault `on_chain_error` or `expired` unless it landed */
export function landed({ about, signature, outcome, slot, error }: Ended): { signature: string; slot: number } {
  if (outcome === 'landed' && slot !== undefined) return { signature, slot }
  if (outcome === 'expired')
    throw new Fault(
      'expired',
      `${about}: ${signature} never landed and no longer can (${error}). Run the command again`,
    )
  throw new Fault('on_chain_error', `${about}: ${signature} landed, but ${error}: it changed nothing and cost its fee`)
}

/** Follows every journalled transaction on a blockhash without an end. @returns how each ended, oldest first. @throws Fault as `follow` */
export async function resolveUnfinished(sending: Sending): Promise<Ended[]> {
  const ended: Ended[] = []
  for (const signed of unfinished(sending.journal.lines))
    if ('height' in signed.life) ended.push(await follow(sending, signed))
  return ended
}

/** @returns signed transactions of a journal whose end is not there, oldest first */
export function unfinished(lines: readonly JournalLine[]): Signed[] {
  const open = new Map<unknown, Signed>()
  for (const line of lines) {
    if (line.kind === 'signed') open.set(line.signature, line as unknown as Signed)
    if (line.kind === 'ended') open.delete(line.signature)
  }
  return [...open.values()]
}

/** Signs and journals, without sending. @throws Fault `storage_down`, or `bad_response` when a signature is missing */
export function journalSigned(journal: Journal, { about, bytes, life }: Prepared, keys: readonly SigningKey[]): Signed {
  const signed = keys.reduce((all, { address, sign }) => withSignature(all, address, sign(messageBytes(all))), bytes)
  const { signatures } = readTransaction(signed)
  const [first] = signatures
  if (!first || signatures.some(one => one.every(byte => byte === 0)))
    throw new Fault('bad_input', `${about} expected ${signatures.length} signatures, got keys for ${keys.length}`)
  const line = { about, signature: encodeBase58(first), bytes: Buffer.from(signed).toString('base64'), life }
  journal.add({ kind: 'signed', ...line })
  return line
}

/**
 * Sends journalled bytes until they are final or proved gone, and journals the end.
 *
 * @param beforeSending called once, and not when nothing is sent; may throw
 * @throws Fault `timeout` when neither happened; those of the node, and of `beforeSending`. The next run goes on
 */
export async function follow(
  { node, journal, wait }: Sending,
  signed: Signed,
  beforeSending: () => void = () => undefined,
): Promise<Ended> {
  const { about, signature, life } = signed
  let [searches, refusal, isSent] = [0, 'no answer', false]
  for (let round = 0; round < mostRounds; round += 1) {
    // The end of its life first: a search after it finds whatever landed before
    const overAt = await overSince(node, life)
    const found = await searched(node, signature)
    if (found.end) return journalEnd(journal, { about, signature, ...found.end })
    if (overAt === undefined && !found.isSeen) {
      if (!isSent) beforeSending()
      isSent = true
      refusal = (await sent(node, signed.bytes)) ?? refusal
    }
    searches = overAt !== undefined && !found.isSeen && found.slot >= overAt ? searches + 1 : 0
    if (searches >= emptySearches) return journalEnd(journal, { about, signature, outcome: 'expired', error: refusal })
    await wait(roundMs)
  }
  throw new Fault(
    'timeout',
    `${about}: ${signature} expected to be final, got no end yet. Run the command again to go on`,
  )
}

function journalEnd(journal: Journal, ended: Ended): Ended {
  journal.add({ kind: 'ended', ...ended })
  return ended
}

async function blockhashLife(node: Node): Promise<{ recent: string; life: Life }> {
  const asked = await node.call('getLatestBlockhash', [{ commitment: 'confirmed' }])
  const { value } = readAnswer(latestBlockhash, asked, 'getLatestBlockhash')
  return { recent: value.blockhash, life: { height: value.lastValidBlockHeight } }
}

function built({ payer, instructions, nonce }: Draft, recent: string, limit: number, price: bigint): Uint8Array {
  const transaction = new Transaction()
  transaction.feePayer = new PublicKey(payer)
  transaction.recentBlockhash = recent
  if (nonce) {
    const [noncePubkey, authorizedPubkey] = [new PublicKey(nonce.account), new PublicKey(nonce.authority)]
    transaction.add(SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey }))
  }
  transaction.add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: limit }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
    ...instructions,
  )
  return Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

/** @returns consumed compute units, undefined when the node does not tell */
async function simulated(node: Node, { about, payer }: Draft, bytes: Uint8Array): Promise<number | undefined> {
  const config = { encoding: 'base64', sigVerify: false, commitment: 'confirmed' }
  const asked = await node.call('simulateTransaction', [Buffer.from(bytes).toString('base64'), config])
  const { value } = readAnswer(simulation, asked, 'simulateTransaction')
  const error = readTransactionError(value.err)
  if (error)
    throw new Fault(
      'simulation_failed',
      `${about}: expected to pass its simulation, but ${transactionErrorText(error)}${lackText(error, payer)}. Nothing was sent`,
    )
  return value.unitsConsumed ?? undefined
}

/** Errors of an account without enough lamports; the System program's own has number 1. */
const lacks: ReadonlySet<string> = new Set(['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent'])

function lackText({ name, custom }: TransactionError, payer: string): string {
  return lacks.has(name) || custom === 1 ? `: ${payer}, who pays, may lack SOL` : ''
}

/** @returns why the node refused the bytes, undefined when it took them */
async function sent(node: Node, bytes: string): Promise<string | undefined> {
  try {
    await node.call('sendTransaction', [bytes, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }])
    return undefined
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return toFailure(cause).message
  }
}

type Search = { slot: number; isSeen: boolean; end?: { outcome: 'landed' | 'failed'; slot: number; error?: string } }

/** `slot`: the node's at the search. `isSeen`: it landed, though maybe on a fork. */
async function searched(node: Node, signature: string): Promise<Search> {
  const asked = await node.call('getSignatureStatuses', [[signature], { searchTransactionHistory: true }])
  const { context, value } = readAnswer(statuses, asked, 'getSignatureStatuses')
  const [status] = value
  if (status?.confirmationStatus !== 'finalized') return { slot: context.slot, isSeen: Boolean(status) }
  const error = readTransactionError(status.err)
  const end = error
    ? ({ outcome: 'failed', slot: status.slot, error: transactionErrorText(error) } as const)
    : ({ outcome: 'landed', slot: status.slot } as const)
  return { slot: context.slot, isSeen: true, end }
}

/** @returns a final slot since which the bytes cannot land any more */
async function overSince(node: Node, life: Life): Promise<number | undefined> {
  if ('height' in life) {
    const asked = await node.call('getEpochInfo', [{ commitment: 'finalized' }])
    const { absoluteSlot, blockHeight } = readAnswer(epochInfo, asked, 'getEpochInfo')
    return blockHeight > life.height ? absoluteSlot : undefined
  }
  const { slot, value } = await nonceValue(node, life.nonceAccount)
  return value === life.nonceValue ? undefined : slot
}

/** Octets of a nonce account's data: version, state and authority, then the value. */
const nonceAt = 40
const nonceLength = 80

/**
 * @param account base58
 * @returns the nonce that the account shows at the newest final slot, or confirmed one, base58; undefined when there is no such account
 */
export async function nonceValue(
  node: Node,
  account: string,
  commitment: 'finalized' | 'confirmed' = 'finalized',
): Promise<{ slot: number; value: string | undefined }> {
  const config = { encoding: 'base64', commitment }
  const asked = await node.call('getMultipleAccounts', [[account], config])
  const { context, value } = readAnswer(accounts, asked, 'getMultipleAccounts')
  const data = Buffer.from(value[0]?.data[0] ?? '', 'base64')
  const isNonce = data.length === nonceLength && data.readUInt32LE(4) === 1
  return { slot: context.slot, value: isNonce ? encodeBase58(data.subarray(nonceAt, nonceAt + 32)) : undefined }
}
