/** Owners of outgoing messages: the outbox tells the subject that a message's purpose names how its sending went. */
import type { Failure } from '../../../events/failure.ts'
import type { Ctx } from '../../core/context.ts'

/** `id` stands behind the purpose's word. */
export type MailOwner = {
  /** The message could not be sealed, or its first publishing could not be committed: it was not sent. */
  unsent?(ctx: Ctx, id: string, failure: Failure): void
  /** The relay refuses the message for good. */
  refused?(ctx: Ctx, id: string, failure: Failure): void
  /** The relay has accepted the message. */
  taken?(ctx: Ctx, id: string): void
}

/** By the word before the purpose's colon. */
export type MailOwners = { [word: string]: MailOwner }

/** @returns the owner of a message with this purpose, and the id by which it knows the message */
export function ownerOf(owners: MailOwners, purpose = ''): { owner: MailOwner; id: string } | undefined {
  const colon = purpose.indexOf(':')
  if (colon < 0) return undefined
  const word = purpose.slice(0, colon)
  const owner = Object.hasOwn(owners, word) ? owners[word] : undefined
  return owner && { owner, id: purpose.slice(colon + 1) }
}
