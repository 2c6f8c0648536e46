import type { ScreenOf } from '../../events/subjects/screen.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { listedOf } from './list/directory.ts'
import { tabFailure } from './walletConnect/tabFailure.ts'
import { outcomeOf } from './outcome.ts'
import { Pending } from './Pending.tsx'
import { WalletMark } from './WalletMark.tsx'

/** Progress of a connection to an installed wallet; the press that opened this screen sent the request. */
export function ConnectingInstalled({ screen }: { screen: ScreenOf<'ConnectingInstalled'> }) {
  const { command } = useSurroundings()
  const { wallet, walletKey } = screen
  const attempt = useModel(model => model.connection.attempt)
  const kept = useModel(tabFailure)
  const imageId = useModel(model => listedOf(model.listing, wallet)?.imageId)
  const mine = attempt.phase === 'failed' && attempt.connector === 'installed' && attempt.wallet.name === wallet.name
  const code = kept ?? (mine ? attempt.failure.code : undefined)
  return (
    <Pending
      mark={<WalletMark name={wallet.name} walletKey={walletKey} imageId={imageId} size="large" />}
      outcome={code && outcomeOf(code, 'installed', wallet.name)}
      title={`Continue in ${wallet.name}`}
      text="Approve the connection in the wallet."
      askAgain="Ask again"
      onAgain={() => command({ type: 'connection.connectInstalled', data: { walletKey, wallet } })}
    />
  )
}
