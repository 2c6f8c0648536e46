import type { CurveStage } from '../../../../events/sale/price.ts'
import { classes } from '../../../kit/classes.ts'
import { Skeleton } from '../../../kit/feedback/Skeleton.tsx'
import { Meter } from '../../../kit/figures/Meter.tsx'
import { dollars, momentOf, percent, price, share } from '../figures.ts'
import type { KnownSale } from '../saleStatus.ts'

/** Rows of a table whose terms are still loading. */
const usualStages = [0, 1, 2]

/** The price chart as a table: price, capacity, sold share and state of each stage. */
export function Ladder({ known }: { known: KnownSale | undefined }) {
  const { curve, sale } = known ?? {}
  const pos = sale ? BigInt(sale.pos) : undefined
  return (
    <table className="ladder">
      <caption className="text-hidden">Stages</caption>
      <thead>
        <tr>
          <th>Stage</th>
          <th>Price</th>
          <th className="ladder-capacity">Capacity</th>
          <th className="ladder-meter">Sold</th>
          <th>
            <span className="text-hidden">State</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {!curve &&
          usualStages.map(stage => (
            <tr key={stage}>
              <td colSpan={5}>
                <Skeleton width={140} />
              </td>
            </tr>
          ))}
        {curve?.stages.map((stage, index) => {
          const now = sale?.stage?.index === index
          const over = sale ? isStageOver(stage, sale.time) : false
          return (
            <tr key={stage.name} className={now ? undefined : 'is-off'}>
              <td>
                <span className="ladder-name">{stage.name}</span>
              </td>
              <td className={classes(now && 'text-strong')}>{price(stage.price)}</td>
              <td className="ladder-capacity">{dollars(stage.end - stage.start)}</td>
              <td className="ladder-meter">
                {over ? (
                  '–'
                ) : (
                  <Meter
                    percent={pos === undefined ? 0 : share(inside(stage, pos), stage.end - stage.start)}
                    look={pos !== undefined && pos >= stage.end ? 'past' : 'now'}
                  />
                )}
              </td>
              <td className={classes(now && 'text-strong')}>
                {pos === undefined ? '' : over ? 'Over' : stateOf(stage, pos, curve.stages[index - 1], now)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** @returns whether the stage ended by time: its rest was given up, and its sold share is unknown */
export function isStageOver({ endsAt }: CurveStage, time: number): boolean {
  return endsAt !== undefined && endsAt * 1000 <= time
}

function inside(stage: CurveStage, pos: bigint): bigint {
  if (pos <= stage.start) return 0n
  return pos >= stage.end ? stage.end - stage.start : pos - stage.start
}

function stateOf(stage: CurveStage, pos: bigint, before: CurveStage | undefined, now: boolean): string {
  if (pos >= stage.end) return 'Sold out'
  if (now) return percent(inside(stage, pos), stage.end - stage.start)
  if (before?.endsAt !== undefined) return `On ${momentOf(before.endsAt * 1000).replace(/ \d{4},/, ',')}`
  return `In ${dollars(stage.start - pos)}`
}
