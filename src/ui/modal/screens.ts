import type { ComponentType } from 'react'
import type { Screen, ScreenName } from '../../events/subjects/screen.ts'
import { Account } from '../account/Account.tsx'
import { NetworkChip } from '../account/NetworkChip.tsx'
import { AllWallets } from '../connect/list/AllWallets.tsx'
import { Connect } from '../connect/Connect.tsx'
import { ConnectingInstalled } from '../connect/ConnectingInstalled.tsx'
import { GetWallet } from '../connect/GetWallet.tsx'
import { HelpButton } from '../connect/HelpButton.tsx'
import { WalletConnect } from '../connect/walletConnect/WalletConnect.tsx'
import { WhatIsAWallet } from '../connect/WhatIsAWallet.tsx'

/** Layout of one screen in the sheet. */
type ScreenEntry = {
  /** The header's text; if empty, the left slot takes its place and `name` is the accessible name. */
  title: (screen: Screen) => string
  name?: string
  /** Padding of 20 px, for forms; default 12, for lists. */
  pad?: boolean
  Body: ComponentType<{ screen: Screen }>
  /** Left slot of the header when there is no back button. */
  Left?: ComponentType
  /** Under the content: the consent line with the recording, or the recording alone. */
  foot?: 'consent' | 'recording'
}

/** Every screen and its component. */
export const screens: Record<ScreenName, ScreenEntry> = {
  Connect: { title: () => 'Connect wallet', Body: Connect, Left: HelpButton, foot: 'consent' },
  AllWallets: { title: () => 'All wallets', Body: AllWallets },
  ConnectingInstalled: { title: screen => screen.wallet?.name ?? 'Wallet', pad: true, Body: ConnectingInstalled },
  WalletConnect: { title: screen => screen.wallet?.name ?? 'WalletConnect', pad: true, Body: WalletConnect },
  Account: { title: () => '', name: 'Account', Body: Account, Left: NetworkChip, foot: 'recording' },
  WhatIsAWallet: { title: () => 'What is a wallet?', pad: true, Body: WhatIsAWallet },
  GetWallet: { title: () => 'Get a wallet', Body: GetWallet },
}
