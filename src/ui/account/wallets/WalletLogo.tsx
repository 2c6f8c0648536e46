import type { Connection } from '../../../events/subjects/wallet/connection.ts'
import { walletName } from '../../../events/subjects/wallet/connection.ts'
import { Logo } from '../../kit/identity/Logo.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import { installedOf, useListedPicture } from '../../walletPicture.ts'

/**
 * A connected wallet's logo: its own icon, if it is here under its name and with the recorded picture; over WalletConnect the
 * directory's.
 */
export function WalletLogo({ connection }: { connection: Connection }) {
  const { walletIcon } = useSurroundings()
  const here = useModel(({ installed }) => installedOf(installed, connection))
  const listed = useListedPicture(connection)
  return <Logo name={walletName(connection)} src={here ? walletIcon(here.walletKey) : listed} />
}
