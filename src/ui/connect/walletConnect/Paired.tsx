import type { ReactNode } from 'react'
import type { WalletRef } from '../../../events/schema/fields.ts'
import { Icon } from '../../kit/icons/Icon.tsx'
import { bridge } from '../../kit/icons/iconsOfModal.ts'
import { Logo } from '../../kit/identity/Logo.tsx'
import { useModel } from '../../react.tsx'
import { listedOf, plainWalletConnect } from '../list/directory.ts'
import { outcomeOf } from '../outcome.ts'
import { Pending } from '../Pending.tsx'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { WalletMark } from '../WalletMark.tsx'
import { Code } from './Code.tsx'
import { tabFailure } from './tabFailure.ts'
import { usePairing } from './usePairing.ts'

/** A code that is on its way, here or gone. */
type Handed = Pick<ReturnType<typeof usePairing>, 'pairing' | 'uri'> & { onAgain: () => void }

interface PairedProps {
  /** The chosen wallet; absent for any. */
  chosen?: WalletRef
  /** Above the code. */
  tabs?: ReactNode
  /** Takes the place of the code to scan. */
  byLink?: (handed: Handed) => ReactNode
  /** Below all states: where to get the wallet. */
  get?: ReactNode
}

/** The code or a link with it, then the wallet's answer or the failure. */
export function Paired({ chosen, tabs, byLink, get }: PairedProps) {
  const t = useTexts(connectArea)
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
        {get}
      </Pending>
    )
  }
  const handed = { pairing, uri, onAgain: ask }
  return (
    <>
      {tabs}
      {byLink ? byLink(handed) : <Code name={chosen?.name} listed={listed} {...handed} />}
      {get}
    </>
  )
}
