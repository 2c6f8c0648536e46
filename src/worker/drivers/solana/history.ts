import { Fault } from '../../../runtime/failure.ts'
import { encodeBase58 } from '../../../events/values/solana/base58.ts'
import { blockTime, readAnswer, type SignatureLine, signatures, transaction } from '../../rpc/answers.ts'
import { fromBase64 } from '../../walletconnect/crypto/base64.ts'
import type { Endpoint } from './rpc.ts'

/**
 * A transaction as a node returns it; `time` in Unix seconds if the node knows it, `loaded` the addresses from lookup tables, writable
 * ones first.
 */
export type Landed = {
  signature: string
  slot: number
  time?: number
  bytes: Uint8Array
  loaded: string[]
  err: unknown
}

/**
 * Reads the newest signatures of an address, in one call. Anyone can attach a transaction to any address, so the list is a
 * hint and never paged.
 *
 * @returns lines, newest first, and whether older ones may exist
 * @throws Fault `bad_response` when the answer is not a list
 */
export async function newestSignatures(
  rpc: Pick<Endpoint, 'call'>,
  address: string,
  limit: number,
): Promise<{ lines: SignatureLine[]; isFull: boolean }> {
  const params = [address, { limit, commitment: 'confirmed' }]
  const lines = readAnswer(signatures, await rpc.call('getSignaturesForAddress', params), 'getSignaturesForAddress')
  return { lines: lines.slice(0, limit), isFull: lines.length >= limit }
}

type Level = 'confirmed' | 'finalized'

/**
 * @returns the transaction, undefined when the node does not have it at that level
 * @throws Fault `rpc_lying` when the node answers with another transaction; see also `isNewerKind`
 */
export async function recordedTransaction(
  rpc: Pick<Endpoint, 'call'>,
  signature: string,
  commitment: Level,
): Promise<Landed | undefined> {
  return landedIn(await answerOf(rpc, signature, commitment), signature)
}

/** @returns the node's unread answer to `getTransaction` */
export function answerOf(rpc: Pick<Endpoint, 'call'>, signature: string, commitment: Level): Promise<unknown> {
  return rpc.call('getTransaction', [signature, { encoding: 'base64', commitment, maxSupportedTransactionVersion: 0 }])
}

/**
 * @param answer to `getTransaction` of this signature
 * @throws Fault when it is not a transaction; `rpc_lying` when it is another one
 */
export function landedIn(answer: unknown, signature: string): Landed | undefined {
  const read = readAnswer(transaction, answer, 'getTransaction')
  if (!read?.meta) return undefined
  const { slot, blockTime, meta } = read
  const bytes = fromBase64(read.transaction[0], 'a transaction')
  // The first signature is the transaction's id
  if (encodeBase58(bytes.subarray(1, 65)) !== signature) {
    throw new Fault(
      'rpc_lying',
      'getTransaction expected the transaction of the signature it was asked for, got another',
    )
  }
  return {
    signature,
    slot,
    ...(blockTime === null || blockTime === undefined ? {} : { time: blockTime }),
    bytes,
    loaded: [...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])],
    err: meta.err ?? null,
  }
}

/** @returns a block's time, Unix seconds; null when the node does not know it */
export async function timeOfSlot(rpc: Pick<Endpoint, 'call'>, slot: number): Promise<number | null> {
  return readAnswer(blockTime, await rpc.call('getBlockTime', [slot]), 'getBlockTime')
}
