/**
 * The entry of the modal for any host page: `<script type="module" src="embed/embed.js">`, then
 * `MaiModal.createModal(config)`, or the same by `import { createModal } from './embed/embed.js'`.
 * The worker is started from beside this file, so the folder is served from the page's own origin.
 */
import { createModal } from './createModal.tsx'

declare global {
  interface Window {
    MaiModal?: { createModal: typeof createModal }
  }
}

export { createModal }
window.MaiModal = Object.freeze({ createModal })
