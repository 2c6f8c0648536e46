/** Pages of an account's history, as far as they were read. */
import {
  entriesKept,
  type ServiceAnswer,
  type ServiceAsk,
  type ServiceView,
} from '../../../events/subjects/service/service.ts'
import { entryOf } from '../serviceReads.ts'

export type Transaction = Extract<ServiceAnswer, { call: 'history' }>['data'][number]
type HistoryAsk = Extract<ServiceAsk, { call: 'history' }>

type AccountHistory = {
  /** newest first */
  transactions: Transaction[]
  /** asks for the next page; absent at the end, after a failure, and while a page is on its way */
  next?: HistoryAsk
  isLoading: boolean
  hasFailed: boolean
  /** the log keeps no more pages: older ones are left to an explorer */
  isCut: boolean
}

/**
 * @returns the transactions of an account on one network, without those whose every transfer is a flagged spam NFT. A failed
 *   page drops the cursor; reading the first page again begins anew
 */
export function historyOf(
  service: ServiceView,
  { address, chainId }: { address: string; chainId: string },
): AccountHistory {
  const found = new Map<string, Transaction>()
  const first: HistoryAsk = { call: 'history', address, chainId }
  let ask: HistoryAsk | undefined = first
  let pages = 0
  let isLoading = false
  let hasFailed = false
  while (ask && pages < entriesKept) {
    const entry = entryOf(service, ask)
    if (!entry) break
    pages += 1
    isLoading ||= entry.isAsked
    hasFailed ||= entry.failure !== undefined && !entry.isAsked
    const { answer } = entry
    ask = undefined
    if (answer?.call !== 'history') break
    for (const one of answer.data) if (isShown(one, chainId)) found.set(`${one.id} ${one.hash}`, one)
    if (answer.next !== undefined) ask = { ...first, cursor: answer.next }
  }
  const isCut = ask !== undefined && pages === entriesKept
  const next = pages === 0 || isCut || isLoading || hasFailed ? undefined : ask
  return {
    transactions: [...found.values()].sort((one, other) => other.minedAt - one.minedAt),
    ...(next && { next }),
    isLoading,
    hasFailed,
    isCut,
  }
}

/** A transaction whose network is not named belongs to the asked one. */
function isShown({ isSpam, chain }: Transaction, chainId: string): boolean {
  return !isSpam && (chain === null || chain === chainId)
}
