import { Activity, memo, useEffect, useState } from 'react'
import type { Model } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/connection.ts'
import { type Screen, screenKey, shownScreen } from '../../events/subjects/screen.ts'
import { atIdle } from '../atIdle.ts'
import { Sheet } from '../kit/surface/Sheet.tsx'
import { Toast } from '../kit/surface/Toast.tsx'
import { useModel, useDispatch, useSurroundings } from '../react.tsx'
import { ScreenFoot } from './ScreenFoot.tsx'
import { layoutOf } from './screens.tsx'
import { useNavigation } from './useNavigation.ts'

/** Rendered ahead of the first press; the same object each time, so that the press renders nothing anew. */
const first: Screen = { name: 'Connect' }

/**
 * The modal in the model's state, without its styles; nothing while closed. Ahead of the first press the idle page renders
 * Connect, unless a wallet is connected; hidden, it is in no layout and no accessibility tree, has no effects and asks for
 * nothing.
 */
export function ModalView() {
  const screen = useModel(shownScreen)
  const isConnected = useModel(model => activeConnection(model) !== undefined)
  const isAhead = useAhead(screen !== undefined) && !isConnected
  if (!screen && !isAhead) return null
  return (
    <Activity mode={screen ? 'visible' : 'hidden'}>
      <Open screen={screen && screenKey(screen) !== screenKey(first) ? screen : first} />
    </Activity>
  )
}

/** @returns whether the idle page may render ahead: only until the modal has been open once */
function useAhead(isOpen: boolean): boolean {
  const [state, setState] = useState<'busy' | 'idle' | 'opened'>('busy')
  if (isOpen && state !== 'opened') setState('opened')
  const waits = state === 'busy'
  useEffect(() => (waits ? atIdle(() => setState('idle')) : undefined), [waits])
  return state === 'idle'
}

const Open = memo(function Open({ screen }: { screen: Screen }) {
  const depth = useModel(depthOf)
  const direction = useModel(model => model.screen.direction)
  const { close, back } = useNavigation(screen)
  useProject()
  const embedded = useSurroundings().config.host?.embedded === true
  const { title, name, pad, below = false, body, left, foot } = layoutOf(screen)
  const isFirst = depth === 1 && direction === 'next'
  return (
    <Sheet
      title={title}
      {...(name === undefined ? {} : { name })}
      viewKey={`${depth} ${screenKey(screen)}`}
      travel={isFirst ? undefined : direction}
      onBack={depth > 1 ? back : undefined}
      left={left}
      onClose={close}
      pad={pad === true}
      below={below}
      embedded={embedded}
      foot={foot && <ScreenFoot kind={foot} />}
      toast={<ModalToast />}
    >
      {body}
    </Sheet>
  )
})

/** Has the project's configuration read when the modal opens first. */
function useProject(): void {
  const { store, command } = useSurroundings()
  useEffect(() => {
    if (store.model().project.phase === 'unread') command({ type: 'project.open', data: {} })
  }, [store, command])
}

/** Screens to go back through; a closed modal counts as opened on its first. */
const depthOf = ({ screen }: Model): number => Math.max(1, screen.history.length)
const tones = { success: 'good', error: 'bad', loading: 'busy' } as const

function ModalToast() {
  const dispatch = useDispatch()
  const toast = useModel(model => model.toast)
  return (
    <Toast
      note={toast ? { id: toast.toastId, tone: tones[toast.variant], text: toast.message } : undefined}
      onDone={() => {
        if (toast?.autoClose) dispatch({ type: 'toast.closed', data: { toastId: toast.toastId } })
      }}
    />
  )
}
