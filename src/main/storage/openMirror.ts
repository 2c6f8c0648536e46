import type { Store } from '../../ui/store.ts'
import type { ChosenLinks } from './chosenLinks.ts'
import { type Mirror, startMirror } from './mirror.ts'
import { markMoved } from './walletConnectStore.ts'

/** Starts the mirror in this browser's local storage. */
export function openMirror(store: Store, chosen: () => ChosenLinks): Mirror {
  return startMirror({
    store,
    chosen,
    storage: () => localStorage,
    now: () => Date.now(),
    soon: task => void setTimeout(task),
    info: line => console.info(line),
    keepLink: () => void markMoved(indexedDB, Object.keys(localStorage)).catch(() => undefined),
  })
}
