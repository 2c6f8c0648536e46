import { isLeftOut } from '../../../runtime/failure.ts'
import { clockIcon } from '../../kit/icons/icons.ts'
import { Note } from '../../kit/feedback/Note.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import type { BuyBlock } from './saleStatus.ts'
import { TryNow } from './Status.tsx'
import { useTick } from './useSale.ts'
import { useSaleWords } from '../saleWords.ts'

/** Clock skew worth a hint, ms. */
const skewMs = 30_000

/** Age of numbers and notices after a failed reading, unless the status line gives it. */
export function Freshness({ buyBlock }: { buyBlock: BuyBlock | undefined }) {
  const { now } = useSurroundings()
  const { sale: t, buy, figures } = useSaleWords()
  const { momentOf, spanOf } = figures
  const stale = useModel(model => model.sale.stale)
  const reading = useModel(model => model.sale.reading)
  const notices = useModel(model => model.sale.notices)
  const unread = useModel(model => model.sale.noticesUnread)
  useTick(1000, stale !== null || notices?.partial === true || unread !== undefined)
  const at = now()
  const wait = ((stale ?? unread)?.retryAt ?? at) - at
  const retry = (
    <>
      {wait > 0 ? t.retryingIn(Math.ceil(wait / 1000)) : t.retrying} <TryNow />
    </>
  )
  const [isOut, why] = [stale !== null && isLeftOut(stale.failure), buyBlock?.why]
  const asOf = notices?.partial ? notices.asOf : unread?.since
  // Where a reload is asked for already, the age of the numbers is left to tell
  const isSilent = why === 'readingOnly'
  const isTold = isSilent || (isOut && why === 'reload' && !reading)
  return (
    <>
      {stale && !isTold && (
        <Note icon={clockIcon} className="layout-above">
          {reading ? t.numbersFrom(spanOf(at - reading.readAt)) : !isOut && t.solanaSilent} {!isOut && retry}
          {isOut && why !== 'reload' && (
            <>
              {buy.blocked.leftOut.join(' ')}{' '}
              <button type="button" className="link" onClick={() => location.reload()}>
                {t.reload}
              </button>
            </>
          )}
        </Note>
      )}
      {(notices?.partial || (unread && !stale && !isSilent)) && (
        <Note icon={clockIcon} className="layout-above">
          {asOf === undefined ? t.announcementsUnread : t.announcementsAsOf(momentOf(asOf), spanOf(at - asOf))}{' '}
          {t.newerMayExist} {unread && !stale && retry}
        </Note>
      )}
    </>
  )
}

/** The skew of this device's clock. Below the figures, because it is known only after the first reading. */
export function Skew() {
  const { sale, figures } = useSaleWords()
  const reading = useModel(model => model.sale.reading)
  const skew = reading ? Math.abs(reading.readAt - reading.chainTime) : 0
  if (skew <= skewMs) return null
  return <p className="text-hint layout-above">{sale.clockOff(figures.spanOf(skew))}</p>
}
