/** Messages from wallets, as far as they are remembered: what was handled is not handled again, over a restart either. */
import { choice, define, id, open, optional, personal, type UnionOf, v1 } from '../registry.ts'
import { type Memory, emptyMemory, remember } from '../values/memory.ts'

/** Why a message led nowhere: no frame of a relay, not to be opened, for a topic deleted lately, for nobody's. */
export const dropped = ['garbage', 'unopened', 'late', 'unknown'] as const

export const mailFacts = define({
  /** A message was handled. `payloadId` is the wallet's, when it asked something. */
  'mail.heard': v1({ topic: personal(id), hash: personal(id), payloadId: optional(open(id)) }),
  /** A message led nowhere. It is acknowledged like any other, so that it does not come again. */
  'mail.dropped': v1({ why: open(choice(dropped)) }),
})
export type MailFact = UnionOf<typeof mailFacts>

/** Hashes of messages and keys of requests that were handled lately, and how many led nowhere. */
export type MailView = {
  messages: Memory
  requests: Memory
  dropped: Partial<Record<(typeof dropped)[number], number>>
}

export function emptyMail(): MailView {
  return { messages: emptyMemory(), requests: emptyMemory(), dropped: {} }
}

/** So many are remembered before the older half is forgotten: more than are ever on their way when a life ends. */
const kept = 200

/** @returns what stands for a wallet's request: its id alone may be another wallet's */
export function requestKey(topic: string, payloadId: string): string {
  return `${topic} ${payloadId}`
}

export function foldMail({ mail }: { mail: MailView }, fact: MailFact): void {
  if (fact.type === 'mail.dropped') {
    const { why } = fact.data
    mail.dropped[why] = (mail.dropped[why] ?? 0) + 1
    return
  }
  if (fact.type !== 'mail.heard') return
  const { topic, hash, payloadId } = fact.data
  remember(mail.messages, hash, kept)
  if (payloadId !== undefined) remember(mail.requests, requestKey(topic, payloadId), kept)
}
