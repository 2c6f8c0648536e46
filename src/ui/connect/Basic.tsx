import { AllWalletsRow, ConnectWallets } from './Connect.tsx'
import { useTop } from './list/directory.ts'
import { isPhone } from '../isPhone.ts'
import { Paired } from './walletConnect/Paired.tsx'

/** Where WalletConnect alone connects: its code and the way to all wallets; on a phone, which cannot scan itself, the list. */
export function Basic() {
  useTop()
  if (isPhone()) return <ConnectWallets />
  return (
    <>
      <Paired />
      <div className="layout-rule" />
      <AllWalletsRow />
    </>
  )
}
