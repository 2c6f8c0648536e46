import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { atIdle } from './atIdle.ts'
import { Boundary } from './Boundary.tsx'
import { Toast } from './kit/surface/Toast.tsx'
import { ModalHost } from './modal/ModalHost.tsx'
import { PresalePage } from './presale/PresalePage.tsx'
import { useModel, useDispatch, useSurroundings } from './react.tsx'
import { basics } from './texts/basics/en.ts'
import { useDirection, useTexts } from './texts/language.tsx'
import { useNotice } from './notices/useNotice.ts'

/**
 * The page, its toasts and the modal. Needs a `StoreProvider` above it.
 *
 * @param themed the element that carries `data-theme`, language and direction; default the document's root
 */
export function App({ themed }: { themed?: HTMLElement }) {
  const theme = useModel(model => model.tab.theme)
  const open = useModel(model => model.screen.open)
  useDirection(themed)
  // Where it is needed the network may be gone
  useEffect(() => atIdle(() => void loadRecovery().catch(() => undefined)), [])
  useEffect(() => {
    wear(themed ?? document.documentElement, theme)
  }, [theme, themed])
  return (
    <>
      <Boundary instead={again => <Recovering again={again} />}>
        <PresalePage />
      </Boundary>
      <Boundary instead={() => null}>
        <PageToast />
      </Boundary>
      <Boundary attempt={open} instead={() => <Closed />}>
        <ModalHost />
      </Boundary>
    </>
  )
}

const loadRecovery = async () => ({ default: (await import('./notices/Recovery.tsx')).Recovery })
const Recovery = lazy(loadRecovery)

/** The fallback of the page, from a chunk that the idle page has loaded; without it a sentence. */
function Recovering({ again }: { again: () => void }) {
  const { outdated } = useTexts(basics)
  return (
    <Boundary instead={() => <main role="alert">{outdated}</main>}>
      <Suspense>
        <Recovery again={again} />
      </Suspense>
    </Boundary>
  )
}

/** Closes a modal that failed to render; opening it again renders it anew. */
function Closed() {
  const dispatch = useDispatch()
  const notice = useNotice()
  const { store } = useSurroundings()
  const { notShown } = useTexts(basics)
  const close = useEffectEvent(() => {
    // Rendered ahead of a press it failed in silence; the press renders it once more
    if (!store.model().screen.open) return
    dispatch({ type: 'screen.closed', data: {} })
    notice('error', notShown)
  })
  useEffect(() => close(), [])
  return null
}

/** `system` follows the browser's setting. */
function wear(root: HTMLElement, theme: 'light' | 'dark' | 'system'): void {
  if (theme === 'system') root.removeAttribute('data-theme')
  else root.setAttribute('data-theme', theme)
}

const tones = { success: 'good', error: 'bad', loading: 'busy' } as const

/** Toasts on the page; an open modal shows them itself. */
function PageToast() {
  const dispatch = useDispatch()
  const toast = useModel(model => (model.screen.open ? null : model.toast))
  const done = () => {
    if (toast?.autoClose) dispatch({ type: 'toast.closed', data: { toastId: toast.toastId } })
  }
  return (
    <Toast
      at="page"
      note={toast ? { id: toast.toastId, tone: tones[toast.variant], text: toast.message } : undefined}
      onDone={done}
    />
  )
}
