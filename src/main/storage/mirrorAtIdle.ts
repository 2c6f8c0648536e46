import type { Command } from '../../events/command.ts'
import { atIdle } from '../../ui/atIdle.ts'
import type { Store } from '../../ui/store.ts'
import { noteLinks } from './chosenLinks.ts'

/**
 * Loads and starts the mirror in local storage once the page is idle; a page without its file goes without.
 *
 * @returns the store to take the core's facts with
 */
export function mirrorAtIdle(store: Store, command: (command: Command) => void): { noting: Store; endMirror(): void } {
  const { noting, chosen } = noteLinks(store)
  let stop = (): void => undefined
  let isEnded = false
  const start = async () => {
    const { openMirror } = await import('./openMirror.ts')
    if (!isEnded) stop = openMirror(store, chosen, command).stop
  }
  const cancel = atIdle(() => void start().catch(() => undefined))
  const endMirror = () => {
    isEnded = true
    cancel()
    stop()
  }
  return { noting, endMirror }
}
