import { lazy, Suspense } from 'react'
import type { ScreenOf } from '../../../events/subjects/screen.ts'
import { plainWalletConnect } from '../list/directory.ts'
import { Paired } from './Paired.tsx'

/** The other ways than the code, in a file of their own. */
export const loadWays = () => import('./Ways.tsx')
const Ways = lazy(async () => ({ default: (await loadWays()).Ways }))

/** Connects over WalletConnect: any wallet by a code, a chosen one by each way that leads to it. */
export function WalletConnect({ screen }: { screen: ScreenOf<'WalletConnect'> }) {
  // a wallet first connected by the plain code uses it again
  const chosen = screen.wallet?.walletId === plainWalletConnect.walletId ? undefined : screen.wallet
  if (!chosen) return <Paired />
  return (
    <Suspense fallback={<div className="qr-wait" />}>
      <Ways key={chosen.walletId} wallet={chosen} />
    </Suspense>
  )
}
