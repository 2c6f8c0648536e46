import { clock } from '../kit/icons.ts'
import { Note } from '../kit/Note.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { spanOf } from './figures.ts'
import { useTick } from './useSale.ts'

/** A clock this far from the chain's is worth a word, ms. */
const skewMs = 30_000

/** How old the numbers are when the latest reading failed, and how far this device's clock is off. */
export function Freshness() {
  const { now } = useSurroundings()
  const stale = useModel(model => model.sale.stale)
  const reading = useModel(model => model.sale.reading)
  useTick(1000, stale !== null)
  const skew = reading ? Math.abs(reading.readAt - reading.chainTime) : 0
  const at = now()
  const wait = stale ? stale.retryAt - at : 0
  return (
    <>
      {stale && (
        <Note icon={clock} className="gap-t">
          {reading ? `Numbers from ${spanOf(at - reading.readAt)} ago. ` : 'The network does not answer. '}
          {wait > 0 ? `Asking again in ${Math.ceil(wait / 1000)} s.` : 'Asking again.'}
        </Note>
      )}
      {skew > skewMs && <p className="hint gap-t">Your clock is {spanOf(skew)} off. Times here follow the chain.</p>}
    </>
  )
}
