import type { CurveStage } from '../../../../events/sale/price.ts'
import { isOver } from '../../../../events/sale/sale.ts'
import { classes } from '../../../kit/classes.ts'
import { Skeleton } from '../../../kit/feedback/Skeleton.tsx'
import { Meter } from '../../../kit/figures/Meter.tsx'
import { share } from '../figures.ts'
import type { KnownSale } from '../saleStatus.ts'
import { type SaleWords, useSaleWords } from '../../saleWords.ts'

/** Rows of a table whose terms are still loading. */
const usualStages = [0, 1, 2]

/** The price chart as a table: price, capacity, sold share and state of each stage. */
export function Ladder({ known }: { known: KnownSale | undefined }) {
  const { curve, sale } = known ?? {}
  const t = useSaleWords()
  const { dollars, price } = t.figures
  const pos = sale ? BigInt(sale.pos) : undefined
  return (
    <table className="ladder">
      <caption className="text-hidden">{t.sale.stages}</caption>
      <thead>
        <tr>
          <th>{t.sale.stage}</th>
          <th>{t.sale.price}</th>
          <th className="ladder-capacity">{t.sale.capacity}</th>
          <th className="ladder-meter">{t.sale.sold}</th>
          <th>
            <span className="text-hidden">{t.sale.state}</span>
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
          const isEnded = sale ? isOver(sale) : false
          const now = sale?.stage?.index === index && !isEnded
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
                {pos !== undefined &&
                  (over || (isEnded && pos < stage.end)
                    ? t.sale.over
                    : stateOf(t, stage, pos, curve.stages[index - 1], now))}
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

function stateOf(
  { sale, figures }: SaleWords,
  stage: CurveStage,
  pos: bigint,
  before: CurveStage | undefined,
  now: boolean,
): string {
  if (pos >= stage.end) return sale.soldOut
  if (now) return figures.share(inside(stage, pos), stage.end - stage.start)
  if (before?.endsAt !== undefined) return sale.stageOn(figures.momentOf(before.endsAt * 1000).replace(/ \d{4},/, ','))
  return sale.stageIn(figures.dollars(stage.start - pos))
}
