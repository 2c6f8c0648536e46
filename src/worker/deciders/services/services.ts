/**
 * Calls of the Blockchain API.
 *
 * 1. Of equal asks one is under way at a time; an answer serves again while it is fresh, a failure while it rests.
 * 2. A call that needs a network waits until the list of served networks is known. A list that cannot be read serves none.
 *    An answer that stands in has a failure beside it: `unsupported`, or that of the list, which leaves an earlier answer standing.
 * 3. Every ask ends once, as answered or failed; one that a core leaves behind fails when the next one begins.
 */
import { serviceAsk } from '../../../events/subjects/service/serviceShapes.ts'
import {
  askKey,
  entriesKept,
  type ServiceAnswer,
  type ServiceAsk,
  type ServiceEntry,
} from '../../../events/subjects/service/service.ts'
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { isUnderWay } from '../order/underWay.ts'
import { serviceRules } from './serviceRules.ts'

const chainsAsk: ServiceAsk = { call: 'supportedChains' }

export const services: Decider = {
  'service.ask': (ctx, { ask: asked }) => {
    const ask = inOrder(asked)
    // A key holds a colon, so no record has it from its prototype
    const entry = ctx.model.service[askKey(ask)]
    if (entry?.isAsked) return ctx.fact('service.reused', { callId: entry.callId, ageMs: 0 })
    if (entry && isFresh(ctx, entry) && (entry.failure || !('forceUpdate' in ask)))
      return ctx.fact('service.reused', { callId: entry.callId, ageMs: ctx.at - entry.at })
    const callId = ctx.id('service')
    if (entriesOf(ctx).filter(one => one.isAsked && one.ask.call === ask.call).length >= entriesKept) {
      const message = `${ask.call} expected fewer than ${entriesKept} calls under way, got one more`
      return ctx.fact('service.failed', { callId, failure: { code: 'busy', message } })
    }
    ctx.fact('service.asked', { callId, ask })
    if (serviceRules[ask.call].elsewhere === undefined) return order(ctx, callId, ask)
    const chains = own(ctx.model.service, askKey(chainsAsk))
    if (chains?.isAsked) return
    if (chains && isFresh(ctx, chains)) return begin(ctx, callId, ask, chains.answer)
    const chainsId = ctx.id('service')
    ctx.fact('service.asked', { callId: chainsId, ask: chainsAsk })
    order(ctx, chainsId, chainsAsk)
  },
  'service.answered': (ctx, { answer, failure }) => {
    if (!ctx.cause) return
    ctx.fact('service.answered', { callId: ctx.cause.about, answer, ...(failure && { failure }) })
    if (answer.call === 'supportedChains') goOn(ctx, answer)
  },
  'service.refused': (ctx, { failure, reasons }) => ctx.cause && failed(ctx, failure, ctx.cause.about, reasons),
  failed: { 'service.call': (ctx, failure, callId) => failed(ctx, failure, callId) },
  resume: ctx => {
    const failure = { code: 'core_lost', message: 'the call was interrupted' } as const
    for (const { callId, isAsked } of entriesOf(ctx)) if (isAsked) ctx.fact('service.failed', { callId, failure })
  },
}

/** @returns the ask with its parameters in the order of their definition, in which a checkpoint restores them */
function inOrder(ask: ServiceAsk): ServiceAsk {
  const names = Object.keys(serviceAsk.variants?.of[ask.call] ?? {})
  const parameters: Readonly<Record<string, unknown>> = ask
  const given = names.filter(name => parameters[name] !== undefined).map(name => [name, parameters[name]])
  return { call: ask.call, ...Object.fromEntries(given) } as ServiceAsk
}

function entriesOf(ctx: Ctx): ServiceEntry[] {
  return Object.values(ctx.model.service)
}

function order(ctx: Ctx, callId: string, ask: ServiceAsk): void {
  ctx.effect('service.call', { ask }, { about: callId })
}

/** A clock that went back makes nothing fresh. An empty list of networks is read again. */
function isFresh(ctx: Ctx, { ask, answer, failure, at, readAt }: ServiceEntry): boolean {
  const { ms = 0, rests } = serviceRules[ask.call]
  const isVoid = answer?.call === 'supportedChains' && answer.http.length === 0
  const age = ctx.at - (failure ? at : readAt)
  return (failure ? rests === true : answer !== undefined && !isVoid) && age >= 0 && age <= ms
}

function standsIn({ failure, at, readAt }: ServiceEntry): boolean {
  return failure !== undefined && at === readAt
}

const notServed: Failure = { code: 'unsupported', message: 'the API expected a network that it serves, got another' }

/** Orders a call whose network is served, and ends it where it is not. */
function begin(ctx: Ctx, callId: string, ask: ServiceAsk, chains?: ServiceAnswer, failure = notServed): void {
  const { network } = ctx.model
  const { elsewhere, toast } = serviceRules[ask.call]
  const chain = ('chainId' in ask && ask.chainId) || (network.phase === 'identified' ? network.caip2 : '')
  if (chains?.call === 'supportedChains' && chains.http.includes(chain)) return order(ctx, callId, ask)
  if (typeof elsewhere === 'string')
    return ctx.fact('service.failed', { callId, failure: { code: 'unsupported', message: elsewhere } })
  const known = own(ctx.model.service, askKey(ask))
  if (failure !== notServed && known?.answer && !standsIn(known)) return failed(ctx, failure, callId)
  // The table has each call's own
  const answer = { call: ask.call, ...elsewhere } as ServiceAnswer
  ctx.fact('service.answered', { callId, answer, failure, ...(toast !== undefined && { toast }) })
}

/** Goes on with the calls that waited for the list of networks. @param failure why there is no list */
function goOn(ctx: Ctx, chains?: ServiceAnswer, failure?: Failure): void {
  for (const { callId, ask, isAsked } of entriesOf(ctx))
    if (isAsked && ask.call !== 'supportedChains' && !isUnderWay(ctx, 'service.call', callId))
      begin(ctx, callId, ask, chains, failure)
}

function failed(ctx: Ctx, failure: Failure, callId: string, reasons?: string[]): void {
  const { ask } = entriesOf(ctx).find(one => one.callId === callId) ?? {}
  if (!ask) return
  const toast = ask.call === 'history' ? 'Failed to fetch transactions' : serviceRules[ask.call].toast
  ctx.fact('service.failed', { callId, failure, ...(reasons && { reasons }), ...(toast !== undefined && { toast }) })
  if (ask.call === 'supportedChains') goOn(ctx, undefined, failure)
}
