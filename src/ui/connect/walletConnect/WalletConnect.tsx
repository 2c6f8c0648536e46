import type { ScreenOf } from '../../../events/subjects/page/screen.ts'
import { lazyScreen } from '../../lazyScreen.tsx'
import { plainWalletConnect } from '../list/directory.ts'
import { Paired } from './Paired.tsx'

/** The other ways than the code, in a file of their own. */
export const loadWays = async () => (await import('./wayParts.ts')).wayParts
const Ways = lazyScreen(async () => (await loadWays()).Ways, { waiting: <div className="qr-wait" /> })

/** Connects over WalletConnect: any wallet by a code, a chosen one by each way that leads to it. */
export function WalletConnect({ screen }: { screen: ScreenOf<'WalletConnect'> }) {
  // a wallet first connected by the plain code uses it again
  const chosen = screen.wallet?.walletId === plainWalletConnect.walletId ? undefined : screen.wallet
  if (!chosen) return <Paired />
  return <Ways key={chosen.walletId} wallet={chosen} />
}
