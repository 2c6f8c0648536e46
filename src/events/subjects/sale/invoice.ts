/**
 * Payments by a code that any Solana wallet scans, without a connection. A reference key, made of the order key, finds the payment on
 * the chain; the buyer is known only then. A code that takes the place of an unpaid one has the same key: the ledger accepts one of
 * the two payments of an account.
 * @see Solana Pay, transfer request; reference "Presale", §6
 */
import { failure } from '../../schema/fields.ts'
import {
  define,
  hexDigits,
  id,
  list,
  measure,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { baseUnits, chainKey, instant, tokenUnits } from '../../schema/scales.ts'
import { isPaid, type OrderView } from '../order/order.ts'
import { notePurchase, type Purchase, purchase, type PurchaseView } from './purchase.ts'

const invoiceId = openField(id)

/** As an order: what is paid for which tokens, under which terms. */
const agreed = {
  presaleRef: openField(chainKey),
  /** names the payment in its memo, 16 hex digits */
  orderKey: personal(hexDigits(16)),
  asset: openField(text),
  units: measure(baseUnits),
  quoted: measure(tokenUnits),
  min: measure(tokenUnits),
  termsHash: openField(chainKey),
  referrer: optional(personal(text)),
}

export const invoiceFacts = define({
  'invoice.opened': v1({ invoiceId, ...agreed }),
  'invoice.refused': v1({ failure }),
  /** The reference key is known: the code can be shown. */
  'invoice.named': v1({ invoiceId, reference: personal(text) }),
  /** The chain shows its payment; again when that is final. */
  'invoice.paid': v1({ invoiceId, buyer: personal(text), payment: purchase }),
  /** A press had an old code looked for, and no payment of it was found; with a failure, the last look was none. */
  'invoice.looked': v1({ invoiceId, failure: optional(failure) }),
  /** The person put it away. A payment may still come. */
  'invoice.closed': v1({ invoiceId }),
})
export type InvoiceFact = UnionOf<typeof invoiceFacts>

function invoice() {
  return shape({
    invoiceId,
    ...agreed,
    openedAt: openField(instant),
    reference: optional(personal(text)),
    buyer: optional(personal(text)),
    payment: optional(purchase),
  })
}

/** `all`: newest first; `shown`: the one on the page; `refused` in this life: why the latest was not opened; `looked`: what a press found. */
export function invoiceState() {
  return shape({
    all: list(invoice()),
    shown: optional(invoiceId),
    refused: optional(failure),
    refusedAt: optional(openField(instant)),
    looked: optional(shape({ ...invoiceFacts['invoice.looked'].fields, at: openField(instant) })),
  })
}
export type InvoiceView = StateOf<typeof invoiceState>
export type Invoice = InvoiceView['all'][number]

/** Time for which an unpaid invoice is looked for, ms. */
export const soughtMs = 3_600_000
/** Invoices kept; the oldest leave. Those that are still looked for stay, up to a number that no person reaches. */
const kept = 8
const mostKept = 50

export function foldInvoice(
  model: { invoice?: InvoiceView; purchase: PurchaseView },
  { type, at, data }: InvoiceFact & { at: number },
): void {
  if (type === 'invoice.refused')
    return void (model.invoice = { all: [], ...model.invoice, refused: data.failure, refusedAt: at })
  if (type === 'invoice.opened') {
    const { all = [] } = model.invoice ?? {}
    if (indexIn(all, data.invoiceId) >= 0) return
    const isKept = ({ openedAt }: Invoice, index: number) =>
      index < kept || (index < mostKept && at - openedAt <= soughtMs)
    model.invoice = { all: [{ ...data, openedAt: at }, ...all].filter(isKept), shown: data.invoiceId }
    return
  }
  if (type === 'invoice.looked') {
    if (model.invoice && indexIn(model.invoice.all, data.invoiceId) >= 0) model.invoice.looked = { ...data, at }
    return
  }
  if (type !== 'invoice.named' && type !== 'invoice.paid' && type !== 'invoice.closed') return
  const view = model.invoice
  const place = view ? indexIn(view.all, data.invoiceId) : -1
  const one = view?.all[place]
  if (!view || !one) return
  if (type === 'invoice.closed') {
    if (view.shown === data.invoiceId) delete view.shown
  } else if (type === 'invoice.named') {
    if (one.reference !== data.reference) view.all[place] = { ...one, reference: data.reference }
  } else {
    const { buyer, payment } = data
    const { payment: known } = one
    if (known?.signature === payment.signature && known.status === payment.status) return
    view.all[place] = { ...one, buyer, payment }
    // It is the buyer's purchase, though no list under the buyer's key has it
    notePurchase(model, buyer, payment, at)
  }
}

function indexIn(all: readonly Invoice[], invoiceId: string): number {
  return all.findIndex(one => one.invoiceId === invoiceId)
}

/** @returns the invoice on the page */
export function shownInvoice({ invoice: view }: { invoice?: InvoiceView }): Invoice | undefined {
  return view?.all.find(({ invoiceId: known }) => known === view.shown)
}

/** @returns whether a code of this sale that was put away is unpaid and still looked for */
export function isCodeOut(view: InvoiceView | undefined, presaleRef: string, now: number): boolean {
  const newest = view?.all.find(one => one.presaleRef === presaleRef)
  if (!view || !newest || view.shown === newest.invoiceId || now - newest.openedAt > soughtMs) return false
  return !sameKey(view, newest).some(one => one.payment && isOrderOf(one, one.payment))
}

/** The part of an invoice by which its payment is told from one of another code under the same key. */
export type InvoiceOrder = Pick<Invoice, 'orderKey' | 'asset' | 'units' | 'quoted' | 'termsHash'>

/** Whether a payment is the order of this code. Anyone can pay under its key: another amount, or no memo, is none. */
export function isOrderOf(
  { orderKey, asset, units, quoted, termsHash }: InvoiceOrder,
  { fault, ...paid }: Pick<Purchase, 'orderId' | 'asset' | 'units' | 'quoted' | 'terms' | 'fault'>,
): boolean {
  return (
    fault === undefined &&
    paid.orderId === orderKey &&
    paid.asset === asset &&
    paid.units === units &&
    paid.quoted === quoted &&
    (paid.terms === undefined || paid.terms === termsHash.slice(0, 16))
  )
}

/** Whether the invoice's own order is final. Another payment under its key is none: the order may still come. */
export function isSettled(invoice: Invoice): boolean {
  return invoice.payment?.status === 'final' && isOrderOf(invoice, invoice.payment)
}

/** @returns whether its payment is looked for at a time, ms: within the hour, and until a payment that came is final */
export function isSought(invoice: Invoice, at: number): boolean {
  return invoice.payment?.status === 'confirmed' || (!isSettled(invoice) && at - invoice.openedAt <= soughtMs)
}

/** @returns all invoices under the key of this one, newest first */
export function sameKey({ all }: InvoiceView, { presaleRef, orderKey }: Invoice): Invoice[] {
  return all.filter(one => one.presaleRef === presaleRef && one.orderKey === orderKey)
}

/** @returns the account of another order or code under the key of this one that is paid: of two payments one comes back */
export function paidBeside(
  { invoice: view, order: orders }: { invoice?: InvoiceView; order: OrderView },
  invoice: Invoice,
): string | undefined {
  const codes = view ? sameKey(view, invoice) : []
  const code = codes.find(
    one => one.invoiceId !== invoice.invoiceId && one.payment !== undefined && isOrderOf(one, one.payment),
  )
  const order = Object.values(orders).find(one => isPaid(one) && one.accepted.orderKey === invoice.orderKey)
  return code?.buyer ?? order?.account
}
