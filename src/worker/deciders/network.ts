/** Which chain the RPC serves. A log belongs to one chain; another one means another log. */
import type { Ctx, Decider } from '../core/context.ts'
import { backoff } from './relay/backoff.ts'
import { isUnderWay } from './order/underWay.ts'

export const network: Decider = {
  resume: identify,
  'chain.identified': (ctx, { genesisHash, caip2 }) => {
    ctx.transient.network.failures = 0
    const { genesisHash: expected, networks } = ctx.boot
    if (expected !== '' && expected !== genesisHash) {
      ctx.fact('network.mismatched', { expected, got: genesisHash })
      // A chosen network stays chosen; the page's own is the one that its RPC serves
      if (networks?.home === networks?.active) relocate(ctx, genesisHash)
      return
    }
    if (ctx.model.network.phase !== 'identified' || ctx.model.network.genesisHash !== genesisHash) {
      ctx.fact('network.identified', { genesisHash, caip2 })
    }
    if (expected === '') relocate(ctx, genesisHash)
  },
  failed: {
    'chain.identify': (ctx, failure) => {
      const { network } = ctx.transient
      ctx.fact('network.unreachable', { failure })
      network.failures += 1
      ctx.effect('timer.set', { timerId: 'network:identify', at: ctx.at + backoff(ctx, network.failures) })
    },
  },
  'page.online': (ctx, { online }) => {
    if (online && ctx.model.network.phase !== 'identified') identify(ctx)
  },
  timers: { network: identify },
}

function identify(ctx: Ctx): void {
  if (!isUnderWay(ctx, 'chain.identify', '')) ctx.effect('chain.identify', {})
}

/** Pages leave this core for that chain's log, so this log keeps the reason first. */
function relocate(ctx: Ctx, genesisHash: string): void {
  ctx.effect('core.relocate', { genesisHash }, { after: 'written' })
}
