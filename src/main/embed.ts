/**
 * The entry of the modal for any host page: `<script type="module" src="embed/embed.js">`, then
 * `MaiModal.createModal(config)`, or the same by `import { createModal } from './embed/embed.js'`.
 * The worker loads from the folder of this file, so serve the folder from the page's own origin.
 *
 * 1. This file is small, so that it delays nothing of the host's own: the modal's code comes when the page is idle, or at the first
 *    call that needs it.
 * 2. It is the one file that a host's tag can name by its hash; it verifies every other before it runs.
 */
import { Fault } from '../runtime/failure.ts'
import { later } from '../runtime/later.ts'
import { serveParts } from '../worker/drivers/parts.ts'
import { atIdle } from '../ui/atIdle.ts'
import { embedParts, placeProblem } from './embed/embedParts.ts'
import type { ModalConfig } from './embed/config/hostConfig.ts'
import { type DeferredModal, deferModal } from './package/deferredModal.ts'

if (embedParts) {
  // The other files import this one by its plain name
  if (new URL(import.meta.url).search !== '')
    throw new Fault('unsupported', 'embed.js expected an address without a query: put a new version into a new folder')
  const listed = embedParts
  serveParts(async () => listed, import.meta.url)
}

const misplaced = embedParts && placeProblem(import.meta.url, location.origin)
const modal = later('the modal', () => {
  // At the same time, as the modal needs it at once
  import('./page/supervisor/runtime.ts').catch(() => undefined)
  return import('./embed/createModal.tsx')
})

/** Loads the modal's code. @throws Fault `unsupported` in a place where it cannot start, `reload_needed` when a file is missing */
async function loadModal(): Promise<typeof import('./embed/createModal.tsx')> {
  checkPlace()
  return modal.get()
}

/**
 * @returns the page's modal, whose code may come later
 * @throws Fault `unsupported` when this file is not where it has to be; all else rejects `ready()` and the first call
 */
function createModal(config: ModalConfig): DeferredModal {
  checkPlace()
  return deferModal(loadModal, config)
}

function checkPlace(): void {
  if (misplaced !== undefined) throw new Fault('unsupported', misplaced)
}

// The press that opens the modal should wait neither for the files nor for the first rendering
if (misplaced === undefined)
  atIdle(() => {
    modal.get().then(
      part => part.prepareAhead(),
      () => undefined,
    )
  })

export { createModal, loadModal }
// The classic script has set its own
window.MaiModal ??= Object.freeze({ createModal })
