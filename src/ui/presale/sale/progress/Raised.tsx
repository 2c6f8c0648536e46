import { memo } from 'react'
import { formatDollars } from '../../../../events/values/amount.ts'
import type { CurveStage } from '../../../../events/sale/price.ts'
import type { Sale } from '../../../../events/sale/sale.ts'
import { Skeleton } from '../../../kit/feedback/Skeleton.tsx'
import { PriceChart } from '../../../kit/figures/PriceChart.tsx'
import { Swatch } from '../../../kit/identity/Swatch.tsx'
import { dollars, exactDollars, percent, price, share, shortDollars, tokens } from '../figures.ts'
import { isStageOver, Ladder } from './Ladder.tsx'
import type { KnownSale } from '../saleStatus.ts'

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
  const sum = sale && formatDollars(sale.audited)
  const waits = reading && !isUnproven
  return (
    <>
      <h1>Raised in the {symbol} presale</h1>
      <p className="raised" data-testid="raised">
        {sum ? (
          <>
            ${sum.whole}
            <small>.{sum.cents}</small>
          </>
        ) : waits ? (
          <Skeleton width={200} tall />
        ) : (
          '–'
        )}
      </p>
      <p className="raised-under">
        {known && (sale || !waits)
          ? isUnproven
            ? 'These prices are not confirmed.'
            : subline(known)
          : waits && <Skeleton width={200} />}
      </p>
      {known ? <Staircase known={known} /> : waits && <div className="price-chart skeleton" aria-hidden="true" />}
      {(sale || waits) && (
        <div className="legend">
          <span>
            <Swatch />
            Audited {sale ? <b>{exactDollars(sale.audited)}</b> : <Skeleton width={64} />}
          </span>
          <span>
            <Swatch of="hatch" />
            Received since, not yet checked{' '}
            {sale ? <b>{sale.received === null ? '–' : exactDollars(sale.received)}</b> : <Skeleton width={64} />}
          </span>
          <span>
            <Swatch of="open" />
            Left {sale ? <b>{exactDollars(sale.remaining)}</b> : <Skeleton width={64} />}
          </span>
        </div>
      )}
      {sale?.received === null && (
        <p className="text-hint layout-above">
          Money left the treasury since the last checkpoint, so it is unknown how much came in after it.
        </p>
      )}
      {(known || waits) && <Ladder known={known} />}
    </>
  )
})

function subline({ terms, curve, sale }: KnownSale): string {
  const of = `of ${dollars(curve.hardCap)}`
  if (!sale) return of
  const got = sale.sold === '0' ? '' : `, for ${tokens(sale.sold, terms, 0)} ${terms.token.symbol}`
  if (sale.softCapReached) return `${of}${got}. Soft cap reached.`
  const missing = BigInt(sale.softCap) - BigInt(sale.audited)
  return `${of}${got}. ${dollars(missing)} to the soft cap. If it is missed, everyone is refunded.`
}

/** Solid up to the sale checkpoint, hatched for payments since; the price lies in between. */
function filledOf({ auditedPos, mostPos, pos }: Sale, hardCap: bigint) {
  const [audited, farthest, now] = [BigInt(auditedPos), BigInt(mostPos), BigInt(pos)]
  return { audited: share(audited, hardCap), live: share(farthest - audited, hardCap), now: share(now, hardCap) }
}

function Staircase({ known: { terms, curve, sale } }: { known: KnownSale }) {
  const dearest = curve.stages.reduce((most, stage) => (stage.price > most ? stage.price : most), 1n)
  const pos = sale ? BigInt(sale.pos) : 0n
  const spoken = (stage: CurveStage) => {
    const each = `${price(stage.price).slice(1)} dollars`
    if (!sale) return each
    if (isStageOver(stage, sale.time)) return `${each}, over`
    if (pos >= stage.end) return `${each}, sold out`
    if (pos <= stage.start) return `${each}, not started`
    return `${each}, ${percent(pos - stage.start, stage.end - stage.start).replace(/(\.\d)?%$/, '')} percent sold`
  }
  const summary = sale
    ? `Raised ${dollars(sale.audited).slice(1)} of ${dollars(curve.hardCap).slice(1)} dollars; soft cap ${dollars(sale.softCap).slice(1)} ${sale.softCapReached ? 'reached' : 'not reached'}.`
    : 'Reading the chain.'
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
          : { at: share(BigInt(terms.softCap), curve.hardCap), label: 'Soft cap', amount: shortDollars(terms.softCap) }
      }
      end={`Hard cap ${shortDollars(curve.hardCap.toString())}`}
      summary={summary}
    />
  )
}
