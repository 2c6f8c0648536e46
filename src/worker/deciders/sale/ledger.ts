/**
 * "Verify this sale": a driver recomputes the books from the chain, and tells how far it is. After a reload it goes on; the death of a
 * worker ends it, as the computation may have been the cause. The books' rows of the accounts known here count where these books are the
 * announced ones.
 */
import { ledgerRefusal } from '../../../events/subjects/sale/ledger.ts'
import { orderSignatureOf } from '../../../events/subjects/order/order.ts'
import { canonicalJson } from '../../../runtime/json/canonicalJson.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { isUnderWay } from '../order/underWay.ts'
import { distrustFrozen } from './distrust.ts'

/** Begins, or goes on with what an ended life has kept. @returns false while the terms are unread, or one is under way */
function compute(ctx: Ctx, fresh: boolean): boolean {
  const { sale } = ctx.model
  // One that was stopped just now still answers
  if (sale.terms.phase !== 'read' || isUnderWay(ctx, 'ledger.compute', '')) return false
  const { terms, termsHash } = sale.terms
  const announced = (sale.notices?.changes ?? []).flatMap(({ hash }) => hash ?? [])
  const versions = [...new Set([...announced, termsHash])]
  const accounts = Object.keys(ctx.model.purchase)
  const { checkpoint, counts } = sale.notices ?? {}
  const shown = checkpoint && { ...checkpoint, ...counts }
  ctx.effect('ledger.compute', {
    terms,
    termsHash,
    versions,
    accounts,
    ...(shown && { shown }),
    ...(fresh && { fresh }),
  })
  return true
}

/** @returns the state while it is computed */
function running({ model: { ledger } }: Ctx) {
  return ledger?.phase === 'progressed' ? ledger : undefined
}

type Part = NonNullable<InputData<'ledger.found'>['accounted']>[number]

/** Takes an account's part of the audited books. Books that end before those known here are an older announcement. */
function account(ctx: Ctx, part: Part): void {
  const { order, purchase } = ctx.model
  const { slot = 0, rows = [] } = own(purchase, part.account)?.accounted ?? {}
  if (slot > part.slot) return
  // A row of a restated state has its fields in another order
  const now = new Set(part.rows.map(canonicalJson))
  const changed = rows.filter(row => !now.has(canonicalJson(row))).map(({ signature }) => signature)
  ctx.fact('purchase.accounted', { ...part, ...(changed.length > 0 && { changed }) })
  for (const one of Object.values(order)) {
    const row = part.rows.find(({ signature }) => signature === orderSignatureOf(one))
    if (row && (one.phase === 'finalised' || changed.includes(row.signature)))
      ctx.fact('order.accounted', { orderId: one.orderId, slot: row.slot, status: row.status })
  }
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
  'ledger.found': (ctx, { accounted = [], refused = [], ...found }) => {
    if (!running(ctx)) return
    const { terms } = ctx.model.sale
    if (terms.phase === 'read' && refused.includes(terms.termsHash)) distrustFrozen(ctx, 'condition in the books')
    ctx.fact('ledger.computed', found)
    // Books that are not the announced ones count nothing
    if (!ledgerRefusal({ ledger: { phase: 'computed', ...found } })) for (const part of accounted) account(ctx, part)
  },
  failed: {
    'ledger.compute': (ctx, failure) => {
      if (running(ctx)) ctx.fact('ledger.failed', { failure })
    },
  },
}
