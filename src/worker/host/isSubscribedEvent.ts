import { own } from '../../runtime/schema/own.ts'
import type { SessionView } from '../../events/subjects/session/session.ts'

/**
 * @returns whether the session's proposal asked for events of this name. Other events are dropped: their data may hold a secret
 */
export function isSubscribedEvent(sessions: SessionView, topic: string, event: string): boolean {
  const session = own(sessions, topic)
  if (!session?.proposal) return false
  const { required, optional } = session.proposal
  const asked = [...Object.values(required), ...Object.values(optional)]
  // An empty proposal asks for every event of the approved namespaces
  const given = asked.length === 0 ? Object.values(session.namespaces) : asked
  return given.some(({ events }) => events.includes(event))
}
