import type { ReactNode } from 'react'
import type { Screen } from '../../events/subjects/page/screen.ts'
import { networks } from '../../events/values/networks.ts'
import type { UiConfig } from '../react.tsx'
import type { BasicsTexts } from '../texts/basics/en.ts'
import type { ModalTexts } from '../texts/modal/en.ts'
import { loadNetworks, NetworkChip } from '../account/networks/NetworkChip.tsx'
import { AllWallets } from '../connect/list/AllWallets.tsx'
import { Connect, ConnectWallets } from '../connect/Connect.tsx'
import { ConnectingInstalled } from '../connect/ConnectingInstalled.tsx'
import { HelpButton } from '../connect/HelpButton.tsx'
import { loadWays, WalletConnect } from '../connect/walletConnect/WalletConnect.tsx'
import { WhatIsAWallet } from '../connect/WhatIsAWallet.tsx'
import { OnceAgreed } from './OnceAgreed.tsx'
import { lazyScreen } from '../lazyScreen.tsx'

const SendScreen = lazyScreen(async () => (await import('../account/send/SendScreen.tsx')).SendScreen)
const loadReceive = () => import('../account/receive/Receive.tsx')

/** Content and layout of one screen in the sheet. */
type Layout = {
  /** The header's text; if empty, the left slot takes its place and `name` is the accessible name. */
  title: string
  name?: string
  /** Padding of 20 px, for forms; default 12, for lists. */
  pad?: boolean
  body: ReactNode
  /** Left slot of the header when there is no back button. */
  left?: ReactNode
  /** An installed wallet is asked: its window may be part of the page, and goes above the sheet. */
  below?: true
  /** Under the content: the consent line with the recording, or the recording alone. */
  foot?: 'consent' | 'recording'
}

const loadAccount = () => import('../account/accountScreens.ts')

const Account = lazyScreen(async () => (await loadAccount()).Account)
const ProfileWallets = lazyScreen(async () => (await loadAccount()).ProfileWallets)
const Transactions = lazyScreen(async () => (await loadAccount()).Transactions)

/** Loads the account's screens ahead of the press. */
export const accountAhead = () => Promise.all([Account, ProfileWallets, Transactions].map(({ ahead }) => ahead()))

const WalletReceive = lazyScreen(async () => (await loadReceive()).WalletReceive)
const WalletCompatibleNetworks = lazyScreen(async () => (await loadReceive()).WalletCompatibleNetworks)
const NetworkList = lazyScreen(async () => (await loadNetworks()).NetworkList)
const SwitchNetwork = lazyScreen(async () => (await loadNetworks()).SwitchNetwork)
const UnsupportedChain = lazyScreen(async () => (await loadNetworks()).UnsupportedChain)
const WhatIsANetwork = lazyScreen(async () => (await loadNetworks()).WhatIsANetwork)
const GetWallet = lazyScreen(async () => (await loadWays()).GetWallet)
const Downloads = lazyScreen(async () => (await loadWays()).Downloads)

const Basic = lazyScreen(async () => (await import('../connect/Basic.tsx')).Basic)

/** Behind the box to tick, where the host has one. */
const agreed = (body: ReactNode) => <OnceAgreed>{body}</OnceAgreed>

/**
 * Every screen, by its name.
 *
 * @param own the host's own networks
 */
export function layoutOf(
  screen: Screen,
  t: ModalTexts & Pick<BasicsTexts, 'connectWallet'>,
  own: UiConfig['networks'],
): Layout {
  switch (screen.name) {
    case 'Connect':
      return { title: t.connectWallet, body: agreed(<Connect />), left: <HelpButton />, foot: 'consent' }
    case 'ConnectWallets':
      return { title: t.connectWallet, body: agreed(<ConnectWallets />), foot: 'consent' }
    case 'ConnectingWalletConnectBasic':
      return { title: 'WalletConnect', pad: true, body: agreed(<Basic />), left: <HelpButton />, foot: 'consent' }
    case 'AllWallets':
      return { title: t.allWallets, body: agreed(<AllWallets />) }
    case 'ConnectingInstalled':
      return { title: screen.wallet.name, pad: true, below: true, body: <ConnectingInstalled screen={screen} /> }
    case 'WalletConnect':
      return {
        title: screen.wallet?.name ?? 'WalletConnect',
        pad: true,
        body: agreed(<WalletConnect screen={screen} />),
      }
    case 'Account':
      return { title: '', name: t.account, body: <Account />, left: <NetworkChip />, foot: 'recording' }
    case 'ProfileWallets':
      return { title: t.wallets, body: <ProfileWallets /> }
    case 'Transactions':
      return { title: t.activity, body: <Transactions /> }
    case 'WalletReceive':
      return { title: t.receive, pad: true, body: <WalletReceive /> }
    case 'WalletCompatibleNetworks':
      return { title: t.compatibleNetworks, pad: true, body: <WalletCompatibleNetworks /> }
    case 'WalletSend':
    case 'WalletSendPreview':
    case 'WalletSendConfirmed':
      return {
        title: screen.name === 'WalletSendPreview' ? t.reviewSend : t.send,
        pad: true,
        ...(screen.name === 'WalletSendConfirmed' && { below: true }),
        body: <SendScreen name={screen.name} />,
      }
    case 'WalletSendSelectToken':
      return { title: t.selectToken, body: <SendScreen name={screen.name} /> }
    case 'WhatIsAWallet':
      return { title: t.whatIsAWallet, pad: true, body: <WhatIsAWallet /> }
    case 'GetWallet':
      return { title: t.getAWallet, body: <GetWallet /> }
    case 'Downloads':
      return { title: screen.wallet.name, body: <Downloads wallet={screen.wallet} /> }
    case 'Networks':
      return { title: t.chooseNetwork, body: <NetworkList /> }
    case 'SwitchNetwork':
      return {
        title: titleOf(screen.caip2, own) ?? t.switchNetwork,
        pad: true,
        body: <SwitchNetwork screen={screen} />,
      }
    case 'UnsupportedChain':
      return { title: t.switchNetwork, body: <UnsupportedChain /> }
    case 'WhatIsANetwork':
      return { title: t.whatIsANetwork, pad: true, body: <WhatIsANetwork /> }
  }
}

function titleOf(caip2: string, own: UiConfig['networks'] = []): string | undefined {
  return [...networks, ...own].find(network => network.caip2 === caip2)?.name
}
