/** The page's modal: page facts, written at the press. */
import { type WalletRef, walletRef } from '../schema/fields.ts'
import {
  choice,
  define,
  type Field,
  flag,
  id,
  integer,
  type Lift,
  lifted,
  list,
  openField,
  optional,
  type UnionOf,
  v1,
  variants,
} from '../../runtime/schema/registry.ts'

/** A screen of the modal, with the wallet that it is about. */
export type Screen =
  | { name: 'Connect' | 'AllWallets' | 'Account' | 'WhatIsAWallet' | 'GetWallet' }
  | { name: 'WalletReceive' | 'WalletCompatibleNetworks' }
  /** An installed wallet was asked to connect. */
  | { name: 'ConnectingInstalled'; wallet: WalletRef; walletKey: string }
  /** A code for this wallet; without one, for any. */
  | { name: 'WalletConnect'; wallet?: WalletRef }
export type ScreenName = Screen['name']
export type ScreenOf<N extends ScreenName> = Extract<Screen, { name: N }>

const screenField: Field<Screen, false> = /* @__PURE__ */ variants('name', {
  Connect: {},
  AllWallets: {},
  ConnectingInstalled: { wallet: walletRef, walletKey: openField(id) },
  WalletConnect: { wallet: optional(walletRef) },
  Account: {},
  WalletReceive: {},
  WalletCompatibleNetworks: {},
  WhatIsAWallet: {},
  GetWallet: {},
})

/** Older builds wrote the fields of any screen beside the name. */
function screenBefore({ name, wallet, walletKey }: Record<string, any>): Screen {
  if (name === 'ConnectingInstalled') return wallet && walletKey ? { name, wallet, walletKey } : { name: 'Connect' }
  return name === 'WalletConnect' && wallet ? { name, wallet } : { name }
}

/** Version 3 knows screens that version 2 did not; those of version 2 stay as they are. */
export const moreScreens: Lift = data => data

export const screenFacts = define({
  /** The modal opened on a screen, with a new history. */
  'screen.opened': lifted({ screen: screenField }, data => ({ screen: screenBefore(data) }), moreScreens),
  'screen.shown': lifted({ screen: screenField }, data => ({ screen: screenBefore(data) }), moreScreens),
  'screen.back': v1({}),
  'screen.closed': v1({}),
})
export type ScreenFact = UnionOf<typeof screenFacts>

/** `direction` is the way the view slid in. The last entry of `history` is on show. */
export type ScreenView = { open: boolean; history: Screen[]; direction: 'next' | 'previous'; shakes: number }
/** The same as fields, for a restated page. */
export const shownScreens = {
  open: openField(flag),
  history: list(screenField),
  direction: openField(choice(['next', 'previous'])),
  /** Always 0. */
  shakes: openField(integer),
}
/** Lifts the screens of a page restated by an older build. */
export function screensBefore({ history, ...rest }: Record<string, any>): Record<string, unknown> {
  return { ...rest, history: history.map(screenBefore) }
}

export function foldScreen(model: { screen: ScreenView }, fact: ScreenFact): void {
  const view = model.screen
  switch (fact.type) {
    case 'screen.opened':
      model.screen = { open: true, history: [fact.data.screen], direction: 'next', shakes: 0 }
      return
    case 'screen.shown': {
      if (!view.open) return
      const current = view.history[view.history.length - 1]
      if (current && screenKey(current) === screenKey(fact.data.screen)) return
      view.history.push(fact.data.screen)
      view.direction = 'next'
      return
    }
    case 'screen.back':
      if (view.history.length > 1) {
        view.history.pop()
        view.direction = 'previous'
      } else if (view.open) model.screen = closedScreen()
      return
    case 'screen.closed':
      if (view.open) model.screen = closedScreen()
  }
}

/** @returns the state without a modal */
export function closedScreen(): ScreenView {
  return { open: false, history: [], direction: 'next', shakes: 0 }
}

/** @returns the screen on show, or undefined while the modal is closed */
export function shownScreen(model: { screen: ScreenView }): Screen | undefined {
  return model.screen.open ? model.screen.history[model.screen.history.length - 1] : undefined
}

/** @returns text that tells two screens apart: with another wallet it is another screen */
export function screenKey(screen: Screen): string {
  switch (screen.name) {
    case 'ConnectingInstalled':
      return `${screen.name} ${screen.walletKey} ${screen.wallet.walletId}`
    case 'WalletConnect':
      return `${screen.name} ${screen.wallet?.walletId ?? ''}`
    default:
      return screen.name
  }
}
