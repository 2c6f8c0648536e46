/**
 * What was missed while there was no socket. Subscribing makes the relay push it; a relay that also lets messages be fetched
 * is asked for them, page by page, once it has answered the subscription. Nothing is handled twice.
 */
import type { Ctx } from '../../core/context.ts'
import type { RelayCall } from '../../core/transient.ts'
import { relayCallId } from './socket.ts'
import { invalidParams, isUnknownMethod, lacks, learn } from './ways.ts'

type FetchCall = RelayCall & { kind: 'fetch' | 'fetchOne' }

const batchSize = 500
/** A relay that gives the same page again and again is not asked for ever: after so many pages over one socket one is the last. */
const mostPages = 100
/** Nor is one that does not answer: each silence counts as so many pages. */
const silencePages = 25

export function isFetch(call: RelayCall): call is FetchCall {
  return call.kind === 'fetch' || call.kind === 'fetchOne'
}

/** The relay listens to these topics for us now: what waited on them is fetched. */
export function fetchMissed(ctx: Ctx, topics: readonly string[]): void {
  const { wire } = ctx.transient
  wire.missed.push(...topics)
  if (wire.fetching === '') fetchNext(ctx, lacks(ctx, 'irn_batchFetchMessages'))
}

/** A page came. The next one is asked for once this one is on disk. */
export function fetched(ctx: Ctx, callId: string, { count, hasMore }: { count: number; hasMore: boolean }): void {
  const { wire, relay } = ctx.transient
  const call = relay.calls[callId]
  if (wire.fetching !== callId || !call) return
  wire.pages += 1
  if (!hasMore || count === 0 || wire.pages >= mostPages) wire.missed.splice(0, call.topics.length)
  fetchNext(ctx, call.kind === 'fetchOne')
}

/** Nothing came of it: it is asked again. */
export function fetchUnanswered(ctx: Ctx, callId: string, { kind }: FetchCall): void {
  const { wire } = ctx.transient
  if (wire.fetching !== callId) return
  wire.pages += silencePages
  if (wire.pages >= mostPages) wire.missed = []
  fetchNext(ctx, kind === 'fetchOne')
}

/**
 * The relay refused to be asked, or, without an `error`, answered what is no page. What it finds too long it is asked topic by
 * topic; a relay without any way to fetch has pushed everything.
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
  if (isUnknown) learn(ctx, call.kind === 'fetch' ? 'irn_batchFetchMessages' : 'irn_fetchMessages', false)
  const isTooLong = error?.code === invalidParams && call.topics.length > 1
  if ((isUnknown || isTooLong) && call.kind === 'fetch' && !lacks(ctx, 'irn_fetchMessages')) return fetchNext(ctx, true)
  wire.missed = []
}

function fetchNext(ctx: Ctx, oneByOne: boolean): void {
  const { wire, relay } = ctx.transient
  wire.fetching = ''
  if (oneByOne && lacks(ctx, 'irn_fetchMessages')) wire.missed = []
  const topics = wire.missed.slice(0, oneByOne ? 1 : batchSize)
  if (topics.length === 0) return
  const callId = relayCallId(ctx)
  wire.fetching = callId
  relay.calls[callId] = { kind: oneByOne ? 'fetchOne' : 'fetch', topics, at: ctx.at }
  ctx.effect('relay.fetch', { callId, topics, ...(oneByOne && { oneByOne }) }, { after: 'stored' })
}
