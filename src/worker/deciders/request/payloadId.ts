import type { Ctx } from '../../core/context.ts'
import { wcId } from '../../walletconnect/relay/ids.ts'

/** @returns a wc payload's id in decimal text, ascending in this life */
export function payloadId(ctx: Ctx): string {
  const id = Math.max(wcId(ctx.at, ctx.random(1000)), ctx.transient.lastPayloadId + 1)
  ctx.transient.lastPayloadId = id
  return String(id)
}
