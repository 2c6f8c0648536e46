/** Recently deleted records: their use is refused in the official client's words. */
import type { Failure } from '../../../runtime/failure.ts'
import { wasDeleted } from '../../../events/subjects/session/deleted.ts'
import type { DeletedKind } from '../../../events/values/reference.ts'
import type { Ctx } from '../../core/context.ts'
import { type WireError, wcError } from '../../walletconnect/relay/errors.ts'

/** @returns the same as a failure; it is public, so it names no topic */
export function usedAgain(ctx: Ctx, kind: DeletedKind, id: string): Failure | undefined {
  if (!wasDeleted(ctx.model.deleted, kind, id)) return undefined
  return {
    code: 'bad_response',
    message: wcError('MISSING_OR_INVALID', `Record was recently deleted - ${kind}`).message,
  }
}

/** @returns the error for the id of a recently deleted record, else undefined */
export function deletedLately({ model }: Ctx, kind: DeletedKind, id: string): Required<WireError> | undefined {
  if (!wasDeleted(model.deleted, kind, id)) return undefined
  return wcError('MISSING_OR_INVALID', `Record was recently deleted - ${kind}: ${id}`)
}
