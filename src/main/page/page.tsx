/** Assembles a page: the store, the React tree and the runtime. Used by the presale page and by the embed. */
import { StrictMode, type ReactNode } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { Fault } from '../../runtime/failure.ts'
import type { PageFact } from '../../events/app.ts'
import { StoreProvider, type Surroundings, type UiConfig } from '../../ui/react.tsx'
import { isPhone } from '../../ui/isPhone.ts'
import { languageNote } from '../../ui/notices/languageNote.ts'
import { createStore, type Store } from '../../ui/store.ts'
import { preferredTag } from '../../ui/texts/language.tsx'
import { copy } from '../drivers/clipboard.ts'
import { device } from '../drivers/device.ts'
import type { PageSettings } from './pageSettings.ts'
import type { Runtime } from './supervisor/runtime.ts'
import type { EarlyFact } from '../../runtime/page/factQueue.ts'

/** A running page; `draw` shows it. */
export type Page = {
  store: Store
  surroundings: Surroundings
  /** The runtime; rejected when its chunk is missing or altered. */
  started: Promise<Runtime>
  /**
   * Draws the tree; again in the same root it replaces the one before.
   *
   * @param prerendered the root holds the tree's first render: it is taken over
   */
  draw(root: Element, tree: ReactNode, prerendered?: boolean): void
  /** Ends the page: its trees, listeners and worker. Nothing starts again. */
  close(): void
}

/** A page before its settings are known: it can be drawn ahead, and does nothing. */
export type PreparedPage = Pick<Page, 'draw'> & {
  /** Starts it as `startPage` does; once. */
  start(settings: PageSettings, begin: (start: () => void) => void): Page
}

/** @returns the tag of the person's choice on this device, else of the browser's first language that we have */
export function browserLanguage(): string {
  return device.recall(languageNote) ?? preferredTag(navigator.languages)
}

let runtimePart: typeof import('./supervisor/runtime.ts') | undefined

/** Loads the runtime's chunk. A page that starts afterwards knows the installed wallets when it is first drawn. */
export async function loadRuntime() {
  runtimePart = await import('./supervisor/runtime.ts')
  return runtimePart
}

/**
 * Starts a page without drawing it. A document has one at a time.
 *
 * @param begin runs the start of the worker; by default at once
 */
export function startPage(settings: PageSettings, begin: (start: () => void) => void = start => start()): Page {
  return preparePage(settings.ui).start(settings, begin)
}

/**
 * Holds the store, the root and what waits for the core. One function, because the start joins all of them.
 *
 * @param ui for what is drawn before the start
 */
export function preparePage(ui: UiConfig): PreparedPage {
  const now = () => Date.now()
  const store = createStore({
    request: task => void requestAnimationFrame(task),
    hidden: () => document.visibilityState !== 'visible',
  })
  const early: EarlyFact<PageFact>[] = []
  // Before the start nothing is answered
  let started = new Promise<Runtime>(() => {})
  let runtime: Runtime | undefined
  let isClosed = false
  const roots = new Map<Element, Root>()

  function dispatch(fact: PageFact): void {
    if (runtime) return runtime.dispatch(fact)
    const at = Math.floor(now())
    early.push({ fact, at })
    store.dispatch({ ...fact, at })
  }

  const surroundings: Surroundings = {
    store,
    config: ui,
    dispatch,
    now,
    passed: () => performance.now(),
    copy,
    open: ({ url, target }) => void window.open(url, target, target === '_blank' ? 'noopener' : ''),
    device,
    // Until the runtime is here, whose own takes its place
    command: command => void started.then(running => running.command(command)).catch(() => undefined),
    pairingUri: async topic => (await started).core.pairingUri(topic),
    walletImage: async imageId => (await started).walletImage(imageId),
    picture: async (of, name) => (await started).picture(of, name),
    walletLink: async requestId => (await started).walletLink(requestId),
    walletOpened: requestId => runtime?.walletOpened(requestId),
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

  function draw(root: Element, tree: ReactNode, prerendered = false): void {
    const whole = (
      <StrictMode>
        <StoreProvider value={surroundings}>{tree}</StoreProvider>
      </StrictMode>
    )
    const made = roots.get(root)
    if (!made && prerendered) return void roots.set(root, hydrateRoot(root, whole))
    const drawn = made ?? createRoot(root)
    roots.set(root, drawn)
    drawn.render(whole)
  }

  function start(settings: PageSettings, begin: (start: () => void) => void): Page {
    surroundings.config = settings.ui
    dispatch({
      type: 'tab.opened',
      data: { width: Math.round(innerWidth), theme: 'system', language: settings.language ?? browserLanguage() },
    })
    const run = async () => {
      const { addresses, host: given } = settings
      // A runtime that is here starts within the press
      const [part, host] =
        typeof given === 'function'
          ? await Promise.all([loadRuntime(), given()])
          : [runtimePart ?? (await loadRuntime()), given]
      if (isClosed) throw new Fault('core_lost', 'this page was closed before its runtime was loaded')
      const unlessClosed = (task: () => void) => begin(() => isClosed || task())
      runtime = part.startRuntime({
        settings: { addresses, host, ui: settings.ui },
        store,
        now,
        early,
        onPhone: isPhone(),
        begin: unlessClosed,
      })
      surroundings.command = runtime.command
      return runtime
    }
    started = run()
    // The chunk is missing after a deployment, or altered: pending calls fail, and the page asks for a reload
    started.catch(() => isClosed || dispatch({ type: 'tab.outdated', data: {} }))
    return { store, surroundings, started, draw, close }
  }

  function close(): void {
    isClosed = true
    for (const made of roots.values()) made.unmount()
    roots.clear()
    runtime?.close()
  }

  return { draw, start }
}
