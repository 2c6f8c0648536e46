import { type Order, silenceMs, walletOf } from '../../../../events/subjects/order/order.ts'
import { Button } from '../../../kit/controls/Button.tsx'
import { clockIcon } from '../../../kit/icons/icons.ts'
import { Note } from '../../../kit/feedback/Note.tsx'
import { useModel, useSurroundings } from '../../../react.tsx'
import { useTick } from '../../sale/useSale.ts'
import { useSaleWords } from '../../saleWords.ts'

/** Time after which a wallet's silence is explained, ms. */
const quietMs = 10_000

/**
 * Explains a wallet that does not answer: where it may wait, the time left, and the way out. A wallet that another page asked is
 * explained at once.
 *
 * @param props.isHere the wallet was asked by a press in this page
 */
export function Silence(props: { order: Order; isHere: boolean; onCancel: () => void }) {
  const { order, isHere, onCancel } = props
  const { now } = useSurroundings()
  const words = useSaleWords()
  const t = words.order.silence
  const isNear = useModel(({ connection }) => connection.made[order.connectionId]?.connector === 'installed')
  useTick(1000)
  const at = now()
  const passed = at - (order.times.awaitingSignature ?? at)
  const isElsewhere = isNear && !isHere
  if (passed < quietMs && !isElsewhere) return null
  const wallet = walletOf(order)
  const left = Math.ceil(Math.max(0, silenceMs - passed) / 1000)
  const where = isElsewhere ? t.otherTab(wallet) : isNear ? t.fromToolbar(wallet) : t.onDevice(wallet)
  return (
    <>
      <Note icon={clockIcon} className="layout-above" data-testid="order-silence">
        <b>{t.nothing}</b> {where}{' '}
        {left > 0 && (
          <span className="text-figures">
            {words.basics.timeLeft(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`)}
          </span>
        )}
        <br />
        {t.ifCancelled(wallet)}
      </Note>
      <Button wide className="layout-above" data-testid="order-give-up" onClick={onCancel}>
        {words.basics.cancel}
      </Button>
    </>
  )
}
