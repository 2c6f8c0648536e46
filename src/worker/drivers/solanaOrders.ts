import type { EffectData } from '../../events/effect.ts'
import { Fault } from '../../events/failure.ts'
import { encodeBase58 } from '../../events/values/base58.ts'
import { decode } from '../chains/solana/decode.ts'
import { readTransaction, type WireTransaction } from '../chains/solana/wire.ts'
import { height, type Level, readAnswer, type SignatureLine, signature, signatures, statuses } from '../rpc/answers.ts'
import type { Call, CallOutcome } from '../rpc/batch.ts'
import { onChainFailure, readTransactionError, refusedFault } from '../rpc/transactionErrors.ts'
import { isOrder, readable } from '../services/purchases.ts'
import { toBase64 } from '../walletconnect/encoding.ts'
import type { BytesStore } from './bytes.ts'
import { answered, type Drive, drive } from './drive.ts'
import type { Rpc } from './rpc.ts'
import { transactionOf } from './solanaHistory.ts'

type Status = { status: Level; slot: number; err: unknown }

/** Signatures that are looked at when an order is looked up by its reference. */
const maxFound = 50

/** Sends an order's signed bytes, and tells what the chain knows of an order. */
export function createOrdersDriver(ports: { rpc: Rpc; bytes: BytesStore }): {
  'chain.submit': Drive
  'chain.watch': Drive
} {
  const { rpc, bytes } = ports
  /** signature → whether it is the order whose reference it carries; a transaction never changes */
  const judged = new Map<string, boolean>()
  /** signatures of bytes sent from here, which were compared with what was agreed */
  const sent = new Set<string>()

  /** Bytes that cannot be read here, a newer version for instance, get no verdict. */
  const isOurs = async (found: string, orderRef: string): Promise<boolean | undefined> => {
    const key = `${orderRef} ${found}`
    const before = judged.get(key)
    if (before !== undefined) return before
    const landed = await transactionOf(rpc, found, 'confirmed')
    if (!landed) throw new Fault('bad_response', 'a listed transaction expected to be there, got none')
    const decoded = readable(landed.bytes)
    if (!decoded) return undefined
    const ours = isOrder(decoded, orderRef)
    if (judged.size > 1000) judged.clear()
    judged.set(key, ours)
    return ours
  }

  /** A wallet that sends by itself may name any transaction: one that counts is looked at, whether it was paid or failed. */
  const isProved = async (id: string, { status }: Status, orderRef: string): Promise<boolean | undefined> =>
    status === 'processed' || sent.has(id) || isOurs(id, orderRef)

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
        // Resending is decided by the core, which also knows when to stop.
        maxRetries: 0,
      }
      if (sent.size > 1000) sent.clear()
      sent.add(id)
      const calls = [{ method: 'sendTransaction', params: [toBase64(signed), options] }]
      const [outcome] = await rpc.together(calls, { retries: 1 })
      if (!alreadyThere(outcome)) {
        const named = readAnswer(signature, sendResult(rpc, outcome, paysWith(transaction)), 'sendTransaction')
        if (named !== id)
          throw new Fault('rpc_lying', 'sendTransaction expected the signature it was sent, got another')
      }
      return answered({ type: 'chain.submitted', data: { orderId } })
    }),

    'chain.watch': drive<EffectData['chain.watch']>(async ({ orderId, signature: id, orderRef, search }) => {
      const lookUp = search || id === undefined
      // An unknown signature shows as soon as it is confirmed; to prove that nothing landed, the final level decides.
      const level = id === undefined ? 'confirmed' : 'finalized'
      const calls: Call[] = [
        { method: 'getBlockHeight', params: [{ commitment: 'finalized' }] },
        { method: 'getSlot', params: [{ commitment: 'processed' }] },
        ...(id === undefined
          ? []
          : [{ method: 'getSignatureStatuses', params: [[id], { searchTransactionHistory: search }] }]),
        ...(lookUp
          ? [{ method: 'getSignaturesForAddress', params: [orderRef, { limit: maxFound, commitment: level }] }]
          : []),
      ]
      const outcomes = await rpc.together(calls)
      const read = <T>(method: string, parse: (value: unknown) => T): T | undefined => {
        const at = calls.findIndex(call => call.method === method)
        return at < 0 ? undefined : parse(rpc.result(outcomes[at], method))
      }
      const whole = (method: string) => read(method, value => readAnswer(height, value, method)) ?? 0
      const claimed = read('getSignatureStatuses', value => readStatus(value))
      const lines = read('getSignaturesForAddress', value => readAnswer(signatures, value, 'getSignaturesForAddress'))
      const verdicts = await Promise.all((lines ?? []).map(line => isOurs(line.signature, orderRef)))
      const proved = id !== undefined && claimed ? await isProved(id, claimed, orderRef) : false
      const known = proved ? claimed : undefined
      // What cannot be read yet, or may lie behind a full page, must not look as if nothing had been found.
      const full = lines?.length === maxFound
      const readLater = proved === undefined && id !== undefined ? [id] : []
      const found = lines && [
        ...lines.filter((_, at) => full || verdicts[at] !== false).map(line => line.signature),
        ...readLater,
      ]
      const sure = lines?.filter((_, at) => verdicts[at] === true) ?? []
      const line = known ? undefined : (sure.find(one => one.signature === id) ?? telling(sure))
      const seen = known ?? (line && { status: line.confirmationStatus ?? 'confirmed', slot: line.slot, err: line.err })
      const error = readTransactionError(seen?.err)
      return answered({
        type: 'chain.status',
        data: {
          orderId,
          height: whole('getBlockHeight'),
          nodeSlot: whole('getSlot'),
          ...(seen ? { status: seen.status, slot: seen.slot } : {}),
          ...(line ? { signature: line.signature } : {}),
          ...(error ? { error: onChainFailure(error) } : {}),
          ...(found ? { found: [...new Set(found)] } : {}),
        },
      })
    }),
  }
}

/** Only once can the same bytes land, so a node that has seen them land has taken them. */
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
  return decode(transaction).instructions.some(one => one.kind === 'tokenTransfer') ? 'spl' : 'native'
}

function readStatus(value: unknown): Status | undefined {
  const [status] = readAnswer(statuses, value, 'getSignatureStatuses').value
  if (!status) return undefined
  const { slot, confirmations, confirmationStatus, err } = status
  // Older nodes say "rooted" by having no count.
  const level = confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed')
  return { status: level, slot, err: err ?? null }
}

/** A payment that succeeded says more than an attempt that failed. */
function telling(lines: readonly SignatureLine[]): SignatureLine | undefined {
  return lines.find(one => (one.err ?? null) === null) ?? lines[0]
}
