import { useEffect, useState } from 'react'
import type { ScreenOf } from '../../events/subjects/screen.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { listedOf } from './list/directory.ts'
import { tabFailure } from './walletConnect/tabFailure.ts'
import { outcomeOf } from './outcome.ts'
import { Pending } from './Pending.tsx'
import { Button } from '../kit/controls/Button.tsx'
import { WalletMark } from './WalletMark.tsx'

/** Time after which a wallet's silence is explained, ms. */
const quietMs = 10_000

/** Progress of a connection to an installed wallet; the press that opened this screen sent the request. */
export function ConnectingInstalled({ screen }: { screen: ScreenOf<'ConnectingInstalled'> }) {
  const { command, dispatch } = useSurroundings()
  const [asked, setAsked] = useState(0)
  const isQuiet = useQuiet(asked)
  const { wallet, walletKey } = screen
  const attempt = useModel(model => model.connection.attempt)
  const kept = useModel(tabFailure)
  const imageId = useModel(model => listedOf(model.listing, wallet)?.imageId)
  const mine = attempt.phase === 'failed' && attempt.connector === 'installed' && attempt.wallet.name === wallet.name
  const code = kept ?? (mine ? attempt.failure.code : undefined)
  const cancel = () => {
    command({ type: 'connection.abandon', data: {} })
    dispatch({ type: 'screen.back', data: {} })
  }
  return (
    <Pending
      mark={<WalletMark name={wallet.name} walletKey={walletKey} imageId={imageId} size="large" />}
      outcome={code && outcomeOf(code, 'installed', wallet.name)}
      title={`Continue in ${wallet.name}`}
      text={
        isQuiet
          ? `Nothing to see? Open ${wallet.name} from the browser’s toolbar; it may be locked.`
          : 'Approve the connection in the wallet.'
      }
      askAgain="Ask again"
      onAgain={() => {
        setAsked(asked + 1)
        command({ type: 'connection.connectInstalled', data: { walletKey, wallet } })
      }}
    >
      {isQuiet && !code && (
        <Button wide className="layout-above" onClick={cancel}>
          Cancel
        </Button>
      )}
    </Pending>
  )
}

/** @returns whether `quietMs` have passed since request number `asked` */
function useQuiet(asked: number): boolean {
  const [quiet, setQuiet] = useState(-1)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(asked), quietMs)
    return () => clearTimeout(timer)
  }, [asked])
  return quiet === asked
}
