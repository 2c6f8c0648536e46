/** Stored answers without a waiting promise: the page was reloaded, or the wallet answered after the request had ended. */
import type { CoreModel } from '../../../events/app.ts'
import type { EndedRequest, WalletRequest } from '../../../events/subjects/session/requestState.ts'
import { isEnded } from '../../../events/subjects/session/request.ts'
import { idIn } from '../../../events/values/reference.ts'
import type { ProviderError } from '../providerError.ts'
import { lateOf, type ReadKept, requestResult } from './requestEnd.ts'

/** `late`: the request had ended before. The wallet may have acted on it, so its result still counts. */
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
 * @param isOwn whether a request's answer went to a promise of this page; only a late answer to it is unclaimed
 * @returns the answers to pages' requests that the model still has, the oldest first
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

/** @returns a wallet's answer to an ended request; undefined when there is none in the model */
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
