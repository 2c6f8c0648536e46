/**
 * The presale page folded from facts, to compare with the design's pictures. Serve the repository's root with Vite and
 * open /tests/ui/page-gallery.html?show=live|buyer|soon|…&theme=dark; with ?bare tests show one after the other
 */
import { createRoot, type Root } from 'react-dom/client'
import '../../src/ui/styles/font.css'
import '../../src/ui/styles/tokens.css'
import '../../src/ui/styles/kit.css'
import '../../src/ui/styles/page.css'
import '../../src/ui/styles/sale.css'
import '../../src/ui/styles/modal.css'
import { App } from '../../src/ui/App.tsx'
import { StoreProvider } from '../../src/ui/react.tsx'
import { addSurface, languageOf, readTexts } from '../../src/ui/texts/language.tsx'
import { pageTexts } from '../../src/ui/texts/surfaces/surfaces.ts'
import { situationNames, situationOf } from './presale/situations.ts'
import { fact, surroundings } from './presale/story.ts'

const asked = new URLSearchParams(location.search)
if (asked.get('dir')) document.documentElement.dir = asked.get('dir') ?? ''
const place = document.getElementById('root') as HTMLElement
let root: Root | undefined
addSurface(pageTexts)

/** Replaces the situation on show. @param language absent: English */
async function show(name: string, language?: string): Promise<void> {
  root?.unmount()
  const { facts, now } = situationOf(name)
  const { value, tell } = surroundings(facts, { now })
  const theme = asked.get('theme')
  if (theme === 'dark' || theme === 'light') tell(fact({ type: 'tab.themed', data: { theme } }))
  const chosen = languageOf(language ?? 'en')
  tell(fact({ type: 'tab.languageChosen', data: { language: chosen } }))
  await readTexts(chosen)
  root = createRoot(place)
  root.render(
    <StoreProvider value={value}>
      <App />
    </StoreProvider>,
  )
}

if (asked.has('bare')) Object.assign(window, { gallery: { states: situationNames, show } })
else void show(asked.get('show') ?? 'live')
