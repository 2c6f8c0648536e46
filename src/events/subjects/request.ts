/** Requests to a wallet over WalletConnect, each of which ends exactly once. */
import { own } from '../../runtime/schema/own.ts'
import { failure } from '../schema/fields.ts'
import type { Failure } from '../../runtime/failure.ts'
import { idIn } from '../values/reference.ts'
import {
  define,
  id,
  integer,
  jsonText,
  lifted,
  openField,
  optional,
  personal,
  shape,
  text,
  type UnionOf,
  v1,
} from '../../runtime/schema/registry.ts'
import { chosenName, instant } from '../schema/scales.ts'

/**
 * A wallet's result of a page's request, stored so that it outlives the requester; `resultRef` names a long result's bytes. The
 * fields are named one by one: a bundler keeps objects that are spread, and the checks with them.
 */
const result = optional(personal(jsonText))
const resultRef = optional(personal(id))
/** The wallet's error as JSON text, in its own words. */
const error = optional(personal(jsonText))
const refusal = shape({ code: openField(integer), message: openField(text) })
const asBefore = (data: Record<string, unknown>) => data

export const requestFacts = define({
  /**
   * Written before anything is published. `purpose` names what the answer is for: `order:<orderId>`, or `page:<ref>` of the
   * command that asked. `params` are a page's own; `askAt` is when it goes out, if that is not at once.
   */
  'request.sent': lifted(
    {
      requestId: openField(id),
      sessionTopic: personal(id),
      method: openField(chosenName),
      chainId: openField(chosenName),
      purpose: openField(id),
      expiresAt: openField(instant),
      params: optional(personal(jsonText)),
      askAt: optional(openField(instant)),
    },
    asBefore,
  ),
  /** A page's request that was not sent, because the wallet may not get it. */
  'request.refused': v1({
    requestId: openField(id),
    sessionTopic: personal(text),
    method: openField(chosenName),
    chainId: openField(chosenName),
    purpose: openField(id),
    error: refusal,
  }),
  /** The relay holds it; the wallet may receive it any moment. */
  'request.delivered': v1({ requestId: openField(id) }),
  'request.answered': lifted({ requestId: openField(id), result, resultRef }, asBefore),
  'request.failed': lifted({ requestId: openField(id), failure, error }, asBefore),
  /** The wallet answered after the request had ended. */
  'request.late': lifted({ requestId: openField(id), result, resultRef, error }, asBefore),
})
export type RequestFact = UnionOf<typeof requestFacts>

/** How a request ended; a page's request has its result or the wallet's error as JSON text. */
export type RequestEnd =
  | { how: 'answered'; result?: string; resultRef?: string }
  | { how: 'failed'; failure: Failure; error?: string }
  | { how: 'refused'; error: { code: number; message: string } }
export type LateAnswer = { result?: string; resultRef?: string; error?: string }

type Asked = {
  requestId: string
  sessionTopic: string
  method: string
  chainId: string
  /** text of a `RequestPurpose` */
  purpose: string
  sentAt: number
  expiresAt: number
}
/** `params` and `askAt` are of a page's request. */
export type OpenRequest = Asked & { params?: string; askAt?: number } & ({ phase: 'sent' } | { phase: 'delivered' })
/** `late` is the newest answer after the end. */
export type EndedRequest = Asked & { phase: 'ended'; end: RequestEnd; late?: LateAnswer }
export type WalletRequest = OpenRequest | EndedRequest
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
function askedOf({ requestId, sessionTopic, method, chainId, purpose, expiresAt, sentAt }: OpenRequest): Asked {
  return { requestId, sessionTopic, method, chainId, purpose, expiresAt, sentAt }
}
