/** Requests to a wallet over WalletConnect, each of which ends exactly once. */
import { own } from '../../../runtime/schema/own.ts'
import { idIn } from '../../values/reference.ts'
import type { RequestFact } from './requestFacts.ts'
import type { WalletRequest, EndedRequest, OpenRequest, RequestEnd, LateAnswer } from './requestState.ts'

/** Open requests and the latest ended ones, which tell a late answer from an unknown one. */
export type RequestView = Record<string, WalletRequest>

const endedKept = 50

/**
 * @param ending number of requests that are about to end
 * @returns the ended requests to evict then
 */
export function outlived(requests: RequestView, ending = 0): EndedRequest[] {
  const ended = Object.values(requests).filter(isEnded)
  return ended.slice(0, ending - endedKept)
}

export function isEnded(request: WalletRequest): request is EndedRequest {
  return request.phase === 'ended'
}

/** Only a late answer with new content is stored; for an order's request, also that there was an answer. */
function isNews({ purpose, late }: EndedRequest, said: string): boolean {
  return said === '{}' ? late === undefined && idIn('order', purpose) !== undefined : said !== JSON.stringify(late)
}

export function foldRequest(model: { request: RequestView }, fact: RequestFact & { at: number }): void {
  const { type, at, data } = fact
  const { requestId, ...said } = data
  const request = own(model.request, requestId)
  if (type === 'request.sent' || type === 'request.refused') {
    if (request) return
    if ('error' in data) {
      const { error, ...asked } = data
      const end = { how: 'refused', error } as const
      model.request[requestId] = { ...asked, expiresAt: at, sentAt: at, phase: 'ended', end }
    } else model.request[requestId] = { sentAt: at, phase: 'sent', ...data }
    for (const old of outlived(model.request)) delete model.request[old.requestId]
    return
  }
  if (!request) return
  if (isEnded(request)) {
    if (type === 'request.late' && isNews(request, JSON.stringify(said))) request.late = said as LateAnswer
    return
  }
  if (type === 'request.delivered') request.phase = 'delivered'
  const how = type === 'request.answered' ? 'answered' : type === 'request.failed' && 'failed'
  if (!how) return
  model.request[requestId] = { ...askedOf(request), phase: 'ended', end: { how, ...said } as RequestEnd }
}

/** @returns the fields of every phase */
function askedOf({ requestId, sessionTopic, method, chainId, purpose, expiresAt, sentAt }: OpenRequest) {
  return { requestId, sessionTopic, method, chainId, purpose, expiresAt, sentAt }
}
