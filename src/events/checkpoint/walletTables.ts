/** Tables of connections, pairings, sessions, and the messages of both. */
import { accountLabels, walletRef } from '../schema/fields.ts'
import {
  define,
  flag,
  id,
  integer,
  list,
  map,
  openField,
  optional,
  personal,
  personalAfter,
  shape,
  text,
} from '../../runtime/schema/registry.ts'
import { instant } from '../schema/scales.ts'
import { authState } from '../subjects/wallet/authState.ts'
import { attemptState, connectionState, endedConnection } from '../subjects/wallet/connection.ts'
import { linkState } from '../subjects/wallet/linkState.ts'
import { owedState, requestKey } from '../subjects/session/mail.ts'
import { outgoingState } from '../subjects/session/outbox.ts'
import { pairingState } from '../subjects/session/pairing.ts'
import { requestState } from '../subjects/session/requestState.ts'
import { sessionState } from '../subjects/session/session.ts'
import type { Memory } from '../values/memory.ts'
import { memoryOf } from '../values/memoryOf.ts'
import { asBefore, table } from './table.ts'

/** An ended request kept the time of its turn. */
/*#__NO_SIDE_EFFECTS__*/
function requestBefore({ request }: Record<string, any>): Record<string, unknown> {
  if (request.phase !== 'ended') return { request }
  const { askAt: _, ...ended } = request
  return { request: ended }
}

/** One table for each subject. Made by a function, so that bundles without use for the tables drop all of them. */
/*#__NO_SIDE_EFFECTS__*/
export function walletTables() {
  const asked = shape({ topic: personal(id), payloadId: openField(id) })
  const deletedKey = personalAfter(['session', 'pairing'])

  return define({
    'connection.attemptRestated': table(
      { attempt: attemptState(), recent: list(walletRef), ended: optional(list(endedConnection)) },
      {
        rows: ({ connection: { attempt, recent, ended } }) => [{ attempt, recent, ...(ended && { ended }) }],
        put({ connection }, { attempt, recent, ended }) {
          connection.attempt = attempt
          connection.recent = recent
          if (ended) connection.ended = ended
        },
      },
      asBefore,
    ),
    /** `identity`, `chosen` and `labels` belong to the connection; this row is older than the fields. */
    'connection.restated': table(
      {
        connection: connectionState(),
        active: openField(flag),
        identity: optional(openField(id)),
        chosen: optional(personal(text)),
        labels: accountLabels,
      },
      {
        rows: ({ connection: { made, active } }) =>
          Object.values(made).map(({ identity, chosen, labels, ...connection }) => ({
            connection,
            active: connection.connectionId === active,
            ...(identity !== undefined && { identity }),
            ...(chosen !== undefined && { chosen }),
            ...(labels && { labels }),
          })),
        put({ connection: view }, { connection, active, ...beside }) {
          const { connectionId, sessionTopic } = connection
          view.made[connectionId] = { ...connection, ...beside }
          if (sessionTopic !== undefined) view.bySession[sessionTopic] = connectionId
          if (active) view.active = connectionId
        },
      },
    ),
    'pairing.restated': table(
      { pairing: pairingState(), shown: openField(flag) },
      {
        rows: ({ pairing: { open, shown } }) =>
          Object.values(open).map(pairing => ({ pairing, shown: pairing.pairingTopic === shown })),
        put(model, { pairing, shown }) {
          model.pairing.open[pairing.pairingTopic] = pairing
          if (shown) model.pairing.shown = pairing.pairingTopic
        },
      },
      asBefore,
      asBefore,
    ),
    'session.restated': table(
      { session: sessionState() },
      {
        rows: model => Object.values(model.session).map(session => ({ session })),
        put: (model, { session }) => void (model.session[session.sessionTopic] = session),
      },
      ({ session }) => ({ session: { ...session, transport: 'relay', left: [], heard: {}, chains: {}, calls: {} } }),
      asBefore,
      asBefore,
      asBefore,
    ),
    'link.restated': table(linkState().parts, {
      rows: ({ link: { chosen, apps, last } }) =>
        last || apps.length > 0 || Object.keys(chosen).length > 0 ? [{ chosen, apps, last: last ?? {} }] : [],
      put(model, { chosen, apps = [], last: { requestId, skipped } }) {
        const last = requestId === undefined ? null : { requestId, ...(skipped && { skipped }) }
        model.link = { chosen, apps, last }
      },
    }),
    'auth.restated': table(
      { auth: authState() },
      {
        rows: model => Object.values(model.auth).map(auth => ({ auth })),
        put: (model, { auth }) => void (model.auth[auth.authId] = auth),
      },
      // Added: how to reach the wallet. Then: each phase has its own fields only, which the same texts satisfy
      asBefore,
      asBefore,
    ),
    /** Ids deleted lately, as `<kind>:<id>`. `older` is evicted first, as a whole. */
    'deleted.restated': table(
      { newest: list(deletedKey), older: list(deletedKey) },
      {
        rows: ({ deleted }) => remembered(deleted),
        put: (model, { newest, older }) => void (model.deleted = memoryOf(newest, older)),
      },
    ),
    /** Hashes of messages handled lately. */
    'mail.messagesRestated': table(
      { newest: list(personal(id)), older: list(personal(id)) },
      {
        rows: ({ mail }) => remembered(mail.messages),
        put: ({ mail }, { newest, older }) => void (mail.messages = memoryOf(newest, older)),
      },
    ),
    /** Wallets' requests handled lately. */
    'mail.requestsRestated': table(
      { newest: list(asked), older: list(asked) },
      {
        rows: ({ mail }) =>
          remembered(mail.requests).map(({ newest, older }) => ({
            newest: newest.map(askedIn),
            older: older.map(askedIn),
          })),
        put({ mail }, { newest, older }) {
          const keys = (all: typeof newest) => all.map(({ topic, payloadId }) => requestKey(topic, payloadId))
          mail.requests = memoryOf(keys(newest), keys(older))
        },
      },
    ),
    'mail.droppedRestated': table(
      { dropped: map(openField(integer)) },
      {
        rows: ({ mail: { dropped } }) => (Object.keys(dropped).length > 0 ? [{ dropped }] : []),
        put: ({ mail }, { dropped }) => void (mail.dropped = dropped),
      },
    ),
    /** A reply to a wallet that is not sealed yet. */
    'mail.owedRestated': table(owedState().parts, {
      rows: ({ mail }) => Object.values(mail.owed),
      put: ({ mail }, owed) => void (mail.owed[requestKey(owed.topic, owed.payloadId)] = owed),
    }),
    /** The person ended this session; the wallet has not been notified yet. */
    'parting.restated': table(
      { sessionTopic: personal(id), since: openField(instant) },
      {
        rows: ({ parting }) => Object.entries(parting).map(([sessionTopic, since]) => ({ sessionTopic, since })),
        put: ({ parting }, { sessionTopic, since }) => void (parting[sessionTopic] = since),
      },
    ),
    'request.restated': table(
      { request: requestState() },
      {
        rows: model => Object.values(model.request).map(request => ({ request })),
        put: (model, { request }) => void (model.request[request.requestId] = request),
      },
      // Any method is allowed
      asBefore,
      requestBefore,
    ),
    'outbox.restated': table(
      { outgoing: outgoingState() },
      {
        rows: ({ outbox }) => Object.values(outbox).map(outgoing => ({ outgoing })),
        put: ({ outbox }, { outgoing }) => void (outbox[outgoing.callId] = outgoing),
      },
      asBefore,
    ),
  })
}

/** @returns the keys in the order of eviction; no row when there are none */
function remembered(memory: Memory): { newest: string[]; older: string[] }[] {
  const [newest, older] = [Object.keys(memory.newest), Object.keys(memory.older)]
  return newest.length + older.length > 0 ? [{ newest, older }] : []
}

/** Splits a request's key into its parts. */
function askedIn(key: string): { topic: string; payloadId: string } {
  const [topic = '', payloadId = ''] = key.split(' ')
  return { topic, payloadId }
}
