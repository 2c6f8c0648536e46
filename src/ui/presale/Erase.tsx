import { useRef, useState } from 'react'
import { openOrder } from '../../events/subjects/order.ts'
import { Button } from '../kit/controls/Button.tsx'
import { useModel, useSurroundings } from '../react.tsx'

const refused = 'An order or a wallet request is under way. The record can be erased when it has ended.'
const lonely =
  'An order or a wallet request is under way that this page cannot follow. ' +
  'If it was paid, the payment stays on the chain and counts. ' +
  'Download a problem report first: nothing else here knows of it.'

/** Erases this device's record after a dialog that names the consequences. @param props.say shows a sentence in the foot */
export function Erase({ say }: { say: (sentence: string) => void }) {
  const { erase } = useSurroundings()
  const busy = useModel(model => openOrder(model) !== undefined)
  const fails = useModel(({ tab }) => tab.phase === 'blocked' && tab.reload === true)
  const dialog = useRef<HTMLDialogElement>(null)
  const [isAnyway, setAnyway] = useState(false)
  const open = () => {
    say('')
    if (busy && !fails) return say(refused)
    setAnyway(false)
    dialog.current?.showModal()
  }
  const confirm = async () => {
    const erased = await erase(fails && isAnyway).catch(() => undefined)
    if (erased === false && fails) return setAnyway(true)
    dialog.current?.close()
    say(erased === undefined ? 'The record could not be erased.' : erased ? 'The record is erased.' : refused)
  }
  return (
    <>
      <button type="button" onClick={open} data-testid="erase-record">
        Erase this device’s record
      </button>
      <dialog ref={dialog} className="erase" aria-labelledby="erase-title">
        <h2 id="erase-title">Erase this device’s record?</h2>
        <ul>
          <li>Connected wallets are disconnected.</li>
          <li>This device forgets its orders. Your payments stay on the chain.</li>
        </ul>
        <p role="status">{isAnyway && lonely}</p>
        <div className="layout-two">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button kind="outline" onClick={confirm} data-testid="erase-confirm">
            {isAnyway ? 'Erase it all the same' : 'Erase'}
          </Button>
        </div>
      </dialog>
    </>
  )
}
