/** A WalletConnect pairing: a short-lived topic whose code is shown to the person and scanned by a wallet. */
import type { ConnectionView } from '../wallet/connection.ts'
import { own } from '../../../runtime/schema/own.ts'
import { failure, proposal } from '../../schema/fields.ts'
import {
  define,
  id,
  integer,
  lifted,
  map,
  openField,
  optional,
  personal,
  situations,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { instant } from '../../schema/scales.ts'

export const pairingFacts = define({
  /**
   * The vault has the topic and its key; the proposal is on its way, this page's own unless given. A new code replaces it at
   * `renewAt`.
   */
  'pairing.created': lifted(
    {
      pairingTopic: personal(id),
      attemptId: openField(id),
      proposalId: openField(id),
      publicKey: personal(id),
      proposal: optional(proposal),
      renewAt: openField(instant),
      expiresAt: openField(instant),
    },
    data => data,
  ),
  /** The relay holds the proposal: a wallet that scans the code now receives it. */
  'pairing.proposed': v1({ pairingTopic: personal(id) }),
  /** The wallet answered; the session's key is being derived. */
  'pairing.responded': v1({ pairingTopic: personal(id), responderKey: personal(id) }),
  /** The session topic is known and subscribed; the settlement is pending. */
  'pairing.answered': v1({ pairingTopic: personal(id), sessionTopic: personal(id) }),
  /** Pings the wallet that scanned the code. */
  'pairing.pinged': v1({ pairingTopic: personal(id), payloadId: openField(id) }),
  /** The ping is answered, or has failed. Pings of a code that ends are over with it, without a fact. */
  'pairing.pingEnded': v1({ pairingTopic: personal(id), payloadId: openField(id), failure: optional(failure) }),
  /** A command that cannot be carried out: the protocol's code and text. */
  'pairing.refused': v1({ pairingTopic: personal(text), code: openField(integer), message: openField(text) }),
  'pairing.settled': v1({ pairingTopic: personal(id) }),
  'pairing.rejected': v1({ pairingTopic: personal(id), failure }),
  'pairing.expired': v1({ pairingTopic: personal(id) }),
})
export type PairingFact = UnionOf<typeof pairingFacts>

/** A pairing as the model has it; `pings` are the times of open pings, by payload id. */
export function pairingState() {
  return situations(
    {
      created: {},
      proposed: {},
      responded: { responderKey: personal(id) },
      answered: { sessionTopic: personal(id), responderKey: personal(id) },
      rejected: { failure },
    },
    {
      pairingTopic: personal(id),
      attemptId: openField(id),
      proposalId: openField(id),
      publicKey: personal(id),
      proposal: optional(proposal),
      createdAt: openField(instant),
      renewAt: openField(instant),
      expiresAt: openField(instant),
      pings: optional(map(openField(instant))),
    },
  )
}
export type Pairing = StateOf<typeof pairingState>

/** `shown` is the pairing whose code the person should see; older ones stay answerable until they expire. */
export type PairingView = { shown: string | null; open: Record<string, Pairing> }

export function foldPairing(
  model: { pairing: PairingView; connection: ConnectionView },
  fact: PairingFact & { at: number },
): void {
  const view = model.pairing
  if (fact.type === 'pairing.created') {
    if (own(view.open, fact.data.pairingTopic)) return
    view.open[fact.data.pairingTopic] = { phase: 'created', createdAt: fact.at, ...fact.data }
    // The proposal beside one-click auth has no code of its own to show. Pages fold no auth, so the attempt decides
    const { attempt } = model.connection
    if (attempt.phase !== 'none' && attempt.attemptId === fact.data.attemptId) view.shown = fact.data.pairingTopic
    return
  }
  const pairing = own(view.open, fact.data.pairingTopic)
  if (!pairing) return
  const { pairingTopic, attemptId, proposalId, publicKey, proposal, createdAt, renewAt, expiresAt, pings } = pairing
  const kept = { pairingTopic, attemptId, proposalId, publicKey, createdAt, renewAt, expiresAt }
  const base = { ...kept, ...(proposal && { proposal }), ...(pings && { pings }) }
  switch (fact.type) {
    case 'pairing.proposed':
      if (pairing.phase === 'created') view.open[pairingTopic] = { ...base, phase: 'proposed' }
      return
    case 'pairing.responded':
      if (pairing.phase !== 'created' && pairing.phase !== 'proposed') return
      view.open[pairingTopic] = { ...base, phase: 'responded', responderKey: fact.data.responderKey }
      return
    case 'pairing.answered':
      if (pairing.phase !== 'responded') return
      view.open[pairingTopic] = {
        ...base,
        phase: 'answered',
        sessionTopic: fact.data.sessionTopic,
        responderKey: pairing.responderKey,
      }
      return
    case 'pairing.rejected':
      if (pairing.phase === 'rejected') return
      view.open[pairingTopic] = { ...base, phase: 'rejected', failure: fact.data.failure }
      return
    case 'pairing.pinged':
      pairing.pings ??= {}
      pairing.pings[fact.data.payloadId] ??= fact.at
      return
    case 'pairing.pingEnded':
      if (pings) delete pings[fact.data.payloadId]
      return
    case 'pairing.settled':
    case 'pairing.expired':
      delete view.open[pairingTopic]
      if (view.shown === pairingTopic) view.shown = null
  }
}
