import { Toast } from '../kit/surface/Toast.tsx'
import { useModel, useDispatch } from '../react.tsx'

const tones = { success: 'good', error: 'bad', loading: 'busy' } as const

/** Toasts over a host's page; an open modal shows them itself. */
export function SignInNotice() {
  const dispatch = useDispatch()
  const toast = useModel(model => (model.screen.open ? null : model.toast))
  return (
    <Toast
      at="page"
      note={toast ? { id: toast.toastId, tone: tones[toast.variant], text: toast.message } : undefined}
      onDone={() => {
        if (toast?.autoClose) dispatch({ type: 'toast.closed', data: { toastId: toast.toastId } })
      }}
    />
  )
}
