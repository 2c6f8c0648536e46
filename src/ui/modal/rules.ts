/**
 * Rules of the modal's screens.
 *
 * 1. A screen that stays is left by its own buttons only: asking to close it is refused.
 * 2. A screen of the account is left when the last connection ends, and opens without one as Connect.
 * 3. A way back uncovers Connect with a wallet connected only where the wallets led to it, for another one.
 */
import type { Model } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import type { Screen, ScreenName } from '../../events/subjects/page/screen.ts'
import { networkStanding } from '../../events/subjects/wallet/approvedNetworks.ts'
import type { UiConfig } from '../react.tsx'

type Rule = {
  /** Nothing to show without a connected wallet. */
  needsAccount?: true
  /** Cannot be closed; `behind`: only when reached from that screen. */
  stays?: { behind?: string }
  /** Stays at a new connection: each network has its own. */
  outlives?: true
}

/** Screens with a rule of their own; all others close when asked, and outlive a connection. */
const rules: Readonly<Record<string, Rule>> = {
  Account: { needsAccount: true },
  Transactions: { needsAccount: true },
  WalletReceive: { needsAccount: true },
  WalletCompatibleNetworks: { needsAccount: true },
  WalletSend: { needsAccount: true },
  WalletSendSelectToken: { needsAccount: true },
  WalletSendPreview: { needsAccount: true },
  WalletSendConfirmed: { needsAccount: true },
  UnsupportedChain: { needsAccount: true, stays: {} },
  SwitchNetwork: { stays: { behind: 'UnsupportedChain' }, outlives: true },
  Networks: { outlives: true },
  WhatIsANetwork: { outlives: true },
}
const ruleOf = (name: string): Rule => (Object.hasOwn(rules, name) ? (rules[name] ?? {}) : {})

/** @returns whether the screen has nothing to show without a connected wallet */
export function needsAccount(name: ScreenName): boolean {
  return ruleOf(name).needsAccount === true
}

/** @returns whether the screen stays when a connection is made */
export function outlivesConnections(name: ScreenName): boolean {
  return ruleOf(name).outlives === true
}

/** First screens of a visitor without a wallet. */
const ofStrangers: ReadonlySet<ScreenName> = new Set(['Connect', 'ConnectingWalletConnectBasic'])

/**
 * @param history the last entry is on show
 * @returns whether the way back leads to the account instead of the screen before, where there is an account. Behind the wallets
 *   the list stays: after one wallet declined, another one is chosen there
 */
export function givesWayToAccount(history: readonly { name: ScreenName }[]): boolean {
  const uncovered = history.at(-2)
  return uncovered !== undefined && ofStrangers.has(uncovered.name) && history.at(-3)?.name !== 'ProfileWallets'
}

/** @param history the last entry is on show @returns whether the modal cannot be closed now */
export function staysOpen(history: readonly { name: string }[]): boolean {
  const { stays } = ruleOf(history.at(-1)?.name ?? '')
  return stays !== undefined && (stays.behind === undefined || history.at(-2)?.name === stays.behind)
}

/**
 * @param wished the screen that was asked for; a screen of the account needs one, that of an unsupported network such a network
 * @param phone whether this device shows its wallets' links
 * @returns the screen that the modal opens on
 * @see reference "views", §2
 */
export function openingScreen(
  model: Pick<Model, 'connection' | 'network' | 'session'>,
  { host }: Pick<UiConfig, 'host'>,
  phone: boolean,
  wished?: Screen,
): Screen {
  const isConnected = activeConnection(model) !== undefined
  if (isConnected && wished?.name === 'UnsupportedChain' && networkStanding(model) !== 'unsupported')
    return { name: 'Networks' }
  if (wished && wished.name !== 'Connect' && (isConnected || !needsAccount(wished.name))) return wished
  if (isConnected) return wished ?? { name: 'Account' }
  if (host?.basic) return { name: phone ? 'AllWallets' : 'ConnectingWalletConnectBasic' }
  return { name: 'Connect' }
}
