/** Inputs from the drivers that read the chain and the sale's published files, and that submit transactions. */
import { decodedTransaction, failure } from './schema/fields.ts'
import {
  choice,
  define,
  flag,
  id,
  integer,
  isSo,
  lifted,
  list,
  map,
  measure,
  openField,
  optional,
  personal,
  shape,
  text,
  v1,
  wholly,
} from '../runtime/schema/registry.ts'
import {
  baseUnits,
  chainInstant,
  chainKey,
  computeUnits,
  feeUnits,
  height,
  noticeNumber,
  publishedSlot,
  publishedTime,
  saleUnits,
  signedTime,
  slot,
} from './schema/scales.ts'
import { computedLedger, ledgerProgress } from './subjects/sale/ledger.ts'
import { noticeChanges, saleContent, saleFeed, laterNotices } from './subjects/sale/saleFacts.ts'
import { heldTokens } from './subjects/sale/balance.ts'
import {
  accountedPart,
  paidBatches,
  plannedPayments,
  plannedRefunds,
  purchase,
  purchasesBefore,
  readPayouts,
} from './subjects/sale/purchase.ts'
import { loggedTerms } from './sale/terms/termsShape.ts'

const landed = shape({
  signature: personal(text),
  status: openField(choice(['confirmed', 'finalized'])),
  slot: measure(slot),
  error: optional(failure),
  decoded: optional(decodedTransaction),
})

/**
 * One endpoint's proof that an order did not land. `heightSlot` is the slot of its finalised `height`, `answerSlot` that of the
 * answer that found nothing; `whole` when every transaction under the reference was examined.
 */
const proof = shape({
  height: measure(height),
  heightSlot: measure(slot),
  answerSlot: measure(slot),
  unseen: openField(flag),
  whole: openField(flag),
})

/** Older builds recorded no signers; their orders needed only the fee payer. */
/*#__NO_SIDE_EFFECTS__*/
export function withSigner(decoded: Record<string, any> | undefined): Record<string, unknown> {
  return decoded ? { decoded: { ...decoded, signers: [decoded.feePayer] } } : {}
}

/** More that a decoded transaction may hold. */
/*#__NO_SIDE_EFFECTS__*/
export function sameBefore(data: Record<string, any>): Record<string, unknown> {
  return data
}

/** Older builds derived no keys: the transaction's own stand for them, as they did then. */
/*#__NO_SIDE_EFFECTS__*/
function preparedBefore({ decoded, ...data }: Record<string, any>): Record<string, unknown> {
  const payment = decoded.instructions.find((one: { references?: unknown }) => one.references)
  const { references = [], source, destination } = payment ?? {}
  const derived = { references, ...(source === undefined ? {} : { source, destination }) }
  return { ...data, ...withSigner(decoded), derived }
}

export const chainInputs = define({
  'chain.identified': v1({ genesisHash: openField(text), caip2: openField(text) }),
  'chain.balances': v1({
    account: personal(text),
    slot: measure(slot),
    amounts: map(measure(baseUnits)),
    tokens: optional(heldTokens),
  }),
  'chain.terms': v1({
    terms: openField(wholly(loggedTerms)),
    termsHash: openField(chainKey),
    presaleRef: openField(chainKey),
    noticeRef: openField(chainKey),
    /** notices are read with every n-th reading of the balances; absent in logs of builds that read them with every fourth */
    noticesEvery: optional(openField(integer)),
    /** middle of the waits between two readings of the sale; older drivers set none */
    pollMs: optional(openField(integer)),
    /** purchases assert that the treasury does not exceed the cap; absent where this is off, or the chain lacks the program */
    guard: optional(openField(isSo)),
  }),
  'chain.notices': v1({
    termsHash: openField(chainKey),
    paused: openField(flag),
    closed: openField(flag),
    checkpoint: optional(
      shape({
        slot: measure(publishedSlot),
        time: openField(publishedTime),
        balances: map(measure(saleUnits)),
        raised: measure(saleUnits),
        pos: measure(saleUnits),
        tokens: optional(measure(saleUnits)),
      }),
    ),
    result: optional(openField(choice(['success', 'failed']))),
    changes: noticeChanges,
    /** number of the newest notice that counts; absent in logs of builds that did not record it */
    seq: optional(openField(noticeNumber)),
    /** some notices could not be read, so a newer one may exist; `asOf` is when the authority signed its list, where known */
    partial: optional(openField(flag)),
    asOf: optional(openField(signedTime)),
    ...laterNotices,
    /** path of a frozen condition in which the announced terms differ from the first; `first`: these could not be had */
    frozen: optional(openField(text)),
    /** hash of the terms on the page that "frozen" is about */
    held: optional(openField(chainKey)),
  }),
  /** The legal document is the one the terms name; `url` is where it was read. */
  'sale.legal': v1({ sha256: openField(chainKey), url: openField(text) }),
  /** Whether the account is on the sale's access list; the terms name the list's hash. */
  'sale.access': v1({ account: personal(text), allowed: openField(flag) }),
  /** Texts and tables published for display beside the terms; absent when there are none. */
  'sale.content': v1({ content: saleContent }),
  'ledger.computing': v1(ledgerProgress),
  'ledger.found': lifted(
    {
      ...computedLedger,
      /** the accounts' parts of the books as far as they are the announced ones */
      accounted: optional(list(shape({ account: personal(text), ...accountedPart }))),
      /** hashes of announced terms that do not hold in the books, as they change what the first announcement froze */
      refused: optional(list(openField(chainKey))),
    },
    // Added: the places of the rows, then their rates
    sameBefore,
    sameBefore,
  ),
  /** `mint` is the account that was read; an absent authority was renounced. */
  'chain.mint': v1({
    mint: openField(chainKey),
    mintAuthority: optional(openField(chainKey)),
    freezeAuthority: optional(openField(chainKey)),
    decimals: openField(integer),
  }),
  'chain.feed': v1(saleFeed),
  'chain.sale': v1({ slot: measure(slot), chainTime: openField(chainInstant), balances: map(measure(saleUnits)) }),
  'chain.orderPrepared': lifted(
    {
      orderId: openField(id),
      bytesRef: personal(id),
      blockhash: openField(chainKey),
      validUntilHeight: measure(height),
      slot: measure(slot),
      orderRef: personal(text),
      buyerRef: personal(text),
      memo: personal(text),
      fee: measure(feeUnits),
      unitsConsumed: measure(computeUnits),
      /** decoded from the unsigned bytes */
      decoded: decodedTransaction,
      /** derived from the order and the terms by hashing alone; `source` and `destination` for tokens */
      derived: optional(
        shape({
          references: list(personal(text)),
          source: optional(personal(text)),
          destination: optional(personal(text)),
        }),
      ),
    },
    preparedBefore,
    sameBefore,
  ),
  /** A transfer is built and simulated. `destination` for tokens; `rent` in lamports where it is created. */
  'chain.sendPrepared': v1({
    orderId: openField(id),
    bytesRef: personal(id),
    blockhash: openField(chainKey),
    validUntilHeight: measure(height),
    slot: measure(slot),
    fee: measure(feeUnits),
    unitsConsumed: measure(computeUnits),
    /** decoded from the unsigned bytes */
    decoded: decodedTransaction,
    /** derived from the transfer by hashing alone */
    reference: personal(text),
    destination: optional(personal(text)),
    rent: optional(openField(text)),
    /** nothing stands at the recipient's address yet */
    unused: optional(openField(isSo)),
  }),
  'chain.submitted': v1({ orderId: openField(id) }),
  /**
   * `height` is the finalised block height, `nodeSlot` the node's newest slot, `slot` the transaction's; no status means not
   * seen.
   */
  'chain.status': lifted(
    {
      orderId: openField(id),
      height: measure(height),
      nodeSlot: measure(slot),
      status: optional(openField(choice(['processed', 'confirmed', 'finalized']))),
      slot: optional(measure(slot)),
      /** the signature this status is about, when it was found by the order's reference */
      signature: optional(personal(text)),
      error: optional(failure),
      /** earlier builds: finalised signatures found by the order's own reference, when it was looked up */
      found: optional(list(personal(text))),
      /**
       * Transactions under the order's reference, or with the signature that a wallet named, provably signed by the order's
       * account. `decoded` is absent for those judged before.
       */
      landed: optional(list(landed)),
      /** one per endpoint, when all of them answered; of a lying one only where it claims to have seen the transaction */
      proofs: optional(list(proof)),
      /**
       * for each proof, when requested: the state of the order's blockhash at the endpoint's newest and at its finalised block,
       * both no older than the height's
       */
      blockhashes: optional(list(openField(choice(['expired', 'valid'])))),
      /** the slot of `height`; absent in logs of builds that accepted any height and requested no blockhash */
      heightSlot: optional(measure(slot)),
      /** number of endpoints whose proof cannot be true */
      lying: optional(openField(integer)),
      /**
       * hosts of the endpoints that did not answer with a proof, or not with the blockhash: proofs of the latter come last and
       * have no entry in `blockhashes`
       */
      silent: optional(list(openField(text))),
      /**
       * for each proof, else for the endpoint that answered: whether its height has grown by more than a blockhash's lifetime
       * since its first answer; absent where none has
       */
      outlived: optional(list(openField(flag))),
      /** number of endpoints that confirm finality; absent where all do, or there is only one */
      finalBy: optional(openField(integer)),
      /** how long this life has known the order's bytes, ms, by a monotonic clock; only with proofs */
      knownMs: optional(openField(integer)),
    },
    sameBefore,
  ),
  'chain.purchases': lifted(
    {
      account: personal(text),
      purchases: list(purchase),
      /** the list is incomplete: some listed transactions are `unread`, or there may be `older` ones than a node lists */
      more: optional(openField(choice(['unread', 'older']))),
      payouts: readPayouts,
      batches: paidBatches,
      planned: plannedPayments,
      refunds: plannedRefunds,
    },
    purchasesBefore,
  ),
  /**
   * An invoice's reference key, and its payment with the account that signed it, once the chain shows one. `earlier`: the payments of
   * earlier invoices under the same key.
   */
  'chain.invoice': v1({
    reference: personal(text),
    buyer: optional(personal(text)),
    payment: optional(purchase),
    earlier: optional(list(shape({ invoiceId: openField(id), buyer: personal(text), payment: purchase }))),
  }),
})
