/** Owners of outgoing messages: the outbox tells the subject that a message's purpose names how its sending went. */
import type { Failure } from '../../../events/failure.ts'
import type { Ctx } from '../../core/context.ts'

/** `id` stands behind the purpose's word. */
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

/** By the word before the purpose's colon. */
export type MailOwners = { [word: string]: MailOwner }

/** Tells the owner of a message with this purpose; `id` is that by which it knows the message. */
export function tellOwner(owners: MailOwners, purpose = '', tell: (owner: MailOwner, id: string) => void): void {
  const colon = purpose.indexOf(':')
  const word = purpose.slice(0, Math.max(0, colon))
  const owner = word !== '' && Object.hasOwn(owners, word) ? owners[word] : undefined
  if (owner) tell(owner, purpose.slice(colon + 1))
}
