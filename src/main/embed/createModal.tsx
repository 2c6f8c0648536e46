/** The modal for a host's page. Everything visible is in a shadow root, so that its styles and the page's stay apart. */
import { Fault } from '../../runtime/failure.ts'
import type { Screen } from '../../events/subjects/screen.ts'
import { shownScreen } from '../../events/subjects/screenFold.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { ConnectionNews } from '../../ui/ConnectionNews.tsx'
import { isPhone } from '../../ui/connect/isPhone.ts'
import { ModalView } from '../../ui/modal/ModalView.tsx'
import { openingScreen } from '../../ui/modal/rules.ts'
import kit from '../../ui/styles/kit.css?inline'
import modal from '../../ui/styles/modal.css?inline'
import tokens from '../../ui/styles/tokens.css?inline'
import root from '../../ui/styles/embed.css?inline'
import { builtAddresses } from '../config.ts'
import { Direction } from './Direction.tsx'
import { callHandlers, guarded, hostAccount, watchAccount } from './host.ts'
import { languageTag } from './configChecks.ts'
import { type HostSettings, type ModalConfig, readModalConfig } from './hostConfig.ts'
import { type HostEvents, type HostModal, isPlainView, type ModalState } from './hostModal.ts'
import { modalState, walletInfo, watchModal } from './hostState.ts'
import { destroyed, followOpening, orDestroyed } from './opening.ts'
import { sheetsOf } from './sheetsOf.ts'
import { type ThemeMode, wearMode, wearProperties, wearVariables } from './theme.ts'
import { afterPaint } from '../page/afterPaint.ts'
import { browserLanguage, loadRuntime, type Page, type PreparedPage, preparePage } from '../page/page.tsx'
import type { Surroundings, UiConfig } from '../../ui/react.tsx'
import { addSurface, languageOf, readTexts, textsIn } from '../../ui/texts/language.tsx'
import { modalArea } from '../../ui/texts/modal/en.ts'
import { modalTexts } from '../../ui/texts/surfaces/surfaces.ts'
import { later, type Later } from '../../runtime/later.ts'

const elementName = 'mai-modal'

/** The one modal of a page, used by each caller of `createModal`. */
type Shared = {
  page: Page
  element: HTMLElement
  settings: HostSettings
  themeMode: ThemeMode
  beside: Later<Awaited<ReturnType<typeof import('../signIn/beside.tsx').drawBeside>>>
  /** listeners of all callers, each with its event */
  listeners: Set<{ event: keyof HostEvents; heard(news: unknown): void }>
  /** callers that have not called `destroy` */
  users: number
  end(): void
}

let shared: Shared | undefined

/**
 * Creates the modal of a page; nothing of it is visible before `open`, unless it is embedded. Called again, it gives another
 * handle on the same modal, with listeners of its own: the config of the first call holds, and the console names what differs.
 *
 * @throws Fault `bad_input` for a strict key's value, `busy` when the page's modal has another project, sale or service, or is
 *   another copy's, `unsupported` when the browser or the page's address does not allow it
 */
export function createModal(config: ModalConfig): HostModal {
  const tell = (sentence: string) => console.warn(sentence)
  const settings = readModalConfig(config, builtAddresses(), tell)
  const problem = hostProblem()
  if (problem !== undefined) throw new Fault('unsupported', problem)
  if (shared) compare(shared.settings, settings, tell)
  else if (document.querySelector(elementName))
    throw new Fault(
      'busy',
      'createModal expected no other copy of the modal in this page: call destroy() of the one before',
    )
  const isFirst = !shared
  shared ??= startModal(settings)
  if (isFirst) void tellConflicts(settings, tell)
  return handleOf(shared)
}

/** Keys of the host's own objects, which may hold each other. */
const withoutObjects = (key: string, value: unknown) =>
  key === 'embedded' || key === 'connectors' || key === 'read' ? undefined : value

/** @throws Fault `busy` when two configs mean another project, sale or services */
function compare(first: HostSettings, second: HostSettings, tell: (sentence: string) => void): void {
  const differ = (a: unknown, b: unknown) => JSON.stringify(a, withoutObjects) !== JSON.stringify(b, withoutObjects)
  if (differ([first.addresses, first.host.sale], [second.addresses, second.host.sale]))
    throw new Fault('busy', 'createModal expected the project, sale and addresses of this page’s modal, got others')
  if (first.embedded !== second.embedded || differ(first, second))
    tell('createModal: this page has a modal already, the config of the first call holds')
}

/** For the console only, so it waits for its file. */
async function tellConflicts({ read }: HostSettings, tell: (sentence: string) => void): Promise<void> {
  const part = await import('./configConflicts.ts').catch(() => undefined)
  for (const sentence of part?.configConflicts(read) ?? []) tell(sentence)
}

/** Starts the page's modal and puts its element into the document. */
function startModal(settings: HostSettings): Shared {
  // A host may create the modal in the press that opens it: wallets that are here need no worker
  if (settings.shadowRoot === 'closed') ahead = undefined
  const { prepared, element, place, drawFor } = ahead ?? prepareModal(settings.shadowRoot)
  ahead = undefined
  const page = prepared.start(settings, afterPaint)
  const { store, surroundings } = page
  wearMode(element, settings.themeMode)
  wearProperties(element, settings.themeProperties)
  drawFor(settings.ui)
  const host = settings.embedded ?? document.body ?? document.documentElement
  host.append(element)
  let isEnded = false
  const beside = later('signing in', async () => (await import('../signIn/beside.tsx')).drawBeside(page, place))
  surroundings.dispatch({ type: 'tab.themed', data: { theme: settings.themeMode } })
  if (settings.live) surroundings.dispatch({ type: 'tab.featured', data: { features: settings.live } })
  // In a host's page this sentence has no place but the modal
  const tellNotStarted = (why: 'notStarted' | 'blockedForbidden') => {
    const message = textsIn(modalArea, languageOf(store.model().tab.language))[why]
    const data = { toastId: 'not-started', variant: 'error', message, autoClose: false } as const
    if (!isEnded) surroundings.dispatch({ type: 'toast.shown', data })
  }
  page.started.then(
    running => {
      running.walletWaits(requestId => {
        const show = async () => (await beside.get()).showWaiting(requestId)
        void show().catch(() => undefined)
      })
    },
    () => tellNotStarted('notStarted'),
  )
  const unwatch = store.subscribe(() => {
    const { tab } = store.model()
    if (tab.phase !== 'blocked' && tab.phase !== 'outdated') return
    unwatch()
    // Where no reload helps, the reason is the browser's
    tellNotStarted(tab.phase === 'blocked' && !tab.reload ? 'blockedForbidden' : 'notStarted')
  })

  const listeners: Shared['listeners'] = new Set()
  const emit = (event: keyof HostEvents, news: unknown) => {
    for (const one of listeners) if (one.event === event) one.heard(news)
  }
  const stops = [
    unwatch,
    watchAccount(store, (event, account) => {
      callHandlers(window, event, account)
      emit(event, account)
    }),
    watchModal(page, emit),
    settings.embedded ? keepOpen(page) : () => undefined,
  ]
  return {
    page,
    element,
    settings,
    themeMode: settings.themeMode,
    beside,
    listeners,
    users: 0,
    end() {
      isEnded = true
      shared = undefined
      for (const stop of stops) stop()
      listeners.clear()
      page.close()
      element.remove()
    },
  }
}

/** An embedded modal has no closed state: it goes on with its first view. @returns a function that stops it */
function keepOpen(page: Page): () => void {
  const show = () => {
    if (!page.store.model().screen.open) openOn(page.surroundings)
  }
  const stop = page.store.subscribe(show)
  show()
  return stop
}

/** Opens the modal on a screen, or on the first that fits. */
function openOn({ store, config, dispatch }: Surroundings, wished?: Screen): void {
  const screen = openingScreen(store.model(), config, isPhone(), wished)
  dispatch({ type: 'screen.opened', data: { screen } })
}

/** Most listeners of one event and caller before the console says so: more are rarely meant. */
const manyListeners = 10

/** A caller's handle on the page's modal. One function, because every method needs the caller's own listeners. */
function handleOf(one: Shared): HostModal {
  const { page, element, settings, beside } = one
  const { store, surroundings } = page
  const leaves = new Set<() => void>()
  const counts = new Map<keyof HostEvents, number>()
  let isDestroyed = false
  one.users += 1
  const mustLive = () => {
    if (isDestroyed) throw destroyed()
  }
  const state = (): ModalState => ({ ...modalState(store.model(), surroundings.config), themeMode: one.themeMode })
  const untilDestroyed = (leave: () => void) => {
    const once = () => {
      if (leaves.delete(once)) leave()
    }
    leaves.add(once)
    return once
  }

  return {
    async open(request) {
      mustLive()
      const before = hostAccount(store.model()).address
      // The usual calls open within the press
      if (request === undefined) openOn(surroundings)
      else if (isPlainView(request)) openOn(surroundings, { name: request })
      else {
        const { wishedScreen } = await import('./wishedScreen.ts')
        // Nothing would end the outcome of a modal that was destroyed meanwhile
        mustLive()
        openOn(surroundings, wishedScreen(request))
      }
      const { outcome, leave } = followOpening(store, before)
      const forget = untilDestroyed(leave)
      return outcome.finally(forget)
    },
    close() {
      if (isDestroyed || !shownScreen(store.model())) return
      // A hidden attempt must not connect later
      if (store.model().connection.attempt.phase !== 'none')
        surroundings.command({ type: 'connection.abandon', data: {} })
      surroundings.dispatch({ type: 'screen.closed', data: {} })
    },
    subscribe(listener) {
      let told = JSON.stringify(state())
      const look = () => {
        const now = state()
        const text = JSON.stringify(now)
        if (text === told) return
        told = text
        guarded(() => listener(now))
      }
      return untilDestroyed(store.subscribe(look))
    },
    on(event, listener) {
      const entry = { event, heard: (news: unknown) => guarded(() => listener(news as never)) }
      const count = (counts.get(event) ?? 0) + 1
      counts.set(event, count)
      if (count === manyListeners + 1)
        console.warn(`modal.on: ${event} has more than ${manyListeners} listeners, one may never be removed`)
      one.listeners.add(entry)
      return untilDestroyed(() => {
        counts.set(event, (counts.get(event) ?? 1) - 1)
        one.listeners.delete(entry)
      })
    },
    getState: state,
    getAccount: () => hostAccount(store.model()),
    getWalletInfo: () => walletInfo(store.model()),
    setThemeMode(mode) {
      mustLive()
      wearMode(element, mode)
      one.themeMode = mode
      surroundings.dispatch({ type: 'tab.themed', data: { theme: mode } })
    },
    setThemeVariables(variables) {
      mustLive()
      wearVariables(element, variables)
    },
    setLanguage(language) {
      mustLive()
      languageTag(language, 'setLanguage')
      surroundings.dispatch({ type: 'tab.languageChosen', data: { language } })
    },
    async disconnect() {
      mustLive()
      return (await import('./disconnect.ts')).disconnect(page)
    },
    async signMessage(message) {
      mustLive()
      const part = await import('./signMessage.ts')
      return orDestroyed(part.signMessage(page, settings.addresses, message), untilDestroyed)
    },
    async updateFeatures(features) {
      mustLive()
      ;(await import('./updateFeatures.ts')).updateFeatures(surroundings, features)
    },
    async showButton(place, button) {
      mustLive()
      const part = await import('./buttons/showButton.tsx')
      mustLive()
      const open = (name: 'Connect' | 'Account' | 'Networks') => openOn(surroundings, { name })
      return untilDestroyed(part.showButton({ page, modal: element, open, state }, place, button))
    },
    async switchNetwork(caip2) {
      mustLive()
      const part = await import('./switchNetwork.ts')
      return part.switchNetwork(surroundings, String(caip2))
    },
    async provider(options) {
      mustLive()
      const { startProvider } = await import('../provider/startProvider.ts')
      return startProvider(page, settings.addresses, options)
    },
    async receiveLink(url) {
      mustLive()
      await (await beside.get()).receiveLink(String(url))
    },
    async signIn(request) {
      mustLive()
      const { ask } = await beside.get()
      mustLive()
      return orDestroyed(ask(request), untilDestroyed)
    },
    consent(given) {
      mustLive()
      surroundings.command({ type: 'analytics.consent', data: { given } })
    },
    destroy() {
      if (isDestroyed) return
      isDestroyed = true
      for (const leave of leaves) leave()
      one.users -= 1
      if (one.users === 0) one.end()
    },
  }
}

/** A modal that no host has asked for yet: drawn, in no document. */
type Prepared = {
  prepared: PreparedPage
  element: HTMLElement
  /** for all that is drawn */
  place: HTMLElement
  /** Draws the modal, unless what it shows at first is drawn already. */
  drawFor(ui: UiConfig): void
}

let ahead: Prepared | undefined
addSurface(modalTexts)

/** Renders the modal ahead in an idle page and loads its runtime, so that a host that creates it in the press waits for less. */
export function prepareAhead(): void {
  if (shared || ahead || document.querySelector(elementName) || hostProblem() !== undefined) return
  ahead = prepareModal()
  ahead.drawFor(usualUi)
  void loadRuntime().catch(() => undefined)
  void readTexts(languageOf(browserLanguage()))
}

/** The choices of most hosts; others draw anew. */
const usualUi: UiConfig = {
  appName: '',
  termsUrl: '',
  privacyUrl: '',
  solanaRpcUrl: '',
  allWallets: 'SHOW',
  featured: [],
  host: { recording: false },
}

/** The element for the host's page, with our styles, and the place for all that is drawn. */
function prepareModal(mode: ShadowRootMode = 'open'): Prepared {
  const element = document.createElement(elementName)
  const shadow = element.attachShadow({ mode })
  shadow.adoptedStyleSheets = sheetsOf(tokens, kit, modal, root)
  const place = document.createElement('div')
  place.className = 'embed'
  shadow.append(place)
  const prepared = preparePage(usualUi)
  const drawn = place.appendChild(document.createElement('div'))
  let shown: string | undefined
  return {
    prepared,
    element,
    place,
    drawFor({ allWallets, termsUrl, privacyUrl, host }) {
      const key = JSON.stringify([allWallets, termsUrl, privacyUrl, host], withoutObjects)
      if (key === shown) return
      shown = key
      prepared.draw(
        drawn,
        <Boundary key={key} instead={() => null}>
          <Direction root={place} />
          <ConnectionNews onlyOpen />
          <ModalView />
        </Boundary>,
      )
    },
  }
}

/** @returns why a modal cannot work in this page, one sentence; undefined when it can */
function hostProblem(): string | undefined {
  if (!isSecureContext) return `createModal expected a page over https or on localhost, got ${location.origin}`
  if (!('locks' in navigator) || !CSS.supports('color', 'light-dark(#000, #fff)'))
    return 'createModal expected a browser with locks and light-dark(), this one is too old'
  return undefined
}
