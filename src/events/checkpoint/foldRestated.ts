/** Restores the model from restated facts: each sets its part as it stood, with no decision and no eviction. */
import type { CoreModel } from '../app.ts'
import type { RestatedRecord } from '../log/record.ts'
import type { RestatedFact } from './restated.ts'
import { requestKey } from '../subjects/mail.ts'
import { memoryOf } from '../values/memory.ts'

/** Folds one restated fact; its data becomes part of the model. A type unknown to this build changes nothing. */
export function foldRestated(model: CoreModel, { type, data }: Pick<RestatedRecord, 'type' | 'data'>): void {
  put(model, { type, data } as RestatedFact)
}

function put(model: CoreModel, { type, data }: RestatedFact): void {
  switch (type) {
    case 'core.restated':
      model.core = data.core
      return
    case 'network.restated':
      model.network = data.network
      return
    case 'relay.restated':
      model.relay = data.relay
      return
    case 'relay.relaysRestated':
      model.relays = data
      return
    case 'listing.restated': {
      const { all, found, ...asked } = data
      model.listing = { all: { ...all, wallets: [] }, featured: [], ...asked, found: { ...found, wallets: [] } }
      return
    }
    case 'listing.walletsRestated': {
      const { all, featured, found } = model.listing
      const lane = { all: all.wallets, featured, found: found.wallets }[data.lane]
      lane.push(...data.wallets)
      return
    }
    case 'connection.attemptRestated':
      model.connection.attempt = data.attempt
      model.connection.recent = data.recent
      return
    case 'connection.restated': {
      const { connectionId, sessionTopic } = data.connection
      const { identity } = data
      model.connection.made[connectionId] = identity === undefined ? data.connection : { ...data.connection, identity }
      if (sessionTopic !== undefined) model.connection.bySession[sessionTopic] = connectionId
      if (data.active) model.connection.active = connectionId
      return
    }
    case 'pairing.restated': {
      const { pairingTopic } = data.pairing
      model.pairing.open[pairingTopic] = data.pairing
      if (data.shown) model.pairing.shown = pairingTopic
      return
    }
    case 'session.restated':
      model.session[data.session.sessionTopic] = data.session
      return
    case 'link.restated': {
      const { requestId, skipped } = data.last
      const last = requestId === undefined ? null : { requestId, ...(skipped && { skipped }) }
      model.link = { chosen: data.chosen, apps: data.apps ?? [], last }
      return
    }
    case 'auth.restated':
      model.auth[data.auth.authId] = data.auth
      return
    case 'deleted.restated':
      model.deleted = memoryOf(data.newest, data.older)
      return
    case 'mail.messagesRestated':
      model.mail.messages = memoryOf(data.newest, data.older)
      return
    case 'mail.requestsRestated': {
      const keys = (asked: typeof data.newest) => asked.map(({ topic, payloadId }) => requestKey(topic, payloadId))
      model.mail.requests = memoryOf(keys(data.newest), keys(data.older))
      return
    }
    case 'mail.droppedRestated':
      model.mail.dropped = data.dropped
      return
    case 'mail.owedRestated':
      model.mail.owed[requestKey(data.topic, data.payloadId)] = data
      return
    case 'parting.restated':
      model.parting[data.sessionTopic] = data.since
      return
    case 'request.restated':
      model.request[data.request.requestId] = data.request
      return
    case 'outbox.restated':
      model.outbox[data.outgoing.callId] = data.outgoing
      return
    case 'balance.restated':
      model.balance[data.account] = data.balance
      return
    case 'sale.restated': {
      const { terms, notices: told = null, reading = null, stale = null, distrust = null, unlisted, ...optional } = data
      const notices = told && unlisted ? { ...told, unlisted } : told
      model.sale = { terms, notices, reading, stale, distrust, pins: model.sale.pins, ...optional }
      return
    }
    case 'sale.pinRestated':
      model.sale.pins[data.terms.id] = data
      return
    case 'order.restated': {
      const { order, ...rest } = data
      model.order[order.orderId] = { ...order, ...rest }
      return
    }
    case 'purchase.restated': {
      const { account, ...known } = data
      model.purchase[account] = known
    }
  }
}
