/** The modal alone, for a page of somebody else: everything seen lives in a shadow root, and nothing leaves it. */
import EventEmitter from 'eventemitter3'
import { Fault } from '../../events/failure.ts'
import { activeConnection } from '../../events/subjects/connection.ts'
import { type ScreenName, shownScreen } from '../../events/subjects/screen.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { ConnectionNews } from '../../ui/ConnectionNews.tsx'
import { Modal } from '../../ui/modal/Modal.tsx'
import kit from '../../ui/styles/kit.css?inline'
import modal from '../../ui/styles/modal.css?inline'
import tokens from '../../ui/styles/tokens.css?inline'
import { builtAddresses } from '../config.ts'
import { callHandlers, guarded, type HostAccount, type HostEvent, hostAccount, watchAccount } from './host.ts'
import { type HostSettings, type ModalConfig, readModalConfig } from './hostConfig.ts'
import { startPage } from '../page/page.tsx'
import type { Provider, ProviderOptions } from '../provider/provider.ts'
import type { SignedIn, SignInRequest } from '../signIn/signIn.ts'
import { later } from '../../worker/drivers/later.ts'

/** Screens a host may ask for. */
const hostViews = ['Connect', 'Account', 'AllWallets', 'WhatIsAWallet'] as const satisfies readonly ScreenName[]
type HostView = (typeof hostViews)[number]

/** What a host sees of the modal beside the account. */
export type ModalState = { open: boolean; account: HostAccount }

export type HostModal = {
  /**
   * Opens the modal on a view; by default Account when a wallet is connected, else Connect.
   * @throws Fault `bad_input` for a view that does not exist
   */
  open(view?: HostView): void
  close(): void
  /** Hears every change of what is open and of the account. @returns stops it */
  subscribe(listener: (state: ModalState) => void): () => void
  getAccount(): HostAccount
  /**
   * Ends the connection; resolves once it is over, at once when there is none.
   * @throws Fault `timeout` when it is not over after 10 s
   */
  disconnect(): Promise<void>
  /**
   * A provider as EIP-1193 has it, for wallets reached over WalletConnect, on every family of chains.
   * @throws Fault `bad_input` for options that do not fit; an Error with `code` 1 when this page has no core
   */
  provider(options?: ProviderOptions): Promise<Provider>
  /**
   * Has a wallet sign who holds an account on Ethereum's chains (one-click auth, CAIP-222), and shows that while it waits. With
   * `methods` the same press opens a session.
   * @throws a Fault with the code it failed with: `user_rejected`, `expired`, `bad_response`, …; `busy` while another one waits;
   *   `bad_input` for what no wallet can be asked
   */
  signIn(request: SignInRequest): Promise<SignedIn>
  /**
   * Hands in a link that this page was opened with, for hosts that set `walletConnect.universalLink`; one without a message
   * for this page changes nothing, one whose message cannot be read is told to the visitor.
   * @throws an Error when it is not known whether the core took it
   */
  receiveLink(url: string): Promise<void>
  /** Hears the same as the global handlers. @returns stops it */
  on(event: HostEvent, listener: (account: HostAccount) => void): () => void
}

const elementName = 'mai-modal'
const disconnectMs = 10_000
const notStartedWords = 'A file of this window is not there or came altered. Reload the page.'

/**
 * Creates the modal of a page; nothing of it is seen before `open`.
 *
 * @throws Fault `bad_input` for a key or value the config may not have, `busy` when the page has a modal already,
 *   `unsupported` when the browser or the page's address does not allow it
 */
export function createModal(config: ModalConfig): HostModal {
  const settings = readModalConfig(config, builtAddresses())
  if (!isSecureContext)
    throw new Fault('unsupported', `createModal expected a page over https or on localhost, got ${location.origin}`)
  if (!('locks' in navigator) || !CSS.supports('color', 'light-dark(#000, #fff)'))
    throw new Fault('unsupported', 'createModal expected a browser with locks and light-dark(), this one is too old')
  if (document.querySelector(elementName))
    throw new Fault('busy', 'createModal expected to be called once in a page, it was called before')

  const page = startPage(settings)
  const { store, surroundings } = page
  const shadow = shadowOf(settings)
  const beside = later('signing in', async () => (await import('../signIn/beside.tsx')).drawBeside(page, shadow))
  page.draw(
    shadow,
    <Boundary instead={() => null}>
      <ConnectionNews onlyOpen />
      <Modal />
    </Boundary>,
  )
  surroundings.say({ type: 'tab.themed', data: { theme: settings.themeMode } })
  // A host's page has no place of ours for this sentence but the modal
  const tellNotStarted = () =>
    surroundings.say({
      type: 'toast.shown',
      data: { toastId: 'not-started', variant: 'error', message: notStartedWords, autoClose: false },
    })
  page.started.catch(tellNotStarted)
  const unwatch = store.subscribe(() => {
    const { phase } = store.model().tab
    if (phase !== 'blocked' && phase !== 'outdated') return
    unwatch()
    tellNotStarted()
  })

  const events = new EventEmitter<{ [E in HostEvent]: [HostAccount] }>()
  watchAccount(store, (event, account) => {
    callHandlers(window, event, account)
    events.emit(event, account)
  })

  const state = (): ModalState => ({ open: store.model().screen.open, account: hostAccount(store.model()) })

  return {
    open(view) {
      if (view !== undefined && !hostViews.includes(view))
        throw new Fault('bad_input', `open expected ${hostViews.join(' or ')}, got ${String(view).slice(0, 60)}`)
      const connected = activeConnection(store.model()) !== undefined
      const name = view === undefined || view === 'Account' ? (connected ? 'Account' : 'Connect') : view
      surroundings.say({ type: 'screen.opened', data: { name } })
    },
    close() {
      if (!shownScreen(store.model())) return
      // An attempt nobody looks at any more must not connect later
      if (store.model().connection.attempt.phase !== 'none')
        surroundings.command({ type: 'connection.abandon', data: {} })
      surroundings.say({ type: 'screen.closed', data: {} })
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
      const connectionId = activeConnection(store.model())?.connection.connectionId
      if (connectionId === undefined) return Promise.resolve()
      const over = new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          stop()
          reject(new Fault('timeout', `disconnect expected to be over within ${disconnectMs / 1000} s, it was not`))
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
      const { startProvider } = await import('../provider/startProvider.ts')
      return startProvider(page, settings.addresses, options)
    },
    async receiveLink(url) {
      await (await beside.get()).receiveLink(String(url))
    },
    async signIn(request) {
      return (await beside.get()).ask(request)
    },
    on(event, listener) {
      const heard = (account: HostAccount) => guarded(() => listener(account))
      events.on(event, heard)
      return () => void events.off(event, heard)
    },
  }
}

/** The element in the host's page and the root inside it, dressed in our styles and the host's theme. */
function shadowOf({ themeMode, themeVariables }: HostSettings): ShadowRoot {
  const element = document.createElement(elementName)
  if (themeMode !== 'system') element.dataset.theme = themeMode
  for (const [name, value] of themeVariables) element.style.setProperty(name, value)
  const shadow = element.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [tokens, kit, modal].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  const place = document.body ?? document.documentElement
  place.append(element)
  return shadow
}
