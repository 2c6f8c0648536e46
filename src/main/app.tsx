/** The presale page's entry: checks the page's files, starts the page and draws it. */
import '../ui/styles/tokens.css'
import '../ui/styles/kit.css'
import '../ui/styles/page.css'
import { App } from '../ui/App.tsx'
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
  page.draw(root, <App />)
  import('../ui/styles/font.css').catch(() => page.surroundings.dispatch({ type: 'tab.outdated', data: {} }))
}
