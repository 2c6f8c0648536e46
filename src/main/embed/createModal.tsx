/** The modal for a host's page. Everything visible is in a shadow root, so that its styles and the page's stay apart. */
import EventEmitter from 'eventemitter3'
import { Fault } from '../../runtime/failure.ts'
import { activeConnection } from '../../events/subjects/connection.ts'
import { type ScreenName, shownScreen } from '../../events/subjects/screen.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { ConnectionNews } from '../../ui/ConnectionNews.tsx'
import { ModalView } from '../../ui/modal/ModalView.tsx'
import kit from '../../ui/styles/kit.css?inline'
import modal from '../../ui/styles/modal.css?inline'
import tokens from '../../ui/styles/tokens.css?inline'
import root from '../../ui/styles/embed.css?inline'
import { builtAddresses } from '../config.ts'
import { embedParts, placeProblem } from './embedParts.ts'
import { callHandlers, guarded, type HostAccount, type HostEvent, hostAccount, watchAccount } from './host.ts'
import { languageTag } from './configChecks.ts'
import { type HostSettings, type ModalConfig, readModalConfig } from './hostConfig.ts'
import { afterPaint } from '../page/afterPaint.ts'
import { browserLanguage, type PreparedPage, preparePage } from '../page/page.tsx'
import type { UiConfig } from '../../ui/react.tsx'
import { addSurface, languageOf, readTexts, textsIn, useDirection } from '../../ui/texts/language.tsx'
import { modalArea } from '../../ui/texts/modal/en.ts'
import { modalTexts } from '../../ui/texts/surfaces/surfaces.ts'
import type { Provider, ProviderOptions } from '../provider/provider.ts'
import type { SignedIn, SignInRequest } from '../signIn/signInAttempt.ts'
import { later } from '../../runtime/later.ts'

/** Screens a host may open. */
const hostViews = ['Connect', 'Account', 'AllWallets', 'WhatIsAWallet'] as const satisfies readonly ScreenName[]
type HostView = (typeof hostViews)[number]

/** The modal and the account as a host sees them. */
export type ModalState = { open: boolean; account: HostAccount }

/** The modal as its host controls it. */
export type HostModal = {
  /**
   * Opens the modal on a view; by default Account when a wallet is connected, else Connect.
   * @throws Fault `bad_input` for a view that does not exist
   */
  open(view?: HostView): void
  close(): void
  /** Calls the listener on each change of the state. @returns a function that unsubscribes */
  subscribe(listener: (state: ModalState) => void): () => void
  getAccount(): HostAccount
  /**
   * Ends the connection; resolves once it is over, at once when there is none.
   * @throws Fault `timeout` when it is not over after 10 s
   */
  disconnect(): Promise<void>
  /**
   * A provider after EIP-1193, for wallets reached over WalletConnect, on every family of chains.
   * @throws Fault `bad_input` for invalid options; an Error with `code` 1 when this page has no core
   */
  provider(options?: ProviderOptions): Promise<Provider>
  /**
   * Has a wallet sign a statement that proves its account on Ethereum's chains (one-click auth, CAIP-222), with a screen while
   * it is pending. With `methods` the same approval opens a session.
   * @throws Fault with the code of the failure: `user_rejected`, `expired`, `bad_response`, …; `busy` while another request
   *   waits; `bad_input` for a request that no wallet could answer
   */
  signIn(request: SignInRequest): Promise<SignedIn>
  /**
   * Takes a link that opened this page, for hosts that set `walletConnect.universalLink`. A link without a message for this
   * page changes nothing; of an unreadable message the visitor gets a notice.
   * @throws an Error when the core may not have received it
   */
  receiveLink(url: string): Promise<void>
  /**
   * Tells the visitor's word on analytics, which this device keeps until the next. Before it nothing leaves from a host that set
   * `analytics.consent` to `later`; refused, nothing does. Without an analytics service it does nothing.
   */
  consent(given: boolean): void
  /**
   * Shows the modal in another language: a BCP 47 tag, such as `de` or `ar-EG`; English for one it does not have.
   * @throws Fault `bad_input` for anything but a tag
   */
  setLanguage(language: string): void
  /** Subscribes to the events of the global handlers. @returns a function that unsubscribes */
  on(event: HostEvent, listener: (account: HostAccount) => void): () => void
  /**
   * Ends the modal: its element, listeners and worker. The log stays on this device; `createModal` may be called again. Later
   * calls that need the core throw Fault `unsupported`.
   */
  destroy(): void
}

/** Gives the place of all that is drawn the language's direction. */
function Direction({ root }: { root: HTMLElement }) {
  useDirection(root)
  return null
}

const elementName = 'mai-modal'
const disconnectMs = 10_000

/**
 * Creates the modal of a page; nothing of it is visible before `open`. Holds the page, its shadow root and the host's
 * listeners; one function, because every method of the modal needs them.
 *
 * @throws Fault `bad_input` for a key or value the config may not have, `busy` when the page has a modal already, `unsupported`
 *   when the browser or the page's address does not allow it
 */
export function createModal(config: ModalConfig): HostModal {
  const settings = readModalConfig(config, builtAddresses())
  const problem = hostProblem()
  if (problem !== undefined) throw new Fault('unsupported', problem)
  if (document.querySelector(elementName))
    throw new Fault('busy', 'createModal expected no other modal in this page: call destroy() of the one before')

  // A host may create the modal in the press that opens it: wallets that are here need no worker
  const { prepared, element, place, drawFor } = ahead ?? prepareModal()
  ahead = undefined
  const page = prepared.start(settings, afterPaint)
  const { store, surroundings } = page
  wear(element, settings)
  drawFor(settings.ui)
  const body = document.body ?? document.documentElement
  body.append(element)
  let isDestroyed = false
  const mustLive = () => {
    if (isDestroyed) throw new Fault('unsupported', 'this modal expected to be in use, it was destroyed')
  }
  const beside = later('signing in', async () => (await import('../signIn/beside.tsx')).drawBeside(page, place))
  surroundings.dispatch({ type: 'tab.themed', data: { theme: settings.themeMode } })
  // In a host's page this sentence has no place but the modal
  const tellNotStarted = (why: 'notStarted' | 'blockedForbidden') => {
    const message = textsIn(modalArea, languageOf(store.model().tab.language))[why]
    const data = { toastId: 'not-started', variant: 'error', message, autoClose: false } as const
    if (!isDestroyed) surroundings.dispatch({ type: 'toast.shown', data })
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

  const events = new EventEmitter<{ [E in HostEvent]: [HostAccount] }>()
  const unwatchAccount = watchAccount(store, (event, account) => {
    callHandlers(window, event, account)
    events.emit(event, account)
  })

  const state = (): ModalState => ({ open: store.model().screen.open, account: hostAccount(store.model()) })

  return {
    open(view) {
      mustLive()
      if (view !== undefined && !hostViews.includes(view))
        throw new Fault('bad_input', `open expected ${hostViews.join(' or ')}, got ${String(view).slice(0, 60)}`)
      const connected = activeConnection(store.model()) !== undefined
      const name = view === undefined || view === 'Account' ? (connected ? 'Account' : 'Connect') : view
      surroundings.dispatch({ type: 'screen.opened', data: { screen: { name } } })
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
      return store.subscribe(() => {
        const now = state()
        const text = JSON.stringify(now)
        if (text === told) return
        told = text
        guarded(() => listener(now))
      })
    },
    getAccount: () => hostAccount(store.model()),
    disconnect() {
      mustLive()
      const connectionId = activeConnection(store.model())?.connection.connectionId
      if (connectionId === undefined) return Promise.resolve()
      const over = new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          stop()
          reject(
            new Fault(
              'timeout',
              `disconnect expected the connection to end within ${disconnectMs / 1000} s, it did not`,
            ),
          )
        }, disconnectMs)
        const stop = store.subscribe(() => {
          if (store.model().connection.made[connectionId]) return
          clearTimeout(timer)
          stop()
          resolve()
        })
      })
      surroundings.command({ type: 'connection.disconnect', data: { connectionId } })
      return over
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
      return (await beside.get()).ask(request)
    },
    consent(given) {
      mustLive()
      surroundings.command({ type: 'analytics.consent', data: { given } })
    },
    setLanguage(language) {
      mustLive()
      languageTag(language, 'setLanguage')
      surroundings.dispatch({ type: 'tab.languageChosen', data: { language } })
    },
    on(event, listener) {
      const heard = (account: HostAccount) => guarded(() => listener(account))
      events.on(event, heard)
      return () => void events.off(event, heard)
    },
    destroy() {
      if (isDestroyed) return
      isDestroyed = true
      unwatch()
      unwatchAccount()
      events.removeAllListeners()
      page.close()
      element.remove()
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

/** Renders the modal ahead in an idle page, so that a host that creates it in the press waits for less. Asks for nothing. */
export function prepareAhead(): void {
  if (ahead || document.querySelector(elementName) || hostProblem() !== undefined) return
  ahead = prepareModal()
  ahead.drawFor(usualUi)
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
function prepareModal(): Prepared {
  const element = document.createElement(elementName)
  const shadow = element.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [tokens, kit, modal, root].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
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
      const key = JSON.stringify([allWallets, termsUrl, privacyUrl, host])
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

/** The host's theme. */
function wear(element: HTMLElement, { themeMode, themeVariables }: HostSettings): void {
  if (themeMode !== 'system') element.dataset.theme = themeMode
  for (const [name, value] of themeVariables) element.style.setProperty(name, value)
}

/** @returns why a modal cannot work in this page, one sentence; undefined when it can */
function hostProblem(): string | undefined {
  const misplaced = embedParts && placeProblem(import.meta.url, location.origin)
  if (misplaced !== undefined) return misplaced
  if (!isSecureContext) return `createModal expected a page over https or on localhost, got ${location.origin}`
  if (!('locks' in navigator) || !CSS.supports('color', 'light-dark(#000, #fff)'))
    return 'createModal expected a browser with locks and light-dark(), this one is too old'
  return undefined
}
