import type { EffectType } from '../../../events/effect.ts'
import type { Ctx } from '../../core/context.ts'

/** @returns whether this life waits for an effect of this type and subject */
export function isUnderWay(ctx: Ctx, type: EffectType, about: string): boolean {
  const { asked } = ctx.transient
  for (const effectId in asked) {
    const cause = asked[effectId]
    if (cause?.type === type && cause.about === about) return true
  }
  return false
}

/** @returns whether this life issued this effect and still waits for its answer */
export function isOrderAsked(ctx: Ctx, effectId: string): boolean {
  return Object.hasOwn(ctx.transient.asked, effectId)
}
