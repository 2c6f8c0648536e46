/** Puts a page together: the worker, the page's drivers, the store, the tree. Used by the presale page and by the embed. */
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import workerUrl from '../worker/worker.ts?worker&url'
import type { PageFact } from '../events/app.ts'
import type { CoreConfig } from '../events/wire.ts'
import { StoreProvider, type Surroundings, type UiConfig } from '../ui/react.tsx'
import { createStore, type Store } from '../ui/store.ts'
import { type Addresses, coreConfig } from './config.ts'
import { copy } from './drivers/clipboard.ts'
import { download } from './drivers/download.ts'
import { createImages } from './drivers/images.ts'
import { createWallets } from './drivers/wallets.ts'
import { createSupervisor } from './supervisor.ts'
import { trustedScriptURL } from './trusted.ts'

export type PageSettings = {
  addresses: Addresses
  ui: UiConfig
  host: Pick<CoreConfig, 'featured' | 'metadata'>
}

/** A running page, before anything of it is drawn. */
export type Page = {
  store: Store
  surroundings: Surroundings
  draw(root: Element | DocumentFragment, tree: ReactNode): void
}

/** Starts everything but the drawing. Call it once a page. */
export function startPage({ addresses, ui, host }: PageSettings): Page {
  const now = () => Date.now()
  const store = createStore({
    request: task => void requestAnimationFrame(task),
    hidden: () => document.visibilityState !== 'visible',
  })
  // Wallets announce themselves while everything is still being put together: what they say waits for the first fact
  const early: PageFact[] = []
  let say: (fact: PageFact) => void = fact => void early.push(fact)
  const wallets = createWallets({ window, say: fact => say(fact) })
  const supervisor = createSupervisor({
    store,
    config: coreConfig(addresses, host),
    makeWorker: () => new Worker(trustedScriptURL(workerUrl), { type: 'module', name: 'mai-core' }),
    now,
    wallets,
  })
  const images = createImages({ configUrl: addresses.configUrl, projectId: addresses.projectId })
  let persisted = false

  const surroundings: Surroundings = {
    store,
    config: ui,
    say: supervisor.say,
    now,
    copy,
    command(command) {
      if (command.type === 'order.place' && !persisted) {
        persisted = true
        void navigator.storage?.persist?.().catch(() => false)
      }
      supervisor.command(command)
    },
    pairingUri: topic => supervisor.whenJoined(core => core.pairingUri(topic)),
    walletImage: images.walletImage,
    walletIcon: wallets.walletIcon,
    async saveRecording() {
      const text = await supervisor.whenJoined(core => core.recording(supervisor.tail()))
      download(`mai-${new Date(now()).toISOString().slice(0, 19).replace(/[:T]/g, '-')}.replay.jsonl`, text)
    },
    erase: supervisor.erase,
    async ready() {
      const ready = await supervisor.whenJoined(core => core.ready())
      if (!ready) supervisor.say({ type: 'tab.outdated', data: {} })
      return ready
    },
  }

  supervisor.say({
    type: 'tab.opened',
    data: { width: Math.round(innerWidth), theme: 'system', language: navigator.language },
  })
  say = supervisor.say
  for (const fact of early) say(fact)
  supervisor.start()

  return {
    store,
    surroundings,
    draw(root, tree) {
      createRoot(root).render(
        <StrictMode>
          <StoreProvider value={surroundings}>{tree}</StoreProvider>
        </StrictMode>,
      )
    },
  }
}
