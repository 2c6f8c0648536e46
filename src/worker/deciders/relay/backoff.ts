import type { Ctx } from '../../core/context.ts'

/**
 * Wait before the next attempt: full jitter between half a second and a ceiling that doubles up to a minute.
 *
 * @param attempt 1 for the first failure
 * @returns ms
 */
export function backoff(ctx: Ctx, attempt: number): number {
  const ceiling = Math.min(60_000, 1000 * 2 ** Math.min(attempt - 1, 6))
  return 500 + ctx.random(Math.max(1, ceiling - 500))
}
