/**
 * The modal as a classic script beside `embed.js`: `<script src="mai/mai-modal.js"></script>`, then
 * `MaiModal.createModal(config)`. It verifies `embed.js` before it runs; that file verifies all others.
 */
import { Fault } from '../../runtime/failure.ts'
import { chunkFailed, fetchChecked } from '../../worker/drivers/parts.ts'
import { deferModal } from './deferredModal.ts'

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : ''
const hash: string = import.meta.env.VITE_EMBED_HASH

async function loadModal(): Promise<typeof import('../embed/createModal.tsx')> {
  if (!own) throw new Fault('unsupported', 'mai-modal.js expected a script tag, it was loaded in another way')
  const url = new URL('embed.js', own).href
  await fetchChecked(url, hash).catch(chunkFailed('embed.js'))
  const embed = (await import(/* @vite-ignore */ url)) as typeof import('../embed.ts')
  return embed.loadModal()
}

window.MaiModal = Object.freeze({ createModal: config => deferModal(loadModal, config) })
