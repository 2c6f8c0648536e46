/**
 * The modal in each of its states. Serve the repository's root with Vite and open
 * /tests/ui/modal-gallery.html?state=connect&theme=dark&lang=ar; without a state, all of them in frames.
 * With ?bare tests show one after the other.
 */
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import '../../src/ui/styles/font.css'
import '../../src/ui/styles/tokens.css'
import '../../src/ui/styles/kit.css'
import './gallery.css'
import '../visual/fonts.css'
import './lateParts.ts'
import { Modal } from '../../src/ui/modal/Modal.tsx'
import { StoreProvider } from '../../src/ui/react.tsx'
import { languageOf, readTexts, useDirection } from '../../src/ui/texts/language.tsx'
import { actsIn, resetPage } from './galleryActs.ts'
import { stage } from './modalStage.ts'
import { modalStates } from './modalStates.ts'

function Directed({ children }: { children: ReactNode }) {
  useDirection(document.documentElement)
  return children
}

const asked = new URLSearchParams(location.search)
const theme = asked.get('theme')
if (theme) document.documentElement.dataset.theme = theme
const place = document.getElementById('root')
let root: Root | undefined

/** Replaces the state on show. @param language absent: English */
async function show(name: string, language?: string): Promise<void> {
  root?.unmount()
  resetPage()
  const on = stage({ pairingUri: async topic => `wc:${topic}@2?expiryTimestamp=1&relay-protocol=irn&symKey=${topic}` })
  const beside = modalStates[name]?.(on)
  const chosen = languageOf(language ?? 'en')
  on.page({ type: 'tab.languageChosen', data: { language: chosen } })
  await readTexts(chosen)
  root = createRoot(place as HTMLElement)
  root.render(
    <StoreProvider value={on.surroundings}>
      <Directed>{beside ?? <Modal />}</Directed>
    </StoreProvider>,
  )
  await actsIn[name]?.()
}

const state = asked.get('state')
if (asked.has('bare')) Object.assign(window, { gallery: { states: Object.keys(modalStates), show } })
else if (state) void show(state, asked.get('lang') ?? undefined)
else
  createRoot(place as HTMLElement).render(
    <main className="frames">
      {Object.keys(modalStates).map(name => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          <iframe title={name} src={`?state=${name}&${asked}`} width={asked.get('width') ?? '390'} height="660" />
        </figure>
      ))}
    </main>,
  )
