/**
 * The situations of an order after each fact.
 *
 * 1. An order ends once.
 * 2. Only the wallet or the chain leads out of `unknown`.
 * 3. The chain overrules a refusal of this page: the wallet may have sent its own copy.
 * 4. Nothing lands that no wallet was asked for, or whose signature is unknown.
 */
import { own } from '../schema/own.ts'
import {
  type AskedOrder,
  type EarlyOrder,
  earlyPhases,
  isAsked,
  isBeforeWallet,
  isMismatched,
  isProved,
  isRefused,
  type Order,
  type OrderPhase,
  type OrderSignature,
  type OrderView,
  provedPhases,
  refusedPhases,
} from './order.ts'
import type { OrderFact } from './orderFacts.ts'

type Phases = readonly OrderPhase[]
/** The wallet has the transaction; the chain has not shown it. */
const out: Phases = ['awaitingSignature', 'signed', 'sending', 'unknown']

type Step = { from: ReadonlySet<OrderPhase>; to?: OrderPhase }
const step = (to: OrderPhase, ...from: readonly Phases[]): Step => ({ from: new Set(from.flat()), to })

type Later = Exclude<OrderFact, { type: 'order.drafted' }>
const steps: { [T in Later['type']]: Step } = {
  'order.quoted': step('quoted', ['drafted']),
  'order.accepted': step('accepted', ['quoted']),
  'order.built': step('built', ['accepted', 'built', 'simulated', 'pressAwaited']),
  'order.simulated': step('simulated', ['built']),
  'order.pressAwaited': step('pressAwaited', ['simulated', 'awaitingSignature']),
  'order.asked': step('awaitingSignature', ['simulated', 'pressAwaited']),
  'order.signed': step('signed', out, ['seen', 'confirmed']),
  'order.sending': step('sending', ['signed']),
  'order.seen': step('seen', out, refusedPhases),
  'order.progressed': { from: new Set(['sending', 'confirmed', 'unknown']) },
  'order.confirmed': step('confirmed', out, refusedPhases, ['seen']),
  'order.finalised': step('finalised', out, refusedPhases, ['seen', 'confirmed', 'expired']),
  'order.accounted': step('accounted', ['finalised']),
  'order.disputed': { from: new Set([...out, ...refusedPhases, 'seen', 'confirmed']) },
  'order.unanswered': { from: new Set([...out, ...refusedPhases, 'seen', 'confirmed']) },
  'order.unseen': step('sending', ['seen', 'confirmed']),
  'order.rejected': step('rejected', ['awaitingSignature', 'unknown']),
  'order.simulationFailed': step('simulationFailed', earlyPhases),
  'order.gateRefused': step('gateRefused', earlyPhases, ['awaitingSignature', 'signed', 'unknown']),
  'order.expired': step('expired', out),
  'order.failedOnChain': step('failedOnChain', out, refusedPhases, ['seen', 'confirmed']),
  'order.abandoned': step('abandoned', earlyPhases),
  'order.unknown': step('unknown', ['awaitingSignature', 'signed', 'sending']),
  'order.mismatched': step('unknown', out, refusedPhases, ['seen', 'confirmed', 'expired']),
  'order.dismissed': { from: new Set([...refusedPhases, ...provedPhases, 'finalised', 'accounted']) },
}

export function foldOrder(model: { order: OrderView }, fact: OrderFact & { at: number }): void {
  const { orderId } = fact.data
  const order = own(model.order, orderId)
  if (fact.type === 'order.drafted') {
    if (!order) model.order[orderId] = { ...fact.data, phase: 'drafted', times: { drafted: fact.at } }
    return
  }
  if (!order) return
  const { from, to } = (steps[fact.type] as Step | undefined) ?? nowhere
  const isLanding = fact.type === 'order.finalised' || fact.type === 'order.mismatched'
  // A proof of expiry is only as good as its endpoints; a landing refutes it
  const isNext = from.has(order.phase) && (isLanding || !isProved(order))
  const next = isNext ? after(order, fact) : aside(order, fact)
  if (!next) return
  model.order[orderId] = to && isNext ? { ...next, times: { ...order.times, [to]: fact.at } } : next
}

/** A newer build's fact. */
const nowhere: Step = { from: new Set() }

/** @returns an order that stays in its phase: a refused one learns its signature, or that no landing can come */
function aside(order: Order, fact: Later): Order | undefined {
  if (fact.type === 'order.dismissed') return isProved(order) || isMismatched(order) ? putAway(order) : undefined
  if (!isRefused(order) || !isAsked(order) || order.proof) return undefined
  if (fact.type === 'order.expired') return { ...order, proof: proofOf(fact.data) }
  const signed = fact.type === 'order.signed' && signatureAfter(order.signed, fact.data)
  return signed ? { ...order, signed } : undefined
}

/** @returns the order in the fact's situation; undefined where it lacks what that situation needs, or learns nothing */
function after(order: Order, fact: Later): Order | undefined {
  switch (fact.type) {
    case 'order.dismissed':
      return putAway(order)
    case 'order.simulationFailed':
      return isBeforeWallet(order) ? { ...order, phase: 'simulationFailed', failure: fact.data.failure } : undefined
    case 'order.abandoned':
      return isBeforeWallet(order) ? { ...order, phase: 'abandoned', failure: fact.data.failure } : undefined
    case 'order.gateRefused': {
      const { orderId: _, ...end } = fact.data
      if (isBeforeWallet(order)) return { ...order, phase: 'gateRefused', ...end }
      return isAsked(order) ? { ...askedOf(order), ...signedOf(order), phase: 'gateRefused', ...end } : undefined
    }
    default:
      return isBeforeWallet(order) ? prepared(order, fact) : isAsked(order) ? asked(order, fact) : undefined
  }
}

/** Up to the wallet's prompt. */
function prepared(order: EarlyOrder, fact: Later): Order | undefined {
  switch (fact.type) {
    case 'order.quoted': {
      const { orderId: _, ...quote } = fact.data
      return { ...order, phase: 'quoted', quote }
    }
    case 'order.accepted': {
      const { orderId: _, ...accepted } = fact.data
      return order.phase === 'quoted' ? { ...order, phase: 'accepted', accepted } : undefined
    }
    case 'order.built': {
      const { orderId: _, ...built } = fact.data
      return 'accepted' in order ? { ...order, phase: 'built', built } : undefined
    }
    case 'order.simulated':
    case 'order.pressAwaited':
      return 'built' in order
        ? { ...order, phase: fact.type === 'order.simulated' ? 'simulated' : 'pressAwaited' }
        : undefined
    case 'order.asked': {
      const { orderId: _, ...ask } = fact.data
      return 'built' in order ? { ...order, phase: 'awaitingSignature', ask } : undefined
    }
    default:
      return undefined
  }
}

/** From the wallet's prompt on. */
function asked(order: AskedOrder, fact: Later): Order | undefined {
  const known = askedOf(order)
  switch (fact.type) {
    case 'order.pressAwaited': {
      const { quote, accepted, built, ask } = order
      return { ...draftOf(order), phase: 'pressAwaited', quote, accepted, built, ask }
    }
    case 'order.signed': {
      const signed = signatureAfter(signedOf(order).signed, fact.data)
      return signed && { ...known, phase: 'signed', signed }
    }
    case 'order.rejected':
      return { ...known, ...signedOf(order), phase: 'rejected', failure: fact.data.failure }
    case 'order.unknown':
      return { ...known, ...signedOf(order), phase: 'unknown', failure: fact.data.failure }
    case 'order.expired':
      return { ...known, ...signedOf(order), phase: 'expired', proof: proofOf(fact.data) }
    case 'order.mismatched': {
      const { signature, failure, differences } = fact.data
      const { dismissed: _, ...unread } = known
      return { ...unread, phase: 'unknown', alarm: { signature, differences }, signed: { signature }, failure }
    }
    case 'order.progressed': {
      const { height, nodeSlot } = fact.data
      const isKnown = order.progress?.height === height && order.progress.nodeSlot === nodeSlot
      return isKnown ? undefined : { ...order, progress: { height, nodeSlot } }
    }
    case 'order.disputed': {
      const { lying: _, ...undisputed } = order
      return fact.data.lying > 0 ? { ...order, lying: fact.data.lying } : undisputed
    }
    case 'order.unanswered': {
      const { silent: _, ...answered } = order
      return fact.data.hosts.length > 0 ? { ...order, silent: fact.data.hosts } : answered
    }
    default:
      return landing(order, fact)
  }
}

/** From the signature to the end: each of these situations has one. */
function landing(order: AskedOrder, fact: Later): Order | undefined {
  const { signed } = signedOf(order)
  const known = askedOf(order)
  if (fact.type === 'order.finalised') {
    const { slot, finalBy, signature } = fact.data
    const its = signature === undefined ? signed : (signatureAfter(signed, { signature }) ?? signed)
    if (!its) return undefined
    return { ...known, phase: 'finalised', signed: its, slot, ...(finalBy !== undefined && { finalBy }) }
  }
  if (!signed) return undefined
  switch (fact.type) {
    case 'order.sending':
    case 'order.unseen':
      return { ...known, phase: 'sending', signed }
    case 'order.seen':
      return { ...known, phase: 'seen', signed, slot: fact.data.slot }
    case 'order.confirmed':
      return { ...known, phase: 'confirmed', signed, slot: fact.data.slot }
    case 'order.failedOnChain':
      return { ...known, phase: 'failedOnChain', signed, slot: fact.data.slot, failure: fact.data.failure }
    case 'order.accounted':
      return order.phase === 'finalised' ? { ...order, phase: 'accounted' } : undefined
    default:
      return undefined
  }
}

function putAway(order: Order): Order | undefined {
  return order.dismissed ? undefined : { ...order, dismissed: true }
}

/** @returns the parts of every situation */
function draftOf(order: Order) {
  const { orderId, account, connectionId, walletName, peerName, asset, units, times, dismissed } = order
  const draft = { orderId, account, connectionId, walletName, asset, units, times }
  return { ...draft, ...(peerName !== undefined && { peerName }), ...(dismissed && { dismissed }) }
}

/** @returns the parts of every situation after the prompt */
function askedOf(order: AskedOrder) {
  const { quote, accepted, built, ask, progress, lying, silent, alarm } = order
  const found = {
    ...(progress && { progress }),
    ...(lying !== undefined && { lying }),
    ...(silent && { silent }),
    ...(alarm && { alarm }),
  }
  return { ...draftOf(order), quote, accepted, built, ask, ...found }
}

function signedOf(order: AskedOrder): { signed?: OrderSignature } {
  return 'signed' in order && order.signed ? { signed: order.signed } : {}
}

/** @returns undefined when nothing new came. With another signature than the known one, the bytes held here are not its bytes */
function signatureAfter(
  known: OrderSignature | undefined,
  { signature, bytesRef = known?.signature === signature ? known.bytesRef : undefined }: OrderSignature,
): OrderSignature | undefined {
  if (known?.signature === signature && known.bytesRef === bytesRef) return undefined
  return bytesRef === undefined ? { signature } : { signature, bytesRef }
}

/** Earlier builds asked one endpoint. */
function proofOf({ providers = 1 }: { providers?: number }): { providers: number } {
  return { providers }
}
