/** Starts the presale page and draws it. */
import { useLayoutEffect } from 'react'
import { App } from '../ui/App.tsx'
import { loadModal } from '../ui/modal/ModalHost.tsx'
import { addSurface, languageOf, readTexts } from '../ui/texts/language.tsx'
import { pageTexts } from '../ui/texts/surfaces/surfaces.ts'
import { builtAddresses } from './config.ts'
import { callHandlers, watchAccount } from './embed/host.ts'
import { deferModal } from './package/deferredModal.ts'
import { startPage } from './page/page.tsx'
import { presale } from './page/presale.ts'

/** @param root has the prerendered page, or nothing */
export function beginPage(root: HTMLElement): void {
  const addresses = builtAddresses()
  const page = startPage({ addresses, ...presale(addresses) })
  watchAccount(page.store, (event, account) => callHandlers(window, event, account))
  // Any other script of the page reaches its modal as it would in a host's page
  const loadHandle = async () => {
    const { modalOfPage } = await import('./embed/pageModal.ts')
    return { createModal: (config: object) => modalOfPage(page, config) }
  }
  window.MaiModal = Object.freeze({ createModal: config => deferModal(loadHandle, config) })
  addSurface(pageTexts)
  const language = languageOf(page.store.model().tab.language)
  // A purchase that came with the address is not in the prerendered page
  const isPrerendered = root.hasChildNodes() && !location.hash.startsWith('#asset=')
  // The modal's file then comes while the page is drawn
  if (document.documentElement.dataset.pressed === 'connect') void loadModal().catch(() => undefined)
  const openPressed = () => page.surroundings.dispatch({ type: 'screen.opened', data: { screen: { name: 'Connect' } } })
  const tree = (
    <>
      <App />
      <Drawn pressed={openPressed} />
    </>
  )
  // English is here; the texts of others come first, so that nothing is drawn twice
  if (language === 'en') page.draw(root, tree, isPrerendered)
  else void readTexts(language).then(() => page.draw(root, tree))
  import('../ui/styles/font.css').catch(() => page.surroundings.dispatch({ type: 'tab.outdated', data: {} }))
}

/** Marks the page as drawn, for the baseline script. @param pressed the prerendered Connect wallet was pressed before */
function Drawn({ pressed }: { pressed: () => void }) {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.drawn = ''
    if (dataset.pressed !== 'connect') return
    delete dataset.pressed
    pressed()
  })
  return null
}
