/** Puts a page together: the store, the tree, and behind them the runtime. Used by the presale page and by the embed. */
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { PageFact } from '../../events/app.ts'
import type { HostChoice } from '../../events/wire.ts'
import { StoreProvider, type Surroundings, type UiConfig } from '../../ui/react.tsx'
import { createStore, type Store } from '../../ui/store.ts'
import type { Addresses } from '../config.ts'
import { copy } from '../drivers/clipboard.ts'
import { device } from '../drivers/device.ts'
import type { Runtime } from './supervisor/runtime.ts'
import type { EarlyFact } from './supervisor/lane.ts'

export type PageSettings = {
  addresses: Addresses
  ui: UiConfig
  host: HostChoice
}

/** A running page, before anything of it is drawn. */
export type Page = {
  store: Store
  surroundings: Surroundings
  /** The part that works behind it; rejected when it is gone from the server. */
  started: Promise<Runtime>
  draw(root: Element | DocumentFragment, tree: ReactNode): void
}

/** Starts everything but the drawing. Call it once a page. */
export function startPage(settings: PageSettings): Page {
  const now = () => Date.now()
  const store = createStore({
    request: task => void requestAnimationFrame(task),
    hidden: () => document.visibilityState !== 'visible',
  })
  const early: EarlyFact[] = []
  let runtime: Runtime | undefined
  let persisted = false

  function dispatch(fact: PageFact): void {
    if (runtime) return runtime.dispatch(fact)
    const at = Math.floor(now())
    early.push({ fact, at })
    store.dispatch({ ...fact, at })
  }

  dispatch({
    type: 'tab.opened',
    data: { width: Math.round(innerWidth), theme: 'system', language: navigator.language },
  })
  const started = import('./supervisor/runtime.ts').then(part => {
    runtime = part.startRuntime({ settings, store, now, early })
    return runtime
  })
  // A part that is gone after a deployment, or that came altered: what waits for it is told, and the page says what helps
  started.catch(() => dispatch({ type: 'tab.outdated', data: {} }))

  const surroundings: Surroundings = {
    store,
    config: settings.ui,
    dispatch,
    now,
    copy,
    device,
    command(command) {
      if (command.type === 'order.place' && !persisted) {
        persisted = true
        void navigator.storage?.persist?.().catch(() => false)
      }
      if (runtime) runtime.command(command)
      else void started.then(running => running.command(command)).catch(() => undefined)
    },
    pairingUri: async topic => (await started).core.pairingUri(topic),
    walletImage: async imageId => (await started).walletImage(imageId),
    walletIcon: walletKey => runtime?.walletIcon(walletKey),
    saveRecording: async () => (await started).saveRecording(),
    takeOver: async () => (await started).takeOver(),
    erase: async sure => (await started).erase(sure),
    ready: () =>
      started.then(
        running => running.ready(),
        () => false,
      ),
  }

  return {
    store,
    surroundings,
    started,
    draw(root, tree) {
      createRoot(root).render(
        <StrictMode>
          <StoreProvider value={surroundings}>{tree}</StoreProvider>
        </StrictMode>,
      )
    },
  }
}
