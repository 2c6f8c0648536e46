/**
 * The situations of an order after each fact.
 *
 * 1. An order ends once, but for the signature of a wallet that sends by itself: it may have sent with a blockhash of its own,
 *    of which no proof tells.
 * 2. Only the wallet or the chain leads out of `unknown`.
 * 3. The chain overrules a refusal of this page: the wallet may have sent its own copy.
 * 4. Nothing lands that no wallet was asked for, or whose signature is unknown.
 */
import { own } from '../../../runtime/schema/own.ts'
import {
  type AskedOrder,
  type EarlyOrder,
  earlyPhases,
  isAsked,
  isBeforeWallet,
  isProved,
  isRefused,
  mayBeNamedLate,
  mayPutAway,
  type Order,
  type OrderIn,
  type OrderSignature,
  type OrderView,
  provedPhases,
  refusedPhases,
  searchedPhases,
} from './order.ts'
import type { OrderPhase } from './orderState.ts'
import type { OrderFact } from './orderFacts.ts'

type Phases = readonly OrderPhase[]
/** The wallet has the transaction; the chain has not shown it. */
const out: Phases = ['awaitingSignature', 'signed', 'sending', 'unknown']

type Step = { from: ReadonlySet<OrderPhase>; to?: OrderPhase }
const step = (to: OrderPhase, ...from: readonly Phases[]): Step => ({ from: new Set(from.flat()), to })

type Later = Exclude<OrderFact, { type: 'order.drafted' }>
/** Phases in which the chain is searched. */
const watched: Step = { from: new Set([...searchedPhases, ...refusedPhases]) }

const steps: { [T in Later['type']]: Step } = {
  'order.quoted': step('quoted', ['drafted']),
  'order.accepted': step('accepted', ['quoted']),
  'order.built': step('built', ['accepted', 'built', 'simulated', 'pressAwaited']),
  'order.simulated': step('simulated', ['built']),
  'order.pressAwaited': step('pressAwaited', ['simulated', 'awaitingSignature']),
  'order.asked': step('awaitingSignature', ['simulated', 'pressAwaited']),
  'order.signed': step('signed', out, ['seen', 'confirmed', 'expired']),
  'order.sending': step('sending', ['signed']),
  'order.seen': step('seen', out, refusedPhases),
  'order.progressed': { from: new Set(['sending', 'confirmed', 'unknown']) },
  'order.confirmed': step('confirmed', out, refusedPhases, ['seen']),
  'order.finalised': step('finalised', out, refusedPhases, ['seen', 'confirmed', 'expired']),
  'order.accounted': step('accounted', ['finalised']),
  'order.disputed': watched,
  'order.unanswered': watched,
  'order.unseen': step('sending', ['seen', 'confirmed']),
  'order.rejected': step('rejected', ['awaitingSignature', 'unknown']),
  'order.simulationFailed': step('simulationFailed', earlyPhases),
  'order.gateRefused': step('gateRefused', earlyPhases, ['awaitingSignature', 'signed', 'unknown']),
  'order.expired': step('expired', out),
  'order.failedOnChain': step('failedOnChain', out, refusedPhases, ['seen', 'confirmed']),
  'order.abandoned': step('abandoned', earlyPhases),
  'order.unknown': step('unknown', out),
  'order.mismatched': step('unknown', out, refusedPhases, ['seen', 'confirmed', 'expired']),
  'order.dismissed': { from: new Set([...refusedPhases, ...provedPhases, 'finalised', 'accounted']) },
}

export function foldOrder(model: { order: OrderView }, fact: OrderFact & { at: number }): void {
  const { orderId } = fact.data
  const order = own(model.order, orderId)
  if (fact.type === 'order.drafted') {
    if (!order) model.order[orderId] = { phase: 'drafted', times: { drafted: fact.at }, ...fact.data }
    return
  }
  if (!order) return
  const { from, to } = (steps[fact.type] as Step | undefined) ?? nowhere
  const isLanding = fact.type === 'order.finalised' || fact.type === 'order.mismatched'
  // A proof of expiry is only as good as its endpoints; a landing refutes it
  const isNext = from.has(order.phase) && (isLanding || !isProved(order) || namesLate(order, fact))
  const next = isNext ? after(order, fact) : aside(order, fact)
  if (!next) return
  model.order[orderId] = to && isNext ? { ...next, times: { ...order.times, [to]: fact.at } } : next
}

/** @returns whether the fact is the first signature of an order that its wallet sends, after its end was proved */
function namesLate(order: Order, fact: Later): boolean {
  return fact.type === 'order.signed' && mayBeNamedLate(order)
}

/** A newer build's fact. */
const nowhere: Step = { from: new Set() }

/** @returns an order that stays in its phase: a refused one learns its signature, or that no landing can come */
function aside(order: Order, fact: Later): Order | undefined {
  if (fact.type === 'order.dismissed') return mayPutAway(order) ? putAway(order) : undefined
  if (!isRefused(order) || !isAsked(order)) return undefined
  if (fact.type === 'order.signed' && namesLate(order, fact)) {
    const { proof: _, ...unproved } = order
    return { ...onShow(unproved), signed: { signature: fact.data.signature } }
  }
  if (order.proof) return undefined
  if (fact.type === 'order.expired') return { ...order, proof: proofOf(fact.data) }
  const signed = fact.type === 'order.signed' && signatureAfter(order.signed, fact.data)
  return signed ? { ...order, signed } : undefined
}

/** @returns the order in the fact's situation; undefined where it lacks what that situation needs, or learns nothing */
function after(order: Order, fact: Later): Order | undefined {
  if (fact.type === 'order.dismissed') return putAway(order)
  return isBeforeWallet(order) ? prepared(order, fact) : isAsked(order) ? asked(order, fact) : undefined
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
    case 'order.gateRefused': {
      const { orderId: _, ...end } = fact.data
      return { ...order, phase: 'gateRefused', ...end }
    }
    case 'order.simulationFailed':
      return { ...order, phase: 'simulationFailed', failure: fact.data.failure }
    case 'order.abandoned':
      return { ...order, phase: 'abandoned', failure: fact.data.failure }
    default:
      return undefined
  }
}

/** From the wallet's prompt on. */
function asked(order: AskedOrder, fact: Later): Order | undefined {
  const known = askedOf(order)
  switch (fact.type) {
    case 'order.pressAwaited':
      return { ...known, phase: 'pressAwaited' }
    case 'order.signed': {
      const signed = signatureAfter(known.signed, fact.data)
      return signed && { ...onShow(known), phase: 'signed', signed }
    }
    case 'order.gateRefused': {
      const { orderId: _, ...end } = fact.data
      return { ...known, phase: 'gateRefused', ...end }
    }
    case 'order.rejected':
      return { ...known, phase: 'rejected', failure: fact.data.failure }
    case 'order.unknown':
      return { ...known, phase: 'unknown', failure: fact.data.failure }
    case 'order.expired':
      return { ...known, phase: 'expired', proof: proofOf(fact.data) }
    case 'order.mismatched': {
      const { signature, failure, differences } = fact.data
      return { ...onShow(known), phase: 'unknown', alarm: { signature, differences }, signed: { signature }, failure }
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
    case 'order.accounted':
      return order.phase === 'finalised' ? { ...order, phase: 'accounted' } : undefined
    case 'order.finalised': {
      const { orderId: _, signature, ...landed } = fact.data
      const signed = (signature !== undefined && signatureAfter(known.signed, { signature })) || known.signed
      return signed && { ...known, phase: 'finalised', signed, ...landed }
    }
    default:
      return known.signed && landing({ ...known, signed: known.signed }, fact)
  }
}

/** Each of these situations has a signature. */
function landing(known: AskedParts & { signed: OrderSignature }, fact: Later): Order | undefined {
  switch (fact.type) {
    case 'order.sending':
    case 'order.unseen':
      return { ...known, phase: 'sending' }
    case 'order.seen':
      return { ...known, phase: 'seen', slot: fact.data.slot }
    case 'order.confirmed':
      return { ...known, phase: 'confirmed', slot: fact.data.slot }
    case 'order.failedOnChain':
      return { ...known, phase: 'failedOnChain', slot: fact.data.slot, failure: fact.data.failure }
    default:
      return undefined
  }
}

/** The person is to see it again. */
function onShow<T extends { dismissed?: true }>(order: T): Omit<T, 'dismissed'> {
  const { dismissed: _, ...shown } = order
  return shown
}

function putAway(order: Order): Order | undefined {
  return order.dismissed ? undefined : { ...order, dismissed: true }
}

type AskedParts = Omit<OrderIn<'unknown'>, 'phase' | 'failure'>
/** Parts of single situations after the prompt. */
const ofSome: readonly string[] = ['slot', 'finalBy', 'failure', 'differences', 'proof']

/** @returns the parts that an order keeps from the prompt on */
function askedOf(order: AskedOrder): AskedParts {
  return Object.fromEntries(Object.entries(order).filter(([part]) => !ofSome.includes(part))) as AskedParts
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
