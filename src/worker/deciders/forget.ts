/** Erasing what is not needed any more: only once the fact that says so is on disk, for what is erased cannot come back. */
import type { Ctx } from '../core/context.ts'

/** Forgets transactions' bytes. */
export function forgetBytes(ctx: Ctx, ...refs: (string | undefined)[]): void {
  const named = refs.filter(ref => ref !== undefined)
  if (named.length > 0) ctx.effect('bytes.forget', { refs: named }, { after: 'stored' })
}

/** Forgets the keys of a topic. */
export function forgetTopic(ctx: Ctx, topic: string): void {
  ctx.effect('vault.forget', { topics: [topic], refs: [] }, { after: 'stored' })
}

/** Forgets a sealed message. */
export function forgetMessage(ctx: Ctx, messageRef: string): void {
  ctx.effect('vault.forget', { topics: [], refs: [messageRef] }, { after: 'stored' })
}
