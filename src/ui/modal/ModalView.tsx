import type { Screen } from '../../events/subjects/screen.ts'
import { shownScreen } from '../../events/subjects/screen.ts'
import { Sheet } from '../kit/surface/Sheet.tsx'
import { Toast } from '../kit/surface/Toast.tsx'
import { useModel, useSay } from '../react.tsx'
import { ScreenFoot } from './ScreenFoot.tsx'
import { screens } from './screens.ts'
import { useWays } from './useWays.ts'

/** The modal in the model's state, without its styles; null while closed. */
export function ModalView() {
  const screen = useModel(shownScreen)
  return screen ? <Open screen={screen} /> : null
}

function Open({ screen }: { screen: Screen }) {
  const depth = useModel(model => model.screen.history.length)
  const direction = useModel(model => model.screen.direction)
  const { close, back } = useWays(screen)
  const { title, name, pad, Body, Left, foot } = screens[screen.name]
  const first = depth === 1 && direction === 'next'
  return (
    <Sheet
      title={title(screen)}
      {...(name === undefined ? {} : { name })}
      viewKey={`${depth} ${screen.name} ${screen.walletKey ?? screen.wallet?.walletId ?? ''}`}
      travel={first ? undefined : direction}
      onBack={depth > 1 ? back : undefined}
      left={Left && <Left />}
      onClose={close}
      pad={pad === true}
      foot={foot && <ScreenFoot kind={foot} />}
      toast={<ModalToast />}
    >
      <Body screen={screen} />
    </Sheet>
  )
}

const tones = { success: 'good', error: 'bad', loading: 'busy' } as const

function ModalToast() {
  const say = useSay()
  const toast = useModel(model => model.toast)
  return (
    <Toast
      note={toast ? { id: toast.toastId, tone: tones[toast.variant], text: toast.message } : undefined}
      onDone={() => {
        if (toast?.autoClose) say({ type: 'toast.closed', data: { toastId: toast.toastId } })
      }}
    />
  )
}
