import type { ReactNode } from 'react'
import type { Screen } from '../../events/subjects/screen.ts'
import { Account } from '../account/Account.tsx'
import { NetworkChip } from '../account/NetworkChip.tsx'
import { AllWallets } from '../connect/list/AllWallets.tsx'
import { Connect } from '../connect/Connect.tsx'
import { ConnectingInstalled } from '../connect/ConnectingInstalled.tsx'
import { GetWallet } from '../connect/GetWallet.tsx'
import { HelpButton } from '../connect/HelpButton.tsx'
import { WalletConnect } from '../connect/walletConnect/WalletConnect.tsx'
import { WhatIsAWallet } from '../connect/WhatIsAWallet.tsx'
import { lazyScreen } from './lazyScreen.tsx'

const loadReceive = () => import('../account/Receive.tsx')

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

const WalletReceive = lazyScreen(async () => (await loadReceive()).WalletReceive)
const WalletCompatibleNetworks = lazyScreen(async () => (await loadReceive()).WalletCompatibleNetworks)

/** Every screen, by its name. */
export function layoutOf(screen: Screen): Layout {
  switch (screen.name) {
    case 'Connect':
      return { title: 'Connect wallet', body: <Connect />, left: <HelpButton />, foot: 'consent' }
    case 'AllWallets':
      return { title: 'All wallets', body: <AllWallets /> }
    case 'ConnectingInstalled':
      return { title: screen.wallet.name, pad: true, below: true, body: <ConnectingInstalled screen={screen} /> }
    case 'WalletConnect':
      return { title: screen.wallet?.name ?? 'WalletConnect', pad: true, body: <WalletConnect screen={screen} /> }
    case 'Account':
      return { title: '', name: 'Account', body: <Account />, left: <NetworkChip />, foot: 'recording' }
    case 'WalletReceive':
      return { title: 'Receive', pad: true, body: <WalletReceive /> }
    case 'WalletCompatibleNetworks':
      return { title: 'Compatible networks', pad: true, body: <WalletCompatibleNetworks /> }
    case 'WhatIsAWallet':
      return { title: 'What is a wallet?', pad: true, body: <WhatIsAWallet /> }
    case 'GetWallet':
      return { title: 'Get a wallet', body: <GetWallet /> }
  }
}
