import { type Mailbox, type Message, type Publication, subscriptionId } from './mailbox.ts'

/** A JSON-RPC refusal. */
export type Refusal = { code: number; message: string }

/** Result of a method and its side effects; the answer is sent before the pushes. */
export type Outcome =
  | { refusal: Refusal }
  | { result: unknown; subscribe?: string[]; unsubscribe?: string[]; published?: Message[] }

/** The caller, and the mailbox it uses. */
export type Call = { clientId: string; params: unknown; mailbox: Mailbox; limits: Limits }

/** Limits: topics or messages per call, and messages per answer to a fetch. */
export type Limits = { batch: number; fetch: number }

const defaultTtl = 21_600
const longestTtl = 2_592_000

/** Methods that combine several calls. */
export const compositeMethods = ['wc_proposeSession', 'wc_approveSession']

/** Methods that store into a mailbox. */
export const publishingMethods = ['irn_publish', 'irn_batchPublish', ...compositeMethods]

/** Every relay method by name; throws `BadParams` for invalid params. */
export const methods: Record<string, (call: Call) => Outcome> = {
  irn_subscribe: ({ clientId, params }) => {
    const topic = topicOf(params, 'topic')
    return { result: subscriptionId(topic, clientId), subscribe: [topic] }
  },
  irn_batchSubscribe: ({ clientId, params, limits }) => {
    const topics = topicsOf(params, limits)
    return { result: topics.map(topic => subscriptionId(topic, clientId)), subscribe: topics }
  },
  irn_unsubscribe: ({ clientId, params }) => ({ result: true, unsubscribe: [leaving(params, clientId)] }),
  irn_batchUnsubscribe: ({ clientId, params, limits }) => {
    const leave = listOf(params, 'subscriptions', limits).map(one => leaving(one, clientId))
    return { result: true, unsubscribe: leave }
  },
  irn_publish: ({ clientId, params, mailbox }) => ({
    result: true,
    published: [mailbox.publish(clientId, publication(params))],
  }),
  irn_batchPublish: ({ clientId, params, mailbox, limits }) => {
    const publications = listOf(params, 'messages', limits).map(publication)
    return { result: true, published: publications.map(one => mailbox.publish(clientId, one)) }
  },
  irn_fetchMessages: call => fetched(call, [topicOf(call.params, 'topic')]),
  irn_batchFetchMessages: call => fetched(call, topicsOf(call.params, call.limits)),
  wc_proposeSession: ({ clientId, params, mailbox }) => {
    const topic = topicOf(params, 'pairingTopic')
    const message = textOf(params, 'sessionProposal')
    const proposal = { topic, message, tag: 1100, ttl: ttlOf(params), ...attestationOf(params) }
    return { result: true, subscribe: [topic], published: [mailbox.publish(clientId, proposal)] }
  },
  wc_approveSession: ({ clientId, params, mailbox }) => {
    const pairing = topicOf(params, 'pairingTopic')
    const session = topicOf(params, 'sessionTopic')
    const answer = { topic: pairing, message: textOf(params, 'sessionProposalResponse'), tag: 1101, ttl: ttlOf(params) }
    const settlement = {
      topic: session,
      message: textOf(params, 'sessionSettlementRequest'),
      tag: 1102,
      ttl: ttlOf(params),
    }
    const published = [mailbox.publish(clientId, answer), mailbox.publish(clientId, settlement)]
    return { result: true, subscribe: [session], published }
  },
}

/** Runs one method; maps unknown names and invalid params to JSON-RPC refusals. */
export function runMethod(name: string, call: Call): Outcome {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!method) return { refusal: { code: -32601, message: `Method not found: ${name}` } }
  try {
    return method(call)
  } catch (error) {
    if (error instanceof BadParams) return { refusal: { code: -32602, message: `${name} ${error.message}` } }
    throw error
  }
}

class BadParams extends Error {}

function field(params: unknown, name: string): unknown {
  if (params === null || typeof params !== 'object') throw new BadParams('expected params as an object')
  return (params as Record<string, unknown>)[name]
}

function textOf(params: unknown, name: string): string {
  const value = field(params, name)
  if (typeof value !== 'string' || value === '') throw new BadParams(`expected ${name} as text`)
  return value
}

function asTopic(value: unknown, name: string): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    throw new BadParams(`expected ${name} as 64 lower-case hex digits`)
  return value
}

const topicOf = (params: unknown, name: string): string => asTopic(field(params, name), name)

function listOf(params: unknown, name: string, { batch }: Limits): unknown[] {
  const list = field(params, name)
  if (!Array.isArray(list)) throw new BadParams(`expected ${name} as a list`)
  if (list.length > batch) throw new BadParams(`expected at most ${batch} ${name}, got ${list.length}`)
  return list
}

const topicsOf = (params: unknown, limits: Limits): string[] =>
  listOf(params, 'topics', limits).map(topic => asTopic(topic, 'topic'))

function leaving(params: unknown, clientId: string): string {
  const topic = topicOf(params, 'topic')
  if (textOf(params, 'id') !== subscriptionId(topic, clientId))
    throw new BadParams('expected id to be the id of this subscription')
  return topic
}

function ttlOf(params: unknown): number {
  const ttl = field(params, 'ttl') ?? defaultTtl
  if (!Number.isSafeInteger(ttl) || (ttl as number) < 1 || (ttl as number) > longestTtl) {
    throw new BadParams(`expected ttl from 1 to ${longestTtl} seconds, got ${String(ttl)}`)
  }
  return ttl as number
}

function attestationOf(params: unknown): { attestation?: string } {
  const attestation = field(params, 'attestation')
  return typeof attestation === 'string' ? { attestation } : {}
}

function publication(params: unknown): Publication {
  const tag = field(params, 'tag') ?? 0
  if (!Number.isSafeInteger(tag)) throw new BadParams(`expected tag as a whole number, got ${String(tag)}`)
  const message = textOf(params, 'message')
  return { topic: topicOf(params, 'topic'), message, tag: tag as number, ttl: ttlOf(params), ...attestationOf(params) }
}

/** Fetched messages count as acknowledged: the protocol has no acknowledgement for them. */
function fetched({ clientId, mailbox, limits }: Call, topics: string[]): Outcome {
  const waiting = topics.flatMap(topic => mailbox.unread(clientId, topic))
  const page = waiting.slice(0, limits.fetch)
  for (const message of page) message.ackedBy.add(clientId)
  const messages = page.map(({ topic, message, publishedAt, tag }) => ({ topic, message, publishedAt, tag }))
  return { result: { messages, hasMore: waiting.length > page.length } }
}
