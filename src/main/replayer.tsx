/** The replayer's entry: the same screens, fed from a recording. No worker, no driver, no address is called. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/styles/font.css'
import '../ui/styles/tokens.css'
import '../ui/styles/kit.css'
import '../ui/styles/page.css'
import '../ui/styles/replayer.css'
import { App } from '../ui/App.tsx'
import { Replayer } from '../ui/replayer/Replayer.tsx'
import { deciders } from '../worker/deciders/index.ts'
import { reexecute } from '../worker/reexecute.ts'
import { copy } from './drivers/clipboard.ts'
import { readRecordingFile } from './recordingFile.ts'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Replayer
        read={readRecordingFile}
        reexecute={({ records, complete }) =>
          reexecute(records, deciders, { cut: !complete, build: import.meta.env.VITE_CORE_BUILD ?? '' })
        }
        coreBuild={import.meta.env.VITE_CORE_BUILD ?? ''}
        screens={themed => <App themed={themed} />}
        copy={copy}
      />
    </StrictMode>,
  )
}
