/**
 * One order, a purchase or a transfer, from the press to the final payment, as one of several situations. Each has the parts
 * that the facts before it have brought: an accepted order has its quote, a built one its transaction, and one that a wallet was
 * asked for its request.
 */
import {
  type DataOf,
  type Field,
  integer,
  isSo,
  map,
  measure,
  openField,
  optional,
  personal,
  shape,
  situations,
  text,
  without,
} from '../../../runtime/schema/registry.ts'
import { instant, slot } from '../../schema/scales.ts'
import { differences, failure } from '../../schema/fields.ts'
import { orderFacts } from './orderFacts.ts'

function orderParts() {
  const { quoted, min } = orderFacts['order.quoted'].fields
  const { termsHash, orderKey, referrer } = orderFacts['order.accepted'].fields
  const { signature, bytesRef } = orderFacts['order.signed'].fields
  const { lying } = orderFacts['order.disputed'].fields
  const { hosts } = orderFacts['order.unanswered'].fields
  return {
    quote: shape({ quoted, min }),
    accepted: shape({ termsHash, orderKey, referrer }),
    built: shape(without(orderFacts['order.built'].fields, 'orderId')),
    ask: shape(without(orderFacts['order.asked'].fields, 'orderId')),
    /** Its signature; `bytesRef` names the signed bytes, while they are the ones that were signed here. */
    signed: shape({ signature, bytesRef }),
    /** Finalised block height and newest slot at the last check that changed either. */
    progress: shape(without(orderFacts['order.progressed'].fields, 'orderId')),
    /** Number of endpoints whose answers cannot be true, at the last look for a proof. */
    lying,
    /** Hosts of the endpoints that did not answer the last request for a proof. */
    silent: hosts,
    /** Another transaction than the agreed one landed under the order's key. */
    alarm: shape({ signature: personal(text), differences }),
    /** The chain has proved that no payment can come; `providers` is the number of endpoints that agreed. */
    proof: shape({ providers: openField(integer) }),
  }
}

function orderSituations() {
  const { quote, accepted, built, ask, signed, proof, ...found } = orderParts()
  const checked = {
    progress: optional(found.progress),
    lying: optional(found.lying),
    silent: optional(found.silent),
    alarm: optional(found.alarm),
  }
  /** An earlier request never reached its page. */
  const ready = { quote, accepted, built, ask: optional(ask) }
  const asked = { quote, accepted, built, ask, ...checked }
  const sent = { ...asked, signed }
  const landed = { ...sent, slot: measure(slot) }
  const paid = { ...landed, finalBy: optional(openField(integer)) }
  const mayBeSigned = { signed: optional(signed) }
  const mayBeProved = { ...mayBeSigned, failure, proof: optional(proof) }
  /** As far as it had come: `isAsked` tells whether the wallet was asked for it. */
  const soFar = {
    quote: optional(quote),
    accepted: optional(accepted),
    built: optional(built),
    ask: optional(ask),
    ...checked,
  }
  return {
    drafted: {},
    quoted: { quote },
    accepted: { quote, accepted },
    built: ready,
    simulated: ready,
    pressAwaited: ready,
    awaitingSignature: asked,
    signed: sent,
    sending: sent,
    seen: landed,
    confirmed: landed,
    finalised: paid,
    accounted: paid,
    rejected: { ...asked, ...mayBeProved },
    simulationFailed: { ...soFar, failure },
    /** `differences` are the wallet's changes, when the order was refused for them. */
    gateRefused: { ...soFar, ...mayBeProved, differences: optional(differences) },
    expired: { ...asked, ...mayBeSigned, proof },
    failedOnChain: { ...landed, failure },
    abandoned: { ...soFar, ...mayBeProved },
    unknown: { ...asked, ...mayBeSigned, failure },
  }
}

/** Also the model's state: a row of a snapshot is its order. */
export function orderState() {
  return situations(orderSituations(), {
    ...orderFacts['order.drafted'].fields,
    /** When each phase was entered, ms. */
    times: map(openField(instant)) as unknown as Field<OrderTimes, false>,
    /** The person has read how it ended. */
    dismissed: optional(openField(isSo)),
  })
}

export type OrderPhase = keyof ReturnType<typeof orderSituations>
type OrderTimes = { drafted: number } & { [P in Exclude<OrderPhase, 'drafted'>]?: number }
/** Parts that facts have brought. */
export type OrderParts = DataOf<ReturnType<typeof orderParts>>
