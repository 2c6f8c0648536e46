/** Answers that nobody waits for: the page that asked was reloaded, or the wallet answered when the request was over. */
import type { CoreModel } from '../../../events/app.ts'
import { type EndedRequest, isEnded, type WalletRequest } from '../../../events/subjects/request.ts'
import { idIn } from '../../../events/values/reference.ts'
import type { ProviderError } from '../providerError.ts'
import { lateOf, type ReadKept, requestResult } from './requestEnd.ts'

/** `late` when the request had ended before: its result may be of something that was done all the same. */
export type UnclaimedAnswer = {
  id: string
  topic: string
  chainId: string
  method: string
  /** ms since the Unix epoch */
  sentAt: number
  late: boolean
} & ({ result: unknown } | { error: ProviderError })

/**
 * @param isOwn whether this page asked: then it was handed the answer, unless that was late
 * @returns the kept answers of pages' requests, the oldest first; for as long as the record remembers them
 */
export async function unclaimedAnswers(
  { request }: Pick<CoreModel, 'request'>,
  isOwn: (request: WalletRequest) => boolean,
  readKept: ReadKept,
): Promise<UnclaimedAnswer[]> {
  const ended = Object.values(request)
    .filter(isEnded)
    .filter(one => idIn('page', one.purpose) !== undefined && (one.late || !isOwn(one)))
  const all = await Promise.all(ended.map(one => unclaimedAnswer(one, readKept)))
  return all.filter(one => one !== undefined)
}

/** @returns what a wallet said to an ended request, undefined when it said nothing that is kept */
export async function unclaimedAnswer(asked: EndedRequest, readKept: ReadKept): Promise<UnclaimedAnswer | undefined> {
  const { requestId: id, sessionTopic: topic, chainId, method, sentAt, end, late } = asked
  const about = { id, topic, chainId, method, sentAt }
  if (late) return { ...about, late: true, ...(await lateOf(late, readKept)) }
  if (end.how === 'answered') {
    const said = requestResult(end, readKept).then(
      result => ({ result }),
      (error: ProviderError) => ({ error }),
    )
    return { ...about, late: false, ...(await said) }
  }
  return undefined
}
