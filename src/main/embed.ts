/**
 * The entry of the modal for any host page: `<script type="module" src="embed/embed.js">`, then
 * `MaiModal.createModal(config)`, or the same by `import { createModal } from './embed/embed.js'`.
 * The worker loads from the folder of this file, so serve the folder from the page's own origin.
 */
import { Fault } from '../runtime/failure.ts'
import { serveParts } from '../worker/drivers/parts.ts'
import { atIdle } from '../ui/atIdle.ts'
import { createModal, prepareAhead } from './embed/createModal.tsx'
import { embedParts, placeProblem } from './embed/embedParts.ts'
import type { ModalConfig } from './embed/hostConfig.ts'
import type { HostModal } from './embed/hostModal.ts'
import { loadRuntime } from './page/page.tsx'

declare global {
  interface Window {
    MaiModal?: { createModal(config: ModalConfig): HostModal }
  }
}

if (embedParts) {
  // The other files import this one by its plain name
  if (new URL(import.meta.url).search !== '')
    throw new Fault('unsupported', 'embed.js expected an address without a query: put a new version into a new folder')
  const listed = embedParts
  serveParts(async () => listed, import.meta.url)
}

// The press that opens the modal should wait neither for the runtime's file nor for the first rendering. When the file does not
// come now, `createModal` asks for it.
if (placeProblem(import.meta.url, location.origin) === undefined)
  atIdle(() => {
    prepareAhead()
    void loadRuntime().catch(() => undefined)
  })

export { createModal }
// The classic script has set its own
window.MaiModal ??= Object.freeze({ createModal })
