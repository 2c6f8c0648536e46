/**
 * Analytics: events of pages and of the core's own facts, sent batch by batch once the visitor and the project allow it.
 *
 * 1. It does nothing without `analytics` in the boot, so a core without it needs no such decider.
 * 2. Nothing is queued or sent before consent but `INITIALIZE`, which waits.
 * 3. It hears facts at the end of their step; no other decider knows of it.
 */
import { eventIdOf } from '../../events/analytics/eventId.ts'
import type { ErrorCategory } from '../../events/analytics/categories.ts'
import { consentOf, leavingEvents } from '../../events/analytics/leaving.ts'
import { admitReport } from '../../events/analytics/limits.ts'
import { gateOf, keptAfterFailure, refusalAfter } from '../../events/analytics/rules.ts'
import type { CoreSideFact } from '../../events/app.ts'
import {
  type AnalyticsView,
  isReport,
  noAnalytics,
  type WaitingEvent,
} from '../../events/subjects/service/analytics.ts'
import { isAsked, isSend } from '../../events/subjects/order/order.ts'
import type { Failure } from '../../runtime/failure.ts'
import { platformsOf } from '../../events/values/platforms.ts'
import { own } from '../../runtime/schema/own.ts'
import type { Ctx, Decider } from '../core/context.ts'
import { isUnderWay } from './order/underWay.ts'
import { anyVisible } from './page.ts'

/** Events of one moment go together, ms. */
const togetherMs = 250
const batchSize = 20
/** Rest after a failure: doubled with each, up to an hour, ms. */
const restMs = 60_000
const mostRests = 7
/** Longest rest that the service may ask for, ms. */
const mostAskedMs = 86_400_000

type Said = Omit<WaitingEvent, 'eventId' | 'at'>

function viewOf(ctx: Ctx): AnalyticsView {
  return ctx.model.analytics ?? noAnalytics
}

function scratch(ctx: Ctx) {
  ctx.transient.analytics ??= { batch: [], failures: 0, restsUntil: 0 }
  return ctx.transient.analytics
}

/** Queues an event or a report that may leave, now or after consent. */
function queue(ctx: Ctx, said: Said): void {
  const terms = ctx.boot.analytics
  if (!terms) return
  const view = viewOf(ctx)
  const { event } = said
  if (isReport(said) && !admitReport(view.reports, ctx.at).isAdmitted) return
  const isOff = view.switched?.life === ctx.boot.life && !view.switched.isOn
  const isEnabled = isReport(said) ? terms.reports === true : terms.tracks === true && !isOff
  if (gateOf(event, { consent: consentOf(view, terms), isEnabled }) === 'drop') return
  ctx.fact('analytics.queued', { eventId: eventIdOf(below => ctx.random(below)), ...said })
  sendSoon(ctx)
}

function sendSoon(ctx: Ctx): void {
  const at = Math.max(ctx.at + togetherMs, scratch(ctx).restsUntil)
  ctx.effect('timer.set', { timerId: 'analytics:send', at })
}

/** Sends the oldest events that may leave; the switch of the project is read before the first. */
function send(ctx: Ctx): void {
  const terms = ctx.boot.analytics
  // All of these come back here: the answers, a page that is looked at, the network
  if (!terms || !anyVisible(ctx) || !ctx.model.network.online || isSending(ctx)) return
  const { events, asks } = leavingEvents(viewOf(ctx), terms, ctx.boot.life)
  if (asks) ctx.effect('pulse.readSwitch', {})
  else sendBatch(ctx, events.slice(0, batchSize))
}

/**
 * The page is hidden and may never come back: sends all that may leave, in one request.
 *
 * @param gone ids of events that this step takes off the model
 */
function sendAtOnce(ctx: Ctx, gone: readonly string[]): void {
  const terms = ctx.boot.analytics
  if (!terms || !ctx.model.network.online || isSending(ctx) || ctx.at < scratch(ctx).restsUntil) return
  const { events } = leavingEvents(viewOf(ctx), terms, ctx.boot.life)
  const left = events.filter(({ eventId }) => !gone.includes(eventId))
  sendBatch(ctx, left, true)
}

function isSending(ctx: Ctx): boolean {
  return isUnderWay(ctx, 'pulse.send', '') || isUnderWay(ctx, 'pulse.readSwitch', '')
}

function sendBatch(ctx: Ctx, events: WaitingEvent[], atOnce = false): void {
  if (events.length === 0) return
  scratch(ctx).batch = events.map(({ eventId }) => eventId)
  ctx.effect('pulse.send', { events, genesisHash: ctx.boot.genesisHash, ...(atOnce && { atOnce }) })
}

/** Something may have changed for events that wait. */
function goOn(ctx: Ctx): void {
  if (ctx.boot.analytics && viewOf(ctx).waiting.length > 0) sendSoon(ctx)
}

function failed(ctx: Ctx, failure: Failure): void {
  const memory = scratch(ctx)
  const { batch } = memory
  const kept = keptAfterFailure(batch, failure)
  const count = Number(failure.facts?.sent ?? 0)
  const sent = batch.slice(0, count)
  if (sent.length > 0) ctx.fact('analytics.sent', { eventIds: sent })
  const wasRefused = sent.length === 0 && viewOf(ctx).refused === true
  const { notifies } = refusalAfter(wasRefused, failure)
  const eventIds = batch.slice(count).filter(id => !kept.includes(id))
  ctx.fact('analytics.failed', { failure, eventIds, ...(notifies && { refused: true }) })
  memory.batch = []
  memory.failures = Math.min(memory.failures + 1, mostRests)
  const asked = Math.min(Number(failure.facts?.retryAfterMs ?? 0), mostAskedMs)
  memory.restsUntil = ctx.at + Math.max(asked, restMs * 2 ** (memory.failures - 1))
  sendSoon(ctx)
}

/** Failures of services that are worth a report; a network that is away is none. */
function reportFailure(ctx: Ctx, { code, message, facts }: Failure): void {
  const event = facts?.status !== undefined ? 'API_ERROR' : code === 'bad_response' ? 'DATA_PARSING_ERROR' : undefined
  if (event) report(ctx, event, message)
}

function report(ctx: Ctx, event: ErrorCategory, errorMessage: string): void {
  queue(ctx, { event, errorType: 'AppKitError', errorMessage })
}

type Tellings = { [T in CoreSideFact['type']]?: (ctx: Ctx, data: Extract<CoreSideFact, { type: T }>['data']) => void }

/** Events and reports by the facts that they tell of. */
const tellings: Tellings = {
  'connection.made': (ctx, { attemptId, connector, wallet: { name } }) =>
    queue(ctx, { event: 'CONNECT_SUCCESS', name, method: methodOf(ctx, connector, attemptId) }),
  'connection.settled': (ctx, { attemptId }) => {
    const { attempt } = ctx.model.connection
    const name = attempt.phase === 'none' ? '' : attempt.wallet.name
    queue(ctx, { event: 'CONNECT_SUCCESS', name, method: methodOf(ctx, 'walletConnect', attemptId) })
  },
  'connection.failed': (ctx, { attemptId, failure: { message } }) => {
    queue(ctx, { event: 'CONNECT_ERROR', message })
    const link = chosenLink(ctx, attemptId)
    const { attempt } = ctx.model.connection
    if (link === undefined || attempt.phase === 'none') return
    queue(ctx, { event: 'CONNECT_PROXY_ERROR', message, mobile_link: link, name: attempt.wallet.name })
  },
  'connection.ended': (ctx, { by }) => {
    if (by === 'person') queue(ctx, { event: 'DISCONNECT_SUCCESS', namespace: 'solana' })
  },
  'auth.done': (ctx, { authId }) => toldSignIn(ctx, 'SIWX_AUTH_SUCCESS', authId),
  'auth.failed': (ctx, { authId }) => toldSignIn(ctx, 'SIWX_AUTH_ERROR', authId),
  'service.asked': (ctx, { ask }) => {
    if (ask.call === 'history' && ask.cursor !== undefined) toldHistory(ctx, 'LOAD_MORE_TRANSACTIONS', ask)
  },
  'service.failed': (ctx, { callId, failure }) => {
    const entry = Object.values(ctx.model.service).find(one => one.callId === callId)
    // The first of a row, and none for a core that was lost meanwhile
    if (!entry || entry.failure || failure.code === 'core_lost') return
    if (entry.ask.call === 'history') toldHistory(ctx, 'ERROR_FETCH_TRANSACTIONS', entry.ask)
    reportFailure(ctx, failure)
  },
  'project.refused': (ctx, { code, title }) => report(ctx, 'API_ERROR', `${code}: ${title}`),
  'order.asked': (ctx, { orderId }) => toldSend(ctx, 'SEND_INITIATED', orderId),
  'order.confirmed': (ctx, { orderId }) => toldSend(ctx, 'SEND_SUCCESS', orderId),
  'order.rejected': (ctx, { orderId, failure }) => toldSend(ctx, 'SEND_ERROR', orderId, failure.message),
  'order.gateRefused': (ctx, { orderId, failure }) => toldSend(ctx, 'SEND_ERROR', orderId, failure.message),
  'order.mismatched': (ctx, { orderId, failure }) => toldSend(ctx, 'SEND_ERROR', orderId, failure.message),
  'order.failedOnChain': (ctx, { orderId, failure }) => toldSend(ctx, 'SEND_ERROR', orderId, failure.message),
  'order.expired': (ctx, { orderId }) => toldSend(ctx, 'SEND_ERROR', orderId, 'the transaction expired'),
  'core.faulted': (ctx, { message }) => report(ctx, 'INTERNAL_SDK_ERROR', message),
  'core.inputSetAside': (ctx, { input }) => report(ctx, 'INTERNAL_SDK_ERROR', `${input} was quarantined`),
  'listing.failed': (ctx, { failure }) => reportFailure(ctx, failure),
  'sale.termsRefused': (ctx, { failure }) => reportFailure(ctx, failure),
  'sale.legalFailed': (ctx, { failure }) => reportFailure(ctx, failure),
  'sale.accessFailed': (ctx, { failure }) => reportFailure(ctx, failure),
  // The first of a row
  'sale.unreachable': (ctx, { failure }) => {
    if (!ctx.model.sale.stale) reportFailure(ctx, failure)
  },
  'balance.failed': (ctx, { account, failure }) => {
    if (own(ctx.model.balance, account)?.failure === undefined) reportFailure(ctx, failure)
  },
}

/** The link by which the visitor opened the wallet of an attempt. */
function chosenLink(ctx: Ctx, attemptId: string): string | undefined {
  const pairing = Object.values(ctx.model.pairing.open).find(open => open.attemptId === attemptId)
  return pairing && own(ctx.model.link.chosen, pairing.pairingTopic)
}

function methodOf(ctx: Ctx, connector: 'installed' | 'walletConnect', attemptId: string) {
  if (connector === 'installed') return 'browser'
  return chosenLink(ctx, attemptId) === undefined ? 'qrcode' : 'mobile'
}

/** The page tells whether it is a phone; by which way a wallet is reached is known by the directory's entry. */
function wayOf({ model: { listing } }: Ctx, { name, platform }: Said): Pick<Said, 'way'> {
  if (platform !== 'qrcode' && platform !== 'mobile') return {}
  const { featured, top, all, found } = listing
  const known = [...featured, ...(top?.wallets ?? []), ...all.wallets, ...found.wallets]
  const [first] = platformsOf(
    known.find(listed => listed.name === name),
    platform === 'mobile',
  )
  return first === 'web' || first === 'desktop' || first === 'unsupported' ? { way: first } : {}
}

function toldSignIn(ctx: Ctx, event: 'SIWX_AUTH_SUCCESS' | 'SIWX_AUTH_ERROR', authId: string): void {
  const network = own(ctx.model.auth, authId)?.asked.chains[0]
  queue(ctx, { event, isSmartAccount: false, ...(network !== undefined && { network }) })
}

/** Tells of a page of the account's history; the account itself stays on the device. */
function toldHistory(
  ctx: Ctx,
  event: 'ERROR_FETCH_TRANSACTIONS' | 'LOAD_MORE_TRANSACTIONS',
  { cursor }: { cursor?: string },
): void {
  queue(ctx, { event, isSmartAccount: false, ...(cursor !== undefined && { cursor }) })
}

/** Tells how a transfer goes on from the request to its wallet; `ctx.model` is without this step's facts. A purchase has no event. */
function toldSend(
  ctx: Ctx,
  event: 'SEND_INITIATED' | 'SEND_SUCCESS' | 'SEND_ERROR',
  id: string,
  message?: string,
): void {
  const order = own(ctx.model.order, id)
  const { network } = ctx.model
  if (!order || !isSend(order) || network.phase !== 'identified') return
  if (event !== 'SEND_INITIATED' && !isAsked(order)) return
  queue(ctx, {
    event,
    isSmartAccount: false,
    network: network.caip2,
    // Neither mint nor amount is told: they would lead to the payment
    token: order.asset === 'SOL' ? 'SOL' : 'SPL',
    ...(message !== undefined && { message }),
  })
}

export const analytics: Decider = {
  'analytics.consent': (ctx, { given }) => {
    const isSame = viewOf(ctx).consent === (given ? 'given' : 'refused')
    if (!ctx.boot.analytics || isSame) return
    const eventIds = given ? [] : viewOf(ctx).waiting.map(({ eventId }) => eventId)
    ctx.fact('analytics.consented', { given, eventIds })
    if (given) goOn(ctx)
  },
  'analytics.track': (ctx, said) =>
    queue(ctx, said.event === 'SELECT_WALLET' ? { ...said, ...wayOf(ctx, said) } : said),
  'analytics.report': (ctx, { errorMessage }) => report(ctx, 'INTERNAL_SDK_ERROR', errorMessage),
  // One with a problem is told by it
  'project.failed': (ctx, { failure, problem }) => {
    if (!problem) reportFailure(ctx, failure)
  },
  'pulse.switched': (ctx, { isOn }) => switched(ctx, isOn),
  'pulse.sent': (ctx, { count }) => {
    const eventIds = scratch(ctx).batch.slice(0, count)
    ctx.fact('analytics.sent', { eventIds })
    ctx.transient.analytics = { batch: [], failures: 0, restsUntil: 0 }
    if (viewOf(ctx).waiting.length <= count) return
    if (anyVisible(ctx)) sendSoon(ctx)
    else sendAtOnce(ctx, eventIds)
  },
  'page.online': (ctx, { online }) => {
    if (!ctx.boot.analytics || !online) return
    // The failures before say nothing of the network that is here now
    scratch(ctx).restsUntil = 0
    goOn(ctx)
  },
  'page.visible': (ctx, { visible }) => (visible ? goOn(ctx) : sendAtOnce(ctx, [])),
  'page.attached': goOn,
  failed: {
    'pulse.send': failed,
    'pulse.readSwitch': ctx => switched(ctx, false),
  },
  timers: { analytics: send },
  stepped: (ctx, facts) => {
    if (!ctx.boot.analytics) return
    for (const { type, data } of facts as readonly CoreSideFact[]) {
      const tell = tellings[type] as ((ctx: Ctx, data: unknown) => void) | undefined
      tell?.(ctx, data)
    }
  },
}

function switched(ctx: Ctx, isOn: boolean): void {
  const off = viewOf(ctx).waiting.filter(waiting => !isOn && waiting.event !== 'INITIALIZE' && !isReport(waiting))
  ctx.fact('analytics.switched', { isOn, eventIds: off.map(({ eventId }) => eventId) })
  sendSoon(ctx)
}
