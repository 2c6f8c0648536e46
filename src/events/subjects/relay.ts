/** The way to the message relay: one socket, seen from the person's side. */
import { failure } from '../fields.ts'
import { define, instant, integer, open, type UnionOf, v1 } from '../registry.ts'
import type { Failure } from '../failure.ts'

export const relayFacts = define({
  'relay.connecting': v1({ attempt: open(integer) }),
  'relay.connected': v1({}),
  /** The socket is gone; it is tried again at `retryAt`. */
  'relay.lost': v1({ failure, attempt: open(integer), retryAt: open(instant) }),
  /** The relay said no; trying again would not help until something changes. */
  'relay.refused': v1({ failure }),
  /** Nobody needs the relay now. */
  'relay.closed': v1({}),
})
export type RelayFact = UnionOf<typeof relayFacts>

export type RelayView =
  | { phase: 'closed' }
  | { phase: 'connecting'; attempt: number }
  | { phase: 'connected'; since: number }
  | { phase: 'lost'; failure: Failure; attempt: number; retryAt: number }
  | { phase: 'refused'; failure: Failure }

export function foldRelay(model: { relay: RelayView }, fact: RelayFact & { at: number }): void {
  switch (fact.type) {
    case 'relay.connecting':
      if (model.relay.phase === 'connecting' && model.relay.attempt === fact.data.attempt) return
      model.relay = { phase: 'connecting', attempt: fact.data.attempt }
      return
    case 'relay.connected':
      if (model.relay.phase === 'connected') return
      model.relay = { phase: 'connected', since: fact.at }
      return
    case 'relay.lost':
      model.relay = { phase: 'lost', ...fact.data }
      return
    case 'relay.refused':
      model.relay = { phase: 'refused', failure: fact.data.failure }
      return
    case 'relay.closed':
      if (model.relay.phase !== 'closed') model.relay = { phase: 'closed' }
  }
}
