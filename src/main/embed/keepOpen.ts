/** An embedded modal is never closed for long. */
import type { Page } from '../page/page.tsx'
import { openOn } from './sharedModal.ts'

/**
 * Goes on with the first view at each closing, once all other subscribers heard of it: a promise of `open` ends, and `closed`
 * fires.
 *
 * @returns a function that stops it
 */
export function keepOpen({ store, surroundings }: Pick<Page, 'store' | 'surroundings'>): () => void {
  const isOpen = () => store.model().screen.open
  let stop = store.subscribe(look)
  function look(): void {
    if (isOpen()) return
    stop()
    // Subscribed anew, it stands behind all others of the same round
    stop = store.subscribe(reopen)
  }
  function reopen(): void {
    stop()
    stop = store.subscribe(look)
    if (!isOpen()) openOn(surroundings)
  }
  reopen()
  return () => stop()
}
