import { useEffect, useEffectEvent } from 'react'
import { Boundary } from './Boundary.tsx'
import { ConnectionNews } from './ConnectionNews.tsx'
import { Toast } from './kit/surface/Toast.tsx'
import { ModalHost } from './modal/ModalHost.tsx'
import { PresalePage } from './presale/PresalePage.tsx'
import { Recovery } from './Recovery.tsx'
import { useModel, useSay } from './react.tsx'
import { useNotice } from './useNotice.ts'

/**
 * The page with everything that lies over it. Wants a `StoreProvider` around it.
 *
 * @param themed the element that carries `data-theme`; default the document's root
 */
export function App({ themed }: { themed?: HTMLElement }) {
  const theme = useModel(model => model.tab.theme)
  const open = useModel(model => model.screen.open)
  useEffect(() => {
    wear(themed ?? document.documentElement, theme)
  }, [theme, themed])
  return (
    <>
      <Boundary instead={again => <Recovery again={again} />}>
        <PresalePage />
      </Boundary>
      <Boundary instead={() => null}>
        <ConnectionNews />
        <PageToast />
      </Boundary>
      <Boundary attempt={open} instead={() => <Closed />}>
        <ModalHost />
      </Boundary>
    </>
  )
}

/** A modal that could not be drawn is closed, and is drawn anew when it is opened again. */
function Closed() {
  const say = useSay()
  const notice = useNotice()
  const close = useEffectEvent(() => {
    say({ type: 'screen.closed', data: {} })
    notice('error', 'That could not be shown. Try again, or reload the page.')
  })
  useEffect(() => close(), [])
  return null
}

/** `system` leaves the choice to the browser. */
function wear(root: HTMLElement, theme: 'light' | 'dark' | 'system'): void {
  if (theme === 'system') root.removeAttribute('data-theme')
  else root.setAttribute('data-theme', theme)
}

const tones = { success: 'good', error: 'bad', loading: 'busy' } as const

/** Notices of the page; while the modal is open they are shown in it. */
function PageToast() {
  const say = useSay()
  const toast = useModel(model => (model.screen.open ? null : model.toast))
  const done = () => {
    if (toast?.autoClose) say({ type: 'toast.closed', data: { toastId: toast.toastId } })
  }
  return (
    <Toast
      at="page"
      note={toast ? { id: toast.toastId, tone: tones[toast.variant], text: toast.message } : undefined}
      onDone={done}
    />
  )
}
