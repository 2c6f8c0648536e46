/** "Verify this sale": a driver recomputes the books from the chain, and tells how far it is. A worker's death ends it. */
import { activeConnection } from '../../../events/subjects/activeConnection.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { isUnderWay } from '../order/underWay.ts'

function start(ctx: Ctx): void {
  const { sale } = ctx.model
  // One that was stopped just now still answers
  if (sale.terms.phase !== 'read' || isUnderWay(ctx, 'ledger.compute', '')) return
  const { terms, termsHash } = sale.terms
  const account = activeConnection(ctx.model)?.account
  const announced = (sale.notices?.changes ?? []).flatMap(({ hash }) => hash ?? [])
  ctx.fact('ledger.progressed', { listed: 0, judged: 0 })
  ctx.effect('ledger.compute', {
    terms,
    termsHash,
    versions: [...new Set([...announced, termsHash])],
    ...(account && { account }),
  })
}

/** @returns what is computed now */
function running({ model: { ledger } }: Ctx) {
  return ledger?.phase === 'progressed' ? ledger : undefined
}

export const ledger: Decider = {
  resume: ctx => {
    if (running(ctx)) ctx.fact('ledger.stopped', {})
  },
  'ledger.verify': (ctx, { act }) => {
    const now = running(ctx)
    if (act === 'start') {
      if (!now) start(ctx)
    } else if (now) {
      const { listed, judged } = now
      if (act === 'stop') ctx.fact('ledger.stopped', {})
      else ctx.fact('ledger.progressed', { listed, judged, ...(act === 'pause' && { paused: true }) })
      ctx.effect('ledger.steer', { act })
    }
  },
  'ledger.computing': (ctx, progress) => {
    const now = running(ctx)
    if (now) ctx.fact('ledger.progressed', { ...progress, ...(now.paused && { paused: true }) })
  },
  'ledger.found': (ctx, found) => {
    if (running(ctx)) ctx.fact('ledger.computed', found)
  },
  failed: {
    'ledger.compute': (ctx, failure) => {
      if (running(ctx)) ctx.fact('ledger.failed', { failure })
    },
  },
}
