/**
 * One purchase from the press to the final payment: its phases, and the facts that lead from one to another.
 *
 * 1. An order ends once.
 * 2. Only the wallet or the chain leads out of `unknown`.
 * 3. The chain overrules a refusal of this page: the wallet may have sent its own copy.
 */
import { own } from '../../runtime/schema/own.ts'
import { differences, failure } from '../schema/fields.ts'
import {
  choice,
  type Field,
  id,
  instant,
  integer,
  isSo,
  map,
  measure,
  openField,
  optional,
  personal,
  shape,
  slot,
  type StateOf,
  text,
  without,
} from '../../runtime/schema/registry.ts'
import { type OrderFact, orderFacts } from './orderFacts.ts'

const orderPhases = [
  'drafted',
  'quoted',
  'accepted',
  'built',
  'simulated',
  'pressAwaited',
  'awaitingSignature',
  'signed',
  'sending',
  'seen',
  'confirmed',
  'finalised',
  'accounted',
  'rejected',
  'simulationFailed',
  'gateRefused',
  'expired',
  'failedOnChain',
  'abandoned',
  'unknown',
] as const
export type OrderPhase = (typeof orderPhases)[number]

/** The order as agreed and as known so far; a part is absent until its fact has come. */
export function orderState() {
  const { fields: quoted } = orderFacts['order.quoted']
  const { fields: accepted } = orderFacts['order.accepted']
  return shape({
    ...orderFacts['order.drafted'].fields,
    phase: openField(choice(orderPhases)),
    /** When each phase was entered, ms. */
    times: map(openField(instant)) as unknown as Field<Partial<Record<OrderPhase, number>>, false>,
    quoted: optional(quoted.quoted),
    min: optional(quoted.min),
    termsHash: optional(accepted.termsHash),
    orderKey: optional(accepted.orderKey),
    referrer: accepted.referrer,
    built: optional(shape(without(orderFacts['order.built'].fields, 'orderId'))),
    ask: optional(shape(without(orderFacts['order.asked'].fields, 'orderId'))),
    signature: optional(personal(text)),
    signedRef: optional(personal(id)),
    slot: optional(measure(slot)),
    /** Finalised block height and newest slot at the last check that changed either. */
    progress: optional(shape(without(orderFacts['order.progressed'].fields, 'orderId'))),
    failure: optional(failure),
    /** The wallet's changes, when the order was refused for them. */
    differences: optional(differences),
    dismissed: optional(openField(isSo)),
    /** It ended without a payment, and the chain has proved that none can come. */
    proved: optional(openField(isSo)),
    /** Another transaction than the agreed one landed under its key: an alarm in any phase. */
    mismatched: optional(openField(isSo)),
    /** Number of endpoints that agreed on its expiry. */
    providers: optional(openField(integer)),
  })
}
export type Order = StateOf<typeof orderState> & {
  /** Number of endpoints whose answers cannot be true, at the last look for a proof. */
  lying?: number
  /** Hosts of the endpoints that did not answer the last request for a proof. */
  silent?: string[]
  /** Only this many endpoints confirm finality, of several. */
  finalBy?: number
}
export type OrderView = Record<string, Order>

type Phases = readonly OrderPhase[]
/** Before the wallet's prompt: nothing can have been paid. */
const early: Phases = ['drafted', 'quoted', 'accepted', 'built', 'simulated', 'pressAwaited']
/** The wallet has the transaction; the chain has not shown it. */
const out: Phases = ['awaitingSignature', 'signed', 'sending', 'unknown']
/** Ended without a payment as far as this page knows; a wallet that was prompted may still have sent its copy. */
const refused: Phases = ['rejected', 'gateRefused', 'abandoned']
/** Ends that the chain has proved, or that came before there was anything to sign. */
const proved: Phases = ['expired', 'failedOnChain', 'simulationFailed']

type Step = { from: ReadonlySet<OrderPhase>; to?: OrderPhase }
const step = (to: OrderPhase, ...from: readonly Phases[]): Step => ({ from: new Set(from.flat()), to })

const steps: { [T in Exclude<OrderFact['type'], 'order.drafted'>]: Step } = {
  'order.quoted': step('quoted', ['drafted']),
  'order.accepted': step('accepted', ['quoted']),
  'order.built': step('built', ['accepted', 'built', 'simulated', 'pressAwaited']),
  'order.simulated': step('simulated', ['built']),
  'order.pressAwaited': step('pressAwaited', ['simulated', 'awaitingSignature']),
  'order.asked': step('awaitingSignature', ['simulated', 'pressAwaited']),
  'order.signed': step('signed', out, ['seen', 'confirmed']),
  'order.sending': step('sending', ['signed']),
  'order.seen': step('seen', out, refused),
  'order.progressed': { from: new Set(['sending', 'confirmed', 'unknown']) },
  'order.confirmed': step('confirmed', out, refused, ['seen']),
  'order.finalised': step('finalised', out, refused, ['seen', 'confirmed', 'expired']),
  'order.accounted': step('accounted', ['finalised']),
  'order.disputed': { from: new Set([...out, ...refused, 'seen', 'confirmed']) },
  'order.unanswered': { from: new Set([...out, ...refused, 'seen', 'confirmed']) },
  'order.unseen': step('sending', ['seen', 'confirmed']),
  'order.rejected': step('rejected', ['awaitingSignature', 'unknown']),
  'order.simulationFailed': step('simulationFailed', early),
  'order.gateRefused': step('gateRefused', early, ['awaitingSignature', 'signed', 'unknown']),
  'order.expired': step('expired', out),
  'order.failedOnChain': step('failedOnChain', out, refused, ['seen', 'confirmed']),
  'order.abandoned': step('abandoned', early),
  'order.unknown': step('unknown', ['awaitingSignature', 'signed', 'sending']),
  'order.mismatched': step('unknown', out, refused, ['seen', 'confirmed', 'expired']),
  'order.dismissed': { from: new Set([...refused, ...proved, 'finalised', 'accounted']) },
}

/** @returns the name by which the person knows the order's wallet */
export function walletOf({ peerName, walletName }: Order): string {
  return peerName ?? walletName
}
/** @returns whether this page ever submitted the signed bytes, or the chain has shown them */
export function wasSent({ times }: Order): boolean {
  return times.sending !== undefined || times.seen !== undefined
}
/** @returns whether several endpoints agree that the order is gone, and none is missing: one alone may be wrong */
export function agreedByAll({ providers = 1, lying, silent }: Order): boolean {
  return providers > 1 && lying === undefined && silent === undefined
}
/** @returns true while the order may still move money: a new one must wait */
export function isOpen(order: Order): boolean {
  return !isDead(order) && order.phase !== 'finalised' && order.phase !== 'accounted' && !isReadAlarm(order)
}
/** @returns true when the person has read the alarm that another transaction landed */
export function isReadAlarm({ mismatched, dismissed }: Order): boolean {
  return mismatched === true && dismissed === true
}
/** @returns true when the order ended without a payment */
export function isDead(order: Order): boolean {
  return refused.includes(order.phase) || proved.includes(order.phase)
}
/** @returns true before the wallet's prompt: nothing can have been paid */
export function isBeforeWallet(order: Order): boolean {
  return early.includes(order.phase)
}
/** A blockhash is valid for this many blocks after the one it was read at. */
export const blockhashBlocks = 150
/**
 * An endpoint's finalised height that has grown by more than this since the blockhash was read is past the blockhash's end: at
 * the reading it was behind by at most the blocks that make one final, and a few.
 */
export const outlivingBlocks = 200
/** A block is final when this many follow it; the finalised height runs this many behind the newest. */
export const finalityBlocks = 32

/** @returns blocks in which the submitted bytes can still land, 0 when none is left; undefined while unknown */
export function blocksLeft({ phase, signature, built, progress }: Order): number | undefined {
  const isSent = phase === 'sending' || (phase === 'unknown' && signature !== undefined)
  if (!isSent || !built || !progress) return undefined
  return Math.max(0, built.validUntilHeight - (progress.height + finalityBlocks))
}
/** @returns how many blocks, of those that make a confirmed payment final, follow it; undefined while unknown */
export function blocksOnTop({ phase, slot, progress }: Order): number | undefined {
  if (phase !== 'confirmed' || slot === undefined || !progress) return undefined
  return Math.min(finalityBlocks, Math.max(0, progress.nodeSlot - slot))
}
/** @returns the open order, if there is one */
export function openOrder(model: { order: OrderView }): Order | undefined {
  return Object.values(model.order).find(isOpen)
}

export function foldOrder(model: { order: OrderView }, fact: OrderFact & { at: number }): void {
  const { orderId } = fact.data
  if (fact.type === 'order.drafted') {
    if (!own(model.order, orderId))
      model.order[orderId] = { ...fact.data, phase: 'drafted', times: { drafted: fact.at } }
    return
  }
  const order = own(model.order, orderId)
  if (!order) return
  if (refused.includes(order.phase) && order.ask && !order.proved) {
    // It stays refused until the chain shows a landing; it only learns its signature, or that no landing can come
    if (fact.type === 'order.expired') {
      order.proved = true
      if (fact.data.providers !== undefined) order.providers = fact.data.providers
    }
    if (fact.type === 'order.signed') order.signature = fact.data.signature
  }
  if (fact.type === 'order.signed' && isKnownSignature(order, fact.data)) return
  const known = steps[fact.type] as Step | undefined
  if (!known) return
  const { from, to } = known
  const isLanding = fact.type === 'order.finalised' || fact.type === 'order.mismatched'
  if (!from.has(order.phase) || (order.proved === true && !isLanding)) {
    if (fact.type === 'order.dismissed' && (order.proved || order.mismatched)) order.dismissed = true
    return
  }
  // A proof of expiry is only as good as its endpoints; a landing refutes it
  if (isLanding) delete order.proved
  learn(order, fact)
  if (to === undefined) return
  order.phase = to
  order.times[to] = fact.at
}

function isKnownSignature(order: Order, { signature, bytesRef }: { signature: string; bytesRef?: string }): boolean {
  return order.signature === signature && (bytesRef === undefined || bytesRef === order.signedRef)
}

function learn(order: Order, fact: OrderFact): void {
  switch (fact.type) {
    case 'order.quoted':
      order.quoted = fact.data.quoted
      order.min = fact.data.min
      return
    case 'order.accepted':
      order.termsHash = fact.data.termsHash
      order.orderKey = fact.data.orderKey
      if (fact.data.referrer !== undefined) order.referrer = fact.data.referrer
      return
    case 'order.built': {
      const { orderId: _, ...built } = fact.data
      order.built = built
      return
    }
    case 'order.asked': {
      const { orderId: _, ...ask } = fact.data
      order.ask = ask
      return
    }
    case 'order.signed':
      // Another copy than the one signed here landed: the bytes held here are not its bytes
      if (order.signature !== undefined && order.signature !== fact.data.signature) delete order.signedRef
      order.signature = fact.data.signature
      if (fact.data.bytesRef !== undefined) order.signedRef = fact.data.bytesRef
      return
    case 'order.progressed': {
      const { height, nodeSlot } = fact.data
      if (order.progress?.height !== height || order.progress.nodeSlot !== nodeSlot)
        order.progress = { height, nodeSlot }
      return
    }
    case 'order.seen':
    case 'order.confirmed':
      order.slot = fact.data.slot
      delete order.failure
      return
    case 'order.finalised':
      order.slot = fact.data.slot
      if (fact.data.signature !== undefined) order.signature = fact.data.signature
      if (fact.data.finalBy !== undefined) order.finalBy = fact.data.finalBy
      delete order.failure
      return
    case 'order.expired':
      if (fact.data.providers !== undefined) order.providers = fact.data.providers
      return
    case 'order.disputed':
      if (fact.data.lying > 0) order.lying = fact.data.lying
      else delete order.lying
      return
    case 'order.unanswered':
      if (fact.data.hosts.length > 0) order.silent = fact.data.hosts
      else delete order.silent
      return
    case 'order.mismatched':
      order.mismatched = true
      delete order.dismissed
      order.signature = fact.data.signature
      delete order.signedRef
      order.slot = fact.data.slot
      order.failure = fact.data.failure
      order.differences = fact.data.differences
      return
    case 'order.failedOnChain':
      order.slot = fact.data.slot
      order.failure = fact.data.failure
      return
    case 'order.gateRefused':
      order.failure = fact.data.failure
      if (fact.data.differences) order.differences = fact.data.differences
      return
    case 'order.rejected':
    case 'order.simulationFailed':
    case 'order.abandoned':
    case 'order.unknown':
      order.failure = fact.data.failure
      return
    case 'order.dismissed':
      order.dismissed = true
  }
}
