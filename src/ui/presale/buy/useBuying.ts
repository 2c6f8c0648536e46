import type { Failure } from '../../../runtime/failure.ts'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { committedCredits } from '../../../events/sale/saleNow.ts'
import { type InvoiceView, isCodeOut, shownInvoice } from '../../../events/subjects/sale/invoice.ts'
import { builtOf, isAsked, isSend, type Order } from '../../../events/subjects/order/order.ts'
import { orderOnWay } from '../../../events/subjects/order/orderOnWay.ts'
import { isWatched } from '../../../events/subjects/order/watchedOrder.ts'
import { feeEstimate } from '../../../events/values/solana/fees.ts'
import { accessOf, isOfThisLife } from '../../../events/subjects/sale/sale.ts'
import { carry } from '../../carriedFragment.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import { useAcknowledged } from './acknowledged.ts'
import { lackFor, maxUnits } from './afford.ts'
import { carriedFragment } from './carriedPurchase.ts'
import { chosenAsset, draftIn, type PurchaseDraft, draftOf, emptyDraft, nativeOf, readDraft } from './draft.ts'
import { type Action, nextAction, purchaseAction, repeatAction } from './order/nextAction.ts'
import { newOrderKey } from '../../orderKey.ts'
import { orderAction, shownOrder } from './order/orderSteps.ts'
import { useRows } from './purchases/useRows.ts'
import { readReferrer } from './referrer.ts'
import type { BuyBlock, KnownSale } from '../sale/saleStatus.ts'
import { type SaleWords, useSaleWords } from '../saleWords.ts'

/** Time a press waits for the core before it may be repeated, ms. */
const answerMs = 10_000

/**
 * State of the buy card and the dock: the draft, its result, the order, and the one action.
 *
 * 1. One press places at most one order.
 * 2. Only readings of this life judge whether the wallet can pay.
 *
 * One function, because the card and the dock must show the same action.
 */
export function useBuying(known: KnownSale | undefined, buyBlock: BuyBlock | undefined) {
  const { command, dispatch, ready, takeOver, store, now } = useSurroundings()
  const t = useSaleWords()
  const connection = useModel(model => activeConnection(model)?.connection)
  const account = useModel(model => activeConnection(model)?.account)
  const balance = useModel(model => (account === undefined ? undefined : model.balance[account]))
  const core = useModel(model => model.core)
  const orders = useModel(model => model.order)
  const saleView = useModel(model => model.sale)
  const purchase = useModel(model => model.purchase)
  const order = useMemo(() => shownOrder(orders), [orders])
  const isSending = useModel(orderOnWay) === 'transfer'
  const invoice = useModel(shownInvoice)
  const codes = useModel(model => model.invoice)

  const [draft, setDraft] = useState<PurchaseDraft>(emptyDraft)
  const [referrer] = useState(() => (typeof location === 'undefined' ? undefined : readReferrer(location.search)))
  const [missed, setMissed] = useState(false)
  const [reach, setReach] = useState<Reach>()
  const isPressed = useRef(false)
  const { ticked, tick } = useAcknowledged(known?.termsHash)
  const shownId = order?.orderId ?? invoice?.invoiceId
  const { placing, begin, finish, placedId, expect, setPlacedId, refusal } = usePlacing(shownId, codes)
  const wasKept = useRef(false)

  const terms = known?.terms
  const sale = known?.sale
  const presaleRef = saleView.terms.phase === 'read' ? saleView.terms.presaleRef : undefined
  const payments = useMemo(() => ({ sale: saleView, purchase, order: orders }), [saleView, purchase, orders])
  const { rows } = useRows(known, account)
  const asset = terms && chosenAsset(terms, draft)
  const result = terms && sale ? readDraft(t, terms, sale, draft) : {}
  const { quote } = result
  useEffect(() => {
    carry(store, quote && carriedFragment(quote))
    return () => carry(store, undefined)
  })
  // A balance of an earlier life is shown, but judges nothing
  const current = isOfThisLife(balance, core) ? balance : undefined
  const lack = asset && result.quote ? lackFor(t, asset, BigInt(result.quote.units), current) : undefined
  const bought = account === undefined ? 0n : committedCredits(payments, account)
  const situation = {
    buyBlock,
    terms,
    sale,
    connection,
    access: accessOf(saleView, account),
    boughtCredits: bought,
    ticked,
    placing,
    isSending,
  }
  const next = nextAction(t, { ...situation, asset, draft: result, lack })
  const shownAsset = order && terms?.assets.find(listed => listed.symbol === order.asset)
  const orderQuote =
    order && shownAsset && terms && sale?.state === 'live'
      ? readDraft(t, terms, sale, draftOf(shownAsset, order.units)).quote
      : undefined

  const accepted = order && 'accepted' in order ? order.accepted : undefined
  const wanted = terms?.legal.acknowledge ?? []
  /** the statements that the person agreed to under these terms: with the order on show, else in the calculator */
  const stated = wanted.filter(one => accepted?.termsHash === known?.termsHash || ticked.includes(one))
  const isAgreed = accepted ? accepted.termsHash === known?.termsHash : stated.length === wanted.length
  const isReferred =
    referrer !== undefined && referrer !== 'unreadable' && referrer !== account && terms?.referral.bps !== 0
  const place = async (
    quote: NonNullable<typeof result.quote>,
    type: 'order.place' | 'invoice.open' = 'order.place',
    by = isReferred ? referrer : undefined,
  ) => {
    if (!known || !begin()) return
    // The browser may drop the record of a purchase otherwise when the disk is full; it may ask the person, so once
    if (!wasKept.current) void navigator.storage?.persist?.().catch(() => false)
    wasKept.current = true
    const whole = await ready().catch(() => false)
    if (!whole) return finish()
    const data = {
      orderKey: newOrderKey(),
      asset: quote.asset,
      units: quote.units,
      quoted: quote.tokens,
      min: quote.min,
      termsHash: known.termsHash,
      acknowledged: stated,
      ...(by !== undefined && { referrer: by }),
    }
    expect(type)
    command(type === 'invoice.open' ? { type, data } : { type, data: { ...data, shownFee: String(feeEstimate) } })
  }

  const home = useModel(({ network }) => network.offer?.home)
  const putAway = (next: PurchaseDraft) => {
    if (order) command({ type: 'order.dismiss', data: { orderId: order.orderId } })
    setDraft(next)
  }

  const native = terms && nativeOf(terms)
  // Other terms, or another account, are agreed to in the calculator
  const isRepeatable = order?.phase === 'expired' && order.account === account
  const action: Action = order
    ? acceptable(
        t,
        isRepeatable && isAgreed && orderQuote && shownAsset
          ? repeatAction(t, order, {
              ...situation,
              asset: shownAsset,
              draft: { quote: orderQuote },
              lack: lackFor(t, shownAsset, BigInt(order.units), current),
            })
          : orderAction(t, order, sale?.state === 'live', account, native !== undefined),
        buyBlock,
        isAgreed && orderQuote !== undefined && !isSending,
        placing,
      )
    : next
  const leadTo = (to: Reach['to']) => setReach(before => ({ to, count: (before?.count ?? 0) + 1 }))
  /** Pays by a code, where no wallet is connected and the sale is open to every account; undefined elsewhere. */
  const pressCode =
    next.does === 'connect' && !connection && terms?.access.mode === 'open' && sale && asset
      ? () => {
          const code = purchaseAction(t, {
            terms,
            sale,
            asset,
            draft: result,
            lack: undefined,
            boughtCredits: 0n,
            ticked,
            placing,
          })
          if (code.does === 'tick') setMissed(true)
          if (code.does === 'tick' || code.does === 'amount') leadTo(code.does === 'tick' ? 'boxes' : 'amount')
          else if (code.does === 'pay' && result.quote) {
            isPressed.current = true
            void place(result.quote, 'invoice.open')
          }
        }
      : undefined
  const press = () => {
    isPressed.current = true
    switch (action.does) {
      case 'nothing':
        return
      case 'reload':
        return location.reload()
      case 'takeOver':
        return void takeOver().catch(() => undefined)
      case 'goHome':
        return home === undefined ? undefined : command({ type: 'network.switch', data: { caip2: home } })
      case 'connect':
        return dispatch({ type: 'screen.opened', data: { screen: { name: 'Connect' } } })
      case 'transfer':
        return dispatch({ type: 'screen.opened', data: { screen: { name: 'WalletSendConfirmed' } } })
      case 'amount':
        return leadTo('amount')
      case 'tick':
        setMissed(true)
        return leadTo('boxes')
      case 'sol': {
        const chosen = order && shownAsset ? draftOf(shownAsset, order.units) : draft
        const inSol = draftIn(chosen, native, (order ? orderQuote : result.quote)?.credits)
        return order ? putAway(inSol) : setDraft(inSol)
      }
      case 'pay':
        return void (result.quote && place(result.quote))
      case 'continue':
        if (!order) return
        setPlacedId(order.orderId)
        return command({ type: 'order.continue', data: { orderId: order.orderId } })
      case 'repeat':
      case 'accept': {
        // The page may have been opened anew, without the link
        const by = order?.account === account ? accepted?.referrer : undefined
        return void (orderQuote && place(orderQuote, 'order.place', by))
      }
      case 'again':
      case 'leave':
        return putAway(order && shownAsset ? draftOf(shownAsset, order.units) : emptyDraft)
      case 'more':
        return putAway({ ...emptyDraft, asset: draft.asset })
    }
  }

  return {
    known,
    buyBlock,
    order,
    orderQuote,
    connection,
    account,
    balance,
    rows,
    /** an address, or `unreadable`; undefined when the page was not opened by a referral link */
    referrer,
    draft,
    setDraft,
    asset,
    result,
    lack,
    most: terms && sale && asset ? maxUnits(asset, current, { terms, sale, boughtCredits: bought }) : undefined,
    ticked,
    tick,
    missed,
    /** the part of the card that the last press leads to */
    reach,
    /** set by a press, until the card has changed */
    isPressed,
    /** the wallet was asked for this order by a press in this page */
    isPlacedHere: order !== undefined && order.orderId === placedId,
    bought,
    /** a transfer from the modal is on its way: a purchase waits for it */
    isSending,
    /** the account of an earlier purchase that may still be paid, beside the connected one */
    outElsewhere:
      account === undefined
        ? undefined
        : Object.values(orders).find(
            one => one.account !== account && isOutFor(one, presaleRef) && isWatched(one, now()),
          )?.account,
    /** a code that was put away may still be paid, beside the next payment */
    isCodeOut: presaleRef !== undefined && isCodeOut(codes, presaleRef, now()),
    action,
    press,
    /** the code on show instead of an order */
    invoice,
    pressCode,
    /** why the last press in this page made no code */
    refusal,
    closeCode: () => {
      isPressed.current = true
      if (invoice) command({ type: 'invoice.close', data: { invoiceId: invoice.invoiceId } })
    },
    leave: () => {
      isPressed.current = true
      putAway(emptyDraft)
    },
    abandon: () => order && command({ type: 'order.abandon', data: { orderId: order.orderId } }),
  }
}
/** A part of the card to show and focus; `count` tells presses apart. */
type Reach = { to: 'amount' | 'boxes'; count: number }

export type Buying = ReturnType<typeof useBuying>

/** Whether a purchase of the shown sale may still be paid; a wallet that only signs pays nothing that it declined. */
function isOutFor(order: Order, presaleRef: string | undefined): boolean {
  if (isSend(order) || (order.phase === 'rejected' && isAsked(order) && order.ask.means === 'sign')) return false
  return (builtOf(order)?.transfer.references[0] ?? presaleRef) === presaleRef
}

/**
 * A new quote can be accepted only under the order's terms, and while there is one and buying is on; nothing is tried again while the
 * sale is distrusted.
 */
function acceptable(
  { buy: { button } }: SaleWords,
  action: Action,
  buyBlock: BuyBlock | undefined,
  quoted: boolean,
  placing: boolean,
): Action {
  if (action.does === 'again' && buyBlock?.why === 'distrust') return { does: 'leave', label: button.back }
  if (action.does !== 'accept') return action
  if (placing) return { does: 'nothing', label: button.checking, busy: true }
  return buyBlock || !quoted ? { does: 'leave', label: button.back } : action
}

/** `count` tells refusals with the same reason apart. */
type CodeRefusal = { failure: Failure; at: number | undefined; count: number }

/**
 * One press is one order: blocks further presses until the core answers or `answerMs` has passed. The order or code that
 * comes on show after the command is the one that was placed here.
 *
 * @param codes `refused`: why the core opened no code, the latest of all pages
 */
function usePlacing(shownId: string | undefined, { refused, refusedAt }: Partial<InvoiceView> = {}) {
  const [placing, setPlacing] = useState(false)
  const [placedId, setPlacedId] = useState<string>()
  const held = useRef(false)
  const [refusal, setRefusal] = useState<CodeRefusal>()
  const expected = useRef<'order.place' | 'invoice.open'>(undefined)
  // Before the paint, or the order would be called another tab's for a moment
  useLayoutEffect(() => {
    if (!expected.current || shownId === undefined) return
    expected.current = undefined
    setPlacedId(shownId)
  }, [shownId])
  const finish = () => {
    held.current = false
    setPlacing(false)
  }
  // oxlint-disable-next-line react/exhaustive-deps -- another order or code on show is the core's answer
  useEffect(finish, [shownId])
  useEffect(() => {
    if (!refused || expected.current !== 'invoice.open') return
    expected.current = undefined
    finish()
    setRefusal(before => ({ failure: refused, at: refusedAt, count: (before?.count ?? 0) + 1 }))
    // oxlint-disable-next-line react/exhaustive-deps -- the model may be another object without news: a time tells them
  }, [refusedAt])
  useEffect(() => {
    if (!placing) return
    const timer = setTimeout(finish, answerMs)
    return () => clearTimeout(timer)
  }, [placing])
  const begin = () => {
    if (held.current) return false
    held.current = true
    setPlacing(true)
    return true
  }
  const expect = (type: 'order.place' | 'invoice.open') => {
    expected.current = type
  }
  const told = refused && refusal?.at === refusedAt ? refusal : undefined
  return { placing, begin, finish, placedId, expect, setPlacedId, refusal: told }
}
