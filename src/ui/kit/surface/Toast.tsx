import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icons/Icon.tsx'
import { checkIcon, cross } from '../icons/iconsOfStart.ts'
import { Spinner } from '../feedback/Spinner.tsx'

/** Duration of a toast, ms. */
const toastMs = 2500
/** A toast that takes another's place lets it leave first, ms. */
const handOverMs = 150

export interface ToastNote {
  /** A new id is a new toast, even with the same words. */
  id: string | number
  tone: 'good' | 'bad' | 'busy'
  text: ReactNode
}

/**
 * Outlet of toasts, one at a time. Keep it mounted: screen readers announce reliably only in a region that already exists.
 *
 * @param note the toast to show, after 150 ms where another stands; absent for none
 * @param onDone called after 2.5 s of it, except while the pointer rests on it; never for a busy one
 * @param at in the sheet's head, at the top of the page, or in the flow of the text
 */
export function Toast(props: { note: ToastNote | undefined; onDone: () => void; at?: 'sheet' | 'page' | 'flow' }) {
  const { note, onDone, at = 'sheet' } = props
  // The toast on show, or the last one, which is out
  const [last, setLast] = useState(note)
  const [isOut, setOut] = useState(note === undefined)
  const [held, setHeld] = useState(false)
  const waits = note !== undefined && note.id !== last?.id && !isOut
  if (note && note !== last && !waits) setLast(note)
  if (!waits && isOut !== (note === undefined)) setOut(note === undefined)
  const take = useEffectEvent(() => setLast(note))
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(take, handOverMs)
    return () => clearTimeout(timer)
  }, [waits])
  const done = useEffectEvent(onDone)
  const id = note?.id
  const leaves = note !== undefined && !waits && note.tone !== 'busy' && !held
  useEffect(() => {
    if (id === undefined || !leaves) return
    const timer = setTimeout(done, toastMs)
    return () => clearTimeout(timer)
  }, [id, leaves])
  return (
    <output>
      {last && (
        <span
          className={classes(
            'toast',
            at === 'page' ? 'is-on-page' : at === 'flow' && 'is-flow',
            (isOut || waits) && 'is-out',
          )}
          part="toast"
          data-testid="toast"
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
        >
          <span className="toast-words" key={last.id}>
            {last.tone === 'busy' ? (
              <Spinner />
            ) : (
              <span className={last.tone === 'good' ? 'toast-good' : 'toast-bad'}>
                <Icon path={last.tone === 'good' ? checkIcon : cross} />
              </span>
            )}
            {last.text}
          </span>
        </span>
      )}
    </output>
  )
}
