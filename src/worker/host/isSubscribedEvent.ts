import { own } from '../../runtime/schema/own.ts'
import type { SessionView } from '../../events/subjects/session.ts'

/**
 * Whether anybody asked for events of this name: what else a wallet says with an event may be anybody's secret, and is
 * not taken in.
 */
export function isSubscribedEvent(sessions: SessionView, topic: string, event: string): boolean {
  const session = own(sessions, topic)
  if (!session?.proposal) return false
  const { required, optional } = session.proposal
  const asked = [...Object.values(required), ...Object.values(optional)]
  // Who asks for nothing in particular asks for all that the wallet gives
  const given = asked.length === 0 ? Object.values(session.namespaces) : asked
  return given.some(({ events }) => events.includes(event))
}
