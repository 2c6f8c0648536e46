import { Note } from '../../kit/feedback/Note.tsx'
import { Skeleton } from '../../kit/feedback/Skeleton.tsx'
import { Tag } from '../../kit/feedback/Tag.tsx'
import { Acknowledgements } from './Acknowledgements.tsx'
import { BuyButton } from './BuyButton.tsx'
import { Calculator } from './Calculator.tsx'
import { Carried } from './Carried.tsx'
import { Referred } from './Referred.tsx'
import { Details } from '../sale/about/Details.tsx'
import { boundaryWords, doubtWords, partsOf } from './draft.ts'
import { refundDay, refundUnits, refundWords } from './order/refusalWords.ts'
import { isLoadingSale, type KnownSale } from '../sale/saleStatus.ts'
import { deliveryWords } from '../sale/deliveryWords.ts'
import { BuyBlockNote } from './BuyBlockNote.tsx'
import { InvoiceCard, PayByCode } from './invoice/PayByCode.tsx'
import { OrderCard } from './order/OrderCard.tsx'
import { OtherBuild } from '../OtherBuild.tsx'
import { TreasuryNote } from './TreasuryNote.tsx'
import type { Buying } from './useBuying.ts'
import { type SaleWords, useSaleWords } from '../saleWords.ts'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'

/** The buy card: the order or the code to show, else the calculator, the required statements and the buy button. */
export function Buy({ buying }: { buying: Buying }) {
  const { known, buyBlock, order } = buying
  const t = useSaleWords()
  if (order) return <OrderCard order={order} buying={buying} />
  if (buying.invoice && known)
    return <InvoiceCard invoice={buying.invoice} known={known} buyBlock={buyBlock} close={buying.closeCode} />
  const isOver = known !== undefined && resultWords(t, known) !== undefined
  const title = known ? t.buy.buy(known.terms.token.symbol) : t.buy.buyTokens
  return (
    <section className="buy" id="buy" aria-label={title}>
      <header>
        <h2 tabIndex={-1}>{title}</h2>
        {known && !isOver && <Tag>{limitWords(t, buying)}</Tag>}
      </header>
      <BuyBlockNote buyBlock={buyBlock} />
      {!buyBlock && <OtherBuild />}
      {isOver ? (
        <Result known={known} hasPurchases={buying.rows.length > 0} />
      ) : (
        <>
          {buying.isSending && !buyBlock && (
            <Note live="status" className="sale-note" data-testid="buy-waits">
              <b>{t.buy.sendingFirst[0]}</b> {t.buy.sendingFirst[1]}
            </Note>
          )}
          <Carried buying={buying} />
          <Referred buying={buying} />
          <Calculator buying={buying} />
          <Warnings buying={buying} />
          <OtherAccount buying={buying} />
          {buying.isCodeOut && !buyBlock && (
            <Note live="status" className="layout-above" data-testid="code-out">
              {t.buy.codeOut}
            </Note>
          )}
          <Details buying={buying} />
          {!known && isLoadingSale(buyBlock) && <Wait />}
          {known && <Acknowledgements buying={buying} known={known} />}
        </>
      )}
      <BuyButton action={buying.action} press={buying.press} />
      {buying.pressCode && <PayByCode press={buying.pressCode} refusal={buying.refusal} />}
      <TreasuryNote known={known} />
    </section>
  )
}

/** Keeps the place of the totals and the statements while the terms load. */
function Wait() {
  return (
    <div className="buy-wait" aria-hidden="true">
      <Skeleton width={200} />
      <Skeleton width={140} />
      <Skeleton width={200} />
      <Skeleton width={140} />
      <Skeleton width={200} />
    </div>
  )
}

/** The result of a sale that is over, and the delivery, in place of the calculator. */
function Result({ known, hasPurchases }: { known: KnownSale; hasPurchases: boolean }) {
  const t = useSaleWords()
  return (
    <div className="layout-stack" data-testid="sale-result">
      <p>{resultWords(t, known)}</p>
      {known.sale?.state !== 'failed' && <p className="text-hint">{t.buy.delivery(deliveryWords(t, known.terms))}</p>}
      {hasPurchases && (
        <p>
          <a className="link touch" href="#purchases">
            {t.buy.yourPurchases}
          </a>
        </p>
      )}
      <div />
    </div>
  )
}

/** @returns the result of a sale that is over; undefined before */
function resultWords({ buy }: SaleWords, { terms, sale }: KnownSale): string | undefined {
  switch (sale?.state) {
    case 'soldOut':
      return buy.nothingLeftOf(terms.token.symbol)
    case 'ended':
      return buy.resultEnded
    case 'succeeded':
      return buy.resultSucceeded
    case 'failed':
      return buy.resultFailed
    default:
      return undefined
  }
}

/** The limits of a wallet, or what it may still buy after its purchases. */
function limitWords({ buy, figures: { dollars } }: SaleWords, { known, bought }: Buying): string {
  if (!known) return ''
  const { minOrder, maxBuyer } = known.terms
  if (bought === 0n) return buy.limits(dollars(minOrder), dollars(maxBuyer))
  const left = BigInt(maxBuyer) - bought
  return buy.limitLeft(dollars(left > 0n ? left : 0n))
}

/** Warns of an earlier payment that may still arrive: the sale returns a second one of the same account only. */
function OtherAccount({ buying: { outElsewhere, buyBlock } }: { buying: Buying }) {
  const t = useSaleWords()
  if (outElsewhere === undefined || buyBlock) return null
  const [verdict, sentence] = t.buy.otherAccount(shortAddress(outElsewhere))
  return (
    <Note tone="warn" live="status" className="layout-above" data-testid="other-account">
      <b>{verdict}</b> {sentence}
    </Note>
  )
}

/** Warnings where the result may differ from the quote: the cap, unjudged payments, a stage boundary. */
function Warnings({ buying: { known, result, asset, buyBlock } }: { buying: Buying }) {
  const { quote } = result
  const t = useSaleWords()
  const { dollars, paid } = t.figures
  if (!known?.sale || !quote || !asset || buyBlock || known.sale.state !== 'live') return null
  if (quote.overCap !== '0') {
    const over = { asset: asset.symbol, units: quote.overCap, at: 0 }
    const amount = paid(quote.overCap, asset)
    const becomes =
      refundUnits(over, known.terms) === '0'
        ? t.buy.wouldNotReturn(amount, refundWords(t, over, known.terms))
        : t.buy.wouldReturn(amount, refundDay(t, known.terms))
    return (
      <Note tone="warn" className="layout-above">
        <b>{t.buy.saleHasLeft(dollars(known.sale.remaining))}</b> {!known.capabilities.onChainCap && becomes}
      </Note>
    )
  }
  const doubt = doubtWords(t, known, quote)
  if (doubt)
    return (
      <Note tone="warn" className="layout-above">
        <b>{doubt.verdict}</b> {doubt.sentence}
      </Note>
    )
  const words = boundaryWords(t, partsOf(known.curve, known.sale, BigInt(quote.credits)), quote)
  return (
    words && (
      <Note tone="warn" className="layout-above">
        <b>{words.verdict}</b> {words.sentence}
      </Note>
    )
  )
}
