/** The page's modal: page facts, written at the press. */
import { type WalletRef, walletRef } from '../schema/fields.ts'
import { choice, define, flag, id, integer, list, open, optional, shape, type UnionOf, v1 } from '../schema/registry.ts'

/** Names of the screens. */
export const screenNames = [
  'Connect',
  'AllWallets',
  'ConnectingInstalled',
  'WalletConnect',
  'Account',
  'WhatIsAWallet',
  'GetWallet',
] as const
export type ScreenName = (typeof screenNames)[number]
export type Screen = { name: ScreenName; wallet?: WalletRef; walletKey?: string }

const screenField = { name: open(choice(screenNames)), wallet: optional(walletRef), walletKey: optional(open(id)) }

export const screenFacts = define({
  /** The modal opened on a screen, with a new history. */
  'screen.opened': v1(screenField),
  'screen.shown': v1(screenField),
  'screen.back': v1({}),
  'screen.closed': v1({}),
})
export type ScreenFact = UnionOf<typeof screenFacts>

/** `direction` is the way the view slid in. The last entry of `history` is on show. */
export type ScreenView = { open: boolean; history: Screen[]; direction: 'next' | 'previous'; shakes: number }
/** The same as fields, for a restated page. */
export const shownScreens = {
  open: open(flag),
  history: list(shape(screenField)),
  direction: open(choice(['next', 'previous'])),
  /** Always 0. */
  shakes: open(integer),
}
export const emptyScreen: ScreenView = { open: false, history: [], direction: 'next', shakes: 0 }

export function foldScreen(model: { screen: ScreenView }, fact: ScreenFact): void {
  const view = model.screen
  switch (fact.type) {
    case 'screen.opened':
      model.screen = { open: true, history: [fact.data], direction: 'next', shakes: 0 }
      return
    case 'screen.shown': {
      if (!view.open) return
      const current = view.history[view.history.length - 1]
      if (
        current &&
        current.name === fact.data.name &&
        current.walletKey === fact.data.walletKey &&
        current.wallet?.walletId === fact.data.wallet?.walletId
      )
        return
      view.history.push(fact.data)
      view.direction = 'next'
      return
    }
    case 'screen.back':
      if (view.history.length > 1) {
        view.history.pop()
        view.direction = 'previous'
      } else if (view.open) model.screen = { ...emptyScreen, history: [] }
      return
    case 'screen.closed':
      if (view.open) model.screen = { ...emptyScreen, history: [] }
  }
}

/** @returns the screen on show, or undefined while the modal is closed */
export function shownScreen(model: { screen: ScreenView }): Screen | undefined {
  return model.screen.open ? model.screen.history[model.screen.history.length - 1] : undefined
}
