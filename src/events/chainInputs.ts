/** Answers of the drivers that read the chain and the sale's published files, and send. */
import { decodedTransaction, failure } from './schema/fields.ts'
import {
  baseUnits,
  chainInstant,
  chainKey,
  checked,
  choice,
  computeUnits,
  define,
  feeUnits,
  flag,
  height,
  id,
  integer,
  lifted,
  list,
  map,
  measure,
  noticeNumber,
  open,
  optional,
  personal,
  publishedSlot,
  publishedTime,
  saleUnits,
  shape,
  signedTime,
  slot,
  text,
  v1,
} from './schema/registry.ts'
import { noticeChanges, saleContent, unlistedNotices } from './subjects/sale.ts'
import { purchase, purchasesBefore } from './subjects/purchase.ts'
import type { Terms } from './sale/terms.ts'
import { isTermsLike } from './values/termsLike.ts'

const landed = shape({
  signature: personal(text),
  status: open(choice(['confirmed', 'finalized'])),
  slot: measure(slot),
  error: optional(failure),
  decoded: optional(decodedTransaction),
})

/**
 * That an endpoint shows nothing of an order. `heightSlot` is the slot of its finalised `height`, `answerSlot` that of the answer
 * in which nothing was found; `whole` when every transaction under the reference was looked at.
 */
const proof = shape({
  height: measure(height),
  heightSlot: measure(slot),
  answerSlot: measure(slot),
  unseen: open(flag),
  whole: open(flag),
})

/** Older builds did not tell the signers of a transaction; an order asked its payer alone. */
/*#__NO_SIDE_EFFECTS__*/
export function withSigner(decoded: Record<string, any> | undefined): Record<string, unknown> {
  return decoded ? { decoded: { ...decoded, signers: [decoded.feePayer] } } : {}
}

/** Older builds derived no keys: those of the transaction stand for them, as they did then. */
/*#__NO_SIDE_EFFECTS__*/
function preparedBefore({ decoded, ...data }: Record<string, any>): Record<string, unknown> {
  const payment = decoded.instructions.find((one: { references?: unknown }) => one.references)
  const { references = [], source, destination } = payment ?? {}
  const derived = { references, ...(source === undefined ? {} : { source, destination }) }
  return { ...data, ...withSigner(decoded), derived }
}

export const chainInputs = define({
  'chain.identified': v1({ genesisHash: open(text), caip2: open(text) }),
  'chain.balances': v1({ account: personal(text), slot: measure(slot), amounts: map(measure(baseUnits)) }),
  'chain.terms': v1({
    terms: open(checked<Terms>(isTermsLike)),
    termsHash: open(chainKey),
    presaleRef: open(chainKey),
    noticeRef: open(chainKey),
  }),
  'chain.notices': v1({
    termsHash: open(chainKey),
    paused: open(flag),
    closed: open(flag),
    checkpoint: optional(
      shape({
        slot: measure(publishedSlot),
        time: open(publishedTime),
        balances: map(measure(saleUnits)),
        raised: measure(saleUnits),
        pos: measure(saleUnits),
        tokens: optional(measure(saleUnits)),
      }),
    ),
    result: optional(open(choice(['success', 'failed']))),
    changes: noticeChanges,
    /** number of the newest notice that counts; absent in logs of builds that did not write it down */
    seq: optional(open(noticeNumber)),
    /** not everything could be read, so a newer notice may exist; `asOf` is when the authority signed its list, where that is known */
    partial: optional(open(flag)),
    asOf: optional(open(signedTime)),
    unlisted: unlistedNotices,
  }),
  /** The legal document is the one the terms name; `url` is where it was read. */
  'sale.legal': v1({ sha256: open(chainKey), url: open(text) }),
  /** Whether the account is on the sale's list, whose hash is the one the terms name. */
  'sale.access': v1({ account: personal(text), allowed: open(flag) }),
  /** Texts and tables published to be shown beside the terms; absent when there are none. */
  'sale.content': v1({ content: saleContent }),
  /** `mint` is the account that was read; an absent authority was given up. */
  'chain.mint': v1({
    mint: open(chainKey),
    mintAuthority: optional(open(chainKey)),
    freezeAuthority: optional(open(chainKey)),
    decimals: open(integer),
  }),
  'chain.sale': v1({ slot: measure(slot), chainTime: open(chainInstant), balances: map(measure(saleUnits)) }),
  'chain.orderPrepared': lifted(
    {
      orderId: open(id),
      bytesRef: personal(id),
      blockhash: open(chainKey),
      validUntilHeight: measure(height),
      slot: measure(slot),
      orderRef: personal(text),
      buyerRef: personal(text),
      memo: personal(text),
      fee: measure(feeUnits),
      unitsConsumed: measure(computeUnits),
      /** what the unsigned bytes say */
      decoded: decodedTransaction,
      /** what follows from the order and the terms by hashing alone; `source` and `destination` for tokens */
      derived: optional(
        shape({
          references: list(personal(text)),
          source: optional(personal(text)),
          destination: optional(personal(text)),
        }),
      ),
    },
    preparedBefore,
  ),
  'chain.submitted': v1({ orderId: open(id) }),
  /** `height` is the finalised block height, `slot` the node's newest slot; status absent means not seen. */
  'chain.status': v1({
    orderId: open(id),
    height: measure(height),
    nodeSlot: measure(slot),
    status: optional(open(choice(['processed', 'confirmed', 'finalized']))),
    slot: optional(measure(slot)),
    /** the signature this status is about, when it was found by the order's reference */
    signature: optional(personal(text)),
    error: optional(failure),
    /** earlier builds: signatures found by the order's own reference at finalised level, when it was looked up */
    found: optional(list(personal(text))),
    /**
     * Transactions under the order's reference, or by the signature that a wallet named, which the order's account has signed:
     * that much is proved. `decoded` is absent for those judged before.
     */
    landed: optional(list(landed)),
    /** one of each endpoint, when all of them answered; of those that lied only where they claim to have seen it */
    proofs: optional(list(proof)),
    /**
     * of each of the proofs, when they were asked for it: what the endpoint says of the order's blockhash, at its newest and at its
     * finalised block, both no older than the height's
     */
    blockhashes: optional(list(open(choice(['expired', 'valid'])))),
    /** the slot of `height`; absent in logs of builds that took any height, and asked for no blockhash */
    heightSlot: optional(measure(slot)),
    /** how many endpoints that were asked for a proof gave an answer that cannot be true */
    lying: optional(open(integer)),
    /**
     * hosts of the endpoints that were asked for a proof and did not answer, or not for the blockhash: the proofs of those
     * stand behind the others, and no word of `blockhashes` is theirs
     */
    silent: optional(list(open(text))),
    /**
     * of each of the proofs, else of the one that answered: whether its own height has grown, since it was first asked, by
     * more than a blockhash lives; absent where no one has
     */
    outlived: optional(list(open(flag))),
    /** how many endpoints say that what is told as final is final; absent where all of them do, or there is one */
    finalBy: optional(open(integer)),
    /** how long this life has known the order's bytes, ms, by a clock that nobody sets; told with proofs */
    knownMs: optional(open(integer)),
  }),
  'chain.purchases': lifted(
    {
      account: personal(text),
      purchases: list(purchase),
      /** not everything was seen: some listed transactions are still `unread`, or there may be `older` ones than a node lists */
      more: optional(open(choice(['unread', 'older']))),
    },
    purchasesBefore,
  ),
})
