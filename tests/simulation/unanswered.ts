/** Invariant of wallets' requests that were acknowledged to the relay: in the end each has exactly one answer. */
import type { Failure } from '../../src/runtime/failure.ts'
import type { FactRecord } from '../../src/runtime/log/record.ts'
import { requestKey } from '../../src/events/subjects/session/mail.ts'
import type { SimulatedWorld } from './world.ts'

/** Keys of requests whose answers lost their key or ran out of time. */
function* forgoneIn(facts: readonly FactRecord[]): Generator<string> {
  const queued = new Map<unknown, string>()
  for (const { type, data } of facts) {
    const key = requestKey(String(data.topic), String(data.payloadId))
    if (type === 'mail.forgone') yield key
    if (type === 'outbox.queued') queued.set(data.callId, key)
    const late = type === 'outbox.dropped' && (data.failure as Failure | undefined)?.code === 'expired'
    if (late) yield queued.get(data.callId) ?? ''
  }
}

/**
 * Checks requests in remaining sessions. A link is opened at most once; a lost key or an unreachable relay excuses a missing
 * answer.
 *
 * @returns requests acknowledged and never answered, or answered twice, in words
 */
export function unanswered(world: SimulatedWorld): string[] {
  const model = world.model()
  if (!model) return []
  const { questions, relay } = world
  const answers = (topic: string, id: string) =>
    relay.published(topic).filter(one => !('method' in one) && one.id === id).length
  const forgone = new Set(forgoneIn(world.log().facts))
  const found: string[] = []
  const settled = new Set<string>()
  const settling = new Set<string>()
  for (const { topic, id, log, kind } of questions.asked()) {
    const times = answers(topic, id)
    // A ping that was answered before the log of another chain comes again in that one: its answer says nothing new
    const mayRepeat = world.forgets() || (kind === 'ping' && world.hasMoved())
    if (times > 1 && !mayRepeat) found.push(`a wallet’s ${kind} was answered ${times} times`)
    const session = model.session[topic]
    if (!session || session.transport === 'link' || log !== world.chainOfLog()) continue
    const key = requestKey(topic, id)
    const isAnswered = times > 0 || questions.byLink.has(key) || forgone.has(key)
    // Of several settlements, the one that made the session and its repetitions are answered
    if (kind === 'settle') (isAnswered ? settled : settling).add(topic)
    else if (!isAnswered) found.push(`a wallet’s ${kind} was acknowledged and never answered`)
  }
  for (const topic of settling) if (!settled.has(topic)) found.push('a settlement was acknowledged and never answered')
  for (const { topic } of Object.values(model.mail.owed)) found.push(`an answer on ${topic} is still owed`)
  return found
}
