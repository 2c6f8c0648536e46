/**
 * WalletConnect's part of the core could not be had when the core began: the page works without it, its wallets are missing
 * until it comes, and it is fetched again and again.
 */
import type { Ctx, Decider } from '../../core/context.ts'
import { backoff } from '../relay/backoff.ts'
import { isUnderWay } from '../order/underWay.ts'

const timerId = 'part:again'
/** From this try on the waits grow no more, they are of up to half a minute: wallets cannot be heard meanwhile. */
const slowest = 6

function wait(ctx: Ctx): void {
  const { away } = ctx.transient
  if (!away) return
  away.tries += 1
  ctx.effect('timer.set', { timerId, at: ctx.at + backoff(ctx, Math.min(away.tries, slowest)) })
}

function bring(ctx: Ctx): void {
  if (ctx.transient.away && !isUnderWay(ctx, 'core.bringPart', '')) ctx.effect('core.bringPart', {})
}

export const partAway: Decider = {
  resume: ctx => {
    // Nobody keeps a socket up now
    if (ctx.transient.away && ctx.model.relay.phase !== 'closed') ctx.fact('relay.closed', {})
    wait(ctx)
  },
  'effect.failed': ctx => {
    if (ctx.cause?.type === 'core.bringPart') wait(ctx)
  },
  'page.online': (ctx, { online }) => {
    if (online) bring(ctx)
  },
  'page.visible': (ctx, { visible }) => {
    if (visible) bring(ctx)
  },
  'core.partCame': ctx => ctx.effect('timer.clear', { timerId }),
  timers: { part: bring },
}
