/**
 * The backlog: messages published while there was no socket. Subscribing makes the relay push them; a relay that supports
 * fetching is also asked for them, page by page, once it has answered the subscription. Duplicates are dropped by `mail.ts`.
 */
import type { Ctx } from '../../core/context.ts'
import type { RelayCall } from '../../core/transient.ts'
import { relayCallId } from './socket.ts'
import { invalidParams, isUnknownMethod, lacksMethod, learnMethod } from './relayCapabilities.ts'

type FetchCall = RelayCall & { kind: 'fetch' | 'fetchOne' }

const batchSize = 500
/** Most pages over one socket, as a faulty relay might repeat the same page for ever. */
const mostPages = 100
/** A missing answer counts as this many pages. */
const silencePages = 25

export function isFetch(call: RelayCall): call is FetchCall {
  return call.kind === 'fetch' || call.kind === 'fetchOne'
}

/** Fetches the mailboxes of newly subscribed topics. */
export function fetchMissed(ctx: Ctx, topics: readonly string[]): void {
  const { wire } = ctx.transient
  wire.missed.push(...topics)
  if (wire.fetching === '') fetchNext(ctx, lacksMethod(ctx, 'irn_batchFetchMessages'))
}

/** A page arrived. The next one is requested once this one is stored. */
export function fetched(ctx: Ctx, callId: string, { count, hasMore }: { count: number; hasMore: boolean }): void {
  const { wire, relay } = ctx.transient
  const call = relay.calls[callId]
  if (wire.fetching !== callId || !call) return
  wire.pages += 1
  if (!hasMore || count === 0 || wire.pages >= mostPages) wire.missed.splice(0, call.topics.length)
  fetchNext(ctx, call.kind === 'fetchOne')
}

/** No answer came: fetches again. */
export function fetchUnanswered(ctx: Ctx, callId: string, { kind }: FetchCall): void {
  const { wire } = ctx.transient
  if (wire.fetching !== callId) return
  wire.pages += silencePages
  if (wire.pages >= mostPages) wire.missed = []
  fetchNext(ctx, kind === 'fetchOne')
}

/**
 * The relay refused to fetch, or, without an `error`, gave an answer that is not a page. A batch it finds too long is fetched
 * topic by topic; a relay without any fetch method has pushed everything.
 */
export function fetchRefused(
  ctx: Ctx,
  callId: string,
  call: FetchCall,
  error?: { code: number; message: string },
): void {
  const { wire } = ctx.transient
  if (wire.fetching !== callId) return
  wire.fetching = ''
  const isUnknown = error !== undefined && isUnknownMethod(error)
  if (isUnknown) learnMethod(ctx, call.kind === 'fetch' ? 'irn_batchFetchMessages' : 'irn_fetchMessages', false)
  const isTooLong = error?.code === invalidParams && call.topics.length > 1
  if ((isUnknown || isTooLong) && call.kind === 'fetch' && !lacksMethod(ctx, 'irn_fetchMessages'))
    return fetchNext(ctx, true)
  wire.missed = []
}

function fetchNext(ctx: Ctx, oneByOne: boolean): void {
  const { wire, relay } = ctx.transient
  wire.fetching = ''
  if (oneByOne && lacksMethod(ctx, 'irn_fetchMessages')) wire.missed = []
  const topics = wire.missed.slice(0, oneByOne ? 1 : batchSize)
  if (topics.length === 0) return
  const callId = relayCallId(ctx)
  wire.fetching = callId
  relay.calls[callId] = { kind: oneByOne ? 'fetchOne' : 'fetch', topics, at: ctx.at }
  ctx.effect('relay.fetch', { callId, topics, ...(oneByOne && { oneByOne }) }, { after: 'stored' })
}
