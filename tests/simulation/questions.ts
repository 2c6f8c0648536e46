/** Wallets' requests that were acknowledged to the relay. */
import type { OutgoingPayload } from '../../src/events/effect.ts'
import { requestKey } from '../../src/events/subjects/session/mail.ts'
import type { Payload } from './relay.ts'

/** `log`: chain of the log that stores it. */
type Question = { topic: string; id: string; log: string; kind: Payload['kind'] }

const answered: ReadonlySet<string> = new Set(['settle', 'update', 'extend', 'ping'])

export function createQuestions() {
  const asked = new Map<string, Question>()
  /** requests answered by a link */
  const byLink = new Set<string>()

  return {
    asked: (): Iterable<Question> => asked.values(),
    byLink,
    acknowledged(topic: string, { kind, id }: Payload, log: string): void {
      if (answered.has(kind)) asked.set(requestKey(topic, id), { topic, id, log, kind })
    },
    heardByLink(topic: string, payload: OutgoingPayload): void {
      if (!('method' in payload)) byLink.add(requestKey(topic, payload.id))
    },
  }
}
