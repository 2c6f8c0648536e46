/** The message relay: one socket, as the person sees it, and what is known of the relays. */
import { own } from '../../../runtime/schema/own.ts'
import { failure } from '../../schema/fields.ts'
import {
  choice,
  define,
  flag,
  integer,
  lifted,
  list,
  map,
  openField,
  shape,
  situations,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { instant } from '../../schema/scales.ts'

/** Methods that some relays lack. `irn_publish` here means publishing a proposal: every relay publishes all else by it. */
const relayMethods = [
  'wc_proposeSession',
  'irn_publish',
  'irn_batchSubscribe',
  'irn_batchFetchMessages',
  'irn_fetchMessages',
] as const
export type RelayMethod = (typeof relayMethods)[number]

const url = /* @__PURE__ */ openField(text)

export const relayFacts = define({
  'relay.connecting': lifted({ attempt: openField(integer), url }, data => ({ ...data, url: '' })),
  'relay.connected': v1({}),
  /** The socket is gone; the next attempt is at `retryAt`. */
  'relay.lost': v1({ failure, attempt: openField(integer), retryAt: openField(instant) }),
  /** Every relay refused; a retry would not help until something changes. `failure.facts` has the code and the reason. */
  'relay.refused': v1({ failure }),
  /** This device is offline: a socket opens once it is online again. */
  'relay.offline': v1({}),
  /** No flow needs the relay now. */
  'relay.closed': v1({}),
  /** The relay at this address answered: it is tried first from now on. */
  'relay.proved': v1({ url }),
  /** Whether the relay at this address has a method, by its answer. */
  'relay.learned': v1({ url, method: openField(choice(relayMethods)), known: openField(flag) }),
})
export type RelayFact = UnionOf<typeof relayFacts>

export function relayState() {
  return situations(
    {
      closed: {},
      offline: {},
      connecting: relayFacts['relay.connecting'].fields,
      connected: { since: openField(instant), url },
      lost: relayFacts['relay.lost'].fields,
      refused: { failure },
    },
    {},
  )
}
export type RelayView = StateOf<typeof relayState>

/**
 * `proved` is the address that answered last, `lacks` the methods that relays lack, `opens` the times of the latest sockets.
 */
export function relaysState() {
  return shape({ proved: url, lacks: map(list(openField(choice(relayMethods)))), opens: list(openField(instant)) })
}
export type RelaysView = StateOf<typeof relaysState>

/** Sockets a minute may open, and openings remembered. */
export const opensAMinute = 12

export function foldRelay(model: { relay: RelayView; relays: RelaysView }, fact: RelayFact & { at: number }): void {
  const { relay, relays } = model
  switch (fact.type) {
    case 'relay.connecting': {
      const { attempt, url } = fact.data
      relays.opens = [...relays.opens, fact.at].slice(-opensAMinute)
      model.relay = { phase: 'connecting', attempt, url }
      return
    }
    case 'relay.connected':
      if (relay.phase === 'connected') return
      model.relay = { phase: 'connected', since: fact.at, url: relay.phase === 'connecting' ? relay.url : '' }
      return
    case 'relay.lost':
      // No socket was opened: the file that opens them could not be fetched
      if (fact.data.failure.code === 'reload_needed') relays.opens = relays.opens.slice(0, -1)
      model.relay = { phase: 'lost', ...fact.data }
      return
    case 'relay.refused':
      model.relay = { phase: 'refused', failure: fact.data.failure }
      return
    case 'relay.offline':
    case 'relay.closed': {
      const phase = fact.type === 'relay.closed' ? 'closed' : 'offline'
      if (relay.phase !== phase) model.relay = { phase }
      return
    }
    case 'relay.proved':
      relays.proved = fact.data.url
      return
    case 'relay.learned': {
      const { url, method, known } = fact.data
      const lacking = own(relays.lacks, url) ?? []
      if (lacking.includes(method) === !known) return
      relays.lacks[url] = known ? lacking.filter(one => one !== method) : [...lacking, method]
    }
  }
}
