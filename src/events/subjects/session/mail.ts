/**
 * Messages from wallets. Handled ones are deduplicated, across restarts too. A wallet's request is owed its reply until the
 * message with it is sealed and stored, even if a worker dies meanwhile.
 */
import { outgoingPurpose, peerError } from '../../schema/fields.ts'
import { own } from '../../../runtime/schema/own.ts'
import {
  choice,
  define,
  id,
  integer,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { instant } from '../../schema/scales.ts'
import { type Memory, remember } from '../../values/memory.ts'

/** Why a message led nowhere: no frame of a relay, not to be opened, for a topic deleted lately, for an unknown one. */
const dropped = ['garbage', 'unopened', 'late', 'unknown'] as const

export const mailFacts = define({
  /** A message was handled. `payloadId` is the wallet's, of a request. */
  'mail.heard': v1({ topic: personal(id), hash: personal(id), payloadId: optional(openField(id)) }),
  /** A message led nowhere. It is acknowledged like any other, so that the relay does not repeat it. */
  'mail.dropped': v1({ why: openField(choice(dropped)) }),
  /** A wallet's request is answered, by true unless there is an error. The reply is not sealed yet. */
  'mail.owed': v1({
    topic: personal(id),
    payloadId: openField(id),
    tag: openField(integer),
    ttl: openField(integer),
    purpose: optional(outgoingPurpose),
    error: optional(peerError),
  }),
  /** A reply is given up: its topic's key is gone, or its time is over. */
  'mail.forgone': v1({ topic: personal(id), payloadId: openField(id) }),
})
export type MailFact = UnionOf<typeof mailFacts>

/** A reply that is not sealed yet; `ttl` in seconds, `owedAt` in ms. */
export function owedState() {
  return shape({ ...mailFacts['mail.owed'].fields, owedAt: openField(instant) })
}
export type OwedAnswer = StateOf<typeof owedState>

/**
 * Hashes of messages and keys of requests handled lately, counts of dropped messages, and owed replies by their request's key.
 */
export type MailView = {
  messages: Memory
  requests: Memory
  dropped: Partial<Record<(typeof dropped)[number], number>>
  owed: Record<string, OwedAnswer>
}

/** Number of entries remembered before the older half is evicted: more than are ever in flight when a life ends. */
const kept = 200

/** @returns the key of a wallet's request: another wallet may use the same id */
export function requestKey(topic: string, payloadId: string): string {
  return `${topic} ${payloadId}`
}

export function foldMail({ mail }: { mail: MailView }, fact: MailFact & { at: number }): void {
  switch (fact.type) {
    case 'mail.dropped': {
      const { why } = fact.data
      mail.dropped[why] = (mail.dropped[why] ?? 0) + 1
      return
    }
    case 'mail.heard': {
      const { topic, hash, payloadId } = fact.data
      remember(mail.messages, hash, kept)
      if (payloadId !== undefined) remember(mail.requests, requestKey(topic, payloadId), kept)
      return
    }
    case 'mail.owed':
      mail.owed[requestKey(fact.data.topic, fact.data.payloadId)] ??= { owedAt: fact.at, ...fact.data }
      return
    case 'mail.forgone':
      settleOwed(mail, fact.data)
  }
}

/** Removes a reply that is stored, or given up. */
export function settleOwed(
  { owed }: Pick<MailView, 'owed'>,
  { topic, payloadId }: { topic: string; payloadId: string },
) {
  const key = requestKey(topic, payloadId)
  if (own(owed, key)) delete owed[key]
}

/** Drops all replies owed on a topic. */
export function forgoOwed({ owed }: Pick<MailView, 'owed'>, topic: string): void {
  for (const [key, answer] of Object.entries(owed)) if (answer.topic === topic) delete owed[key]
}
