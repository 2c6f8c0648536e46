/** The replayer's entry: the page's own screens, fed from a recording. It has no drivers and calls no address. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/styles/tokens.css'
import '../ui/styles/kit.css'
import '../ui/styles/page.css'
import '../ui/styles/replayer.css'
import { App } from '../ui/App.tsx'
import { addSurface } from '../ui/texts/language.tsx'
import { modalTexts, pageTexts } from '../ui/texts/surfaces/surfaces.ts'
import { Replayer } from '../ui/replayer/Replayer.tsx'
import { copy } from './drivers/clipboard.ts'
import { intact, tellAltered } from './page/integrity/intact.ts'
import { sampleRecording } from './page/redaction/sampleRecording.ts'
import { openRecording } from './page/redaction/openRecording.ts'

const root = document.getElementById('root')
addSurface(pageTexts)
addSurface(modalTexts)
if (intact() && root) {
  createRoot(root).render(
    <StrictMode>
      <Replayer
        open={openRecording}
        coreBuild={import.meta.env.VITE_CORE_BUILD ?? ''}
        screens={themed => <App themed={themed} />}
        copy={copy}
        sample={sampleRecording}
      />
    </StrictMode>,
  )
  import('../ui/styles/font.css').catch(tellAltered)
}
