import { useRef, useState } from 'react'
import { mayBePaidLate } from '../../events/subjects/order/latePayment.ts'
import { orderOnWay } from '../../events/subjects/order/orderOnWay.ts'
import { Button } from '../kit/controls/Button.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { useSaleWords } from './saleWords.ts'

/**
 * Erases this device's record after a dialog that names the consequences, a payment that may still be made among them.
 *
 * @param props.say shows a sentence in the foot
 */
export function Erase({ say }: { say: (sentence: string) => void }) {
  const { erase, now, store } = useSurroundings()
  const { basics, sale } = useSaleWords()
  const t = sale.erase
  const busy = useModel(model => orderOnWay(model) !== undefined)
  const fails = useModel(({ tab }) => tab.phase === 'blocked' && tab.reload === true)
  const dialog = useRef<HTMLDialogElement>(null)
  const [isAnyway, setAnyway] = useState(false)
  const [isLate, setLate] = useState(false)
  const mayBePaid = () => mayBePaidLate(store.model(), now())
  const open = () => {
    say('')
    if (busy && !fails) return say(t.refused)
    setAnyway(false)
    setLate(mayBePaid())
    dialog.current?.showModal()
  }
  const confirm = async () => {
    // It began while the dialog was open
    if (!isLate && mayBePaid()) return setLate(true)
    const erased = await erase(fails && (isAnyway || (isLate && !busy))).catch(() => undefined)
    if (erased === false && fails) return setAnyway(true)
    dialog.current?.close()
    say(erased === undefined ? t.failed : erased ? t.done : t.refused)
  }
  return (
    <>
      <button type="button" onClick={open} data-testid="erase-record">
        {t.open}
      </button>
      <dialog ref={dialog} className="erase" aria-labelledby="erase-title">
        <h2 id="erase-title">{t.title}</h2>
        <ul>
          <li>{t.disconnects}</li>
          <li>{t.forgets}</li>
        </ul>
        <p role="status">{isAnyway ? t.lonely : isLate && t.late}</p>
        <div className="layout-two">
          <Button onClick={() => dialog.current?.close()}>{basics.cancel}</Button>
          <Button kind="outline" onClick={confirm} data-testid="erase-confirm">
            {isAnyway || isLate ? t.anyway : t.confirm}
          </Button>
        </div>
      </dialog>
    </>
  )
}
