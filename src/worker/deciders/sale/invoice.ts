/**
 * Payments by a code that any wallet scans.
 *
 * 1. An invoice is on the disk before its code is shown, so that its payment is found after a reload.
 * 2. A code that was put away may still be paid: it is looked for during `soughtMs`, and until its payment is final;
 *    later for a minute after each press, which ends by telling when there was none.
 * 3. A new code reuses the key of a code or an order that may still be paid: the ledger accepts one of two and refunds the other.
 * 4. The newest code of a key looks for the payments of all of them. Each belongs to the code whose order it is.
 * 5. An order that takes the key of an old code has it looked for once more, and again at the gate, which waits for that.
 * 6. The ledger judges the payment. No wallet is asked to sign here, so this device never sends a payment twice.
 */
import type { Failure } from '../../../runtime/failure.ts'
import { type Invoice, isOrderOf, isSettled, isSought } from '../../../events/subjects/sale/invoice.ts'
import { codeNoticesMs } from '../../../events/subjects/sale/sale.ts'
import type { Purchase } from '../../../events/subjects/sale/purchase.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { keyForCode } from '../order/keyOut.ts'
import { pressRefusal } from '../order/place.ts'
import { quoteRefusal, saleRefusal } from '../order/judge.ts'
import { isUnderWay } from '../order/underWay.ts'
import { anyVisible } from '../page.ts'
import { lookForCodes, namesakes } from './invoiceLook.ts'
import { boundedSlot } from './plausible.ts'

/** Waits between two looks: at a code on the page, and at one that was put away or waits to be final, ms. */
const shownMs = 3000
const restingMs = 15_000
/** Time for which a press has an old code looked for, ms. */
const pressedMs = 60_000

const unread: Failure = {
  code: 'unreachable',
  message: 'a look for a payment expected the terms of its sale to be read, they are not',
}

/** The reason for which no code may be shown now, or undefined. */
function refusalOf(ctx: Ctx, data: InputData<'invoice.open'>): Failure | undefined {
  const early = pressRefusal(ctx, data)
  if (early) return early
  const { terms } = ctx.model.sale
  if (terms.phase === 'read' && terms.terms.access.mode === 'allowlist') {
    const message = 'a code expected a sale that is open to every account, this one has a list'
    return { code: 'unauthorized', message, facts: { rule: 'ALLOWLIST' } }
  }
  // No gate reads them again before this payment
  const { toldAt } = ctx.transient.sale
  if (toldAt === undefined || Math.abs(ctx.at - toldAt) > codeNoticesMs) {
    const message = `a code expected notices that were read in the last ${codeNoticesMs / 60_000} minutes, there are none`
    return { code: 'unreachable', message, facts: { rule: 'NOTICES' } }
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

/** Looks for the payments of a key, when the terms are known and somebody may see the result. */
function look(ctx: Ctx, invoiceId: string): void {
  const invoice = invoiceOf(ctx, invoiceId)
  if (!invoice || isUnderWay(ctx, 'chain.watchInvoice', invoiceId)) return
  const { terms } = ctx.model.sale
  const all = namesakes(ctx, invoice)
  // A newer code looks for the payment of this one
  if (all[0] !== invoice || all.every(isSettled)) return
  const isRead = terms.phase === 'read' && terms.presaleRef === invoice.presaleRef
  // A press is answered once somebody sees it
  const isHidden = invoice.reference !== undefined && !anyVisible(ctx)
  if (!isRead || isHidden) {
    if (!isOver(ctx, all)) lookSoon(ctx, invoiceId, restingMs)
    else if (!isHidden) goOn(ctx, all, unread)
    return
  }
  lookForCodes(ctx, all)
}

/** After a look, or one that could not be made: looks again, or tells that a press had it looked for in vain. */
function goOn(ctx: Ctx, all: readonly Invoice[], failure?: Failure): void {
  const { pressed } = ctx.transient
  const [newest] = all
  if (!newest) return
  const { invoiceId } = newest
  const until = own(pressed ?? {}, invoiceId)
  if (!isOver(ctx, all)) return lookAgain(ctx, invoiceId)
  if (until === undefined) return
  if (ctx.at < until && !all.some(isSettled)) return lookSoon(ctx, invoiceId, restingMs)
  delete pressed?.[invoiceId]
  ctx.fact('invoice.looked', { invoiceId, ...(failure && { failure }) })
}

/** Whether nothing more is looked for under a key. */
function isOver({ at }: Ctx, all: readonly Invoice[]): boolean {
  return !all.some(one => isSought(one, at))
}

function lookAgain(ctx: Ctx, invoiceId: string): void {
  const isShown = ctx.model.invoice?.shown === invoiceId
  lookSoon(ctx, invoiceId, isShown ? shownMs : restingMs)
}

/** Whether a payment takes the place of the known one: the code's order comes before others, the oldest before later ones. */
function isNews(invoice: Invoice, payment: Purchase): boolean {
  const { payment: known } = invoice
  if (!known) return true
  if (known.signature === payment.signature) return known.status !== 'final' && known.status !== payment.status
  const isOrder = isOrderOf(invoice, payment)
  return isOrder === isOrderOf(invoice, known) ? payment.slot < known.slot : isOrder
}

/** A person comes back to the code, perhaps from the wallet that paid it. */
function lookNow(ctx: Ctx): void {
  const { all = [], shown } = ctx.model.invoice ?? {}
  const one = all.find(({ invoiceId }) => invoiceId === shown)
  if (!one) return
  const isPressed = own(ctx.transient.pressed ?? {}, one.invoiceId) !== undefined
  if (isPressed || !isOver(ctx, namesakes(ctx, one))) lookSoon(ctx, one.invoiceId, 0)
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
    const { presaleRef } = terms
    const orderKey = keyForCode(ctx) ?? agreed.orderKey
    ctx.fact('invoice.opened', { invoiceId, presaleRef, ...agreed, orderKey })
    // The fact is in the model after this step
    lookSoon(ctx, invoiceId, 0)
  },
  'invoice.close': (ctx, { invoiceId }) => {
    if (ctx.model.invoice?.shown === invoiceId) ctx.fact('invoice.closed', { invoiceId })
  },
  'invoice.look': (ctx, { invoiceId }) => {
    const invoice = invoiceOf(ctx, invoiceId)
    const [newest] = invoice ? namesakes(ctx, invoice) : []
    if (!newest) return
    ctx.transient.pressed = { ...ctx.transient.pressed, [newest.invoiceId]: ctx.at + pressedMs }
    look(ctx, newest.invoiceId)
  },
  'chain.invoice': (ctx, { reference, buyer, payment, earlier = [] }) => {
    const invoiceId = ctx.cause?.about
    const invoice = invoiceOf(ctx, invoiceId)
    if (!invoice || invoiceId === undefined) return
    if (invoice.reference !== reference) ctx.fact('invoice.named', { invoiceId, reference })
    const own = payment && buyer !== undefined ? [{ invoiceId, buyer, payment }] : []
    const all = namesakes(ctx, invoice)
    const paid = [...own, ...earlier].filter(found => {
      const known = all.find(({ payment: before }) => before?.signature === found.payment.signature)
      const one = known ?? all.find(other => other.invoiceId === found.invoiceId)
      return one?.invoiceId === found.invoiceId && isNews(one, found.payment)
    })
    for (const { invoiceId: id, buyer: by, payment: one } of paid) {
      // One node tells the slot: a payment after every checkpoint would count for ever
      const slot = boundedSlot(ctx, by, one.slot)
      ctx.fact('invoice.paid', { invoiceId: id, buyer: by, payment: { ...one, slot } })
    }
    const next = all.map(one => ({ ...one, ...paid.find(found => found.invoiceId === one.invoiceId) }))
    if (next[0]?.invoiceId === invoiceId) goOn(ctx, next)
  },
  failed: {
    'chain.watchInvoice': (ctx, failure, invoiceId) => {
      const invoice = invoiceOf(ctx, invoiceId)
      if (invoice) goOn(ctx, namesakes(ctx, invoice), failure)
    },
  },
  timers: { invoice: look },
  resume: ctx => {
    for (const one of ctx.model.invoice?.all ?? []) {
      const all = namesakes(ctx, one)
      if (all[0] === one && !isOver(ctx, all)) lookSoon(ctx, one.invoiceId, 0)
    }
  },
}
