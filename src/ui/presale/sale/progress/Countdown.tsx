import { chainTimeAt } from '../../../../events/sale/saleNow.ts'
import { useModel, useSurroundings } from '../../../react.tsx'
import { timeLeft } from '../figures.ts'
import { useTick } from '../useSale.ts'

/**
 * Time left until a moment of chain time; unmounts at zero and never restarts.
 * Ticks silently: screen readers hear only the words, which change on the hour.
 *
 * @param until ms
 * @param verb `Ends` or `Opens`
 */
export function Countdown({ until, verb }: { until: number; verb: string }) {
  const { now } = useSurroundings()
  const sale = useModel(model => model.sale)
  useTick(500)
  const time = chainTimeAt(sale, now())
  if (time === undefined || time >= until) return null
  const { days, hours, minutes, seconds } = timeLeft(until - time)
  const words =
    days + hours === 0
      ? `${verb} within the hour`
      : `${verb} in ${counted(days, 'day')}${counted(hours, 'hour')}`.trim()
  return (
    <>
      <div className="countdown" role="timer" aria-label={words}>
        <Part value={days} unit="d" />
        <Part value={hours} unit="h" />
        <Part value={minutes} unit="m" />
        <Part value={seconds} unit="s" />
      </div>
      <output className="text-hidden">{words}</output>
    </>
  )
}

function Part({ value, unit }: { value: number; unit: string }) {
  return (
    <span>
      <b>{value}</b>
      {unit}
    </span>
  )
}

function counted(value: number, unit: string): string {
  return value === 0 ? '' : `${value} ${unit}${value === 1 ? '' : 's'} `
}
