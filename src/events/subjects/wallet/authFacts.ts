/** Facts of one-click auth. */
import { failure, peer, redirect } from '../../schema/fields.ts'
import {
  type DataOf,
  define,
  id,
  integer,
  isSo,
  list,
  longText,
  openField,
  optional,
  personal,
  shape,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { chosenId, instant } from '../../schema/scales.ts'

/** The statement to sign. Times are ISO 8601 texts as the host gave them. */
export const askedFields = {
  chains: list(openField(chosenId)),
  domain: personal(text),
  uri: personal(text),
  nonce: personal(text),
  statement: optional(personal(text)),
  resources: optional(list(personal(text))),
  methods: list(openField(chosenId)),
  exp: optional(openField(id)),
  nbf: optional(openField(id)),
  requestId: optional(personal(text)),
}
export type AuthAsk = DataOf<typeof askedFields>

/**
 * A signed statement that answers the request; `cacao` is its JSON, for another check. `methods` and `chains` are what it
 * allows a session. `unchecked` until the contract that is said to hold the account has answered.
 */
const statementFields = {
  chain: openField(chosenId),
  address: personal(text),
  methods: list(openField(chosenId)),
  chains: list(openField(chosenId)),
  cacao: personal(longText),
  unchecked: optional(openField(isSo)),
}
export type Statement = DataOf<typeof statementFields>

// Named one by one: a bundler keeps objects that are spread, and the checks with them
const authId = openField(id)
const pairingTopic = personal(id)
const responseTopic = personal(id)
const publicKey = personal(id)
const payloadId = openField(id)
const responderKey = personal(id)
const signed = list(shape(statementFields))

/** Topics and ids of a request that exists; its answer comes on `responseTopic`. */
const sentFields = { pairingTopic, responseTopic, publicKey, payloadId }
export type Sent = DataOf<typeof sentFields>

const itsLinks = optional(redirect)

export const authFacts = define({
  /**
   * A well-formed request. `walletLink` is of the wallet on this device; `byLink` sends the request there without the relay.
   */
  'auth.requested': v1({
    authId,
    asked: shape(askedFields),
    expiresAt: openField(instant),
    walletLink: optional(personal(text)),
    byLink: optional(openField(isSo)),
  }),
  /** A request that no wallet could answer. */
  'auth.refused': v1({ message: openField(text) }),
  /** The vault has its keys and topics; the request is on its way. */
  'auth.created': v1({ authId, pairingTopic, responseTopic, publicKey, payloadId }),
  /** The relay holds it: a wallet that scans the code now receives it. */
  'auth.delivered': v1({ authId }),
  /** The wallet does not support one-click auth; the proposal beside it stands. */
  'auth.unsupported': v1({ authId }),
  /** The wallet signed, and every statement answers the request. */
  'auth.answered': v1({ authId, responderKey, peer, signed, redirect: itsLinks }),
  /** The contract confirms that the statement at this place is signed for it. */
  'auth.checked': v1({ authId, place: openField(integer) }),
  /** Ended: with statements, with a session, or with both. */
  'auth.done': v1({ authId, sessionTopic: optional(personal(id)) }),
  'auth.failed': v1({ authId, failure }),
})
export type AuthFact = UnionOf<typeof authFacts>
