/** Fields that several subjects share. */
import type { Failure } from '../../runtime/failure.ts'
import { failureCodes } from '../failureCodes.ts'
import {
  choice,
  chosen,
  type Field,
  id,
  integer,
  isSo,
  keyed,
  list,
  longText,
  map,
  measure,
  openField,
  optional,
  personal,
  personalAfter,
  shape,
  text,
  variants,
} from '../../runtime/schema/registry.ts'
import { baseUnits, chainKey, chosenId, chosenName, computePrice, computeUnits, shownUnits } from './scales.ts'
import type { DecodedTransaction, TransactionDifference, ExpectedTransfer } from '../values/solana/transaction.ts'
import { absentable, custom, nullable, object, record, type ValueOf } from '../../runtime/schema/schema.ts'

const wordOrNumber = /* @__PURE__ */ custom<string | number>(
  value => typeof value === 'string' || typeof value === 'number',
)

/** A failure as it is stored. */
export const failure: Field<Failure, false> = /* @__PURE__ */ openField(
  object({
    code: choice(failureCodes),
    message: text,
    facts: absentable(record(wordOrNumber)),
  }),
)

/** A wallet product as the person knows it: `walletId` is the directory's id or the announced name. */
export type WalletRef = { walletId: string; name: string }
export const walletRef: Field<WalletRef, false> = /* @__PURE__ */ shape({
  walletId: openField(id),
  name: openField(text),
})

/** A wallet's own name for one of its accounts, such as “Savings”. */
export type AccountLabel = { account: string; label: string }
/** Those of the accounts that have one. */
export const accountLabels: Field<AccountLabel[], true> = /* @__PURE__ */ optional(
  list(shape({ account: personal(text), label: personal(text) })),
)

const walletFeature = /* @__PURE__ */ choice(['signTransaction', 'signAndSendTransaction', 'signMessage'])
export type WalletFeature = ValueOf<typeof walletFeature>
/** Methods by which a wallet signs. */
export const signingFeatures: Field<WalletFeature[], false> = /* @__PURE__ */ list(openField(walletFeature))

/** WalletConnect session namespaces. */
export type Namespaces = Record<string, { chains?: string[]; accounts: string[]; methods: string[]; events: string[] }>
export const namespaces: Field<Namespaces, false> = /* @__PURE__ */ chosen(
  shape({
    chains: optional(list(openField(chosenId))),
    accounts: list(personal(text)),
    methods: list(openField(chosenName)),
    events: list(openField(chosenName)),
  }),
)

/** Proposed namespaces: a namespace with `chains`, or one chain without. */
type Proposed = Record<string, { chains?: string[]; methods: string[]; events: string[] }>
/** A whole proposal. `sessionProperties` and `scopedProperties` are this page's own; each value of the latter is JSON text. */
export type Proposal = {
  required: Proposed
  optional: Proposed
  sessionProperties?: Record<string, string>
  scopedProperties?: Record<string, string>
}
const proposed: Field<Proposed, false> = /* @__PURE__ */ chosen(
  shape({
    chains: optional(list(openField(chosenName))),
    methods: list(openField(chosenName)),
    events: list(openField(chosenName)),
  }),
)
const scoped = /* @__PURE__ */ optional(map(openField(longText)))
export const proposal: Field<Proposal, false> = /* @__PURE__ */ shape({
  required: proposed,
  optional: proposed,
  sessionProperties: optional(map(openField(text))),
  scopedProperties: scoped,
})
/** A proposal before validation: a property may have no value. */
export type UncheckedProposal = Omit<Proposal, 'sessionProperties'> & {
  sessionProperties?: Record<string, string | null>
}
export const uncheckedProposal: Field<UncheckedProposal, false> = /* @__PURE__ */ shape({
  required: proposed,
  optional: proposed,
  sessionProperties: optional(map(openField(nullable(text)))),
  scopedProperties: scoped,
})

/** Properties that a wallet attached to a session: by name, and under a chain, an account or a namespace as JSON text. */
export const sessionProperties = /* @__PURE__ */ optional(keyed(personal(text), personal(text)))
export const scopedProperties = /* @__PURE__ */ optional(keyed(personal(text), personal(longText)))

/** The peer's own description of itself. */
export type Peer = { name: string; url: string; description: string; icons: string[] }
export const peer: Field<Peer, false> = /* @__PURE__ */ shape({
  name: personal(text),
  url: personal(text),
  description: personal(text),
  icons: list(personal(text)),
})

/** An app's own links, as it reports them: by scheme, by web address, and whether it accepts messages by the latter. */
export type Redirect = { native?: string; universal?: string; linkMode?: true }
export const redirect: Field<Redirect, false> = /* @__PURE__ */ shape({
  native: optional(personal(text)),
  universal: optional(personal(text)),
  linkMode: optional(openField(isSo)),
})

const references = list(personal(text))
const transfer = {
  from: personal(text),
  to: personal(text),
  lamports: measure(baseUnits),
  references,
}
const tokenTransfer = {
  source: personal(text),
  mint: openField(chainKey),
  destination: personal(text),
  owner: personal(text),
  amount: measure(baseUnits),
  decimals: openField(integer),
  references,
}

/** The one payment of an order. */
export const expectedTransfer: Field<ExpectedTransfer, false> = /* @__PURE__ */ variants('kind', {
  transfer,
  tokenTransfer,
})

/** A decoded transaction. A blockhash is the chain's; everybody's transactions of the same minute share it. */
export const decodedTransaction: Field<DecodedTransaction, false> = /* @__PURE__ */ shape({
  feePayer: personal(text),
  blockhash: openField(chainKey),
  instructions: list(
    variants('kind', {
      computeLimit: { units: measure(computeUnits) },
      computePrice: { microLamports: measure(computePrice) },
      memo: { text: personal(text) },
      transfer,
      tokenTransfer: { ...tokenTransfer, program: optional(openField(text)) },
      createTokenAccount: {
        payer: personal(text),
        account: personal(text),
        owner: personal(text),
        mint: openField(chainKey),
        program: openField(text),
      },
      other: { program: openField(text), name: optional(openField(text)) },
    }),
  ),
  signers: optional(list(personal(text))),
  tables: optional(openField(integer)),
})

/** A wallet's changes to a transaction. */
export const differences: Field<TransactionDifference[], false> = /* @__PURE__ */ list(
  variants('of', {
    keys: { field: openField(text), expected: list(personal(text)), got: list(personal(text)) },
    amount: { field: openField(text), expected: optional(measure(shownUnits)), got: optional(measure(shownUnits)) },
    word: { field: openField(text), expected: openField(text), got: openField(text) },
  }),
)

/** Purpose of an outgoing message: `request:<requestId>`, or one of these words, a colon and a topic. */
export const outgoingPurpose = /* @__PURE__ */ personalAfter(['delete', 'propose', 'settled'])

/** A JSON-RPC error of a peer. Its text is one of ours (`plainWords`), because a peer may write anything. */
export type PeerError = { code: number; message: string }
export const peerError: Field<PeerError, false> = /* @__PURE__ */ shape({
  code: openField(integer),
  message: openField(text),
})
