/** Facts of an order: a purchase, or a transfer. Each is written before the act it permits. */
import { differences, expectedTransfer, failure } from '../../schema/fields.ts'
import {
  choice,
  define,
  id,
  integer,
  isSo,
  lifted,
  list,
  measure,
  openField,
  optional,
  personal,
  shape,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { judgement } from '../sale/purchase.ts'
import { baseUnits, chainKey, computeUnits, feeUnits, height, slot, tokenUnits } from '../../schema/scales.ts'

const orderId = openField(id)
/**
 * Oddities of a transfer's recipient that a person may confirm: its address looks like another, is of no key, or is the sale's,
 * which takes a bare transfer without selling anything for it.
 */
export const warnings = ['lookAlike', 'offCurve', 'ofSale'] as const
export type Warning = (typeof warnings)[number]

/** Older builds put a wallet's changes, addresses among them, into the failure's facts: the lift leaves only the reason. */
/*#__NO_SIDE_EFFECTS__*/
function refusedBefore({ failure: { code, message }, ...data }: Record<string, any>): Record<string, unknown> {
  return { ...data, failure: { code, message } }
}

export const orderFacts = define({
  'order.drafted': v1({
    orderId,
    account: personal(text),
    connectionId: openField(id),
    walletName: openField(text),
    /** own name of a wallet reached by its code */
    peerName: optional(personal(text)),
    asset: openField(text),
    units: measure(baseUnits),
    /** of a transfer; absent for a purchase. `asset` is SOL or the mint, `source` the token account that pays */
    send: optional(
      shape({
        to: personal(text),
        confirmed: list(openField(choice(warnings))),
        decimals: openField(integer),
        mint: optional(openField(chainKey)),
        program: optional(openField(text)),
        source: optional(personal(text)),
      }),
    ),
  }),
  /** Tokens of the sale: a transfer buys none. */
  'order.quoted': v1({ orderId, quoted: measure(tokenUnits), min: measure(tokenUnits) }),
  /**
   * `orderKey` is 16 hex digits, in the memo of a purchase; it stays the same for every rebuild of this intent. A transfer has
   * no terms: its `termsHash` is empty.
   */
  'order.accepted': v1({
    orderId,
    termsHash: openField(chainKey),
    orderKey: personal(id),
    referrer: optional(personal(text)),
  }),
  'order.built': v1({
    orderId,
    bytesRef: personal(id),
    blockhash: openField(chainKey),
    validUntilHeight: measure(height),
    slot: measure(slot),
    orderRef: personal(text),
    /** empty: the transaction has none */
    memo: personal(text),
    fee: measure(feeUnits),
    /** the one payment the signed transaction must still make */
    transfer: expectedTransfer,
    /** token program of the payment; absent: the classic one */
    program: optional(openField(text)),
    /** the destination is created for this owner; the sender pays its rent, in lamports */
    creates: optional(shape({ owner: personal(text), rent: openField(text) })),
    /** of a transfer: nothing stands at the recipient's address yet */
    unused: optional(openField(isSo)),
  }),
  'order.simulated': v1({ orderId, unitsConsumed: measure(computeUnits) }),
  /** The prompt would open too long after the press, or at a dearer fee, or its page never received it; a new press opens it. */
  'order.pressAwaited': v1({ orderId }),
  /** Written before the wallet's prompt. `askId` is the page effect or the WalletConnect request that opens it. */
  'order.asked': v1({
    orderId,
    askId: openField(id),
    means: openField(choice(['sign', 'signAndSend'])),
    tab: optional(openField(id)),
  }),
  /** `bytesRef` names the signed bytes; a second fact adds it when the wallet gave a bare signature. */
  'order.signed': v1({ orderId, signature: personal(text), bytesRef: optional(personal(id)) }),
  /** The order passed the gate; from here the same bytes are submitted until the chain has them or they have expired. */
  'order.sending': v1({ orderId }),
  'order.seen': v1({ orderId, slot: measure(slot) }),
  'order.confirmed': v1({ orderId, slot: measure(slot) }),
  /**
   * A check changed what a person sees of the order: `height` is the finalised block height, `nodeSlot` the node's newest slot.
   */
  'order.progressed': v1({ orderId, height: measure(height), nodeSlot: measure(slot) }),
  /**
   * `signature` when an earlier order of the same key landed after all, under another signature than the known one; `finalBy`
   * when only this many of the endpoints confirm finality.
   */
  'order.finalised': v1({
    orderId,
    slot: measure(slot),
    signature: optional(personal(text)),
    finalBy: optional(openField(integer)),
  }),
  /**
   * The audited books judge its payment, which landed at `slot`; again when later ones judge otherwise. Without a `status`: written
   * by earlier builds when a checkpoint covered the payment, it does not say whether the payment was accepted.
   */
  'order.accounted': v1({ orderId, slot: measure(slot), status: optional(judgement) }),
  /** The answers of this many endpoints cannot be true: their word neither proves nor disproves the order's end. */
  'order.disputed': v1({ orderId, lying: openField(integer) }),
  /** Endpoints at these hosts do not answer whether it can still land; empty when all of them do. */
  'order.unanswered': v1({ orderId, hosts: list(openField(text)) }),
  /** The chain dropped the transaction before it was final. */
  'order.unseen': v1({ orderId }),
  'order.rejected': v1({ orderId, failure }),
  'order.simulationFailed': v1({ orderId, failure }),
  /** `differences` are the wallet's changes, when they are the reason. */
  'order.gateRefused': lifted({ orderId, failure, differences: optional(differences) }, refusedBefore),
  /** Proved: the payment did not land and can no longer land; `providers` is the number of endpoints that agreed. */
  'order.expired': v1({ orderId, height: measure(height), providers: optional(openField(integer)) }),
  'order.failedOnChain': v1({ orderId, slot: measure(slot), failure }),
  'order.abandoned': v1({ orderId, failure }),
  /** It is unknown whether the order was paid; `failure` says why. Repeated with the rule `HIDDEN` once the next order may begin. */
  'order.unknown': v1({ orderId, failure }),
  /** The wallet signed, and the chain accepted, another transaction under the order's key. */
  'order.mismatched': v1({ orderId, signature: personal(text), slot: measure(slot), failure, differences }),
  /** The person has read how it ended; the card may go. */
  'order.dismissed': v1({ orderId }),
})
export type OrderFact = UnionOf<typeof orderFacts>
