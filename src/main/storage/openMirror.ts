import type { Command } from '../../events/command.ts'
import { cleanText } from '../../events/values/text/cleanText.ts'
import type { Store } from '../../ui/store.ts'
import type { ChosenLinks } from './chosenLinks.ts'
import { type Mirror, startMirror } from './mirror.ts'
import { markMoved } from './walletConnectStore.ts'

/** Starts the mirror in this browser's local storage. A wallet that another library left connected is offered first. */
export function openMirror(store: Store, chosen: () => ChosenLinks, command: (command: Command) => void): Mirror {
  return startMirror({
    store,
    chosen,
    storage: () => localStorage,
    now: () => Date.now(),
    soon: task => void setTimeout(task),
    info: line => console.info(line),
    left({ name }) {
      const clean = cleanText(name, 60)
      // An installed wallet is known by its name
      if (clean) command({ type: 'connection.recall', data: { wallet: { walletId: clean, name: clean } } })
    },
    keepLink: () => void markMoved(indexedDB, Object.keys(localStorage)).catch(() => undefined),
  })
}
