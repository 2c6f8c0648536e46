/** The attempt to connect that is under way, as other subjects need it. */
import type { Failure } from '../../../runtime/failure.ts'
import type { Ctx } from '../../core/context.ts'

/** @returns the attempt with this id while it is still being waited for */
export function attemptOf(ctx: Ctx, attemptId: string) {
  const { attempt } = ctx.model.connection
  return attempt.phase === 'asking' && attempt.attemptId === attemptId ? attempt : undefined
}

/** Ends the attempt in words a person can read; one that was left or ended already stays as it is. */
export function failAttempt(ctx: Ctx, attemptId: string, failure: Failure): void {
  if (!attemptOf(ctx, attemptId)) return
  ctx.fact('connection.failed', { attemptId, failure })
  ctx.effect('timer.clear', { timerId: `attempt:${attemptId}` })
}
