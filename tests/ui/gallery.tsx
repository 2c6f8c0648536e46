/**
 * A page of all parts, to compare with the design's pictures. Serve the repository's root with Vite and open
 * /tests/ui/gallery.html?theme=dark&show=parts|modal|page|open
 */
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '../../src/ui/styles/font.css'
import '../../src/ui/styles/tokens.css'
import '../../src/ui/styles/kit.css'
import '../../src/ui/styles/page.css'
import '../../src/ui/styles/sale.css'
import '../../src/ui/styles/modal.css'
import '../../src/ui/kit/controls/tabs.css'
import './gallery.css'
import { Button } from '../../src/ui/kit/controls/Button.tsx'
import { Hatch } from '../../src/ui/kit/figures/Hatch.tsx'
import { GalleryModal, Rows } from './galleryModal.tsx'
import { GalleryPage } from './galleryPage.tsx'
import { GalleryParts } from './galleryParts.tsx'
import { Sheet } from '../../src/ui/kit/surface/Sheet.tsx'
import { Toast, type ToastNote } from '../../src/ui/kit/surface/Toast.tsx'

const asked = new URLSearchParams(location.search)
const theme = asked.get('theme')
if (theme) document.documentElement.dataset.theme = theme
if (asked.get('dir')) document.documentElement.dir = asked.get('dir') ?? ''

/** A modal that opens, with two views and a toast. */
function Opening() {
  const [view, setView] = useState<'' | 'connect' | 'sign'>('')
  const [travel, setTravel] = useState<'next' | 'previous'>()
  const [note, setNote] = useState<ToastNote>()
  const show = (next: typeof view, way?: typeof travel) => {
    setTravel(way)
    setView(next)
  }
  return (
    <>
      <GalleryPage onConnect={() => show('connect')} />
      {view && (
        <Sheet
          title={view === 'connect' ? 'Connect wallet' : 'Sign in'}
          viewKey={view}
          travel={travel}
          pad={view === 'sign'}
          onBack={view === 'sign' ? () => show('connect', 'previous') : undefined}
          onClose={() => show('')}
          toast={<Toast note={note} onDone={() => setNote(undefined)} />}
          foot={view === 'connect' && 'By connecting you agree to the terms.'}
        >
          {view === 'connect' ? (
            <Rows onPress={() => show('sign', 'next')} />
          ) : (
            <Button
              kind="primary"
              size="big"
              onClick={() => setNote({ id: Date.now(), tone: 'good', text: 'Address copied' })}
            >
              Sign
            </Button>
          )}
        </Sheet>
      )}
    </>
  )
}

const shown: Record<string, ReactNode> = {
  parts: <GalleryParts />,
  modal: <GalleryModal />,
  page: <GalleryPage onConnect={() => {}} />,
  open: <Opening />,
}

const place = document.getElementById('root')
if (place) {
  createRoot(place).render(
    <>
      <Hatch />
      {shown[asked.get('show') ?? 'parts']}
    </>,
  )
}
