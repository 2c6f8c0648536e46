/**
 * Payments by a code that any wallet scans.
 *
 * 1. An invoice is on the disk before its code is shown, so that its payment is found after a reload.
 * 2. A code that was put away may still be paid: it is looked for during `afterMs`, and until its payment is final.
 * 3. The ledger judges the payment; nobody is asked to sign here, so nothing is ever sent twice by this device.
 */
import type { Failure } from '../../../runtime/failure.ts'
import type { Invoice } from '../../../events/subjects/invoice.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { pressRefusal } from '../order/place.ts'
import { quoteRefusal, saleRefusal } from '../order/judge.ts'
import { isUnderWay } from '../order/underWay.ts'
import { anyVisible } from '../page.ts'

/** Waits between two looks: at a code on the page, and at one that was put away or waits to be final, ms. */
const shownMs = 3000
const restingMs = 15_000
/** How long an unpaid invoice is looked for, ms. */
const afterMs = 3_600_000

/** The reason for which no code may be shown now, or undefined. */
function refusalOf(ctx: Ctx, data: InputData<'invoice.open'>): Failure | undefined {
  const early = pressRefusal(ctx, data)
  if (early) return early
  const { terms } = ctx.model.sale
  if (terms.phase === 'read' && terms.terms.access.mode === 'allowlist') {
    const message = 'a code expected a sale that is open to every account, this one has a list'
    return { code: 'unauthorized', message, facts: { rule: 'ALLOWLIST' } }
  }
  // The buyer is not known, so that its own limit is the ledger's to judge
  return saleRefusal(ctx, '') ?? quoteRefusal(ctx, { ...data, account: '' })
}

function lookSoon(ctx: Ctx, invoiceId: string, afterwards: number): void {
  ctx.effect('timer.set', { timerId: `invoice:${invoiceId}`, at: ctx.at + afterwards })
}

function invoiceOf({ model }: Ctx, invoiceId: string | undefined): Invoice | undefined {
  return model.invoice?.all.find(one => one.invoiceId === invoiceId)
}

/** Looks for the payment, when the terms are known and somebody may see the result. */
function look(ctx: Ctx, invoiceId: string): void {
  const invoice = invoiceOf(ctx, invoiceId)
  if (!invoice || isUnderWay(ctx, 'chain.watchInvoice', invoiceId)) return
  const { terms } = ctx.model.sale
  if (isOver(ctx, invoice)) return
  if (
    terms.phase !== 'read' ||
    terms.presaleRef !== invoice.presaleRef ||
    (invoice.reference !== undefined && !anyVisible(ctx))
  )
    return lookSoon(ctx, invoiceId, restingMs)
  const { presaleRef, orderKey } = invoice
  ctx.effect(
    'chain.watchInvoice',
    { presaleRef, orderKey, terms: terms.terms },
    // The first look names the code
    { about: invoiceId, after: 'stored' },
  )
}

function isOver({ at }: Ctx, { payment, openedAt }: Invoice): boolean {
  return payment ? payment.status === 'final' : at - openedAt > afterMs
}

function lookAgain(ctx: Ctx, invoiceId: string): void {
  const isShown = ctx.model.invoice?.shown === invoiceId
  lookSoon(ctx, invoiceId, isShown ? shownMs : restingMs)
}

/** A person comes back to the code, perhaps from the wallet that paid it. */
function lookNow(ctx: Ctx): void {
  const { all = [], shown } = ctx.model.invoice ?? {}
  const one = all.find(({ invoiceId }) => invoiceId === shown)
  if (one && !isOver(ctx, one)) lookSoon(ctx, one.invoiceId, 0)
}

export const invoices: Decider = {
  'page.attached': (ctx, { visible }) => visible && lookNow(ctx),
  'page.visible': (ctx, { visible }) => visible && lookNow(ctx),
  'invoice.open': (ctx, data) => {
    const failure = refusalOf(ctx, data)
    const { terms } = ctx.model.sale
    if (failure || terms.phase !== 'read')
      return ctx.fact('invoice.refused', {
        failure: failure ?? { code: 'terms_invalid', message: 'no terms are read' },
      })
    const { acknowledged: _, ...agreed } = data
    const invoiceId = ctx.id('invoice')
    ctx.fact('invoice.opened', { invoiceId, presaleRef: terms.presaleRef, ...agreed })
    // The fact is in the model after this step
    lookSoon(ctx, invoiceId, 0)
  },
  'invoice.close': (ctx, { invoiceId }) => {
    if (ctx.model.invoice?.shown === invoiceId) ctx.fact('invoice.closed', { invoiceId })
  },
  'chain.invoice': (ctx, { reference, buyer, payment }) => {
    const invoiceId = ctx.cause?.about
    const invoice = invoiceOf(ctx, invoiceId)
    if (!invoice || invoiceId === undefined) return
    if (invoice.reference !== reference) ctx.fact('invoice.named', { invoiceId, reference })
    const { payment: known } = invoice
    const isNews = known?.signature !== payment?.signature || known?.status !== payment?.status
    if (payment && buyer !== undefined && isNews) ctx.fact('invoice.paid', { invoiceId, buyer, payment })
    if ((payment ?? known)?.status !== 'final') lookAgain(ctx, invoiceId)
  },
  failed: { 'chain.watchInvoice': (ctx, _, invoiceId) => lookAgain(ctx, invoiceId) },
  timers: { invoice: look },
  resume: ctx => {
    for (const one of ctx.model.invoice?.all ?? []) if (!isOver(ctx, one)) lookSoon(ctx, one.invoiceId, 0)
  },
}
