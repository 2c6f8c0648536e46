/** One look for the payments of the codes under a key. */
import { type Invoice, isSettled, sameKey } from '../../../events/subjects/sale/invoice.ts'
import type { Ctx } from '../../core/context.ts'
import { isUnderWay } from '../order/underWay.ts'

/** Time after which a node may no longer have a payment in its history, ms: two days. */
const historyMs = 172_800_000

/** @returns the invoices under the key of this one, newest first */
export function namesakes({ model }: Ctx, invoice: Invoice): Invoice[] {
  return model.invoice ? sameKey(model.invoice, invoice) : []
}

/** @returns the newest code under an order's key, which looks for all of them; undefined for none, and once one is finally paid */
export function codeUnder(ctx: Ctx, orderKey: string): Invoice | undefined {
  const { invoice, sale } = ctx.model
  const { terms } = sale
  if (terms.phase !== 'read') return undefined
  const newest = invoice?.all.find(one => one.presaleRef === terms.presaleRef && one.orderKey === orderKey)
  return newest && !namesakes(ctx, newest).some(isSettled) ? newest : undefined
}

/** Looks, unless that is under way. @param all the codes under a key of the terms' sale, newest first */
export function lookForCodes(ctx: Ctx, all: readonly Invoice[]): void {
  const { terms } = ctx.model.sale
  const [invoice] = all
  if (!invoice || terms.phase !== 'read' || isUnderWay(ctx, 'chain.watchInvoice', invoice.invoiceId)) return
  const { invoiceId: about, presaleRef, orderKey } = invoice
  const codes = all.map(({ invoiceId, asset, units, quoted, termsHash, payment }) => {
    return { invoiceId, asset, units, quoted, termsHash, ...(payment && { signature: payment.signature }) }
  })
  const isOld = all.some(({ openedAt }) => ctx.at - openedAt > historyMs)
  ctx.effect(
    'chain.watchInvoice',
    { presaleRef, orderKey, terms: terms.terms, codes, ...(isOld && { mayBeDropped: true }) },
    // The first look names the code
    { about, after: 'stored' },
  )
}
