/**
 * The catalogue of analytics events: names and properties as the analytics service knows them, each defined once. Types, the
 * sanitizer and the table in `docs/analytics.md` derive from it.
 *
 * 1. A value that is not in the catalogue never leaves the device.
 * 2. Amounts are decimal text of whole units, `12.5`; networks are CAIP-2 ids.
 * 3. `personal` properties are addresses, and leave as a mask.
 *
 * @see reference "HTTP APIs", §5.3 and §5.4
 */
import {
  choice,
  type DataOf,
  type Fields,
  flag,
  list,
  measure,
  openField,
  optional,
  personal,
  shape,
  text,
} from '../../runtime/schema/registry.ts'
import { type Schema, string, wholeNumber } from '../../runtime/schema/schema.ts'
import type { ScreenName } from '../subjects/page/screen.ts'

/** A CAIP-2 id, `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`. */
export const networkId: Schema<string> = /* @__PURE__ */ string({ grammar: /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/ })
/** An amount in whole units of its asset: at most 30 digits before the point and 30 after it. */
const decimalAmount: Schema<string> = /* @__PURE__ */ string({ grammar: /^(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,30})?$/ })
/** The public id that the services know the host by. */
const projectKey: Schema<string> = /* @__PURE__ */ string({ grammar: /^[0-9a-f]{32}$/ })

/** Part of the modal that an event comes from; `modal` is its frame, `core` the worker. */
type Place = ScreenName | 'modal' | 'core'
/** A feature whose screens are not built yet. */
type ComingFeature = 'email' | 'names' | 'onramp' | 'pay' | 'siwx' | 'smartAccount' | 'social' | 'swap'
type EventRow = { readonly fields: Fields } & (
  | { readonly at: Place }
  | { readonly at?: never; readonly reserved: ComingFeature }
)

const words = openField(text)
const message = { message: words }
const smart = { isSmartAccount: openField(flag) }
const onNetwork = { ...smart, network: openField(networkId) }
const amount = measure(decimalAmount)
const swap = { ...onNetwork, swapFromToken: words, swapToToken: words, swapFromAmount: amount, swapToAmount: amount }
const transactions = {
  ...smart,
  address: optional(personal(text)),
  projectId: openField(projectKey),
  cursor: optional(words),
}
const send = { ...onNetwork, token: words }
const social = { provider: openField(choice(['google', 'x', 'farcaster', 'discord', 'apple', 'github', 'facebook'])) }
const registered = { ...smart, ensName: words }

const configuration = shape({ network: openField(networkId), asset: words, amount, recipient: personal(text) })
const currentPayment = shape({
  type: openField(choice(['exchange', 'wallet'])),
  exchangeId: optional(words),
  sessionId: optional(words),
  status: optional(words),
  result: optional(words),
})
const pay = { paymentId: words, configuration, currentPayment }
const exchange = shape({ id: words })

const isOn = optional(openField(flag))
const features = shape({
  allWallets: isOn,
  analytics: isOn,
  collapseWallets: isOn,
  email: isOn,
  emailCapture: isOn,
  history: isOn,
  legalCheckbox: isOn,
  multiWallet: isOn,
  onramp: isOn,
  pay: isOn,
  receive: isOn,
  reownBranding: isOn,
  send: isOn,
  smartSessions: isOn,
  socials: isOn,
  swaps: isOn,
})
const siweConfig = shape({
  options: shape({
    enabled: isOn,
    signOutOnAccountChange: isOn,
    signOutOnDisconnect: isOn,
    signOutOnNetworkChange: isOn,
  }),
})
/** The host's options that leave; every other option stays on the device. */
const listedOptions = {
  networks: list(openField(networkId)),
  themeMode: optional(openField(choice(['light', 'dark', 'system']))),
  allWallets: optional(openField(choice(['SHOW', 'HIDE', 'ONLY_MOBILE']))),
  recording: optional(openField(choice(['SHOW', 'HIDE']))),
  features: optional(features),
  siweConfig: optional(siweConfig),
}

/** The host's options, as `INITIALIZE` tells them. */
export type AnalyticsOptions = DataOf<typeof listedOptions>

/** Every event by name: its properties, and the screen it comes from or the coming feature it is reserved for. */
export const eventCatalogue = {
  MODAL_CREATED: { at: 'modal', fields: {} },
  INITIALIZE: { at: 'core', fields: listedOptions },
  MODAL_OPEN: { at: 'modal', fields: { connected: openField(flag) } },
  MODAL_CLOSE: { at: 'modal', fields: { connected: openField(flag) } },
  CLICK_ALL_WALLETS: { at: 'Connect', fields: {} },
  CLICK_WALLET_HELP: { at: 'Connect', fields: {} },
  CLICK_GET_WALLET: { at: 'WhatIsAWallet', fields: {} },
  SELECT_WALLET: {
    at: 'Connect',
    fields: {
      name: words,
      platform: openField(choice(['mobile', 'desktop', 'browser', 'web', 'qrcode', 'unsupported'])),
      displayIndex: optional(openField(wholeNumber(0))),
    },
  },
  SEARCH_WALLET: { at: 'AllWallets', fields: { badge: words, search: words } },
  CONNECT_SUCCESS: {
    at: 'core',
    fields: { method: openField(choice(['qrcode', 'mobile', 'browser', 'email'])), name: words },
  },
  CONNECT_ERROR: { at: 'core', fields: message },
  // Without the pairing's `uri`, which holds its key
  CONNECT_PROXY_ERROR: { at: 'WalletConnect', fields: { ...message, mobile_link: words, name: words } },
  DISCONNECT_SUCCESS: { at: 'core', fields: { namespace: optional(words), all: optional(openField(flag)) } },
  // A connection is over at once, whatever its wallet answers: only one of the embedded wallet can fail to end
  DISCONNECT_ERROR: { reserved: 'email', fields: { message: optional(words) } },
  SIWX_AUTH_SUCCESS: { at: 'core', fields: onNetwork },
  SIWX_AUTH_ERROR: { at: 'core', fields: onNetwork },

  CLICK_SIGN_SIWX_MESSAGE: { reserved: 'siwx', fields: onNetwork },
  CLICK_CANCEL_SIWX: { reserved: 'siwx', fields: onNetwork },
  CLICK_NETWORKS: { at: 'Networks', fields: {} },
  CLICK_NETWORK_HELP: { at: 'Networks', fields: {} },
  SWITCH_NETWORK: { at: 'SwitchNetwork', fields: { network: openField(networkId) } },
  CLICK_TRANSACTIONS: { at: 'Account', fields: smart },
  ERROR_FETCH_TRANSACTIONS: { at: 'core', fields: transactions },
  LOAD_MORE_TRANSACTIONS: { at: 'Transactions', fields: transactions },
  OPEN_SEND: { at: 'Account', fields: onNetwork },
  SEND_INITIATED: { at: 'core', fields: send },
  SEND_SUCCESS: { at: 'core', fields: send },
  SEND_ERROR: { at: 'core', fields: { ...send, ...message } },
  CLICK_CONVERT: { reserved: 'swap', fields: {} },
  CLICK_SELECT_TOKEN_TO_SWAP: { reserved: 'swap', fields: {} },
  CLICK_SELECT_NETWORK_TO_SWAP: { reserved: 'swap', fields: {} },
  OPEN_SWAP: { reserved: 'swap', fields: onNetwork },
  INITIATE_SWAP: { reserved: 'swap', fields: swap },
  SWAP_SUCCESS: { reserved: 'swap', fields: swap },
  SWAP_ERROR: { reserved: 'swap', fields: { ...swap, ...message } },
  SWAP_APPROVAL_ERROR: { reserved: 'swap', fields: { ...swap, ...message } },
  SELECT_BUY_CRYPTO: { reserved: 'onramp', fields: smart },
  SELECT_WHAT_IS_A_BUY: { reserved: 'onramp', fields: smart },
  SELECT_BUY_PROVIDER: { reserved: 'onramp', fields: { ...smart, provider: openField(choice(['meld'])) } },
  SET_PREFERRED_ACCOUNT_TYPE: {
    reserved: 'smartAccount',
    fields: { accountType: words, network: openField(networkId) },
  },
  EMAIL_LOGIN_SELECTED: { reserved: 'email', fields: {} },
  EMAIL_SUBMITTED: { reserved: 'email', fields: {} },
  DEVICE_REGISTERED_FOR_EMAIL: { reserved: 'email', fields: {} },
  EMAIL_VERIFICATION_CODE_SENT: { reserved: 'email', fields: {} },
  EMAIL_VERIFICATION_CODE_PASS: { reserved: 'email', fields: {} },
  EMAIL_VERIFICATION_CODE_FAIL: { reserved: 'email', fields: message },
  EMAIL_EDIT: { reserved: 'email', fields: {} },
  EMAIL_UPGRADE_FROM_MODAL: { reserved: 'email', fields: {} },
  SOCIAL_LOGIN_STARTED: { reserved: 'social', fields: social },
  SOCIAL_LOGIN_SUCCESS: { reserved: 'social', fields: social },
  SOCIAL_LOGIN_ERROR: { reserved: 'social', fields: social },
  SOCIAL_LOGIN_REQUEST_USER_DATA: { reserved: 'social', fields: social },
  SOCIAL_LOGIN_CANCELED: { reserved: 'social', fields: social },
  OPEN_ENS_FLOW: { reserved: 'names', fields: smart },
  REGISTER_NAME_INITIATED: { reserved: 'names', fields: registered },
  REGISTER_NAME_SUCCESS: { reserved: 'names', fields: registered },
  REGISTER_NAME_ERROR: { reserved: 'names', fields: { ...registered, error: words } },
  PAY_INITIATED: { reserved: 'pay', fields: pay },
  PAY_SUCCESS: { reserved: 'pay', fields: pay },
  PAY_ERROR: { reserved: 'pay', fields: pay },
  PAY_MODAL_OPEN: { reserved: 'pay', fields: { exchanges: list(exchange), configuration } },
  PAY_EXCHANGE_SELECTED: {
    reserved: 'pay',
    fields: { exchange, configuration, currentPayment, headless: openField(flag) },
  },
} as const satisfies { readonly [name: string]: EventRow }

export type AnalyticsEventName = keyof typeof eventCatalogue

/** One event with its properties. */
export type AnalyticsEvent = {
  [N in AnalyticsEventName]: { event: N; properties: DataOf<(typeof eventCatalogue)[N]['fields']> }
}[AnalyticsEventName]

/** Properties of an error report, of every category. The log has no stack, so neither has a report. */
export const errorFields = {
  errorType: optional(words),
  errorMessage: optional(words),
}
