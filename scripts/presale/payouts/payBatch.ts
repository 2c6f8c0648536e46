/**
 * Pays one batch of a plan at most once.
 *
 * 1. A journalled attempt is followed to its end first: its bytes alone are sent while the nonce shows their value.
 * 2. A batch is unpaid only when neither the list under its reference, nor the lane's whole history up to the nonce, nor the journal
 *    has a payment of it. Bytes built on that nonce are void once any other payment of the batch has landed, because both are on one
 *    lane.
 * 3. Lists may lag, and an empty one proves nothing: the lane's history counts when its chain of nonces has no gap, and its nonce
 *    account was never closed. A payment counts wherever it is found.
 * 4. The effect on the paying account is the plan's to the unit, or everything stops.
 *
 * @see reference "Presale", §11
 */
import { Fault } from '../../../src/runtime/failure.ts'
import { greater } from '../../../src/events/values/amount.ts'
import { lamportsPerSignature } from '../../../src/events/values/solana/fees.ts'
import { decodeTransaction } from '../../../src/worker/chains/solana/decode.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { prioritizationFees, readAnswer, simulation } from '../../../src/worker/rpc/answers.ts'
import { cappedPrice, computeLimit, feeOf, priorityPrice } from '../../../src/worker/rpc/fees.ts'
import {
  readTransactionError,
  type TransactionError,
  transactionErrorText,
} from '../../../src/worker/rpc/transactionErrors.ts'
import type { SigningKey } from '../verb.ts'
import type { Node } from '../node.ts'
import type { JournalLine } from '../state.ts'
import { follow, journalSigned, nonceValue, type Sending, type Signed, unfinished } from '../send.ts'
import { batchInstructions, batchOf, type HashedPlan, mostUnits, unsigned } from './batch.ts'
import { leftOutBy, movesIn, type Payment, paymentOf } from './found.ts'
import { type LaneHistory, laneHistory } from './laneHistory.ts'
import { laneAddress, laneOf } from './lanes.ts'
import { closedRows } from './leftOut.ts'
import { feeOfBytes, reserve, type Spending } from './limits.ts'
import { messageOf } from './message.ts'
import { feePayerOf, signersOf } from '../../../src/worker/services/planFile.ts'
import { historyLine, provedHistory } from './laneProof.ts'
import { createMissing, endCreations } from './missing.ts'

/**
 * `second`: a node that has to agree before a batch counts as unpaid. `feeKey`: of the account that pays the plan's fees, where that
 * is another than the owner of the money. `leavesOut`: a batch that fails is paid without rows whose account cannot receive.
 */
export type Paying = Spending & {
  sale: LedgerSale
  second?: Node | undefined
  feeKey?: SigningKey | undefined
  leavesOut?: boolean
}

/** A batch that was not paid, and why: a clause. */
type Unpaid = { batch: number; reason: string }

/** Attempts of one run that may fail before the batch is given up. */
const mostAttempts = 3
const mostRounds = 80
/** µlamports a unit that a second attempt begins with, where others pay nothing. */
const leastRaised = 1_000n
/** Looks at nodes that do not agree. */
const mostLooks = 60
const lookMs = 1_500

/** @returns its payment, or why there is none. @throws Fault of a node, a limit, or a difference from the plan */
export async function payBatch(paying: Paying, batch: number, key: SigningKey): Promise<Payment | Unpaid> {
  const { sending } = paying
  const known = paidIn(paying, batch)
  if (known) {
    endAttempts(paying, batch, known)
    return known
  }
  await endCreations(paying, batch)
  for (const signed of attemptsOf(paying, batch, unfinished(sending.journal.lines)))
    await followShortly(sending, signed, () => countAgain(paying, batch, signed))
  let [attempts, stale, isRepaired] = [0, 0, false]
  for (;;) {
    const seen = await settled(paying, batch)
    if ('signature' in seen) {
      keepPaid(paying, batch, seen)
      return seen
    }
    const unproved = unprovedText(paying, batch, seen)
    if (unproved !== undefined) return { batch, reason: unproved }
    if (attempts >= mostAttempts) return { batch, reason: `${attempts} transactions failed or did not land yet` }
    const built = await attemptOn(paying, batch, seen)
    if (!('reason' in built)) {
      await followShortly(sending, signAttempt(paying, { batch, key, ...built }))
      attempts += 1
    } else if (built.isStale && stale < mostLooks) {
      // Another transaction used the nonce, and is not final yet
      await sending.wait(lookMs)
      stale += 1
    } else if (!isRepaired && (await createMissing(paying, batch, paying.feeKey ?? key))) {
      isRepaired = true
    } else return { batch, reason: built.reason }
  }
}

/** Follows bytes for about two minutes: after that another attempt on the same nonce pays a higher fee. */
async function followShortly(sending: Sending, signed: Signed, beforeSending?: () => void): Promise<void> {
  let rounds = 0
  const wait = async (ms: number) => {
    rounds += 1
    if (rounds > mostRounds)
      throw new Fault('timeout', `${signed.about}: ${signed.signature} expected to land, it has not yet`)
    await sending.wait(ms)
  }
  try {
    await follow({ ...sending, wait }, signed, beforeSending)
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'timeout') throw cause
  }
}

/**
 * @returns the batch's transaction without its signature, journalled as a reservation; undefined when the batch is paid
 * @throws Fault `simulation_failed` when it would fail, also on the nonce that its lane has in the end
 */
export async function unsignedBatch(paying: Paying, batch: number): Promise<Uint8Array | undefined> {
  if (paidIn(paying, batch)) return undefined
  for (let stale = 0; ; stale += 1) {
    const seen = await settled(paying, batch)
    if ('signature' in seen) {
      keepPaid(paying, batch, seen)
      return undefined
    }
    const unproved = unprovedText(paying, batch, seen)
    if (unproved !== undefined) throw new Fault('simulation_failed', `batch ${batch} is not paid: ${unproved}`)
    const built = await attemptOn(paying, batch, seen)
    if (!('reason' in built)) {
      keepReserved(paying, batch, built)
      return bytesOf(paying, batch, built)
    }
    if (!built.isStale || stale >= mostLooks)
      throw new Fault('simulation_failed', `batch ${batch} expected to pass its simulation, but ${built.reason}`)
    await paying.sending.wait(lookMs)
  }
}

/** Counts bytes of an earlier run, which this one sends. */
function countAgain({ hashed, limits }: Paying, batch: number, { bytes, life }: Signed): void {
  const nonce = 'nonceValue' in life ? life.nonceValue : ''
  const sent = Buffer.from(bytes, 'base64')
  const leftOut = leftOutBy(movesIn(decodeTransaction(sent).instructions), hashed, batch) ?? []
  reserve(limits, hashed.plan, batch, { nonce, fee: feeOfBytes(sent), leftOut })
}

function keepPaid(paying: Paying, batch: number, payment: Payment): void {
  const { hashed, sending } = paying
  endAttempts(paying, batch, payment)
  sending.journal.add({ kind: 'paid', plan: hashed.hash, batch, ...payment })
}

/** Journals the end of the attempts that have none: a paid batch has used up the nonce of each. */
function endAttempts(paying: Paying, batch: number, { signature: paidBy, slot }: Payment): void {
  const { journal } = paying.sending
  for (const { about, signature } of attemptsOf(paying, batch, unfinished(journal.lines))) {
    const end =
      signature === paidBy ? { outcome: 'landed', slot } : { outcome: 'expired', error: `${paidBy} paid its batch` }
    journal.add({ kind: 'ended', about, signature, ...end })
  }
}

/** Takes a batch out of the limits, and journals the nonce that it is on with the lane's history up to there. */
function keepReserved({ hashed, sending, second, limits }: Paying, batch: number, attempt: Attempt): void {
  const { history, limit, price, leftOut } = attempt
  const fee = feeOf(limit, price) + BigInt(signersOf(hashed.plan) - 1) * lamportsPerSignature
  reserve(limits, hashed.plan, batch, { nonce: history.head, fee, leftOut })
  const lane = laneOf(hashed, batch)
  const hosts = [sending.node, ...(second ? [second] : [])].map(({ host }) => host)
  const proved = historyLine(sending.journal, { plan: hashed.hash, lane }, history, hosts)
  sending.journal.add({ kind: 'reserve', plan: hashed.hash, batch, lane, ...proved })
}

/** @returns a batch's payment as the journal has it */
export function paidIn({ hashed, sending }: Paying, batch: number): Payment | undefined {
  const line = sending.journal.lines.find(one => one.kind === 'paid' && one.plan === hashed.hash && one.batch === batch)
  if (!line) return undefined
  const leftOut = leftOutIn(line)
  return { signature: String(line.signature), slot: Number(line.slot), ...(leftOut.length > 0 && { leftOut }) }
}

/** @returns places of the rows that a journalled payment left out */
export function leftOutIn({ leftOut }: JournalLine): number[] {
  return Array.isArray(leftOut) ? leftOut.map(Number) : []
}

/** @returns the name of a batch's transactions in the journal */
function aboutOf({ hash }: HashedPlan, batch: number): string {
  return `batch ${batch} of plan ${hash.slice(0, 16)}`
}

function attemptsOf({ hashed }: Paying, batch: number, signed: readonly Signed[]): Signed[] {
  return signed.filter(({ about }) => about === aboutOf(hashed, batch))
}

/** @returns a clause about a batch whose lane's history does not prove that it is unpaid; undefined when it does */
function unprovedText(
  { hashed, second }: Paying,
  batch: number,
  { wasClosed, wasAdvanced }: LaneHistory,
): string | undefined {
  const account = `its lane's nonce account ${laneAddress(hashed, laneOf(hashed, batch))}`
  if (wasClosed)
    return `${account} was closed by hand and made again, so no list proves that it was not paid; see whether its payees have it, and pay by other means, once, those who have not`
  if (wasAdvanced && !second)
    return `${account} was advanced by hand, and one node alone says that nothing was paid right before that: name a second one by --rpc2`
  return undefined
}

/** @returns the batch's payment, or its lane's history, on whose nonce an attempt may be made. @throws Fault `rpc_lying` */
async function settled(paying: Paying, batch: number): Promise<Payment | LaneHistory> {
  const { sending, second } = paying
  for (let look = 0; look < mostLooks; look += 1) {
    if (look > 0) await sending.wait(lookMs)
    try {
      const here = await lookAt(sending.node, paying, batch)
      if (here.payment) return here.payment
      const there = second ? await lookAt(second, paying, batch) : here
      const closed = [here, there].find(({ unpaid }) => unpaid?.wasClosed)?.unpaid
      if (closed) return closed
      if (here.unpaid && here.unpaid.head === there.unpaid?.head) return here.unpaid
    } catch (cause) {
      // One of several nodes behind an address may lack what another one lists
      if (!(cause instanceof Fault) || cause.code !== 'bad_response' || look === mostLooks - 1) throw cause
    }
  }
  throw new Fault(
    'rpc_lying',
    `batch ${batch}: expected its lane's nonce and payments to agree${second ? ' at both nodes' : ''}, got none that do. Nothing was sent; run the command again, or with another --rpc`,
  )
}

/**
 * The nonce first: its value at a slot rules out every payment on an earlier value after that slot.
 *
 * @returns the batch's payment, or its lane's history by which it is unpaid; neither when the node's lists prove nothing
 */
async function lookAt(
  node: Node,
  { sale, hashed, sending }: Paying,
  batch: number,
): Promise<{ payment?: Payment; unpaid?: LaneHistory }> {
  const lane = laneOf(hashed, batch)
  const address = laneAddress(hashed, lane)
  const { slot, value } = await nonceValue(node, address)
  const journalled = landedIn(sending, aboutOf(hashed, batch))
  const listed = await paymentOf(node.call, sale, hashed, batch, slot, journalled)
  if (listed) return { payment: listed }
  // Bytes that landed are the payment, whatever the node has
  if (value === undefined || journalled.length > 0) return {}
  const proved = provedHistory(sending.journal, { plan: hashed.hash, lane }, node.host)
  const history = await laneHistory(node, sale, { address, hashed, proved }, { slot, value })
  if (!history) return {}
  const named = history.payments.filter(one => one.batch === batch)
  const payment = named.length > 0 ? await paymentOf(node.call, sale, hashed, batch, slot, named) : undefined
  return payment ? { payment } : { unpaid: history }
}

/** @returns journalled transactions of a name that landed without an error */
function landedIn({ journal }: Sending, about: string): Payment[] {
  return journal.lines.flatMap(({ kind, about: name, outcome, signature, slot }) =>
    kind === 'ended' && name === about && outcome === 'landed'
      ? [{ signature: String(signature), slot: Number(slot) }]
      : [],
  )
}

/** `history`: the lane's, on whose nonce it is. `limit`: compute units; `price`: µlamports a unit. `leftOut`: places of rows. */
type Attempt = { history: LaneHistory; limit: number; price: bigint; leftOut: readonly number[] }

/** @returns a simulated attempt, or why it would fail; `isStale`: its nonce has moved */
async function attemptOn(
  paying: Paying,
  batch: number,
  history: LaneHistory,
): Promise<Attempt | { reason: string; isStale: boolean }> {
  const { hashed, sending, second } = paying
  const { plan } = hashed
  let leftOut: readonly number[] = []
  let { error, units } = await simulated(paying, batch, { history, leftOut })
  if (error && error.name !== movedNonce && paying.leavesOut) {
    leftOut = await closedRows([sending.node, ...(second ? [second] : [])], hashed, batch)
    if (leftOut.length > 0) ({ error, units } = await simulated(paying, batch, { history, leftOut }))
  }
  if (error) return { reason: transactionErrorText(error), isStale: error.name === movedNonce }
  const payer = plan.assets[batchOf(plan, batch).asset]?.source ?? plan.payer
  const asked = await sending.node.call('getRecentPrioritizationFees', [[payer]])
  const recent = readAnswer(prioritizationFees, asked, 'getRecentPrioritizationFees')
  const limit = computeLimit(units ?? mostUnits, mostUnits)
  const usual = priorityPrice(recent.map(({ prioritizationFee }) => prioritizationFee))
  const earlier = attemptsOf(paying, batch, signedIn(sending)).length
  const raised = earlier === 0 ? usual : greater(usual, leastRaised) << BigInt(earlier)
  // Bytes that landed and failed never land again: each attempt has its own, also at the highest price
  return { history, limit, price: cappedPrice(raised, limit) + BigInt(earlier), leftOut }
}

/** The error of a transaction whose nonce has moved. */
const movedNonce = 'BlockhashNotFound'

async function simulated(
  paying: Paying,
  batch: number,
  attempt: Pick<Attempt, 'history' | 'leftOut'>,
): Promise<{ error: TransactionError | undefined; units: number | null | undefined }> {
  const config = { encoding: 'base64', sigVerify: false, commitment: 'confirmed' }
  const trial = Buffer.from(bytesOf(paying, batch, { ...attempt, limit: mostUnits, price: 0n })).toString('base64')
  const asked = await paying.sending.node.call('simulateTransaction', [trial, config])
  const { value } = readAnswer(simulation, asked, 'simulateTransaction')
  return { error: readTransactionError(value.err), units: value.unitsConsumed }
}

function signedIn({ journal }: Sending): Signed[] {
  return journal.lines.filter(({ kind }) => kind === 'signed') as unknown as Signed[]
}

function bytesOf({ hashed }: Paying, batch: number, { history, ...fees }: Attempt): Uint8Array {
  const account = laneAddress(hashed, laneOf(hashed, batch))
  const instructions = batchInstructions(hashed, batch, { nonce: account, ...fees })
  return unsigned(messageOf(feePayerOf(hashed.plan), instructions, history.head))
}

/** Journals the reservation, then the signed bytes. */
function signAttempt(paying: Paying, { batch, key, ...attempt }: Attempt & { batch: number; key: SigningKey }): Signed {
  const { hashed, sending } = paying
  keepReserved(paying, batch, attempt)
  const life = { nonceAccount: laneAddress(hashed, laneOf(hashed, batch)), nonceValue: attempt.history.head }
  return journalSigned(
    sending.journal,
    { about: aboutOf(hashed, batch), bytes: bytesOf(paying, batch, attempt), life },
    paying.feeKey ? [paying.feeKey, key] : [key],
  )
}
