/**
 * An account's purchases as table rows: those of the audited books, those read from the chain, then orders of this device it does not
 * list yet. Only rows that the audited books count are solid: they say what the sale gave for a payment.
 */
import type { Refusal, Verdicts } from '../../../../events/sale/saleNow.ts'
import {
  isAlarm,
  isOpen,
  isPaid,
  isSigned,
  type Order,
  type OrderView,
  type SignedOrder,
} from '../../../../events/subjects/order/order.ts'
import type { Accounted, AccountedRow, Payout, Purchase } from '../../../../events/subjects/sale/purchase.ts'
import { formatAmount } from '../../../../events/values/amount.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import type { SaleWords } from '../../saleWords.ts'
import type { PaidBack } from './payoutRows.ts'
import { refundUnits, refundWords, lastRefundTime } from '../order/refusalWords.ts'

/**
 * `at` in ms; `units` of `asset`; `quoted` in token base units, 0 where nothing is to come or it is not known here; `refund`: units
 * that come back or did. `look`: the swatch.
 */
export type PurchaseRow = {
  signature: string
  at: number
  asset: string
  units: string
  quoted: string
  refund: string
  look: 'solid' | 'hatch' | 'open'
  status: string
  reason: string
  /** for other programs: a refusal, or the verdict of the audited books */
  code?: string
  /** what the audited books give for the payment; absent where they do not count it */
  counted?: AccountedRow
  /** refunds of it that arrived, with the units that are for this payment */
  backs?: readonly Back[]
  /** a payment on its way is no purchase yet, and not in the file */
  isListed: boolean
  /** key of its order, of which another payment landed, too; which of them counts is not certain yet */
  twiceOf?: string
}

type Back = { units: bigint; payout: Payout }

/** States of a row, by the name of their texts; those of a payment that gave nothing are open. */
type State = Exclude<keyof SaleWords['order']['rows'], 'missed' | 'refunded'>

function stateOf({ order: { rows } }: SaleWords, state: State) {
  const [status, reason] = rows[state]
  const look = state === 'altered' || state === 'failed' ? 'open' : 'hatch'
  return { look, status, reason, isListed: state !== 'sending' && state !== 'unsure' } as const
}

/** Codes that differ from the name of the verdict: the payment met them only once it had landed. */
const lateCodes: { [verdict: string]: string } = { price_protect: 'PRICE_LATE', sold_out: 'SOLD_OUT_LATE' }
const codeOf = (verdict: AccountedRow['status']): string => lateCodes[verdict] ?? verdict.toUpperCase()

type Paid = Pick<PurchaseRow, 'signature' | 'at' | 'asset' | 'units'>

/** Knowledge of an account's payments. */
type Payments = {
  /** as read from the chain */
  purchases: readonly Purchase[]
  orders: OrderView
  /** verdicts on payments, by signature */
  verdicts: Verdicts
  /** the account's part of the audited books, which may have payments that no list under the account has */
  accounted?: Accounted | undefined
  /** refunds that arrived, by the payments in the books */
  paidBack?: ReadonlyMap<AccountedRow, PaidBack>
  /** refunds that arrived, where this device has no books */
  cameBack?: ReadonlyMap<Purchase, Payout>
  terms: Terms
  /** the sale's result is that it failed: what it had accepted comes back, too */
  isFailed?: boolean
}

/** The units of a payment that come back, as a sentence for each refund that arrived and one for what is due. */
function comingBack(
  t: SaleWords,
  terms: Terms,
  paid: Paid,
  backs: readonly Back[],
): Pick<PurchaseRow, 'refund' | 'backs'> & { words: string; isDue: boolean } {
  const came = sumOf(backs)
  const due = { ...paid, units: String(BigInt(paid.units) - came) }
  const isDue = due.units !== '0'
  const words = backs.map(({ units, payout }) => refundWords(t, { ...paid, units: `${units}` }, terms, payout.paidAt))
  return {
    refund: String(came + BigInt(refundUnits(due, terms))),
    words: [...words, ...(isDue ? [refundWords(t, due, terms)] : [])].join(' '),
    isDue,
    ...(backs.length > 0 && { backs }),
  }
}

function sumOf(backs: readonly Back[] = []): bigint {
  return backs.reduce((sum, { units }) => sum + units, 0n)
}

/** @returns the refunds of what the sale did not take of a payment, and of what it took; one for a payout of both */
function backsOf({ units, accepted }: AccountedRow, rest?: Payout, taken?: Payout): Back[] {
  if (rest && rest === taken) return [{ units: BigInt(units), payout: rest }]
  const ofRest = rest && { units: BigInt(units) - BigInt(accepted), payout: rest }
  const ofTaken = taken && { units: BigInt(accepted), payout: taken }
  return [ofRest, ofTaken].flatMap(one => (one && one.units > 0n ? one : []))
}

/** A payment that comes back whole, or did with `backs`. */
function returned(
  paid: Paid,
  { status, why, code, back }: { status: string; why: string; code: string; back: ReturnType<typeof comingBack> },
): PurchaseRow {
  const { words, isDue: _, ...known } = back
  return { ...paid, quoted: '0', look: 'open', status, reason: `${why} ${words}`, code, ...known, isListed: true }
}

function refused(t: SaleWords, terms: Terms, paid: Paid, why: Refusal, backs: readonly Back[] = []): PurchaseRow {
  const back = comingBack(t, terms, paid, backs)
  return returned(paid, { status: t.order.notAccepted, why: t.order.refused[why], code: codeOf(why), back })
}

/** A payment to a sale that failed. */
function missed(t: SaleWords, terms: Terms, paid: Paid, backs: readonly Back[] = []): PurchaseRow {
  const back = comingBack(t, terms, paid, backs)
  const [status, why] = t.order.rows[back.isDue ? 'missed' : 'refunded']
  return returned(paid, { status, why, code: 'SALE_FAILED', back })
}

/** A payment that the audited books count, whole or in part. */
function countedRow(
  t: SaleWords,
  terms: Terms,
  counted: AccountedRow,
  { quoted = '0', backs = [] }: { quoted?: string | undefined; backs?: readonly Back[] } = {},
): PurchaseRow {
  const { signature, paidAt: at, asset, units, status, accepted } = counted
  const paid = { signature, at, asset, units }
  const rest = { ...paid, units: String(BigInt(paid.units) - BigInt(accepted)) }
  const { words, isDue: _, ...back } = comingBack(t, terms, rest, backs)
  const isWhole = status === 'accepted'
  return {
    ...paid,
    quoted,
    look: 'solid',
    status: isWhole ? t.order.tags.accepted : t.order.tags.partial,
    reason: isWhole ? t.order.counted : `${partlyWords(t, terms, counted)} ${words}`,
    code: codeOf(status),
    counted,
    ...back,
    isListed: true,
  }
}

function partlyWords(t: SaleWords, terms: Terms, { asset, accepted }: AccountedRow): string {
  const listed = terms.assets.find(({ symbol }) => symbol === asset)
  return t.order.partly(listed ? t.figures.paid(accepted, listed) : asset)
}

/** @returns newest first, each payment once */
export function purchaseRows(t: SaleWords, account: string, given: Payments): PurchaseRow[] {
  const { purchases, orders, verdicts, accounted, paidBack, cameBack, terms, isFailed = false } = given
  const quotes = new Map(purchases.map(({ signature, quoted }) => [signature, quoted]))
  const rows = (accounted?.rows ?? []).map(counted => {
    const { signature, paidAt: at, asset, units, status } = counted
    const paid = { signature, at, asset, units }
    const { rest, accepted } = paidBack?.get(counted) ?? {}
    const backs = backsOf(counted, rest, isFailed ? accepted : undefined)
    if (status !== 'accepted' && status !== 'partial') return refused(t, terms, paid, status, backs)
    if (isFailed) return missed(t, terms, paid, backs)
    return countedRow(t, terms, counted, { quoted: quotes.get(signature), backs })
  })
  const judged = new Set(rows.map(({ signature }) => signature))
  const told = new Set([...judged, ...quotes.keys()])
  const alarms = new Set(Object.values(orders).flatMap(order => ('alarm' in order && order.alarm?.signature) || []))
  const twice = paidTwice(account, given)
  const oneOfTwo = (key: string) =>
    twice.has(key) && {
      reason: t.order.oneOfTwo,
      twiceOf: key,
      // It is later than the books, and so than the counted payment
      ...(twice.get(key) && { quoted: '0' }),
    }
  const backOf = (payment: Purchase): Back[] => {
    const payout = cameBack?.get(payment)
    return payout ? [{ units: BigInt(payment.units), payout }] : []
  }
  for (const payment of purchases) {
    const { signature, paidAt: at, asset, units, quoted, orderId, status } = payment
    if (judged.has(signature)) continue
    const shared = { signature, at, asset, units }
    const why = verdicts.refused.get(signature)
    if (alarms.has(signature)) rows.push({ ...shared, quoted: '0', refund: '0', ...stateOf(t, 'altered') })
    else if (status === 'failed') rows.push({ ...shared, quoted: '0', refund: '0', ...stateOf(t, 'failed') })
    else if (why !== undefined) rows.push(refused(t, terms, shared, why, backOf(payment)))
    else if (isFailed && status === 'final') rows.push(missed(t, terms, shared, backOf(payment)))
    else {
      const state = stateOf(t, status === 'confirmed' ? 'confirmed' : 'final')
      rows.push({ ...shared, quoted, refund: '0', ...state, ...oneOfTwo(orderId) })
    }
  }
  for (const order of Object.values(orders)) {
    if (!isSigned(order) || order.send || order.account !== account || told.has(order.signed.signature)) continue
    const state = ownState(order)
    if (!state) continue
    const { asset, units, times, quote, signed } = order
    const at = times.seen ?? times.confirmed ?? times.drafted
    const shared = { signature: signed.signature, at, asset, units }
    if (isFailed && state === 'final') rows.push(missed(t, terms, shared))
    else {
      const quoted = state === 'altered' ? '0' : quote.quoted
      rows.push({
        ...shared,
        quoted,
        refund: '0',
        ...stateOf(t, state),
        ...(hasLanded(order) && oneOfTwo(order.accepted.orderKey)),
      })
    }
  }
  const revised = new Set(accounted?.changed)
  const tell = (row: PurchaseRow) =>
    revised.has(row.signature) ? { ...row, reason: `${row.reason} ${t.order.revised}` } : row
  return rows.map(tell).sort((a, b) => b.at - a.at)
}

/**
 * The order keys under which two payments landed and none is refused yet, and whether the books count one of them: which of them counts
 * is certain once both are final.
 */
function paidTwice(
  account: string,
  { purchases, orders, verdicts: { refused, counted } }: Payments,
): ReadonlyMap<string, boolean> {
  const byKey = new Map<string, Set<string>>()
  const add = (key: string, signature: string) => byKey.set(key, (byKey.get(key) ?? new Set()).add(signature))
  for (const { orderId, signature, status, fault } of purchases)
    if (status !== 'failed' && fault === undefined && !refused.has(signature)) add(orderId, signature)
  for (const order of Object.values(orders))
    if (hasLanded(order) && !order.send && order.account === account && !refused.has(order.signed.signature))
      add(order.accepted.orderKey, order.signed.signature)
  const twice = [...byKey].filter(([, signatures]) => signatures.size > 1)
  return new Map(twice.map(([key, signatures]) => [key, [...signatures].some(one => counted.has(one))]))
}

function hasLanded(order: Order): order is SignedOrder {
  return isSigned(order) && !isAlarm(order) && (order.phase === 'confirmed' || isPaid(order))
}

function ownState(order: SignedOrder): State | undefined {
  if (isAlarm(order)) return 'altered'
  if (order.phase === 'unknown') return 'unsure'
  if (order.phase === 'confirmed') return 'confirmed'
  if (isPaid(order)) return 'final'
  return isOpen(order) ? 'sending' : undefined
}

/** @returns the rows as CSV with a header and CRLF line ends (RFC 4180); what no audited books count is empty */
export function purchasesCsv(rows: readonly PurchaseRow[], terms: Terms): string {
  const lines = rows
    .filter(row => row.isListed)
    .map(({ at, asset, units, quoted, refund, status, code = '', reason, signature, counted, backs = [] }) => {
      const decimals = terms.assets.find(listed => listed.symbol === asset)?.decimals ?? 0
      const amount = (value: string) => formatAmount(value, decimals, { group: false })
      const tokens = (value: string) => formatAmount(value, terms.token.decimals, { group: false })
      const given = counted ? [amount(counted.accepted), tokens(counted.tokens)] : ['', '']
      const refunded = backs.length === 0 ? '' : amount(`${sumOf(backs)}`)
      const proofs = backs.map(({ payout }) => payout.signature).join(' ')
      const due = refund === '0' ? '' : new Date(lastRefundTime(terms, at)).toISOString().slice(0, 10)
      const wanted = counted && quoted === '0' ? '' : tokens(quoted)
      const cells = [new Date(at).toISOString(), amount(units), asset, wanted, ...given]
      return [...cells, status, code, amount(refund), due, refunded, proofs, `"${reason}"`, signature].join(',')
    })
  return [
    'date,paid,asset,quoted,accepted,tokens,status,code,refund,due,refunded,refund_signature,reason,signature',
    ...lines,
    '',
  ].join('\r\n')
}
