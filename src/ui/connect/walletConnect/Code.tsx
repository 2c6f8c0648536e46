import { useEffect } from 'react'
import type { ListedWallet } from '../../../events/subjects/service/listingFacts.ts'
import type { Pairing } from '../../../events/subjects/session/pairing.ts'
import { classes } from '../../kit/classes.ts'
import { bridge } from '../../kit/icons/iconsOfModal.ts'
import { loadEncoder, Qr } from '../../kit/figures/Qr.tsx'
import { useModel } from '../../react.tsx'
import { RelayNote, Trouble } from '../../notices/RelayNote.tsx'
import { Renewal } from '../../notices/Renewal.tsx'
import { CopyLink } from './CopyLink.tsx'
import { useWalletPicture } from '../../walletPicture.ts'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'

interface CodeProps {
  /** The chosen wallet's name; absent for any wallet. */
  name: string | undefined
  listed: ListedWallet | undefined
  pairing: Pairing | undefined
  uri: string | undefined
  onAgain: () => void
}

/** The code to scan, its time left, and the other ways to hand it over. */
export function Code({ name, listed, pairing, uri, onAgain }: CodeProps) {
  const t = useTexts(connectArea)
  // While the relay is reached and the code is made
  useEffect(() => void loadEncoder().catch(() => undefined), [])
  const isRefused = useModel(({ relay, network }) => relay.phase === 'refused' && network.online)
  const picture = useWalletPicture(undefined, listed?.imageId)
  if (uri === 'gone')
    return (
      <>
        <Trouble words={{ text: t.codeGone, again: true }} onAgain={onAgain} />
        <CopyLink uri={undefined} />
      </>
    )
  return (
    <>
      {uri !== undefined && pairing ? (
        <div className={classes('qr-box', isRefused && 'is-useless')} inert={isRefused} key={pairing.pairingTopic}>
          <Qr
            text={uri}
            label={name === undefined ? t.codeForAny : t.codeFor(name)}
            mark={picture === undefined ? { path: bridge } : { src: picture }}
          />
        </div>
      ) : (
        <div className="qr-wait">
          <span className="skeleton" aria-hidden="true" />
        </div>
      )}
      <div className="qr-line">
        <span>{isRefused ? t.codeUseless : name === undefined ? t.scanWithPhone : t.scanWith(name)}</span>
        {uri !== undefined && pairing && !isRefused && <Renewal at={pairing.renewAt} />}
      </div>
      <RelayNote hasCode={uri !== undefined} onAgain={onAgain} />
      <CopyLink uri={isRefused ? undefined : uri} />
    </>
  )
}
