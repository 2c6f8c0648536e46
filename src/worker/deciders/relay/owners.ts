/** Owners of outgoing messages: the outbox tells the subject that a message's purpose names how its sending went. */
import type { Failure } from '../../../runtime/failure.ts'
import { type MessagePurpose, messagePurposeIn } from '../../../events/values/reference.ts'
import type { Ctx } from '../../core/context.ts'

/** `id` is the purpose's. */
export type MailOwner = {
  /** The message is sealed; it is stored with this step. */
  sealed?(ctx: Ctx, id: string): void
  /** The message could not be sealed, or its first publishing could not be committed: it was not sent. */
  unsent?(ctx: Ctx, id: string, failure: Failure): void
  /** The relay refuses the message for good. */
  refused?(ctx: Ctx, id: string, failure: Failure): void
  /** The relay has accepted the message. */
  taken?(ctx: Ctx, id: string): void
}

/** By the purpose's kind. */
export type MailOwners = { [K in MessagePurpose['kind']]?: MailOwner }

/** Tells the owner of a message with this purpose; `id` is that by which it knows the message. */
export function tellOwner(
  owners: MailOwners,
  purpose: string | undefined,
  tell: (owner: MailOwner, id: string) => void,
): void {
  const subject = messagePurposeIn(purpose)
  const owner = subject && owners[subject.kind]
  if (owner) tell(owner, subject.id)
}
