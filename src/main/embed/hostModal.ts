/** The modal as a host's page sees it: methods, events and values. */
import type { ScreenName, ScreenOf } from '../../events/subjects/page/screen.ts'
import type { Provider, ProviderOptions } from '../provider/provider.ts'
import type { SignedIn, SignInRequest } from '../signIn/signInAttempt.ts'
import type { SolanaSignedIn, SolanaSignIn } from './signing/signInWithSolana.ts'
import type { LiveFeatures } from './config/featuresConfig.ts'
import type { ThemeMode, ThemeVariables } from './theme.ts'

/** Screens a host may open. */
export const hostViews = [
  'Connect',
  'Account',
  'AllWallets',
  'ConnectWallets',
  'ConnectingWalletConnectBasic',
  'WhatIsAWallet',
  'GetWallet',
  'WalletReceive',
  'ProfileWallets',
  'Transactions',
  'Networks',
  'WhatIsANetwork',
  'UnsupportedChain',
  'WalletCompatibleNetworks',
  'WalletSend',
  'WalletConnect',
] as const satisfies readonly ScreenName[]
export type HostView = (typeof hostViews)[number]
/** Screens that are nothing but their name. */
type PlainView = { [V in HostView]: keyof DataOfView<V> extends never ? V : never }[HostView] | 'WalletConnect'
type DataOfView<V extends ScreenName> = Omit<ScreenOf<V>, 'name'>

/** A screen to open, with its data: `{ view: 'WalletConnect', data: { wallet: { walletId, name } } }`. */
export type OpeningRequest =
  | HostView
  | { view?: undefined; namespace?: 'solana' }
  | { [V in HostView]: { view: V; data?: DataOfView<V>; namespace?: 'solana' } }[HostView]

/** @returns whether the request is a screen's name alone */
export function isPlainView(request: unknown): request is PlainView {
  return hostViews.some(name => name === request)
}

/** One account of the connected wallet. `caipAddress` is `namespace:reference:address`, once the network is known. */
type ListedAccount = {
  address: string
  caipAddress: string | undefined
  namespace: 'solana'
  type: 'eoa'
}

/** The account as a host sees it; the first of `allAccounts` is the visitor's. */
export type HostAccount = {
  isConnected: boolean
  address: string | undefined
  caipAddress: string | undefined
  status: 'connected' | 'connecting' | 'disconnected'
  allAccounts: ListedAccount[]
  /** Wallets' own names for accounts, by address; those without one are left out. */
  addressLabels: Readonly<Record<string, string>>
  /** Always undefined: the modal embeds no wallet. */
  embeddedWalletInfo: undefined
}

/**
 * The network that the page's RPC serves; `caipNetworkId` is `namespace:reference`. `supported`: the connected wallet may use it,
 * and the RPC serves what it should.
 */
export type HostNetwork = { caipNetworkId: string; name: string; test: boolean; supported: boolean }

/**
 * The connected wallet. `walletId` is its id in the list of wallets, or an installed wallet's key; `icon` the data address of an
 * installed wallet's own picture, absent while the wallet is not here or has none that can be shown.
 */
export type WalletInfo = { name: string; connector: 'installed' | 'walletConnect'; walletId: string; icon?: string }

/** The modal, the account and the network. */
export type ModalState = {
  open: boolean
  /** the screen on show; absent while closed */
  view: ScreenName | undefined
  account: HostAccount
  /** absent until the RPC has answered */
  network: HostNetwork | undefined
  /** lamports of the account as decimal text; absent until it is read, and without a wallet */
  balance: string | undefined
  themeMode: ThemeMode
}

/** End of an opening. `code` is the failure's, such as `user_rejected` or `expired`. */
export type OpenOutcome =
  | { outcome: 'connected'; account: HostAccount }
  | { outcome: 'dismissed' }
  | { outcome: 'failed'; code: string }

/** Events by name, with what their listeners get. */
export type HostEvents = {
  /** a wallet is connected, or its account changed */
  connected: HostAccount
  /** no wallet is connected */
  disconnected: HostAccount
  /** the network is known or another one */
  network: HostNetwork | undefined
  /** another screen is on show */
  view: { view: ScreenName }
  closed: undefined
  /** an attempt to connect failed */
  failed: { code: string }
}

/**
 * A button in the host's page. `connect` leads to the wallets, `account` to the account and is absent without a wallet, `network`
 * to the networks; `wallet` is `connect` or `account`, by connection.
 */
export type HostButton = {
  /** default `wallet` */
  kind?: 'wallet' | 'connect' | 'account' | 'network'
  /** SOL beside the account's address; default true */
  showBalance?: boolean
}

/** The modal as its host controls it. */
export type HostModal = {
  /**
   * Opens the modal on a view; by default Account when a wallet is connected, else Connect, or with `basic` the code. A view of
   * the account opens Connect while no wallet is connected.
   *
   * @returns resolves at a new connection with `connected`, else when the modal closes: `failed` if the last attempt or the
   *   modal's start failed, else `dismissed`
   * @throws Fault `bad_input` for a view that does not exist or data that is not its own, `unsupported` after `destroy`
   */
  open(request?: OpeningRequest): Promise<OpenOutcome>
  close(): void
  /** Calls the listener on each change of the state. @returns a function that unsubscribes */
  subscribe(listener: (state: ModalState) => void): () => void
  /** Subscribes to an event. @returns a function that unsubscribes */
  on<E extends keyof HostEvents>(event: E, listener: (news: HostEvents[E]) => void): () => void
  getState(): ModalState
  getAccount(): HostAccount
  /** @returns the connected wallet; undefined without one */
  getWalletInfo(): WalletInfo | undefined
  /** Changes the theme at once. @throws Fault `bad_input` for another word */
  setThemeMode(mode: ThemeMode): void
  /** Changes the named variables at once, the others keep their values. @throws Fault `bad_input` for an invalid one */
  setThemeVariables(variables: ThemeVariables): void
  /**
   * Ends the connection; resolves once it is over, at once when there is none.
   * @throws Fault `timeout` when it is not over after 10 s
   */
  disconnect(): Promise<void>
  /**
   * Changes to another of the networks in `networks`, by its CAIP-2 id; resolves once it is active.
   * @throws Fault `unsupported` without networks to choose from, or when the wallet cannot go along; `bad_input` for a network
   *   that is none of them; `busy` while money is on its way; `timeout` after 30 s
   */
  switchNetwork(caip2: string): Promise<void>
  /**
   * Has the connected wallet sign a message: text, as UTF-8, or bytes. Resolves with the signature, 64 bytes.
   * @throws Fault `bad_input` for another message, `unauthorized` without a connected wallet, `user_rejected`, `unsupported`,
   *   `account_changed`, `bad_response`, … as the wallet ends it
   */
  signMessage(message: string | Uint8Array): Promise<Uint8Array>
  /**
   * Has the connected wallet sign a serialised transaction, legacy or version 0, and does not send it. A wallet may change it,
   * for instance add a priority fee: compare before sending. Resolves with the signed transaction.
   * @throws Fault `bad_input` for anything but a transaction that the account signs; `unsupported` when the wallet cannot sign
   *   without sending, or not on this network; and as `signMessage`
   */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>
  /** As `signTransaction`, for 1 to 100, which wallets that can show at once; resolves with all of them, in order. */
  signAllTransactions(transactions: readonly Uint8Array[]): Promise<Uint8Array[]>
  /**
   * Sign-In with Solana: has the connected wallet sign a statement that its account is the visitor's. Have a server give out the
   * nonce and verify the signature of `signedMessage`.
   * @throws Fault `bad_input` for other fields; `account_changed` when the wallet signs for another account; and as `signMessage`
   */
  signInWithSolana(input?: SolanaSignIn): Promise<SolanaSignedIn>
  /**
   * Turns features of the modal on or off; those that are not named stay.
   * @throws Fault `bad_input` for a feature that cannot change while the modal is in use, or a wrong value
   */
  updateFeatures(features: LiveFeatures): Promise<void>
  /**
   * Shows a button of the modal in an element of the page, whose content stands there until then. It follows the modal's theme,
   * language and connection.
   *
   * @example
   * const remove = await modal.showButton(document.querySelector('#wallet'), { kind: 'account', showBalance: false })
   * @returns a function that gives the element its content back, as `destroy` does
   * @throws Fault `bad_input` for another place or button, `busy` for an element that shows one, `unsupported` after `destroy`
   */
  showButton(place: HTMLElement, button?: HostButton): Promise<() => void>
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
  /**
   * Ends this modal; with the last one of the page its element, listeners and worker end. The log stays on this device. Later
   * calls that need the core throw Fault `unsupported`.
   */
  destroy(): void
}
