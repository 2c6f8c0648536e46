import { createHash } from 'node:crypto'

/** One published envelope. `publishedAt` and `expiresAt` are ms since the Unix epoch. */
export type Message = {
  topic: string
  message: string
  tag: number
  publishedAt: number
  expiresAt: number
  attestation?: string
  sender: string
  ackedBy: Set<string>
}

/** Params of a publish. `ttl` is in seconds. */
export type Publication = { topic: string; message: string; tag: number; ttl: number; attestation?: string }

/** Messages of every topic until they expire, with the clients that acknowledged them. */
export type Mailbox = {
  publish(sender: string, publication: Publication): Message
  /** Unacknowledged messages of the topic, oldest first; never the client's own publications. */
  unread(clientId: string, topic: string): Message[]
  /** Number of live messages by topic, for inspection. */
  sizes(): Map<string, number>
}

/** Limit of messages per topic; the oldest are evicted. */
const perTopic = 1000

/** A mailbox in memory. */
export function createMailbox(now: () => number): Mailbox {
  const topics = new Map<string, Message[]>()

  const live = (topic: string): Message[] => {
    const kept = (topics.get(topic) ?? []).filter(message => message.expiresAt > now()).slice(-perTopic)
    if (kept.length > 0) topics.set(topic, kept)
    else topics.delete(topic)
    return kept
  }

  return {
    publish(sender, { ttl, ...publication }) {
      const publishedAt = now()
      const message = {
        ...publication,
        publishedAt,
        expiresAt: publishedAt + ttl * 1000,
        sender,
        ackedBy: new Set<string>(),
      }
      topics.set(publication.topic, [...live(publication.topic), message])
      return message
    },
    unread: (clientId, topic) =>
      live(topic).filter(({ sender, ackedBy }) => sender !== clientId && !ackedBy.has(clientId)),
    sizes: () => new Map([...topics.keys()].map(topic => [topic, live(topic).length])),
  }
}

/** The id of a client's subscription to a topic: SHA-256 hex of both texts in a row. */
export function subscriptionId(topic: string, clientId: string): string {
  return createHash('sha256')
    .update(topic + clientId)
    .digest('hex')
}
