/** The presale page's entry: checks the page's files, starts the page and draws it. */
import '../ui/styles/tokens.css'
import '../ui/styles/kit.css'
import '../ui/styles/page.css'
import { App } from '../ui/App.tsx'
import { addSurface, languageOf, readTexts } from '../ui/texts/language.tsx'
import { pageTexts } from '../ui/texts/surfaces/surfaces.ts'
import { builtAddresses } from './config.ts'
import { callHandlers, watchAccount } from './embed/host.ts'
import { intact } from './page/integrity/intact.ts'
import { startPage } from './page/page.tsx'
import { presale } from './page/presale.ts'

const root = document.getElementById('root')
if (intact() && root) {
  const addresses = builtAddresses()
  const page = startPage({ addresses, ...presale(addresses) })
  watchAccount(page.store, (event, account) => callHandlers(window, event, account))
  addSurface(pageTexts)
  const draw = () => page.draw(root, <App />)
  const language = languageOf(page.store.model().tab.language)
  // English is here; others come first, so that nothing is drawn twice
  if (language === 'en') draw()
  else void readTexts(language).then(draw)
  import('../ui/styles/font.css').catch(() => page.surroundings.dispatch({ type: 'tab.outdated', data: {} }))
}
