/** Readings of the Blockchain API in the model: what is known, whether more is on its way, and when to ask again. */
import {
  askKey,
  type ServiceAnswer,
  type ServiceAsk,
  type ServiceEntry,
  type ServiceView,
} from '../../events/subjects/service/service.ts'
import { own } from '../../runtime/schema/own.ts'

/** How long an answer is shown before it is asked for again, ms: with the sale's readings, at most four requests a minute. */
const refreshMs = { balance: 180_000, history: 300_000 } as const
/** How long the core gives an answer again, ms: an earlier ask would ask nothing. */
const freshMs = { balance: 30_000, history: 15_000 } as const
/** The service is down for now: asking again would not help it. */
const downStatus = 503

/** @returns what the model knows of an ask */
export function entryOf(service: ServiceView, ask: ServiceAsk): ServiceEntry | undefined {
  return own(service, askKey(ask))
}

/** @returns the answer of an ask, the latest that succeeded */
export function serviceAnswerOf<C extends ServiceAnswer['call']>(
  service: ServiceView,
  ask: ServiceAsk & { call: C },
): Extract<ServiceAnswer, { call: C }> | undefined {
  const answer = entryOf(service, ask)?.answer
  return answer?.call === ask.call ? (answer as Extract<ServiceAnswer, { call: C }>) : undefined
}

/** @returns whether an entry is of a network that the service does not serve */
export function isElsewhere(entry: ServiceEntry | undefined): boolean {
  return entry?.failure?.code === 'unsupported'
}

/** @returns whether the answer of an entry stands in for one that could not be read: it tells nothing of the account */
export function isStandIn({ failure, at, readAt }: ServiceEntry): boolean {
  return failure !== undefined && at === readAt
}

/**
 * @param changedAt when the account was seen to change, ms since the Unix epoch; an older answer is asked for again soon
 * @returns when to ask next, ms since the Unix epoch; 0 at once. Undefined: not by itself, because an ask is under way or the
 *   service is down for balances
 */
export function nextAskAt(
  service: ServiceView,
  ask: ServiceAsk & { call: keyof typeof refreshMs },
  changedAt = 0,
): number | undefined {
  const entry = entryOf(service, ask)
  if (!entry) return 0
  if (entry.isAsked) return undefined
  if (ask.call === 'balance' && entry.failure?.facts?.status === downStatus) return undefined
  const dueAt = entry.at + refreshMs[ask.call]
  return changedAt > entry.at ? Math.min(dueAt, Math.max(changedAt, entry.at + freshMs[ask.call])) : dueAt
}
