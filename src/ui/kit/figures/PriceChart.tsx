import { classes } from '../classes.ts'

/** One stage of the chart: width in money, height in price, and its labels. */
interface Stair {
  /** `Stage 1` */
  name: string
  /** The price above it, `$0.0006`. */
  price: string
  /** Price and state for screen readers: `0.0006 dollars, sold out`. */
  spoken: string
  /** Its share of all capacity, percent; all steps sum to 100. */
  width: number
  /** Its price as a share of the highest, 0–1. */
  height: number
}

export interface PriceChartProps {
  steps: readonly Stair[]
  /**
   * Shares of all capacity in percent: `audited`, and `live` on top of it. `now` is the position of the current price, by
   * default after both. Absent until the chain has been read.
   */
  filled: { audited: number; live: number; now?: number } | undefined
  softCap?: { at: number; label: string; amount: string } | undefined
  /** Beginning of the accessible label: `Price staircase.` */
  title: string
  /** Label of the position of the current price. */
  now: string
  /** No money, at the left end. */
  zero: string
  /** At the right end: `Hard cap $825k`. */
  end: string
  /** End of the accessible label: `Raised 286,412 of 825,000 dollars; soft cap 200,000 reached.` */
  summary: string
}

/** Base line of the steps and height of the highest, px; the room above holds its price. */
const ground = 196
const highest = 166

const percent = (share: number) => `${Number(share.toFixed(3))}%`
const spaced = (steps: readonly Stair[]) => {
  let at = 0
  return steps.map(step => {
    const from = at
    at += step.width
    return { ...step, from, to: at, top: ground - highest * step.height }
  })
}

/** Accessible label of the chart. */
function chartSentence({ title, steps, summary }: Pick<PriceChartProps, 'title' | 'steps' | 'summary'>): string {
  return [title, ...steps.map(step => `${step.name}, ${step.spoken}.`), summary].join(' ')
}

/**
 * The sale in one picture: width is money, height is price. Audited is solid, live hatched, the rest open.
 * Lengths are percentages: no measuring, no inline style. Needs a `Hatch` in the same root.
 * Runs from left to right in any text direction. One component, because every label depends on the places of the others.
 */
export function PriceChart(props: PriceChartProps) {
  const { title, steps, filled, softCap, zero, end, summary } = props
  const placed = spaced(steps)
  const audited = filled?.audited ?? 0
  const reached = audited + (filled?.live ?? 0)
  const now = filled?.now ?? reached
  const topAt = (at: number) => (placed.find(step => at <= step.to) ?? placed.at(-1))?.top ?? ground
  // one line lower where "Now" would overlap the soft cap's label, the hard cap's or the zero
  const lower = now < 5 || now > 62 || (softCap !== undefined && now < softCap.at && now > softCap.at - 30)
  const leftOfLine = now > 62

  return (
    <svg className="price-chart" role="img" aria-label={chartSentence({ title, steps, summary })}>
      {placed.map((step, index) => {
        const span = (from: number, to: number) => {
          const start = Math.max(from, step.from)
          return {
            x: percent(start),
            width: percent(Math.max(0, Math.min(to, step.to) - start)),
            y: step.top,
            height: ground - step.top,
          }
        }
        const open = Math.max(step.from, Math.min(reached, step.to))
        return (
          <g key={step.name}>
            <rect className="price-chart-step" {...span(step.from, step.to)} />
            {audited > step.from && <rect className="price-chart-audited" {...span(0, audited)} />}
            {reached > audited && reached > step.from && audited < step.to && (
              <>
                <rect className="price-chart-live" {...span(audited, reached)} />
                <rect fill="url(#hatch)" {...span(audited, reached)} />
              </>
            )}
            {open < step.to && (
              <line className="price-chart-edge" x1={percent(open)} x2={percent(step.to)} y1={step.top} y2={step.top} />
            )}
            {index > 0 && (
              <line
                className="price-chart-gap-line"
                x1={percent(step.from)}
                x2={percent(step.from)}
                y1={0}
                y2={ground}
              />
            )}
            <text className="price-chart-price" x={percent(step.from)} dx="1" y={step.top - 10}>
              {step.price}
            </text>
          </g>
        )
      })}
      <line className="price-chart-axis" x1="0" x2="100%" y1={ground + 0.5} y2={ground + 0.5} />
      <text className="price-chart-zero" x="0" y="220">
        {zero}
      </text>
      {softCap && (
        <>
          <line
            className={softCap.at <= reached ? 'price-chart-cap-over' : 'price-chart-cap-ahead'}
            x1={percent(softCap.at)}
            x2={percent(softCap.at)}
            y1={topAt(softCap.at) + 3}
            y2={ground}
          />
          <line
            className="price-chart-cap-line"
            x1={percent(softCap.at)}
            x2={percent(softCap.at)}
            y1={ground}
            y2={ground + 8}
          />
          <text className="price-chart-soft-cap" x={percent(softCap.at)} y="220">
            {softCap.label}
            <tspan className="price-chart-amount"> {softCap.amount}</tspan>
          </text>
        </>
      )}
      {filled && (
        <>
          <line
            className="price-chart-now-line"
            x1={percent(now)}
            x2={percent(now)}
            y1={topAt(now) - 9}
            y2={ground + 8}
          />
          <text
            className={classes('price-chart-now', leftOfLine && 'price-chart-right')}
            x={percent(now)}
            dx={leftOfLine ? -6 : 6}
            y={lower ? 236 : 220}
          >
            {props.now}
          </text>
        </>
      )}
      <text className="price-chart-right" x="100%" y="220">
        {end}
      </text>
    </svg>
  )
}
