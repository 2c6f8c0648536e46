/** Sealed messages on their way to the relay. The same bytes are sent again until the relay acknowledges them. */
import { failure, outgoingPurpose } from '../../schema/fields.ts'
import { own } from '../../../runtime/schema/own.ts'
import {
  choice,
  define,
  flag,
  id,
  integer,
  lifted,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { instant } from '../../schema/scales.ts'
import { type MailView, settleOwed } from './mail.ts'

export const outboxFacts = define({
  /** `messageRef` names the sealed bytes in the vault's store; `callId` is the relay call's id, the same across retries. */
  'outbox.queued': v1({
    callId: openField(id),
    kind: openField(choice(['publish', 'propose'])),
    topic: personal(id),
    messageRef: personal(id),
    tag: openField(integer),
    ttl: openField(integer),
    prompt: openField(flag),
    payloadId: openField(id),
    purpose: optional(outgoingPurpose),
    /** it goes by this link of the wallet, not over the relay */
    universal: optional(personal(text)),
    expiresAt: openField(instant),
  }),
  'outbox.taken': v1({ callId: openField(id) }),
  /** Sending has ended; `failure` when the relay refused the message for good, or its time ran out. */
  'outbox.dropped': lifted({ callId: openField(id), failure: optional(failure) }, data => data),
})
export type OutboxFact = UnionOf<typeof outboxFacts>

/** A message as the model has it. */
export function outgoingState() {
  return shape({ ...outboxFacts['outbox.queued'].fields, queuedAt: openField(instant) })
}
export type Outgoing = StateOf<typeof outgoingState>
export type OutboxView = Record<string, Outgoing>

export function foldOutbox(
  model: { outbox: OutboxView; mail: Pick<MailView, 'owed'> },
  fact: OutboxFact & { at: number },
): void {
  const { callId } = fact.data
  switch (fact.type) {
    case 'outbox.queued':
      if (!own(model.outbox, callId)) model.outbox[callId] = { queuedAt: fact.at, ...fact.data }
      settleOwed(model.mail, fact.data)
      return
    case 'outbox.taken':
    case 'outbox.dropped':
      if (own(model.outbox, callId)) delete model.outbox[callId]
  }
}
