/**
 * One purchase from the press to the final payment. Every line is written before the act it permits.
 * An order ends once; the only way out of `unknown` is what the chain says.
 */
import type { Failure } from '../failure.ts'
import { failure } from '../fields.ts'
import type { ExpectedTransfer } from '../values/transaction.ts'
import {
  baseUnits,
  checked,
  choice,
  define,
  id,
  integer,
  measure,
  open,
  optional,
  personal,
  text,
  type UnionOf,
  v1,
} from '../registry.ts'

const orderId = open(id)

export const orderFacts = define({
  'order.drafted': v1({
    orderId,
    account: personal(text),
    connectionId: open(id),
    walletName: open(text),
    asset: open(text),
    units: measure(baseUnits),
  }),
  'order.quoted': v1({ orderId, quoted: measure(baseUnits), min: measure(baseUnits) }),
  /** `orderKey` is the 16 hex digits in the memo; it stays the same for every rebuild of this intent. */
  'order.accepted': v1({ orderId, termsHash: open(text), orderKey: personal(id) }),
  'order.built': v1({
    orderId,
    bytesRef: personal(id),
    blockhash: open(text),
    validUntilHeight: measure(integer),
    slot: measure(integer),
    orderRef: personal(text),
    memo: personal(text),
    fee: measure(baseUnits),
    /** the one payment the signed transaction must still make */
    transfer: personal(checked<ExpectedTransfer>()),
  }),
  'order.simulated': v1({ orderId, unitsConsumed: measure(integer) }),
  /** The prompt would open too long after the press; a new press opens it. */
  'order.pressAwaited': v1({ orderId }),
  /** Written before the wallet is asked. `askId` is the page effect or the WalletConnect request that asks. */
  'order.asked': v1({
    orderId,
    askId: personal(id),
    means: open(choice(['sign', 'signAndSend'])),
    tab: optional(open(id)),
  }),
  'order.signed': v1({ orderId, signature: personal(text), bytesRef: optional(personal(id)) }),
  /** The gate was passed; from here the same bytes are sent until the chain has them or they have expired. */
  'order.sending': v1({ orderId }),
  'order.seen': v1({ orderId, slot: measure(integer) }),
  'order.confirmed': v1({ orderId, slot: measure(integer) }),
  'order.finalised': v1({ orderId, slot: measure(integer) }),
  /** An audited checkpoint covers the payment. */
  'order.accounted': v1({ orderId, slot: measure(integer) }),
  /** The chain dropped what it had shown before it was final. */
  'order.unseen': v1({ orderId }),
  'order.rejected': v1({ orderId, failure }),
  'order.simulationFailed': v1({ orderId, failure }),
  'order.gateRefused': v1({ orderId, failure }),
  /** Proved: the payment did not land and can no longer land. */
  'order.expired': v1({ orderId, height: measure(integer) }),
  'order.failedOnChain': v1({ orderId, slot: measure(integer), failure }),
  'order.abandoned': v1({ orderId, failure }),
  /** Nobody can say yet whether it was paid. `failure` says why. */
  'order.unknown': v1({ orderId, failure }),
  /** The person has read how it ended and the card may go. */
  'order.dismissed': v1({ orderId }),
})
export type OrderFact = UnionOf<typeof orderFacts>

export type OrderPhase =
  | 'drafted'
  | 'quoted'
  | 'accepted'
  | 'built'
  | 'simulated'
  | 'pressAwaited'
  | 'awaitingSignature'
  | 'signed'
  | 'sending'
  | 'seen'
  | 'confirmed'
  | 'finalised'
  | 'accounted'
  | 'rejected'
  | 'simulationFailed'
  | 'gateRefused'
  | 'expired'
  | 'failedOnChain'
  | 'abandoned'
  | 'unknown'

/** What was agreed and what is known so far; a part is absent until its fact has come. */
export type Order = {
  orderId: string
  account: string
  connectionId: string
  walletName: string
  asset: string
  units: string
  phase: OrderPhase
  /** When each phase was entered, ms. */
  times: Partial<Record<OrderPhase, number>>
  quoted?: string
  min?: string
  termsHash?: string
  orderKey?: string
  built?: {
    bytesRef: string
    blockhash: string
    validUntilHeight: number
    slot: number
    orderRef: string
    memo: string
    fee: string
    transfer: ExpectedTransfer
  }
  ask?: { askId: string; means: 'sign' | 'signAndSend'; tab?: string }
  signature?: string
  signedRef?: string
  slot?: number
  failure?: Failure
  dismissed?: true
  /** It ended without a payment, and the chain has proved that none can come. */
  proved?: true
}
export type OrderView = Record<string, Order>

const deadPhases: ReadonlySet<OrderPhase> = new Set([
  'rejected',
  'simulationFailed',
  'gateRefused',
  'expired',
  'failedOnChain',
  'abandoned',
])
/** Ends that the chain itself has proved. */
const provedPhases: ReadonlySet<OrderPhase> = new Set(['expired', 'failedOnChain', 'simulationFailed'])
const chainFacts: ReadonlySet<string> = new Set([
  'order.seen',
  'order.confirmed',
  'order.finalised',
  'order.failedOnChain',
  'order.expired',
])
const paidPhases: ReadonlySet<OrderPhase> = new Set(['finalised', 'accounted'])

/** @returns true while the order may still move money: a new one must wait */
export function isOpen(order: Order): boolean {
  return !deadPhases.has(order.phase) && !paidPhases.has(order.phase)
}
/** @returns true when the order ended without a payment */
export function isDead(order: Order): boolean {
  return deadPhases.has(order.phase)
}
/** @returns the order that may still move money, if there is one */
export function openOrder(model: { order: OrderView }): Order | undefined {
  return Object.values(model.order).find(isOpen)
}

const phaseOf: { [T in OrderFact['type']]?: OrderPhase } = {
  'order.quoted': 'quoted',
  'order.accepted': 'accepted',
  'order.built': 'built',
  'order.simulated': 'simulated',
  'order.pressAwaited': 'pressAwaited',
  'order.asked': 'awaitingSignature',
  'order.signed': 'signed',
  'order.sending': 'sending',
  'order.seen': 'seen',
  'order.confirmed': 'confirmed',
  'order.finalised': 'finalised',
  'order.accounted': 'accounted',
  'order.unseen': 'sending',
  'order.rejected': 'rejected',
  'order.simulationFailed': 'simulationFailed',
  'order.gateRefused': 'gateRefused',
  'order.expired': 'expired',
  'order.failedOnChain': 'failedOnChain',
  'order.abandoned': 'abandoned',
  'order.unknown': 'unknown',
}

export function foldOrder(model: { order: OrderView }, fact: OrderFact & { at: number }): void {
  const { orderId } = fact.data
  if (fact.type === 'order.drafted') {
    if (model.order[orderId]) return
    model.order[orderId] = { ...fact.data, phase: 'drafted', times: { drafted: fact.at } }
    return
  }
  const order = model.order[orderId]
  if (!order) return
  if (fact.type === 'order.dismissed') {
    order.dismissed = true
    return
  }
  if (order.phase === 'accounted' || provedPhases.has(order.phase)) return
  // What the chain shows beats what this page refused: the wallet may have sent its own copy
  if (isDead(order) && !chainFacts.has(fact.type)) return
  if (isDead(order) && fact.type === 'order.expired') {
    order.proved = true
    return
  }
  learn(order, fact)
  const phase = phaseOf[fact.type]
  if (phase) {
    order.phase = phase
    order.times[phase] = fact.at
  }
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
      order.signature = fact.data.signature
      if (fact.data.bytesRef !== undefined) order.signedRef = fact.data.bytesRef
      return
    case 'order.seen':
    case 'order.confirmed':
    case 'order.finalised':
      order.slot = fact.data.slot
      delete order.failure
      return
    case 'order.failedOnChain':
      order.slot = fact.data.slot
      order.failure = fact.data.failure
      return
    case 'order.rejected':
    case 'order.simulationFailed':
    case 'order.gateRefused':
    case 'order.abandoned':
    case 'order.unknown':
      order.failure = fact.data.failure
  }
}
