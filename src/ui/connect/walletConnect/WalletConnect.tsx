import type { ScreenOf } from '../../../events/subjects/screen.ts'
import { Icon } from '../../kit/icons/Icon.tsx'
import { bridge } from '../../kit/icons/iconsOfModal.ts'
import { Logo } from '../../kit/identity/Logo.tsx'
import { useModel } from '../../react.tsx'
import { Code } from './Code.tsx'
import { listedOf, plainWalletConnect } from '../list/directory.ts'
import { GetLine } from './GetLine.tsx'
import { tabFailure } from './tabFailure.ts'
import { outcomeOf } from '../outcome.ts'
import { usePairing } from './usePairing.ts'
import { Pending } from '../Pending.tsx'
import { WalletMark } from '../WalletMark.tsx'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'

/** Connects by a code: the code, then the wallet's answer or the failure. */
export function WalletConnect({ screen }: { screen: ScreenOf<'WalletConnect'> }) {
  const t = useTexts(connectArea)
  // a wallet first connected by the plain code uses it again
  const chosen = screen.wallet?.walletId === plainWalletConnect.walletId ? undefined : screen.wallet
  const wallet = chosen ?? plainWalletConnect
  const listed = useModel(model => chosen && listedOf(model.listing, chosen))
  const { attempt, pairing, uri, ask } = usePairing(wallet)
  const kept = useModel(tabFailure)
  const code = kept ?? (attempt?.phase === 'failed' ? attempt.failure.code : undefined)
  const answered = pairing?.phase === 'responded' || pairing?.phase === 'answered'
  if (code || answered) {
    const mark = chosen ? (
      <WalletMark name={wallet.name} imageId={listed?.imageId} size="large" />
    ) : (
      <Logo name="WalletConnect" tint={4} size="large">
        <Icon path={bridge} />
      </Logo>
    )
    return (
      <Pending
        mark={mark}
        outcome={code && outcomeOf(t, code, 'walletConnect', wallet.name)}
        title={chosen ? t.answered(wallet.name) : t.someAnswered}
        text={t.settingUp}
        onAgain={ask}
      >
        <GetLine name={wallet.name} listed={listed} />
      </Pending>
    )
  }
  return (
    <>
      <Code key={wallet.walletId} name={chosen?.name} listed={listed} pairing={pairing} uri={uri} onAgain={ask} />
      <GetLine name={wallet.name} listed={listed} />
    </>
  )
}
