/**
 * All other inputs: answers of effects, relay traffic, timers, the page's lifecycle. An answer names its effect in the record's
 * `to`.
 */
import { chainInputs, sameBefore, withSigner } from './chainInputs.ts'
import { transportInputs } from './transportInputs.ts'
import {
  accountLabels,
  decodedTransaction,
  failure,
  namespaces,
  peer,
  peerError,
  redirect,
  scopedProperties,
  sessionProperties,
  signingFeatures,
  walletRef,
} from './schema/fields.ts'
import {
  choice,
  define,
  flag,
  id,
  integer,
  isSo,
  jsonText,
  lifted,
  list,
  longText,
  openField,
  optional,
  personal,
  personalAfter,
  shape,
  text,
  type UnionOf,
  v1,
} from '../runtime/schema/registry.ts'
import { chosenId, chosenName, instant } from './schema/scales.ts'
import { networkFacts } from './subjects/service/network.ts'
import { sessionState, validations } from './subjects/session/session.ts'
import { goingAlong } from './subjects/wallet/connection.ts'
import { obstacle } from './subjects/service/core.ts'
import { skippedFor } from './subjects/wallet/linkFacts.ts'
import { listedWallet } from './subjects/service/listingFacts.ts'
import { featureRule, hostFeatures, projectProblem } from './subjects/service/project.ts'
import { serviceAnswer } from './subjects/service/serviceShapes.ts'

/**
 * A signed statement, in the fields the core compares. `verdict` is the driver's check of the signature; `contract` means that
 * a contract has yet to be queried. Times stand as they came, and in ms. Readers take the length limits from here.
 */
const signedFields = {
  chain: openField(chosenId),
  address: personal(text),
  methods: list(openField(chosenId)),
  chains: list(openField(chosenId)),
  cacao: personal(longText),
  domain: personal(text),
  uri: personal(text),
  nonce: personal(text),
  exp: optional(openField(id)),
  expAt: optional(openField(instant)),
  nbf: optional(openField(id)),
  nbfAt: optional(openField(instant)),
  requestId: optional(personal(text)),
  verdict: openField(choice(['valid', 'invalid', 'contract'])),
}
export const signedDefinition = v1(signedFields)
const signedStatement = shape(signedFields)

/** A wallet's opened payload, reduced to the fields the core decides on. `id` is the payload's id in decimal text. */
const payload = shape({
  kind: openField(
    choice([
      'settle',
      'update',
      'extend',
      'event',
      'delete',
      'ping',
      'pairingDelete',
      'pairingPing',
      'request',
      'result',
      'error',
      'unopened',
    ]),
  ),
  id: openField(id),
  /** settle, update */
  namespaces: optional(namespaces),
  peer: optional(peer),
  redirect: optional(redirect),
  controllerKey: optional(personal(id)),
  /** ms */
  expiresAt: optional(openField(instant)),
  sessionProperties,
  scopedProperties,
  disableDeepLink: optional(openField(isSo)),
  /** event */
  event: optional(openField(chosenName)),
  chainId: optional(openField(chosenName)),
  accounts: optional(list(personal(text))),
  /** the chain a wallet says it is on now, CAIP-2 */
  chain: optional(openField(chosenName)),
  /** event: JSON text */
  data: optional(personal(longText)),
  /** request: a method this page does not support */
  method: optional(openField(chosenName)),
  /** result */
  responderKey: optional(personal(id)),
  acknowledged: optional(openField(flag)),
  signature: optional(personal(text)),
  bytesRef: optional(personal(id)),
  decoded: optional(decodedTransaction),
  /** error, delete, unopened; of a wallet's request: its content is malformed */
  error: optional(peerError),
  /** result or error of a page's request, as JSON text; the bytes of a long one are held under the ref */
  answer: optional(personal(jsonText)),
  answerRef: optional(personal(id)),
  /** the signature is valid, but of another key than requested */
  otherSigner: optional(openField(isSo)),
  /** whether the message came from the origin its sender claims, as far as known */
  verified: optional(openField(choice(validations))),
  /** result of one-click auth: the signed statements; `problem`: why a result is unusable */
  signed: optional(list(signedStatement)),
  problem: optional(openField(text)),
})

/** `<word>`, or `<word>:<object>`; after these words the object is a topic. */
const timerId = personalAfter(['pairing', 'renew', 'session'])

export const inputDefinitions = define({
  /** A core starts: its build, its seed, and the state of this device. */
  'core.boot': v1({
    life: openField(integer),
    build: openField(text),
    seed: openField(text),
    cause: openField(choice(['start', 'lost'])),
    storage: openField(choice(['durable', 'memory'])),
    language: openField(text),
    timeZone: personal(text),
    online: openField(flag),
    projectId: openField(text),
    relayUrl: openField(text),
    relays: list(openField(text)),
    /** genesis hash this log belongs to; empty when unknown */
    genesisHash: openField(text),
    featured: list(openField(id)),
    /** listed wallets that the host leaves out, and those it limits the list to */
    excluded: optional(list(openField(id))),
    included: optional(list(openField(id))),
    metadata: shape({
      name: openField(text),
      description: openField(text),
      url: openField(text),
      icons: list(openField(text)),
    }),
    /** this page's own universal link, and those of wallets known to accept messages by link */
    links: optional(shape({ universal: openField(text), apps: list(openField(text)) })),
    /** a relay's socket is tested less while nothing is under way; earlier builds tested it always */
    rests: optional(openField(isSo)),
    /** the verify service attests messages */
    attests: optional(openField(isSo)),
    /** endpoints of the chain whose subscriptions may be used; earlier builds used none */
    nodeSockets: optional(openField(integer)),
    /** the socket of the first may be open for news of the treasury */
    saleSocket: optional(openField(isSo)),
    /** the host's features, and whether the project's configuration overrides them */
    features: optional(hostFeatures),
    featureRule: optional(featureRule),
    /** what the project's configuration decides is off, and it is not read */
    basic: optional(openField(isSo)),
    /** the host's analytics: what may leave, and whether it asks the visitor first; absent: none */
    analytics: optional(
      shape({
        consent: openField(choice(['given', 'later'])),
        tracks: optional(openField(isSo)),
        reports: optional(openField(isSo)),
      }),
    ),
    /** networks to choose from; absent: there is no choice */
    networks: optional(shape(networkFacts['network.offered'].fields)),
    /** why the log cannot be durable, when known */
    obstacle: optional(obstacle),
    /** of earlier builds, no build writes it any more: why a part of the core could not be fetched */
    missing: optional(failure),
  }),
  /** No build writes it any more: the part of the core that was missing when it began came. */
  'core.partCame': v1({}),
  /** Connections of the network that the person left for this one; each takes the place of what this log knows of it. */
  'network.entered': v1({
    connections: list(shape(goingAlong)),
    sessions: list(sessionState()),
    /** the active connection's id there */
    active: optional(openField(id)),
  }),
  'core.storageFailed': v1({ message: openField(text) }),
  /** Replaces a quarantined input: its type, and the ids that let the rest go on without it. */
  'core.setAside': lifted(
    {
      input: openField(text),
      /** of a relay message */
      pushId: optional(personal(text)),
      topic: optional(personal(id)),
      payloadId: optional(openField(id)),
      /** of a timer */
      timerId: optional(timerId),
      /** of calls and requests that were asked: first number and count of each group */
      asked: optional(list(openField(integer))),
    },
    // Only the redaction class changed
    data => data,
  ),
  /** No build writes it any more: in place of an input whose part of the core was missing; `wallet` was to be reached. */
  'core.partMissing': v1({ input: openField(text), failure, wallet: optional(walletRef) }),
  /** The end of the log was damaged; repair cut off this many records. */
  'core.logDamaged': v1({ records: openField(integer) }),
  /** Storage had no room for the whole log: from now on retention allows at most this many records. */
  'core.logFull': v1({ records: openField(integer) }),
  'timer.fired': v1({ timerId }),
  /** The clock went back, or ahead by more than a minute between two inputs. */
  'clock.jumped': v1({ byMs: openField(integer) }),

  /** A page attached. `asking` are its open effects, `answered` those whose answers follow. */
  'page.attached': v1({ visible: openField(flag), asking: list(openField(id)), answered: list(openField(id)) }),
  'page.left': v1({}),
  'page.visible': v1({ visible: openField(flag) }),
  'page.online': v1({ online: openField(flag) }),
  'page.resumed': v1({}),

  'relay.opened': v1({}),
  'relay.closed': v1({ code: openField(integer), failure }),
  'relay.taken': v1({ callId: openField(id) }),
  'relay.failed': v1({ callId: openField(id), error: peerError }),
  /** `pushId` is the relay's own id, digit for digit; empty for a fetched message, which needs no acknowledgement. */
  'relay.message': lifted(
    {
      pushId: personal(text),
      topic: personal(id),
      hash: personal(id),
      publishedAt: openField(instant),
      tag: openField(integer),
      payload,
      /** it came by a link */
      link: optional(openField(isSo)),
    },
    // More fields in a payload
    data => data,
    data => data,
    data => data,
    // More that a wallet may say
    data => data,
    data => data,
    // More verdicts on where it comes from
    data => data,
    ({ payload: inside, ...data }: Record<string, any>) => ({
      ...data,
      payload: { ...inside, ...withSigner(inside.decoded) },
    }),
    sameBefore,
  ),
  /** A frame that no relay should send. With `pushId` it is a message all the same, and is acknowledged. */
  'relay.garbage': lifted({ message: openField(text), pushId: optional(personal(text)) }, data => data),
  /** This many messages were fetched; each came before as `relay.message`. */
  'relay.fetched': v1({ callId: openField(id), count: openField(integer), hasMore: openField(flag) }),

  'vault.pairingMade': v1({ attemptId: openField(id), pairingTopic: personal(id), publicKey: personal(id) }),
  'vault.sessionDerived': v1({ pairingTopic: personal(id), sessionTopic: personal(id) }),
  'vault.authMade': v1({
    authId: openField(id),
    pairingTopic: personal(id),
    responseTopic: personal(id),
    publicKey: personal(id),
  }),
  'vault.sealed': v1({ callId: openField(id), messageRef: personal(id) }),
  'vault.failed': v1({ failure }),

  /** A contract answered whether a statement is signed for it. */
  'auth.contractAsked': v1({ authId: openField(id), place: openField(integer), isSigned: openField(flag) }),

  /** A link was handed in that holds no message for this page. */
  'link.unread': v1({ message: openField(text) }),
  /** The verify service attested a message, or not in time; the vault holds the attestation. */
  'attest.got': v1({ isGiven: openField(flag) }),
  'link.opened': v1({}),
  'link.skipped': v1({ why: openField(choice(skippedFor)) }),

  'directory.read': v1({
    page: openField(integer),
    search: personal(text),
    count: openField(integer),
    wallets: list(listedWallet),
    certified: optional(openField(isSo)),
  }),
  'directory.failed': v1({
    page: openField(integer),
    search: personal(text),
    failure,
    certified: optional(openField(isSo)),
  }),

  /** `failure`: the service failed, and the answer stands in its place. */
  'service.answered': v1({ answer: serviceAnswer, failure: optional(failure) }),
  /** The service refused the call; `reasons` are its own words. */
  'service.refused': v1({ failure, reasons: list(personal(text)) }),

  /** Features as the project configuration service lists them; without `config` the host decides. */
  'project.read': v1({
    features: list(shape({ id: openField(id), isEnabled: openField(flag), config: optional(list(openField(text))) })),
    dropped: openField(integer),
  }),
  'project.failed': v1({ failure, problem: optional(projectProblem) }),
  /** Whether the project allows this page's origin. */
  'project.origins': v1({ problem: optional(projectProblem) }),

  /** `identity` is that of an installed wallet. */
  'wallet.connected': v1({
    accounts: list(personal(text)),
    labels: accountLabels,
    features: signingFeatures,
    identity: optional(openField(id)),
  }),
  'wallet.signed': lifted(
    { signature: personal(text), bytesRef: personal(id), decoded: decodedTransaction },
    ({ decoded, ...data }) => ({ ...data, ...withSigner(decoded as Record<string, unknown>) }),
    sameBefore,
  ),
  'wallet.sent': v1({ signature: personal(text) }),
  'wallet.failed': v1({ failure }),
  /** The wallet reports changed accounts; an empty list means it disconnected. */
  'wallet.changed': v1({ connectionId: openField(id), accounts: list(personal(text)), labels: accountLabels }),

  /** The analytics service has the first events of a batch, this many. */
  'pulse.sent': v1({ count: openField(integer) }),
  'pulse.switched': v1({ isOn: openField(flag) }),

  ...chainInputs,
  ...transportInputs,
  /** An effect could not be carried out. */
  'effect.failed': v1({ failure }),
})

export type OutsideInput = UnionOf<typeof inputDefinitions>
