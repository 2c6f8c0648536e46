import { Activity, memo, useEffect, useState } from 'react'
import type { Model } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import type { Screen } from '../../events/subjects/page/screen.ts'
import { screenKey, shownScreen } from '../../events/subjects/page/screenFold.ts'
import { atIdle } from '../atIdle.ts'
import { lazyScreen } from '../lazyScreen.tsx'
import { Sheet } from '../kit/surface/Sheet.tsx'
import { Toast } from '../kit/surface/Toast.tsx'
import { useModel, useDispatch, useSurroundings } from '../react.tsx'
import { ScreenFoot } from './ScreenFoot.tsx'
import { staysOpen } from './rules.ts'
import { accountAhead, layoutOf } from './screens.tsx'
import { useNavigation } from './useNavigation.ts'
import { useNetworkWatch } from './useNetworkWatch.ts'
import { basics } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'
import { modalArea } from '../texts/modal/en.ts'

const AlertBar = lazyScreen(async () => (await import('../notices/AlertBar.tsx')).AlertBar, {
  waiting: null,
  missing: null,
})

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
  useNetworkWatch()
  // A file that does not load now is tried again at the press
  useEffect(() => (isConnected ? atIdle(() => void accountAhead().catch(() => undefined)) : undefined), [isConnected])
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
  const { config } = useSurroundings()
  const { connectWallet } = useTexts(basics)
  const texts = useTexts(modalArea)
  const {
    title,
    name,
    pad,
    below = false,
    body,
    left,
    foot,
  } = layoutOf(screen, { ...texts, connectWallet }, config.networks)
  const { embedded = false, debug } = config.host ?? {}
  const isFirst = depth === 1 && direction === 'next'
  const isStaying = useModel(model => staysOpen(model.screen.history))
  const shakes = useModel(model => model.screen.shakes)
  return (
    <Sheet
      title={title}
      {...(name === undefined ? {} : { name })}
      viewKey={`${depth} ${screenKey(screen)}`}
      travel={isFirst ? undefined : direction}
      onBack={depth > 1 ? back : undefined}
      left={left}
      onClose={close}
      staying={isStaying ? texts.answerFirst : undefined}
      shakes={shakes}
      pad={pad === true}
      below={below}
      embedded={embedded}
      foot={foot && <ScreenFoot kind={foot} />}
      toast={<ModalToast />}
      alert={debug && <AlertBar />}
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
