import { useState } from 'react'
import '../../../styles/invoice.css'
import { transferRequest } from '../../../../events/sale/payments/transferRequest.ts'
import { memberIn, saleQuotes } from '../../../../events/sale/backend.ts'
import { invoiceCounted } from '../../../../events/sale/saleNow.ts'
import { stillHolds } from '../../../../events/sale/quote.ts'
import { holdForCode } from '../../../../events/subjects/sale/sale.ts'
import { type Invoice, isOrderOf, paidBeside } from '../../../../events/subjects/sale/invoice.ts'
import { shortAddress } from '../../../../events/values/solana/shortAddress.ts'
import { isPhone } from '../../../isPhone.ts'
import { Button } from '../../../kit/controls/Button.tsx'
import { ExternalLink } from '../../../kit/controls/ExternalLink.tsx'
import { Note } from '../../../kit/feedback/Note.tsx'
import { Qr } from '../../../kit/figures/Qr.tsx'
import { useModel, useSurroundings } from '../../../react.tsx'
import { invoiceArea } from '../../../texts/invoice/en.ts'
import { useTexts } from '../../../texts/language.tsx'
import { newOrderKey } from '../../../orderKey.ts'
import { useNotice } from '../../../notices/useNotice.ts'
import { saleReason } from '../order/failureWords.ts'
import { TreasuryNote } from '../TreasuryNote.tsx'
import { BuyBlockNote } from '../BuyBlockNote.tsx'
import { type BuyBlock, isLoadingSale, type KnownSale } from '../../sale/saleStatus.ts'
import { useTick } from '../../sale/useSale.ts'
import { useExplorer } from '../../sale/useExplorer.ts'
import { useSaleWords } from '../../saleWords.ts'

type BodyProps = {
  invoice: Invoice
  known: KnownSale
  buyBlock: BuyBlock | undefined
  /** its payment is still looked for */
  isWatched: boolean
  /** what came back of its payment, or will, and why */
  judged: string | undefined
  /** puts the code away */
  close: () => void
}

/** The card of a payment by code below its heading, from the code to the final payment. */
export function InvoiceBody({ invoice, known, buyBlock, isWatched, judged, close }: BodyProps) {
  const t = useTexts(invoiceArea)
  const { figures } = useSaleWords()
  const { payment } = invoice
  const { terms } = known
  const asset = terms.assets.find(({ symbol }) => symbol === invoice.asset)
  const amount = asset ? figures.paidNamed(invoice.units, asset, terms) : invoice.asset
  // Anyone can pay something under its key: its own order may still come
  const isPaid = payment !== undefined && isOrderOf(invoice, payment)
  const beside = useModel(model => paidBeside(model, invoice))
  const isHalted = buyBlock !== undefined && !isLoadingSale(buyBlock)
  return (
    <>
      <p className="invoice-figure">{amount}</p>
      <BuyBlockNote buyBlock={buyBlock} />
      {payment && <Paid invoice={invoice} payment={payment} beside={beside} known={known} judged={judged} />}
      {!isPaid && !isHalted && (
        <Waiting
          invoice={invoice}
          isPaidBeside={beside !== undefined}
          isWatched={isWatched}
          known={known}
          amount={amount}
        />
      )}
      <div className="invoice-actions">
        <Button kind={isPaid ? 'primary' : 'plain'} size="big" wide data-testid="invoice-close" onClick={close}>
          {isPaid ? t.done : t.close}
        </Button>
      </div>
      {!isPaid && isWatched && <p className="buy-plain">{t.closeNote}</p>}
    </>
  )
}

/**
 * @returns why the code should no longer be paid: the sale takes nothing now, fewer tokens than agreed would be given, or the terms are
 *   not those that were agreed to
 */
function hitchOf(
  invoice: Invoice,
  { terms, termsHash, sale }: KnownSale,
): 'notNow' | 'stale' | 'otherTerms' | undefined {
  if (!sale) return undefined
  if (sale.state !== 'live') return 'notNow'
  const isSame = termsHash === invoice.termsHash
  const isListed = terms.assets.some(({ symbol }) => symbol === invoice.asset)
  const quote = isListed && memberIn(saleQuotes, terms)?.quote(terms, sale, invoice.asset, invoice.units)
  if (quote ? !stillHolds(quote, invoice) : isSame) return 'stale'
  return isSame ? undefined : 'otherTerms'
}

type WaitingProps = {
  invoice: Invoice
  known: KnownSale
  amount: string
  /** another code or order with its key is paid */
  isPaidBeside: boolean
  isWatched: boolean
}

/**
 * The code with the link, and what the person should know before paying. A code that would come back is not shown, nor one whose
 * payment would not be seen, nor one whose sale may have been paused since its notices were read.
 */
function Waiting({ invoice, known, amount, isPaidBeside, isWatched }: WaitingProps) {
  const { terms } = known
  const { copy, now } = useSurroundings()
  useTick(
    1000,
    useModel(({ sale }) => sale.noticesUnread !== undefined),
  )
  const at = now()
  const isTold = useModel(({ sale, core }) => holdForCode(sale, core, at))
  const t = useTexts(invoiceArea)
  const notice = useNotice()
  const { figures } = useSaleWords()
  const { reference } = invoice
  const url = reference === undefined ? undefined : transferRequest({ ...invoice, reference }, terms)
  const hitch = isPaidBeside ? 'paidBeside' : hitchOf(invoice, known)
  if (hitch || !isWatched)
    return (
      <>
        <Note tone="warn" live="status">
          {hitch ? t[hitch] : t.unwatchedNote}
        </Note>
        {!isWatched && <Unwatched key={invoice.invoiceId} invoice={invoice} known={known} mayRemake={!hitch} />}
      </>
    )
  if (url === undefined || !isTold)
    return (
      <>
        <div className="qr-wait">
          <span className="skeleton" aria-hidden="true" />
        </div>
        <output className="text-hint">{isTold ? t.unread : t.untold}</output>
      </>
    )
  const press = async () => {
    const copied = await copy(url).catch(() => false)
    notice(copied ? 'success' : 'error', copied ? t.copied : t.notCopied)
  }
  const least = `${figures.tokens(BigInt(invoice.min), terms)} ${terms.token.symbol}`
  return (
    <>
      <Qr text={url} label={t.codeFor(amount)} />
      <p className="layout-above">{t.scan}</p>
      <p className="text-hint">{t.until(least)}</p>
      <div className="invoice-actions">
        {isPhone() && (
          <a className="button is-primary is-big is-wide" href={url} data-testid="invoice-open">
            {t.openWallet}
          </a>
        )}
        <Button wide data-testid="invoice-copy" onClick={() => void press()}>
          {t.copyLink}
        </Button>
      </div>
      <TreasuryNote known={known} />
    </>
  )
}

/** The ways on once the payment is no longer looked for. A code made again has the key of this one: one of two payments counts. */
function Unwatched(props: { invoice: Invoice; known: KnownSale; mayRemake: boolean }) {
  const { command } = useSurroundings()
  const t = useTexts(invoiceArea)
  const looked = useModel(model => model.invoice?.looked)
  const life = useModel(model => model.core.life)
  const refused = useModel(model => model.invoice?.refused)
  const refusedAt = useModel(model => model.invoice?.refusedAt)
  // The model may be another object without news: times tell a result from one before the press
  const [pressed, setPressed] = useState<{ for: 'look' | 'remake'; life: number; before: number | undefined }>()
  const [presses, setPresses] = useState(0)
  const words = useSaleWords()
  const { invoiceId, asset, units, quoted, min, termsHash, referrer } = props.invoice
  const look = () => {
    setPressed({ for: 'look', life, before: looked?.at })
    setPresses(presses + 1)
    command({ type: 'invoice.look', data: { invoiceId } })
  }
  const told = () => {
    if (!pressed) return undefined
    if (pressed.for === 'remake') {
      if (!refused || refusedAt === pressed.before) return undefined
      const why = saleReason(words, refused)
      return why ? `${t.notMade} ${why[1]}` : t.refused
    }
    if (looked?.invoiceId === invoiceId && looked.at !== pressed.before)
      return looked.failure ? t.lookFailed : t.notFound
    // A worker that begins anew knows of no press
    return life === pressed.life ? t.looked : t.lookFailed
  }
  const remake = () => {
    setPressed({ for: 'remake', life, before: refusedAt })
    setPresses(presses + 1)
    // They were ticked for the code, and its terms are still in force
    const acknowledged = props.known.terms.legal.acknowledge
    const wish = { orderKey: newOrderKey(), asset, units, quoted, min, termsHash, acknowledged }
    command({ type: 'invoice.open', data: { ...wish, ...(referrer !== undefined && { referrer }) } })
  }
  return (
    <>
      <div className="invoice-actions">
        <Button wide data-testid="invoice-look" onClick={look}>
          {t.look}
        </Button>
        {props.mayRemake && (
          <Button wide data-testid="invoice-remake" onClick={remake}>
            {t.remake}
          </Button>
        )}
      </div>
      <output className="text-hint">
        <span key={presses}>{told()}</span>
      </output>
    </>
  )
}

type PaidProps = {
  invoice: Invoice
  payment: NonNullable<Invoice['payment']>
  /** the account that paid another code or order with its key */
  beside: string | undefined
  known: KnownSale
  judged: string | undefined
}

/** The payment that the chain shows, and anything about it that differs from the code. */
function Paid({ invoice, payment, beside, known: { terms }, judged }: PaidProps) {
  const t = useTexts(invoiceArea)
  const { figures, sale } = useSaleWords()
  const explorer = useExplorer()
  const isCounted = useModel(model => invoiceCounted(model, invoice) !== undefined)
  const asset = terms.assets.find(({ symbol }) => symbol === payment.asset)
  const came = asset ? figures.paidNamed(payment.units, asset, terms) : payment.asset
  const isOther = payment.asset !== invoice.asset || payment.units !== invoice.units
  const isTwice = beside !== undefined && beside === invoice.buyer
  const doubt = [
    payment.fault && (payment.fault === 'no_memo' ? t.noMemo : t.malformed),
    judged,
    isOther && t.otherAmount(came),
    isTwice && !isCounted && t.paidTwice,
  ].find(one => one)
  return (
    <>
      <p data-testid="invoice-paid" data-signature={payment.signature}>
        {t.paidBy(shortAddress(invoice.buyer ?? ''))}{' '}
        <ExternalLink className="link" href={explorer({ tx: payment.signature })}>
          {sale.inExplorer}
        </ExternalLink>
      </p>
      {payment.status !== 'final' && <p className="text-hint">{t.seenNote}</p>}
      {doubt && (
        <Note tone="warn" live="status" className="layout-above">
          {doubt}
        </Note>
      )}
    </>
  )
}
