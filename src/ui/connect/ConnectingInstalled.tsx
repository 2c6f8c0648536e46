import { useState } from 'react'
import { askMs } from '../../events/subjects/wallet/connection.ts'
import type { ScreenOf } from '../../events/subjects/page/screen.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { listedOf } from './list/directory.ts'
import { tabFailure } from './walletConnect/tabFailure.ts'
import { outcomeOf } from './outcome.ts'
import { Pending } from './Pending.tsx'
import { Button } from '../kit/controls/Button.tsx'
import { WalletMark } from './WalletMark.tsx'
import { Renewal } from '../notices/Renewal.tsx'
import { connectArea } from '../texts/connect/en.ts'
import { useTexts } from '../texts/language.tsx'
import { useQuiet } from '../useQuiet.ts'
import { basics } from '../texts/basics/en.ts'

/** Progress of a connection to an installed wallet; the press that opened this screen sent the request. */
export function ConnectingInstalled({ screen }: { screen: ScreenOf<'ConnectingInstalled'> }) {
  const { command, dispatch } = useSurroundings()
  const t = useTexts(connectArea)
  const { cancel: cancelLabel, timeLeft } = useTexts(basics)
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
      outcome={code && outcomeOf(t, code, 'installed', wallet.name)}
      title={t.continueIn(wallet.name)}
      text={isQuiet ? t.quiet(wallet.name) : t.approve}
      askAgain={t.askAgain}
      onAgain={() => {
        setAsked(asked + 1)
        command({ type: 'connection.connectInstalled', data: { walletKey, wallet } })
      }}
    >
      {isQuiet && !code && (
        <>
          <Button wide className="layout-above" onClick={cancel}>
            {cancelLabel}
          </Button>
          {attempt.phase === 'asking' && (
            <p className="text-fine">
              <Renewal at={attempt.since + askMs} words={timeLeft} />
            </p>
          )}
        </>
      )}
    </Pending>
  )
}
