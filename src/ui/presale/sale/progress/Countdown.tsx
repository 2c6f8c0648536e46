import { chainTimeAt } from '../../../../events/sale/saleNow.ts'
import { useModel, useSurroundings } from '../../../react.tsx'
import { useSaleWords } from '../../saleWords.ts'
import { timeLeft } from '../figures.ts'
import { steadyNow } from '../steadyNow.ts'
import { useTick } from '../useSale.ts'

/**
 * Time left until a moment of chain time; unmounts at zero and never restarts.
 * Ticks silently: screen readers hear only the words, which change on the hour.
 *
 * @param until ms
 * @param comes the beginning or the end
 */
export function Countdown({ until, comes }: { until: number; comes: 'start' | 'end' }) {
  const around = useSurroundings()
  const { sale: t } = useSaleWords()
  const sale = useModel(model => model.sale)
  useTick(500)
  const time = chainTimeAt(sale, steadyNow(sale, around))
  if (time === undefined || time >= until) return null
  const { days, hours, minutes, seconds } = timeLeft(until - time)
  const [within, into] = comes === 'end' ? [t.endsWithin, t.endsIn] : [t.opensWithin, t.opensIn]
  const words = days + hours === 0 ? within : into(days, hours)
  return (
    <>
      <div className="countdown" role="timer" aria-label={words}>
        <Part value={days} unit={t.units.days} />
        <Part value={hours} unit={t.units.hours} />
        <Part value={minutes} unit={t.units.minutes} />
        <Part value={seconds} unit={t.units.seconds} />
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
