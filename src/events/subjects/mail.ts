/**
 * Messages from wallets, as far as they are remembered: what was handled is not handled again, over a restart either; and
 * what they asked is owed its answer until the message that gives it is sealed and kept, whoever dies meanwhile.
 */
import { outgoingPurpose, type PeerError, peerError } from '../schema/fields.ts'
import { own } from '../schema/own.ts'
import { choice, define, id, integer, open, optional, personal, type UnionOf, v1 } from '../schema/registry.ts'
import { type Memory, emptyMemory, remember } from '../values/memory.ts'

/** Why a message led nowhere: no frame of a relay, not to be opened, for a topic deleted lately, for nobody's. */
export const dropped = ['garbage', 'unopened', 'late', 'unknown'] as const

export const mailFacts = define({
  /** A message was handled. `payloadId` is the wallet's, when it asked something. */
  'mail.heard': v1({ topic: personal(id), hash: personal(id), payloadId: optional(open(id)) }),
  /** A message led nowhere. It is acknowledged like any other, so that it does not come again. */
  'mail.dropped': v1({ why: open(choice(dropped)) }),
  /** A wallet's question is answered, by true unless there is an error. The message is still to be sealed. */
  'mail.owed': v1({
    topic: personal(id),
    payloadId: open(id),
    tag: open(integer),
    ttl: open(integer),
    purpose: optional(outgoingPurpose),
    error: optional(peerError),
  }),
  /** An answer cannot be given any more: its topic's key is gone, or its time was over. */
  'mail.forgone': v1({ topic: personal(id), payloadId: open(id) }),
})
export type MailFact = UnionOf<typeof mailFacts>

/** An answer that is still to be sealed; in seconds how long a relay keeps it, in ms when it was decided. */
export type OwedAnswer = {
  topic: string
  payloadId: string
  tag: number
  ttl: number
  purpose?: string
  error?: PeerError
  owedAt: number
}

/** Hashes of messages and keys of requests that were handled lately, how many led nowhere, and answers by their request's key. */
export type MailView = {
  messages: Memory
  requests: Memory
  dropped: Partial<Record<(typeof dropped)[number], number>>
  owed: Record<string, OwedAnswer>
}

export function emptyMail(): MailView {
  return { messages: emptyMemory(), requests: emptyMemory(), dropped: {}, owed: {} }
}

/** So many are remembered before the older half is forgotten: more than are ever on their way when a life ends. */
const kept = 200

/** @returns what stands for a wallet's request: its id alone may be another wallet's */
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
      mail.owed[requestKey(fact.data.topic, fact.data.payloadId)] ??= { ...fact.data, owedAt: fact.at }
      return
    case 'mail.forgone':
      settleOwed(mail, fact.data)
  }
}

/** The answer is kept, or is not given any more. */
export function settleOwed(
  { owed }: Pick<MailView, 'owed'>,
  { topic, payloadId }: { topic: string; payloadId: string },
) {
  const key = requestKey(topic, payloadId)
  if (own(owed, key)) delete owed[key]
}

/** Nothing more is said on a topic. */
export function forgoOwed({ owed }: Pick<MailView, 'owed'>, topic: string): void {
  for (const [key, answer] of Object.entries(owed)) if (answer.topic === topic) delete owed[key]
}
