/**
 * The restated facts: one for each thing in the model at a checkpoint. Every field of the model stands here with its class, so
 * redaction covers checkpoints as it covers facts.
 */
import { differences, failure, proposal, walletRef } from '../schema/fields.ts'
import {
  baseUnits,
  checked,
  choice,
  chosen,
  chosenName,
  type DataOf,
  define,
  type Field,
  type Fields,
  flag,
  id,
  instant,
  integer,
  isSo,
  keyed,
  lifted,
  list,
  map,
  measure,
  open,
  optional,
  personal,
  personalAfter,
  shape,
  situations,
  slot,
  stamp,
  text,
  v1,
} from '../schema/registry.ts'
import { restatedLifts } from './restatedLifts.ts'
import { answerFields, authFacts, sentFields } from '../subjects/auth.ts'
import { coreFacts, obstacle } from '../subjects/core.ts'
import { skippedFor } from '../subjects/link.ts'
import { listedWallet } from '../subjects/listing.ts'
import type { OrderPhase } from '../subjects/order.ts'
import { orderFacts } from '../subjects/orderFacts.ts'
import { mailFacts } from '../subjects/mail.ts'
import { outboxFacts } from '../subjects/outbox.ts'
import { purchase, purchaseFacts } from '../subjects/purchase.ts'
import { relayFacts, relayMethods } from '../subjects/relay.ts'
import { lateAnswer, requestEnd, requestFacts } from '../subjects/request.ts'
import { saleContent, saleFacts, unlistedNotices } from '../subjects/sale.ts'
import { sessionFacts } from '../subjects/session.ts'
import type { Terms } from '../sale/terms.ts'
import { isTermsLike } from '../values/termsLike.ts'

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
] as const satisfies readonly OrderPhase[]

/** Made by a function, so that bundles without use for the table drop all of it. */
/*#__NO_SIDE_EFFECTS__*/
function table() {
  const { fields: quoted } = orderFacts['order.quoted']
  const { fields: accepted } = orderFacts['order.accepted']
  const order = shape({
    ...orderFacts['order.drafted'].fields,
    phase: open(choice(orderPhases)),
    times: map(open(instant)) as unknown as Field<Partial<Record<OrderPhase, number>>, false>,
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
    progress: optional(shape(without(orderFacts['order.progressed'].fields, 'orderId'))),
    failure: optional(failure),
    differences: optional(differences),
    dismissed: optional(open(isSo)),
    proved: optional(open(isSo)),
    mismatched: optional(open(isSo)),
    providers: optional(open(integer)),
  })

  const session = shape({
    ...sessionFacts['session.settled'].fields,
    settledAt: open(instant),
    updateOrder: sessionFacts['session.updated'].fields.order,
    left: list(open(chosenName)),
    heard: chosen(open(stamp)),
    chains: chosen(open(chosenName)),
    calls: map(shape({ what: sessionFacts['session.called'].fields.what, sentAt: open(instant) })),
  })

  const asked = shape({ topic: personal(id), payloadId: open(id) })
  const owed = { ...mailFacts['mail.owed'].fields, owedAt: open(instant) }
  const deletedKey = personalAfter(['session', 'pairing'])

  const { params, askAt, ...requested } = requestFacts['request.sent'].fields
  const request = situations(
    {
      sent: { params, askAt },
      delivered: { params, askAt },
      ended: { end: requestEnd, late: optional(lateAnswer) },
    },
    // A refused request has the topic that the page gave, perhaps none
    { ...requested, sessionTopic: personal(text), sentAt: open(instant) },
  )

  const sent = shape(sentFields)
  const answer = shape(answerFields)
  const auth = situations(
    {
      requested: {},
      created: { sent },
      delivered: { sent },
      unsupported: { sent },
      answered: { sent, answer },
      done: { sent, answer: optional(answer), sessionTopic: optional(personal(id)) },
      failed: { failure, sent: optional(sent), answer: optional(answer) },
    },
    { ...authFacts['auth.requested'].fields, requestedAt: open(instant) },
  )

  const outgoing = shape({ ...outboxFacts['outbox.queued'].fields, queuedAt: open(instant) })

  const pairing = situations(
    {
      created: {},
      proposed: {},
      responded: { responderKey: personal(id) },
      answered: { sessionTopic: personal(id), responderKey: personal(id) },
      rejected: { failure },
    },
    {
      pairingTopic: personal(id),
      attemptId: open(id),
      proposalId: open(id),
      publicKey: personal(id),
      proposal: optional(proposal),
      createdAt: open(instant),
      renewAt: open(instant),
      expiresAt: open(instant),
      pings: optional(map(open(instant))),
    },
  )

  const connector = open(choice(['installed', 'walletConnect']))
  const connection = situations(
    { live: {}, restoring: {}, missing: { failure } },
    {
      connectionId: open(id),
      connector,
      wallet: walletRef,
      peerName: optional(personal(text)),
      accounts: list(personal(text)),
      features: list(open(choice(['signTransaction', 'signAndSendTransaction', 'signMessage']))),
      sessionTopic: optional(personal(id)),
      madeAt: open(instant),
    },
  )
  const tried = {
    attemptId: open(id),
    connector,
    wallet: walletRef,
    proposal: optional(proposal),
    since: open(instant),
  }
  const attempt = situations({ none: {}, asking: tried, failed: { ...tried, failure } }, {})

  const readTo = { pages: open(integer), count: open(integer) }
  const walletList = situations(
    { idle: {}, reading: { page: open(integer) }, failed: { page: open(integer), failure } },
    readTo,
  )

  const terms = situations(
    {
      unread: {},
      read: {
        terms: open(checked<Terms>(isTermsLike)),
        ...without(saleFacts['sale.termsRead'].fields, 'terms'),
        mint: optional(shape(saleFacts['sale.mintRead'].fields)),
      },
      refused: { failure },
    },
    {},
  )

  return define({
    'core.restated': v1({
      core: shape({
        life: open(integer),
        build: open(text),
        cause: open(choice(['start', 'lost'])),
        storage: open(choice(['unknown', 'durable', 'memory'])),
        obstacle: optional(obstacle),
        cut: optional(shape(coreFacts['core.logCut'].fields)),
        faults: open(integer),
        dropped: optional(shape({ count: open(integer), input: open(text) })),
      }),
    }),
    'network.restated': v1({
      network: situations(
        {
          unknown: {},
          identified: { genesisHash: open(text), caip2: open(text) },
          unreachable: { failure },
          mismatched: { expected: open(text), got: open(text) },
        },
        { online: open(flag) },
      ),
    }),
    'relay.restated': lifted(
      {
        relay: situations(
          {
            closed: {},
            offline: {},
            connecting: relayFacts['relay.connecting'].fields,
            connected: { since: open(instant), url: open(text) },
            lost: relayFacts['relay.lost'].fields,
            refused: { failure },
          },
          {},
        ),
      },
      ...(restatedLifts['relay.restated'] ?? []),
    ),
    'relay.relaysRestated': v1({
      proved: open(text),
      lacks: map(list(open(choice(relayMethods)))),
      opens: list(open(instant)),
    }),
    /** Its wallets follow in `listing.walletsRestated`. */
    'listing.restated': v1({
      all: walletList,
      search: personal(text),
      certified: optional(open(isSo)),
      found: walletList,
    }),
    'listing.walletsRestated': v1({ lane: open(choice(['all', 'featured', 'found'])), wallets: list(listedWallet) }),
    /** `identity` belongs to the connection; this fact is older than the field. */
    'connection.restated': v1({ connection, active: open(flag), identity: optional(open(id)) }),
    'connection.attemptRestated': lifted(
      { attempt, recent: list(walletRef) },
      ...(restatedLifts['connection.attemptRestated'] ?? []),
    ),
    'pairing.restated': lifted({ pairing, shown: open(flag) }, ...(restatedLifts['pairing.restated'] ?? [])),
    'session.restated': lifted({ session }, ...(restatedLifts['session.restated'] ?? [])),
    'auth.restated': lifted({ auth }, ...(restatedLifts['auth.restated'] ?? [])),
    'link.restated': v1({
      chosen: keyed(personal(id), personal(text)),
      apps: optional(list(personal(text))),
      last: shape({ requestId: optional(open(id)), skipped: optional(open(choice(skippedFor))) }),
    }),
    /** Ids deleted lately, as `<kind>:<id>`. `older` is evicted first, as a whole. */
    'deleted.restated': v1({ newest: list(deletedKey), older: list(deletedKey) }),
    /** Hashes of messages handled lately. */
    'mail.messagesRestated': v1({ newest: list(personal(id)), older: list(personal(id)) }),
    /** Wallets' requests handled lately. */
    'mail.requestsRestated': v1({ newest: list(asked), older: list(asked) }),
    'mail.droppedRestated': v1({ dropped: map(open(integer)) }),
    /** A reply to a wallet that is not sealed yet. */
    'mail.owedRestated': v1(owed),
    'request.restated': lifted({ request }, ...(restatedLifts['request.restated'] ?? [])),
    /** The person ended this session; the wallet has not been notified yet. */
    'parting.restated': v1({ sessionTopic: personal(id), since: open(instant) }),
    'outbox.restated': lifted({ outgoing }, ...(restatedLifts['outbox.restated'] ?? [])),
    'balance.restated': lifted(
      {
        account: personal(text),
        balance: shape({
          amounts: map(measure(baseUnits)),
          slot: measure(slot),
          readAt: open(instant),
          life: optional(open(integer)),
          failure: optional(failure),
        }),
      },
      ...(restatedLifts['balance.restated'] ?? []),
    ),
    'sale.restated': lifted(
      {
        terms,
        notices: optional(
          shape({ ...without(saleFacts['sale.noticesRead'].fields, 'unlisted'), readAt: optional(open(instant)) }),
        ),
        reading: optional(
          shape({ ...saleFacts['sale.read'].fields, readAt: open(instant), life: optional(open(integer)) }),
        ),
        stale: optional(shape(saleFacts['sale.unreachable'].fields)),
        distrust: optional(failure),
        legal: optional(situations({ read: saleFacts['sale.legalRead'].fields, failed: { failure } }, {})),
        access: optional(keyed(personal(text), shape({ allowed: optional(open(flag)), failure: optional(failure) }))),
        content: saleContent,
        unlisted: unlistedNotices,
        accepted: optional(saleFacts['sale.changeAccepted'].fields.termsHash),
      },
      ...(restatedLifts['sale.restated'] ?? []),
    ),
    /** Terms pinned on this device; the pin stands whatever terms are served. */
    'sale.pinRestated': v1(saleFacts['sale.pinned'].fields),
    'order.restated': lifted(
      {
        order,
        lying: optional(open(integer)),
        silent: optional(orderFacts['order.unanswered'].fields.hosts),
        finalBy: optional(open(integer)),
      },
      ...(restatedLifts['order.restated'] ?? []),
    ),
    'purchase.restated': lifted(
      {
        account: personal(text),
        purchases: list(purchase),
        readAt: open(instant),
        more: purchaseFacts['purchase.read'].fields.more,
        failure: optional(failure),
      },
      ...(restatedLifts['purchase.restated'] ?? []),
    ),
  })
}

export const restatedDefinitions = /* @__PURE__ */ table()

/** The fields without one of them. */
function without<F extends Fields, N extends keyof F>(fields: F, name: N): Omit<F, N> {
  const { [name]: _, ...rest } = fields
  return rest
}

type Table = typeof restatedDefinitions
/** A restated fact, as its data is typed. */
export type RestatedFact = { [T in keyof Table]: { type: T; data: DataOf<Table[T]['fields']> } }[keyof Table]
