import { Note } from '../../kit/feedback/Note.tsx'
import { Skeleton } from '../../kit/feedback/Skeleton.tsx'
import { Tag } from '../../kit/feedback/Tag.tsx'
import { Acknowledgements } from './Acknowledgements.tsx'
import { BuyButton } from './BuyButton.tsx'
import { Calculator } from './Calculator.tsx'
import { Carried } from './Carried.tsx'
import { Details } from '../sale/about/Details.tsx'
import { boundaryWords, doubtWords, partsOf } from './draft.ts'
import { dollars, paid } from '../sale/figures.ts'
import { refundDay, refundUnits, refundWords } from './order/refusalWords.ts'
import { isLoadingSale, type KnownSale } from '../sale/saleStatus.ts'
import { deliveryWords } from '../sale/deliveryWords.ts'
import { BuyBlockNote } from './BuyBlockNote.tsx'
import { OrderCard } from './order/OrderCard.tsx'
import { OtherBuild } from '../OtherBuild.tsx'
import type { Buying } from './useBuying.ts'

/** The buy card: the order to show, else the calculator, the required statements and the buy button. */
export function Buy({ buying }: { buying: Buying }) {
  const { known, buyBlock, order } = buying
  if (order) return <OrderCard order={order} buying={buying} />
  const isOver = known !== undefined && resultWords(known) !== undefined
  return (
    <section className="buy" id="buy" aria-label={`Buy ${known?.terms.token.symbol ?? 'tokens'}`}>
      <header>
        <h2 tabIndex={-1}>Buy {known?.terms.token.symbol ?? 'tokens'}</h2>
        {known && !isOver && <Tag>{limitWords(buying)}</Tag>}
      </header>
      <BuyBlockNote buyBlock={buyBlock} />
      {!buyBlock && <OtherBuild />}
      {isOver ? (
        <Result known={known} hasPurchases={buying.rows.length > 0} />
      ) : (
        <>
          <Carried buying={buying} />
          <Calculator buying={buying} />
          <Warnings buying={buying} />
          <Details buying={buying} />
          {!known && isLoadingSale(buyBlock) && <Wait />}
          {known && <Acknowledgements buying={buying} known={known} />}
        </>
      )}
      <BuyButton action={buying.action} press={buying.press} />
      <p className="buy-plain">
        Payments go to the project’s treasury wallet. The team holds its keys, and you trust them to refund and to
        deliver.{' '}
        <a className="link" href="#trust">
          Who holds the money
        </a>
      </p>
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
  return (
    <div className="layout-stack" data-testid="sale-result">
      <p>{resultWords(known)}</p>
      {known.sale?.state !== 'failed' && (
        <p className="text-hint">Delivery by the terms: {deliveryWords(known.terms)}.</p>
      )}
      {hasPurchases && (
        <p>
          <a className="link" href="#purchases">
            Your purchases
          </a>
        </p>
      )}
      <div />
    </div>
  )
}

/** @returns the result of a sale that is over; undefined before */
function resultWords({ terms, sale }: KnownSale): string | undefined {
  switch (sale?.state) {
    case 'soldOut':
      return `Nothing is left of the ${terms.token.symbol} for sale.`
    case 'ended':
      return 'The sale has ended. The team is counting and will publish the result.'
    case 'succeeded':
      return 'The sale has ended, and it reached its soft cap.'
    case 'failed':
      return 'The sale missed its soft cap. The terms oblige the team to return every payment.'
    default:
      return undefined
  }
}

/** The limits of a wallet, or what it may still buy after its purchases. */
function limitWords({ known, bought }: Buying): string {
  if (!known) return ''
  const { minOrder, maxBuyer } = known.terms
  if (bought === 0n) return `${dollars(minOrder)} to ${dollars(maxBuyer)} per wallet`
  const left = BigInt(maxBuyer) - bought
  return `${dollars(left > 0n ? left : 0n)} left for this wallet`
}

/** Warnings where the result may differ from the quote: the cap, unjudged payments, a stage boundary. */
function Warnings({ buying: { known, result, asset, buyBlock } }: { buying: Buying }) {
  const { quote } = result
  if (!known?.sale || !quote || !asset || buyBlock || known.sale.state !== 'live') return null
  if (quote.overCap !== '0') {
    const over = { asset: asset.symbol, units: quote.overCap, at: 0 }
    const becomes =
      refundUnits(over, known.terms) === '0'
        ? `would not come back. ${refundWords(over, known.terms)}`
        : `would come back by ${refundDay(known.terms)}.`
    return (
      <Note tone="warn" className="layout-above">
        <b>The sale has {dollars(known.sale.remaining)} left.</b> {paid(quote.overCap, asset)} {becomes}
      </Note>
    )
  }
  const doubt = doubtWords(known, quote)
  if (doubt)
    return (
      <Note tone="warn" className="layout-above">
        <b>{doubt.verdict}</b> {doubt.sentence}
      </Note>
    )
  const words = boundaryWords(partsOf(known.curve, known.sale, BigInt(quote.credits)), quote)
  return (
    words && (
      <Note tone="warn" className="layout-above">
        <b>{words.verdict}</b> {words.sentence}
      </Note>
    )
  )
}
