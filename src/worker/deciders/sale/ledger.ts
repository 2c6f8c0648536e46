/**
 * "Verify this sale": a driver recomputes the books from the chain, and tells how far it is. After a reload it goes on; the death of a
 * worker ends it, as the computation may have been the cause.
 */
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { isUnderWay } from '../order/underWay.ts'

/** Begins, or goes on with what an ended life has kept. @returns false while the terms are unread, or one is under way */
function compute(ctx: Ctx, fresh: boolean): boolean {
  const { sale } = ctx.model
  // One that was stopped just now still answers
  if (sale.terms.phase !== 'read' || isUnderWay(ctx, 'ledger.compute', '')) return false
  const { terms, termsHash } = sale.terms
  const account = activeConnection(ctx.model)?.account
  const announced = (sale.notices?.changes ?? []).flatMap(({ hash }) => hash ?? [])
  const versions = [...new Set([...announced, termsHash])]
  ctx.effect('ledger.compute', { terms, termsHash, versions, ...(account && { account }), ...(fresh && { fresh }) })
  return true
}

/** @returns the state while it is computed */
function running({ model: { ledger } }: Ctx) {
  return ledger?.phase === 'progressed' ? ledger : undefined
}

export const ledger: Decider = {
  resume: ctx => {
    if (running(ctx) && ctx.boot.cause === 'lost') ctx.fact('ledger.stopped', {})
  },
  'chain.notices': ctx => {
    const now = running(ctx)
    if (now && !now.paused) compute(ctx, false)
  },
  'ledger.verify': (ctx, { act }) => {
    const now = running(ctx)
    if (act === 'start') {
      // After a stop or a silence it goes on where it was
      if (!now && compute(ctx, ctx.model.ledger?.phase === 'computed'))
        ctx.fact('ledger.progressed', { listed: 0, judged: 0 })
    } else if (now) {
      const { listed, judged } = now
      if (act === 'stop') ctx.fact('ledger.stopped', {})
      else ctx.fact('ledger.progressed', { listed, judged, ...(act === 'pause' && { paused: true }) })
      if (act !== 'resume' || !compute(ctx, false)) ctx.effect('ledger.steer', { act })
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
