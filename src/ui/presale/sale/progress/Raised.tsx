import { Fragment, memo } from 'react'
import type { CurveStage } from '../../../../events/sale/price.ts'
import { isOver, type Sale } from '../../../../events/sale/sale.ts'
import { Skeleton } from '../../../kit/feedback/Skeleton.tsx'
import { PriceChart } from '../../../kit/figures/PriceChart.tsx'
import { Swatch } from '../../../kit/identity/Swatch.tsx'
import { share } from '../figures.ts'
import { isStageOver, Ladder } from './Ladder.tsx'
import type { KnownSale } from '../saleStatus.ts'
import { type SaleWords, useSaleWords } from '../../saleWords.ts'

/** The sum raised, the price chart, the audited share, and the table of stages. Each part keeps its height while it loads. */
export const Raised = memo(function Raised(props: {
  known: KnownSale | undefined
  symbol: string
  /** False when no reading is pending that could fill the figures. */
  reading: boolean
  /** The terms are not the team's as far as this page can tell: no figure and no fill follows from them. */
  isUnproven?: boolean
}) {
  const { symbol, reading, isUnproven = false } = props
  const known = props.known && isUnproven ? { ...props.known, sale: null } : props.known
  const sale = known?.sale
  const t = useSaleWords()
  const { dollarParts, exactDollars } = t.figures
  const waits = reading && !isUnproven
  return (
    <>
      <h1>{t.sale.raisedIn(symbol)}</h1>
      <p className="raised" data-testid="raised">
        {sale ? (
          dollarParts(sale.audited).map(({ text, isCents }, at) =>
            isCents ? <small key={at}>{text}</small> : <Fragment key={at}>{text}</Fragment>,
          )
        ) : waits ? (
          <Skeleton width={200} tall />
        ) : (
          '–'
        )}
      </p>
      <p className="raised-under">
        {known && (sale || !waits)
          ? isUnproven
            ? t.sale.unconfirmed
            : subline(t, known)
          : waits && <Skeleton width={200} />}
      </p>
      {known ? <Staircase known={known} /> : waits && <div className="price-chart skeleton" aria-hidden="true" />}
      {(sale || waits) && (
        <div className="legend">
          <span>
            <Swatch />
            <span>
              {t.sale.audited} {sale ? <b>{exactDollars(sale.audited)}</b> : <Skeleton width={64} />}
            </span>
          </span>
          <span>
            <Swatch of="hatch" />
            <span>
              {t.sale.received}{' '}
              {sale ? <b>{sale.received === null ? '–' : exactDollars(sale.received)}</b> : <Skeleton width={64} />}
            </span>
          </span>
          <span>
            <Swatch of="open" />
            <span>
              {t.sale.left} {sale ? <b>{exactDollars(sale.remaining)}</b> : <Skeleton width={64} />}
            </span>
          </span>
        </div>
      )}
      {sale?.received === null && <p className="text-hint layout-above">{t.sale.moneyLeft}</p>}
      {(known ? known.capabilities.multiStage : waits) && <Ladder known={known} />}
    </>
  )
})

function subline({ sale: t, figures: { dollars, tokens } }: SaleWords, { terms, curve, sale }: KnownSale): string {
  const cap = dollars(curve.hardCap)
  if (!sale) return t.ofCap(cap)
  const of = sale.sold === '0' ? t.ofCap(cap) : t.ofCapFor(cap, `${tokens(sale.sold, terms, 0)} ${terms.token.symbol}`)
  if (sale.state === 'failed') return `${of}.`
  if (sale.softCapReached) return `${of}. ${t.capReached}`
  const missing = BigInt(sale.softCap) - BigInt(sale.audited)
  return `${of}. ${t.capMissing(dollars(missing))}`
}

/** Solid up to the sale checkpoint, hatched for payments since, as far as known; the price lies in between. */
function filledOf({ auditedPos, mostPos, pos, received }: Sale, hardCap: bigint) {
  const [audited, farthest, now] = [BigInt(auditedPos), BigInt(received === null ? pos : mostPos), BigInt(pos)]
  return { audited: share(audited, hardCap), live: share(farthest - audited, hardCap), now: share(now, hardCap) }
}

/** @returns an amount without its currency, which the sentence names */
function plain(amount: string): string {
  return amount.replace(/[^\d.,]/g, '')
}

function Staircase({ known: { terms, curve, sale } }: { known: KnownSale }) {
  const { sale: t, figures } = useSaleWords()
  const { dollars, price, shortDollars } = figures
  const { chart } = t
  const dearest = curve.stages.reduce((most, stage) => (stage.price > most ? stage.price : most), 1n)
  const pos = sale ? BigInt(sale.pos) : 0n
  const spoken = (stage: CurveStage) => {
    const each = chart.each(plain(price(stage.price)))
    if (!sale) return each
    if (isStageOver(stage, sale.time)) return chart.over(each)
    if (pos >= stage.end) return chart.soldOut(each)
    if (pos <= stage.start) return isOver(sale) ? chart.over(each) : chart.notStarted(each)
    const whole = ((pos - stage.start) * 100n) / (stage.end - stage.start)
    return chart.sold(each, String(whole))
  }
  const summary = sale
    ? (sale.softCapReached ? chart.reached : chart.notReached)(
        plain(dollars(sale.audited)),
        plain(dollars(curve.hardCap)),
        plain(dollars(sale.softCap)),
      )
    : chart.reading
  return (
    <PriceChart
      steps={curve.stages.map(stage => ({
        name: stage.name,
        price: price(stage.price),
        spoken: spoken(stage),
        width: share(stage.end - stage.start, curve.hardCap),
        height: share(stage.price, dearest) / 100,
      }))}
      filled={sale ? filledOf(sale, curve.hardCap) : undefined}
      softCap={
        terms.softCap === '0'
          ? undefined
          : { at: share(BigInt(terms.softCap), curve.hardCap), label: t.softCap, amount: shortDollars(terms.softCap) }
      }
      title={chart.title}
      now={t.now}
      zero={dollars(0n)}
      end={t.hardCap(shortDollars(curve.hardCap.toString()))}
      summary={summary}
    />
  )
}
