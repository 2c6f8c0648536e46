/** The page's modal: page facts, written at the press. */
import { walletRef } from '../../schema/fields.ts'
import {
  choice,
  type DataOf,
  define,
  flag,
  hexDigits,
  id,
  integer,
  type Lift,
  lifted,
  list,
  measure,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
  variants,
} from '../../../runtime/schema/registry.ts'
import { instant, typedAmount } from '../../schema/scales.ts'

/** A screen of the modal, with the wallet that it is about. */
const screenField = /* @__PURE__ */ variants('name', {
  Connect: {},
  AllWallets: {},
  /** An installed wallet was asked to connect. */
  ConnectingInstalled: { wallet: walletRef, walletKey: openField(id) },
  /** A code for this wallet; without one, for any. */
  WalletConnect: { wallet: optional(walletRef) },
  Account: {},
  WalletReceive: {},
  WalletCompatibleNetworks: {},
  WalletSend: {},
  WalletSendSelectToken: {},
  WalletSendPreview: {},
  WalletSendConfirmed: {},
  ProfileWallets: {},
  Transactions: {},
  WhatIsAWallet: {},
  GetWallet: {},
  /** The list of wallets alone. */
  ConnectWallets: {},
  /** The first screen where only WalletConnect connects: its code, on a phone the list. */
  ConnectingWalletConnectBasic: {},
  Networks: {},
  /** The core was asked to go to this network (CAIP-2). */
  SwitchNetwork: { caip2: openField(text) },
  UnsupportedChain: {},
  WhatIsANetwork: {},
  /** Where to get this wallet. */
  Downloads: { wallet: walletRef },
})
export type Screen = StateOf<() => typeof screenField>
export type ScreenName = Screen['name']
export type ScreenOf<N extends ScreenName> = Extract<Screen, { name: N }>

/**
 * A transfer as a person writes it: SOL or a mint, empty before the choice; amount and recipient as typed. `orderKey` is the key
 * of the request made of it, until it is changed.
 */
const draftFields = {
  account: personal(text),
  /** when the account's connection was made: one made anew begins anew */
  madeAt: openField(instant),
  asset: openField(text),
  amount: measure(typedAmount),
  recipient: personal(text),
  orderKey: optional(personal(hexDigits(16))),
}

/** Older builds wrote the fields of any screen beside the name. */
function screenBefore({ name, wallet, walletKey }: Record<string, any>): Screen {
  if (name === 'ConnectingInstalled') return wallet && walletKey ? { name, wallet, walletKey } : { name: 'Connect' }
  return name === 'WalletConnect' && wallet ? { name, wallet } : { name }
}

/** Version 3 knows screens that version 2 did not; those of version 2 stay as they are. */
export const moreScreens: Lift = data => data

const accountTab = /* @__PURE__ */ choice(['tokens', 'activity'])

export const screenFacts = define({
  /** The modal opened on a screen, with a new history. */
  'screen.opened': lifted({ screen: screenField }, data => ({ screen: screenBefore(data) }), moreScreens),
  'screen.shown': lifted({ screen: screenField }, data => ({ screen: screenBefore(data) }), moreScreens),
  /** The screen on show gave its place in the history to another. */
  'screen.replaced': v1({ screen: screenField }),
  'screen.back': v1({}),
  'screen.closed': v1({}),
  /** The person asked to close a screen that has to be answered first; the modal shakes. */
  'screen.refused': v1({}),
  /** The person ticked the box that agrees to the host's documents, or took the tick away. */
  'screen.agreed': v1({ agreed: openField(flag) }),
  /** The transfer that is being written changed. It outlives its screens. */
  'screen.sendDrafted': v1(draftFields),
  /** A tab of the account was chosen. */
  'screen.tabChosen': v1({ tab: openField(accountTab) }),
})
export type ScreenFact = UnionOf<typeof screenFacts>

export type SendDraft = Extract<ScreenFact, { type: 'screen.sendDrafted' }>['data']

/**
 * `direction` is the way the view slid in. The last entry of `history` is on show. `shakes` counts refused closings since the
 * opening; `agreed` and `send` outlive it.
 */
export const shownScreens = {
  open: openField(flag),
  history: list(screenField),
  direction: openField(choice(['next', 'previous'])),
  shakes: openField(integer),
  agreed: optional(openField(flag)),
  send: optional(shape(draftFields)),
  tab: optional(openField(accountTab)),
}
export type ScreenView = DataOf<typeof shownScreens>

/** Lifts the screens of a page restated by an older build. */
export function screensBefore({ history, ...rest }: Record<string, any>): Record<string, unknown> {
  return { ...rest, history: history.map(screenBefore) }
}
