import { Fault } from '../../events/failure.ts'
import { readAnswer, type SignatureLine, signatures, transaction } from '../rpc/answers.ts'
import { fromBase64 } from '../walletconnect/base64.ts'
import type { Rpc } from './rpc.ts'

/** A transaction as a node has it; `time` in Unix seconds when the node knows it. */
export type Landed = { signature: string; slot: number; time?: number; bytes: Uint8Array; err: unknown }

/** Signature lines a node gives at once at most. */
const pageSize = 1000
/** Pages of one list that are read before it counts as flooded. */
const maxPages = 10

/**
 * @param address whose transactions
 * @param options `first` lines on the first page; `stop` ends the list before the first line it is true for
 * @returns lines, newest first
 * @throws Fault `bad_response` when the list does not end within 10 pages or is no list
 */
export async function signaturesOf(
  rpc: Rpc,
  address: string,
  options: { commitment: 'confirmed' | 'finalized'; first?: number; stop?: (line: SignatureLine) => boolean },
): Promise<SignatureLine[]> {
  const { commitment, first = pageSize, stop } = options
  const lines: SignatureLine[] = []
  for (let page = 0; page < maxPages; page += 1) {
    const limit = page === 0 ? first : pageSize
    const before = lines.at(-1)?.signature
    const params = [address, { limit, commitment, ...(before === undefined ? {} : { before }) }]
    const read = readAnswer(signatures, await rpc.call('getSignaturesForAddress', params), 'getSignaturesForAddress')
    for (const line of read) {
      if (stop?.(line)) return lines
      lines.push(line)
    }
    if (read.length < limit) return lines
  }
  throw new Fault('bad_response', `the transactions of an address expected at most ${lines.length}, got more`)
}

/** @returns the transaction, undefined when the node does not have it at that level */
export async function transactionOf(
  rpc: Rpc,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<Landed | undefined> {
  const params = [signature, { encoding: 'base64', commitment, maxSupportedTransactionVersion: 0 }]
  const read = readAnswer(transaction, await rpc.call('getTransaction', params), 'getTransaction')
  if (!read?.meta) return undefined
  const { slot, blockTime, meta } = read
  return {
    signature,
    slot,
    ...(blockTime === null || blockTime === undefined ? {} : { time: blockTime }),
    bytes: fromBase64(read.transaction[0], 'a transaction'),
    err: meta.err ?? null,
  }
}
