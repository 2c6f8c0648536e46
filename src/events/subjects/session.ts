/** Settled WalletConnect sessions. The wallet controls what is in them. */
import { own } from '../own.ts'
import { type Namespaces, namespaces, type Peer, peer } from '../fields.ts'
import { choice, define, id, instant, integer, open, personal, type UnionOf, v1 } from '../registry.ts'
import { type DeletedView, foldDeleted } from './deleted.ts'

export const sessionFacts = define({
  'session.settled': v1({
    sessionTopic: personal(id),
    pairingTopic: personal(id),
    controllerKey: personal(id),
    peer,
    namespaces,
    expiresAt: open(instant),
  }),
  /** The wallet replaced the whole set. `order` is the update's id cut to its milliseconds; older ones are refused. */
  'session.updated': v1({ sessionTopic: personal(id), namespaces, order: open(integer) }),
  'session.extended': v1({ sessionTopic: personal(id), expiresAt: open(instant) }),
  'session.deleted': v1({ sessionTopic: personal(id), by: open(choice(['person', 'wallet', 'expiry'])) }),
})
export type SessionFact = UnionOf<typeof sessionFacts>

export type Session = {
  sessionTopic: string
  pairingTopic: string
  controllerKey: string
  peer: Peer
  namespaces: Namespaces
  expiresAt: number
  settledAt: number
  updateOrder: number
}
export type SessionView = Record<string, Session>

export function foldSession(
  model: { session: SessionView; deleted: DeletedView },
  fact: SessionFact & { at: number },
): void {
  const { sessionTopic } = fact.data
  if (fact.type === 'session.settled') {
    if (own(model.session, sessionTopic)) return
    model.session[sessionTopic] = { ...fact.data, settledAt: fact.at, updateOrder: 0 }
    return
  }
  const session = own(model.session, sessionTopic)
  if (!session) return
  switch (fact.type) {
    case 'session.updated':
      if (fact.data.order < session.updateOrder) return
      // The same update a second time keeps the very same object, so that nothing redraws
      if (JSON.stringify(session.namespaces) !== JSON.stringify(fact.data.namespaces))
        session.namespaces = fact.data.namespaces
      session.updateOrder = fact.data.order
      return
    case 'session.extended':
      session.expiresAt = fact.data.expiresAt
      return
    case 'session.deleted':
      delete model.session[sessionTopic]
      foldDeleted(model, 'session', sessionTopic)
  }
}
