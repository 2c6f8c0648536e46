/**
 * Wallets' own links: opened with a request that is with the relay, if that is how the person reached the wallet, and with
 * whole messages in them where both sides do without a relay. A page opens each once.
 */
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import { messagePurposeIn } from '../../../events/values/reference.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { failAuth } from './authEnd.ts'
import { hasTurn, learnApp, queueLink, wantedLink } from './linkMode.ts'
import type { Message } from '../relay/mail.ts'
import { drop, giveUp, isMoot, maybeTaken, taken } from '../relay/outbox.ts'
import { visibleTab } from '../page.ts'
import { failNotAsked } from '../request/request.ts'
import { isUnderWay } from '../order/underWay.ts'

/** Opens the wallet of a request that the relay has just taken. */
export function wake(ctx: Ctx, requestId: string): void {
  const request = own(ctx.model.request, requestId)
  // The relay took it a second time, or it is answered: the wallet has nothing to show
  if (request?.phase !== 'sent') return
  const { sessionTopic } = request
  const session = sessionTopic === undefined ? undefined : own(ctx.model.session, sessionTopic)
  const link = session && own(ctx.model.link.chosen, session.pairingTopic)
  const tab = visibleTab(ctx)
  if (link === undefined || sessionTopic === undefined || session?.disableDeepLink || tab === undefined) return
  ctx.effect('link.open', { link, requestId, sessionTopic }, { after: 'written', tab, about: requestId })
}

/** Opens the link with a message in it where somebody looks; until then it waits. */
function open(ctx: Ctx, callId: string): void {
  const outgoing = own(ctx.model.outbox, callId)
  if (outgoing?.universal === undefined || isUnderWay(ctx, 'link.send', callId)) return
  if (isMoot(ctx, outgoing)) return drop(ctx, callId)
  if (outgoing.expiresAt <= ctx.at) return giveUp(ctx, callId, tooLate)
  const tab = visibleTab(ctx)
  if (tab === undefined) return
  // Timers of a device that slept fire all at once
  if (!hasTurn(ctx)) return queueLink(ctx, callId)
  const { topic, messageRef, universal } = outgoing
  ctx.effect('link.send', { callId, topic, messageRef, universal }, { after: 'stored', tab, about: callId })
}

/** Somebody looks again: what waited for that gets its turn. */
function openWaiting(ctx: Ctx): void {
  for (const { callId, universal } of Object.values(ctx.model.outbox))
    if (universal !== undefined && !isUnderWay(ctx, 'link.send', callId)) queueLink(ctx, callId)
}

/** No wallet is opened: the request or sign-in it was for fails. */
function unopened(ctx: Ctx, callId: string, failure: Failure = refused): void {
  const purpose = messagePurposeIn(own(ctx.model.outbox, callId)?.purpose)
  giveUp(ctx, callId, failure)
  if (purpose?.kind === 'request') failNotAsked(ctx, purpose.id, failure)
  if (purpose?.kind === 'auth') failAuth(ctx, purpose.id, failure)
}

const tooLate = { code: 'expired', message: 'the link was not opened before its time ran out' } as const
const refused = { code: 'bad_input', message: 'the wallet’s link opens no wallet' } as const
const maybeOpened = { code: 'unknown', message: 'this page was left while the link was being opened' } as const

/** Learns from a delivery, also a repeated one, whether its sender is verified and whether messages go by links. */
export function noteDelivery(ctx: Ctx, { topic, payload, link: byLink }: Message): void {
  const known = own(ctx.model.session, topic)
  // An unopened message may come from anybody, and UNKNOWN does not replace an earlier validation
  const said = payload.kind === 'unopened' || payload.verified === 'UNKNOWN' ? undefined : payload.verified
  if (known && said && said !== known.validation)
    ctx.fact('session.verified', { sessionTopic: topic, validation: said })
  if (!byLink) return
  if (payload.kind === 'unopened') return ctx.fact('link.refused', { message: payload.error?.message ?? '' })
  const session = own(ctx.model.session, topic)
  const universal = wantedLink(ctx, session?.redirect)
  if (!session || universal === undefined) return
  learnApp(ctx, universal)
  if (session.transport !== 'link') ctx.fact('session.switched', { sessionTopic: topic, transport: 'link' })
}

export const link: Decider = {
  'link.choose': (ctx, { pairingTopic, link: chosen }) => {
    if (own(ctx.model.pairing.open, pairingTopic)) ctx.fact('link.chosen', { pairingTopic, link: chosen })
  },
  'link.unread': (ctx, { message }) => ctx.fact('link.refused', { message }),
  'link.opened': ctx => {
    if (ctx.cause?.type === 'link.send') taken(ctx, ctx.cause.about)
    else if (ctx.cause) ctx.fact('link.opened', { requestId: ctx.cause.about })
  },
  'link.skipped': (ctx, { why }) => {
    if (!ctx.cause) return
    const { type, about } = ctx.cause
    if (type !== 'link.send') return ctx.fact('link.skipped', { requestId: about, why })
    if (why === 'again') return taken(ctx, about)
    // Without a look or a press it waits for the next one
    if (why === 'refused') return unopened(ctx, about)
    const outgoing = own(ctx.model.outbox, about)
    if (outgoing) ctx.fact('link.skipped', { requestId: outgoing.payloadId, why })
  },
  // The page that was to open it is gone
  'wallet.failed': ctx => {
    if (ctx.cause?.type === 'link.send') maybeTaken(ctx, ctx.cause.about, maybeOpened)
  },
  'link.retry': openWaiting,
  // The page answered, and what it said was set aside. Only what was not even put together waits for the next look
  failed: {
    'link.send': (ctx, failure, callId) => {
      // A log in memory stays so: nothing is gained by waiting for the next look
      if (failure.facts?.storage === 'memory') return unopened(ctx, callId, failure)
      const isUntried = failure.code === 'storage_down' || failure.code === 'reload_needed'
      if (!isUntried) maybeTaken(ctx, callId, maybeOpened)
    },
  },
  'page.visible': (ctx, { visible }) => {
    if (visible) openWaiting(ctx)
  },
  'page.left': ctx => {
    for (const [effectId, { type, about, tab }] of Object.entries(ctx.transient.asked)) {
      if (type !== 'link.send' || tab === undefined || tab !== ctx.input.tab) continue
      delete ctx.transient.asked[effectId]
      maybeTaken(ctx, about, maybeOpened)
    }
  },
  timers: { link: open },
  resume: ctx => {
    // The page may have opened it: nothing is asked of a wallet twice
    for (const { callId, universal } of Object.values(ctx.model.outbox))
      if (universal !== undefined) maybeTaken(ctx, callId, maybeOpened)
  },
}
