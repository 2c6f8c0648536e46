/** Checks facts about entities with a beginning and an end: no fact about a closed one, one beginning, one end. */

/** The open entities, by the facts that open them, refer to them and end them. */
type Family = { key: string; opens: readonly string[]; ends: readonly string[] }
const families: Record<string, Family> = {
  session: { key: 'sessionTopic', opens: ['session.settled'], ends: ['session.deleted'] },
  pairing: { key: 'pairingTopic', opens: ['pairing.created'], ends: ['pairing.settled', 'pairing.expired'] },
  outbox: { key: 'callId', opens: ['outbox.queued'], ends: ['outbox.taken', 'outbox.dropped'] },
  auth: { key: 'authId', opens: ['auth.requested'], ends: ['auth.done', 'auth.failed'] },
  order: { key: 'orderId', opens: ['order.drafted'], ends: [] },
  request: {
    key: 'requestId',
    opens: ['request.sent', 'request.refused'],
    ends: ['request.refused', 'request.answered', 'request.failed'],
  },
}

/** @param tell receives each violation as a sentence */
export function createFamilies(tell: (what: string) => void) {
  /** ids by family, while they are open */
  const open = new Map<string, Set<string>>()
  const everSent = new Set<string>()
  const settledPairings = new Set<string>()
  /** open calls of sessions, by their ids, each with its topic */
  const calls = new Map<string, string>()

  function memberIs(subject: string, { opens, ends }: Family, type: string, id: string): void {
    let ids = open.get(subject)
    if (!ids) open.set(subject, (ids = new Set()))
    if (opens.includes(type)) {
      if (everSent.has(`${subject} ${id}`)) tell(`${type} again for ${id}`)
      if (!ends.includes(type)) ids.add(id)
      everSent.add(`${subject} ${id}`)
      return
    }
    // The refusal says that there is none
    if (type === 'session.refused' || type === 'pairing.refused' || type === 'auth.refused') return
    if (type === 'request.late') {
      if (!everSent.has(`request ${id}`) || ids.has(id)) tell(`request.late of ${id}, which is open or unknown`)
      return
    }
    if (!ids.has(id)) tell(`${type} speaks of ${id}, which is not open`)
    if (ends.includes(type)) ids.delete(id)
  }

  /** Our call to a session's wallet ends once, or with its session. */
  function callIs(type: string, { payloadId = '', sessionTopic = '' }: Record<string, string>): void {
    if (type === 'session.called') {
      if (everSent.has(`call ${payloadId}`)) tell(`${type} again for ${payloadId}`)
      everSent.add(`call ${payloadId}`)
      calls.set(payloadId, sessionTopic)
    } else if (!calls.delete(payloadId)) tell(`${type} speaks of ${payloadId}, which is not open`)
  }

  return {
    /** Checks the next fact. */
    hears(type: string, data: Record<string, string>): void {
      const subject = type.slice(0, type.indexOf('.'))
      const family = families[subject]
      if (family) memberIs(subject, family, type, data[family.key] ?? '')
      if (type === 'session.called' || type === 'session.callEnded') callIs(type, data)
      if (type === 'session.deleted') for (const [id, topic] of calls) if (topic === data.sessionTopic) calls.delete(id)
      if (type !== 'session.settled') return
      const { pairingTopic = '' } = data
      if (settledPairings.has(pairingTopic)) tell(`the pairing ${pairingTopic} settles a second time`)
      settledPairings.add(pairingTopic)
    },
  }
}
