import type { EffectData, OrderToWatch } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { encodeBase58 } from '../../../../events/values/solana/base58.ts'
import type { DecodedTransaction } from '../../../../events/values/solana/transaction.ts'
import { decodeWire } from '../../../chains/solana/decode.ts'
import { readTransaction, type WireTransaction } from '../../../chains/solana/wire.ts'
import { epochInfo, blockHeight as slotNumber, readAnswer, validity } from '../../../rpc/answers.ts'
import type { CallOutcome } from '../../../rpc/batch.ts'
import { onChainFailure, readTransactionError, refusedFault } from '../../../rpc/transactionErrors.ts'
import type { Verify } from '../../../services/signatures.ts'
import { toBase64 } from '../../../walletconnect/crypto/encoding.ts'
import type { BytesStore } from '../../bytes.ts'
import { answered, drive, type InputOf } from '../../drive.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import type { OrderAges } from './orderAges.ts'
import { createOrderTrace, type Tip } from './orderTrace.ts'
import type { Endpoint, Rpc } from '../rpc.ts'
import { createFinality, type SignatureStatus, statusAt } from '../finality.ts'
import { signature } from '../../../../events/values/solana/signature.ts'

type Told = InputOf<'chain.status'>
type Landed = NonNullable<Told['landed']>[number]
type Proof = NonNullable<Told['proofs']>[number]
type Blockhash = NonNullable<Told['blockhashes']>[number]

/** One endpoint's view of an order. */
type View = {
  tip: Tip
  nodeSlot: number
  status: SignatureStatus | undefined
  landed: Landed[]
  /** the order's own signature is absent, or belongs to another account */
  unseen: boolean
  proof: Proof | undefined
  /** its answer about the order's blockhash, if requested */
  blockhash: Blockhash | undefined
  /** by its own height, every blockhash of the order's time has expired */
  outlived: boolean
  /** part of its answer for the proof is missing */
  silent: boolean
  /** some answer cannot be true */
  lies: boolean
}

/** The views, and the hosts of the endpoints that do not answer. */
type Views = { views: View[]; silent: string[] }

/**
 * Submits an order's signed bytes, and reads the order's state on the chain.
 *
 * 1. A proof asks every endpoint; one that is unreachable is named in `silent`, and one that lies proves nothing.
 * 2. Height and slot come from one answer, and later answers from a node that has seen that slot.
 * 3. `finalized` is put to the vote of all endpoints until they agree once.
 *
 * It holds the order trace and the votes. One function, because its parts share them and `rpc`.
 */
export function createOrdersDriver(ports: { rpc: Rpc; bytes: BytesStore; verify: Verify; ages: OrderAges }): {
  'chain.submit': Drive
  'chain.watch': Drive
} {
  const { rpc, bytes, verify, ages } = ports
  const trace = createOrderTrace({ verify })
  const votesFor = createFinality(rpc)

  /** Height and slot of one answer; later answers must come from a node that has seen that slot. */
  const tipAt = async (from: Endpoint): Promise<{ tip: Tip; nodeSlot: number }> => {
    const [epoch, newest] = await from.together([
      { method: 'getEpochInfo', params: [{ commitment: 'finalized' }] },
      { method: 'getSlot', params: [{ commitment: 'processed' }] },
    ])
    const info = readAnswer(epochInfo, from.result(epoch, 'getEpochInfo'), 'getEpochInfo')
    const nodeSlot = readAnswer(slotNumber, from.result(newest, 'getSlot'), 'getSlot')
    return { tip: { height: info.blockHeight, slot: info.absoluteSlot }, nodeSlot }
  }

  /**
   * A node behind the slot may not know the blockhash, and one on a dropped fork may lack it: so both the newest and the
   * finalised block are asked, at that slot or later.
   */
  const validityAt = async (from: Endpoint, blockhash: string, minContextSlot: number): Promise<Blockhash> => {
    const levels = ['processed', 'finalized']
    const method = 'isBlockhashValid'
    const outcomes = await from.together(
      levels.map(commitment => ({ method, params: [blockhash, { commitment, minContextSlot }] })),
    )
    const told = outcomes.map(outcome => readAnswer(validity, from.result(outcome, method), method))
    if (told.length < levels.length || told.some(({ context }) => context.slot < minContextSlot))
      throw new Fault('unreachable', `${method} expected slot ${minContextSlot}, got an answer of an older one`, {
        rpcCode: slotNotReached,
      })
    return told.some(({ value }) => value) ? 'valid' : 'expired'
  }

  const lookAt = async (from: Endpoint, order: OrderToWatch): Promise<View> => {
    const { account, orderRef, fromSlot, own: isOwn, judged = [], blockhash: asked } = order
    const { tip, nodeSlot } = await tipAt(from)
    const { status, slot: answerSlot } = await statusAt(from, order)
    const landed: Landed[] = []
    const tell = (id: string, { status: level, slot, err }: SignatureStatus, decoded: DecodedTransaction) => {
      if (level === 'processed' || landed.some(one => one.signature === id)) return
      const error = readTransactionError(err)
      landed.push({
        signature: id,
        status: level,
        slot,
        ...(error ? { error: onChainFailure(error) } : {}),
        ...(judged.includes(id) ? {} : { decoded }),
      })
    }
    let unseen = status === undefined
    let lies = false
    if (order.signature !== undefined && status && status.status !== 'processed' && !isOwn) {
      // A wallet that sends by itself may name any transaction
      const verdict = await trace.judge(from, order.signature, { account, known: order })
      if (typeof verdict === 'string') lies = verdict === 'lie'
      else {
        unseen = true
        if (verdict.decoded) tell(order.signature, status, verdict.decoded)
      }
    }
    // A node that is behind refuses the list: no proof yet, but known transactions remain
    const list = order.search
      ? await reply(trace.look(from, { orderRef, account, fromSlot, tip, known: order }))
      : undefined
    const looked = list?.told
    for (const { line, decoded } of looked?.found ?? []) {
      const { confirmationStatus, slot, err } = line
      tell(line.signature, { status: confirmationStatus ?? 'confirmed', slot, err }, decoded)
    }
    // A list read in several looks is complete only up to the tip of the first look
    const { height, slot: heightSlot } = looked?.whole ? looked.tip : tip
    const proof = looked && { height, heightSlot, answerSlot, unseen, whole: looked.whole }
    const said = asked === undefined ? undefined : await reply(validityAt(from, asked, tip.slot))
    const silent = list?.isSilent === true || said?.isSilent === true
    const isBehind = said !== undefined && said.told === undefined && !said.isSilent
    const own = { status, landed, unseen, proof: isBehind ? undefined : proof, blockhash: said?.told }
    const outlived = ages.outlives(order.orderId, from, tip.height)
    return { tip, nodeSlot, ...own, outlived, silent, lies: lies || looked?.lies === true }
  }

  const viewsOf = async (order: OrderToWatch): Promise<Views> => {
    if (!order.proves) return { views: [await lookAt(rpc, order)], silent: [] }
    const endpoints = await rpc.endpoints()
    const outcomes = await Promise.allSettled(endpoints.map(endpoint => lookAt(endpoint, order)))
    const views = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const [failed] = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
    if (views.length === 0) throw failed
    const isSilent = (outcome: PromiseSettledResult<View>) =>
      outcome.status === 'rejected' || (outcome.value.silent && !outcome.value.lies)
    const silent = endpoints.flatMap(({ host }, at) => (outcomes[at] && isSilent(outcomes[at]) ? [host] : []))
    return { views, silent }
  }

  return {
    'chain.submit': drive<EffectData['chain.submit']>(async ({ orderId, bytesRef, first }) => {
      const signed = await bytes.get(bytesRef)
      if (!signed) throw new Fault('storage_down', 'the signed bytes of an order expected to be kept here, got none')
      const transaction = readTransaction(signed)
      const id = encodeBase58(transaction.signatures[0] ?? new Uint8Array(64))
      const options = {
        encoding: 'base64',
        skipPreflight: !first,
        preflightCommitment: 'confirmed',
        // The core decides on resending and on its end
        maxRetries: 0,
      }
      const calls = [{ method: 'sendTransaction', params: [toBase64(signed), options] }]
      const [outcome] = await rpc.together(calls, { retries: 1 })
      if (!alreadyThere(outcome)) {
        const named = readAnswer(signature, sendResult(rpc, outcome, paysWith(transaction)), 'sendTransaction')
        if (named !== id)
          throw new Fault('rpc_lying', 'sendTransaction expected the signature it was sent, got another')
      }
      return answered({ type: 'chain.submitted', data: { orderId } })
    }),

    'chain.watch': drive<OrderToWatch>(async order => {
      const { views, silent } = await viewsOf(order)
      const honest = views.filter(({ lies }) => !lies)
      // The status comes from an honest endpoint, if there is one
      const believed = honest.length > 0 ? honest : views
      const shown = believed.find(({ status }) => status) ?? believed[0]
      const status = shown?.status
      const error = readTransactionError(status?.err)
      const landed = [...new Map(views.flatMap(view => view.landed.map(one => [one.signature, one]))).values()]
      const lying = views.length - honest.length
      const final =
        order.own && status?.status === 'finalized'
          ? order.signature
          : landed.find(one => one.status === 'finalized')?.signature
      const votes = final === undefined ? undefined : await votesFor(final)
      return answered({
        type: 'chain.status',
        data: {
          orderId: order.orderId,
          height: shown?.tip.height ?? 0,
          nodeSlot: shown?.nodeSlot ?? 0,
          ...(status ? { status: status.status, slot: status.slot } : {}),
          ...(error ? { error: onChainFailure(error) } : {}),
          ...(landed.length > 0 ? { landed } : {}),
          ...(order.proves ? proofsOf(views, order) : {}),
          heightSlot: shown?.tip.slot ?? 0,
          ...(order.proves && lying > 0 ? { lying } : {}),
          ...(silent.length > 0 ? { silent } : {}),
          ...(votes && { finalBy: votes.finalBy }),
          ...(order.proves ? { knownMs: ages.of(order.orderId) } : shown?.outlived ? { outlived: [true] } : {}),
        },
      })
    }),
  }
}

/** Agave's error code of a node that has not seen the requested slot. */
const slotNotReached = -32016

/** @returns the answer; without it, whether the endpoint does not answer or is only behind */
async function reply<T>(
  asked: Promise<T>,
): Promise<{ told: T; isSilent: false } | { told?: never; isSilent: boolean }> {
  try {
    return { told: await asked, isSilent: false }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return { isSilent: cause.facts?.rpcCode !== slotNotReached }
  }
}

/** @returns no proofs while an answering endpoint is behind: its next answer may show the payment */
function proofsOf(
  views: readonly View[],
  { blockhash }: OrderToWatch,
): Pick<Told, 'proofs' | 'blockhashes' | 'outlived'> {
  // A lying endpoint that shows nothing proves nothing; a payment it claims to see still delays the end
  const counted = views.filter(({ lies, unseen }) => !lies || !unseen)
  if (counted.some(({ proof, silent, unseen }) => !proof && (!silent || !unseen))) return {}
  const inOrder = counted
    .filter(({ proof }) => proof)
    .sort((a, b) => Number(a.blockhash === undefined) - Number(b.blockhash === undefined))
  const proofs = inOrder.flatMap(({ proof }) => proof ?? [])
  const outlived = inOrder.map(one => one.outlived)
  return {
    proofs,
    ...(blockhash === undefined ? {} : { blockhashes: inOrder.flatMap(one => one.blockhash ?? []) }),
    ...(outlived.includes(true) ? { outlived } : {}),
  }
}

/** The same bytes land only once, so a node that has processed them has accepted them. */
function alreadyThere(outcome: CallOutcome | undefined): boolean {
  return preflightError(outcome)?.name === 'AlreadyProcessed'
}

function preflightError(outcome: CallOutcome | undefined) {
  if (!outcome || !('error' in outcome) || outcome.error.code !== -32002) return undefined
  const { data } = outcome.error
  return readTransactionError(typeof data === 'object' && data !== null && 'err' in data ? data.err : 'Unreadable')
}

function sendResult(rpc: Rpc, outcome: CallOutcome | undefined, kind: 'native' | 'spl'): unknown {
  const error = preflightError(outcome)
  if (error) throw refusedFault(error, kind)
  return rpc.result(outcome, 'sendTransaction')
}

function paysWith(transaction: WireTransaction): 'native' | 'spl' {
  return decodeWire(transaction).instructions.some(one => one.kind === 'tokenTransfer') ? 'spl' : 'native'
}
