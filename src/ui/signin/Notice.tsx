import { Toast } from '../kit/surface/Toast.tsx'
import { useModel, useSay } from '../react.tsx'

const tones = { success: 'good', error: 'bad', loading: 'busy' } as const

/** Toasts over a host's page; an open modal shows them itself. */
export function Notice() {
  const say = useSay()
  const toast = useModel(model => (model.screen.open ? null : model.toast))
  return (
    <Toast
      at="page"
      note={toast ? { id: toast.toastId, tone: tones[toast.variant], text: toast.message } : undefined}
      onDone={() => {
        if (toast?.autoClose) say({ type: 'toast.closed', data: { toastId: toast.toastId } })
      }}
    />
  )
}
