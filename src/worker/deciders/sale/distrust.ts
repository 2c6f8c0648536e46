/** Buying is off where the terms or the chain cannot be believed. */
import type { Failure } from '../../../runtime/failure.ts'
import type { Ctx } from '../../core/context.ts'
import { contradicts } from '../../rpc/contradicts.ts'

type About = 'terms' | 'treasury' | 'rpc' | 'cluster'

/** Buying is off until the terms are read anew. A node that lied hides nothing else: its next true reading clears that alone. */
export function distrust(ctx: Ctx, about: About, failure: Failure): void {
  const { distrust: known } = ctx.model.sale
  if (!known || (known.code === 'rpc_lying' && failure.code !== 'rpc_lying'))
    ctx.fact('sale.distrusted', { about, failure })
}

/** Buying is off where the chain contradicts the terms: until they are read anew, or until a node that lied tells the truth. */
export function distrustChain(ctx: Ctx, failure: Failure): void {
  if (contradicts(failure))
    distrust(ctx, failure.code === 'rpc_lying' ? 'rpc' : failure.code === 'decimals' ? 'terms' : 'treasury', failure)
}

/** The terms change what their first announcement froze: no notice makes them hold. @param what differs, a path */
export function distrustFrozen(ctx: Ctx, what: string): void {
  const message = `the terms expected the conditions that were announced first, got another ${what}`
  distrust(ctx, 'terms', { code: 'terms_changed', message, facts: { rule: 'FROZEN' } })
}

/** @returns whether the terms are distrusted by `distrustFrozen` */
export function isFrozen({ model }: Ctx): boolean {
  return model.sale.distrust?.facts?.rule === 'FROZEN'
}
