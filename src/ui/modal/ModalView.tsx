import { type Screen, screenKey, shownScreen } from '../../events/subjects/screen.ts'
import { Sheet } from '../kit/surface/Sheet.tsx'
import { Toast } from '../kit/surface/Toast.tsx'
import { useModel, useDispatch } from '../react.tsx'
import { ScreenFoot } from './ScreenFoot.tsx'
import { layoutOf } from './screens.tsx'
import { useNavigation } from './useNavigation.ts'

/** The modal in the model's state, without its styles; null while closed. */
export function ModalView() {
  const screen = useModel(shownScreen)
  return screen ? <Open screen={screen} /> : null
}

function Open({ screen }: { screen: Screen }) {
  const depth = useModel(model => model.screen.history.length)
  const direction = useModel(model => model.screen.direction)
  const { close, back } = useNavigation(screen)
  const { title, name, pad, body, left, foot } = layoutOf(screen)
  const first = depth === 1 && direction === 'next'
  return (
    <Sheet
      title={title}
      {...(name === undefined ? {} : { name })}
      viewKey={`${depth} ${screenKey(screen)}`}
      travel={first ? undefined : direction}
      onBack={depth > 1 ? back : undefined}
      left={left}
      onClose={close}
      pad={pad === true}
      foot={foot && <ScreenFoot kind={foot} />}
      toast={<ModalToast />}
    >
      {body}
    </Sheet>
  )
}

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
