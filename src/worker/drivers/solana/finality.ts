/** A transaction's state at an endpoint, and its finality by the vote of all of them. */
import { type Level, readAnswer, statuses } from '../../rpc/answers.ts'
import type { Endpoint, Rpc } from './rpc.ts'

export type SignatureStatus = { status: Level; slot: number; err: unknown }

type Sought = { signature?: string | undefined; search: boolean }

/** Without a signature the request is empty: its answer still has the node's slot. */
export async function statusAt(
  from: Endpoint,
  { signature, search }: Sought,
  options = {},
): Promise<{ status: SignatureStatus | undefined; slot: number }> {
  const params = [signature === undefined ? [] : [signature], { searchTransactionHistory: search }]
  const [outcome] = await from.together([{ method: 'getSignatureStatuses', params }], options)
  return readStatus(from.result(outcome, 'getSignatureStatuses'))
}

function readStatus(value: unknown): { status: SignatureStatus | undefined; slot: number } {
  const { context, value: found } = readAnswer(statuses, value, 'getSignatureStatuses')
  const [first] = found
  if (!first) return { status: undefined, slot: context.slot }
  const { slot, confirmations, confirmationStatus, err } = first
  // Older nodes mark "rooted" by a missing count
  const level = confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed')
  return { status: { status: level, slot, err: err ?? null }, slot: context.slot }
}

/** `finalBy`: endpoints that call a transaction final; `against`: those that deny it. The rest do not answer, or no longer know. */
type Votes = { finalBy: number; against: number }

/** Slots after which a node may have dropped a transaction from its history: two days. */
const keptSlots = 432_000

/**
 * Puts finality to the vote: one endpoint may lie about it. A transaction on which all agreed once is not asked about again.
 *
 * @returns a function from a signature and its slot, where that is known, to the votes; undefined when all call it final, or there
 *   is one endpoint
 */
export function createFinality(rpc: Rpc): (signature: string, slot?: number) => Promise<Votes | undefined> {
  const agreed = new Set<string>()
  return async (signature, slot) => {
    if (agreed.has(signature)) return undefined
    const endpoints = await rpc.endpoints()
    if (endpoints.length < 2) return undefined
    const asked = endpoints.map(endpoint => statusAt(endpoint, { signature, search: true }, { retries: 0 }))
    const told = (await Promise.allSettled(asked)).flatMap(vote => (vote.status === 'fulfilled' ? vote.value : []))
    const finalBy = told.filter(({ status }) => status?.status === 'finalized').length
    const denies = ({ status, slot: now }: (typeof told)[number]) =>
      status ? status.status !== 'finalized' : slot === undefined || now - slot < keptSlots
    if (finalBy < endpoints.length) return { finalBy, against: told.filter(denies).length }
    agreed.add(signature)
    return undefined
  }
}
