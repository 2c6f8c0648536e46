import { useEffect } from 'react'
import type { ListedWallet } from '../../../events/subjects/listing.ts'
import type { Pairing } from '../../../events/subjects/pairing.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { classes } from '../../kit/classes.ts'
import { Icon } from '../../kit/icons/Icon.tsx'
import { copyIcon } from '../../kit/icons/icons.ts'
import { bridge } from '../../kit/icons/iconsOfModal.ts'
import { loadEncoder, Qr } from '../../kit/figures/Qr.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import { useNotice } from '../../useNotice.ts'
import { isPhone } from '../isPhone.ts'
import { RelayNote, Trouble } from '../../RelayNote.tsx'
import { Renewal } from '../../Renewal.tsx'
import { walletLink } from './walletLink.ts'
import { useWalletPicture } from '../WalletMark.tsx'
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
export function Code({ name, listed, pairing, uri: read, onAgain }: CodeProps) {
  const uri = read === 'gone' ? undefined : read
  const t = useTexts(connectArea)
  // While the relay is reached and the code is made
  useEffect(() => void loadEncoder().catch(() => undefined), [])
  const { command } = useSurroundings()
  const isRefused = useModel(({ relay, network }) => relay.phase === 'refused' && network.online)
  const picture = useWalletPicture(undefined, listed?.imageId)
  const link = uri !== undefined && listed?.mobileLink !== undefined && isPhone() && walletLink(listed.mobileLink, uri)
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
        <div className="qr-wait">{read !== 'gone' && <span className="skeleton" aria-hidden="true" />}</div>
      )}
      <div className="qr-line">
        <span>{isRefused ? t.codeUseless : name === undefined ? t.scanWithPhone : t.scanWith(name)}</span>
        {uri !== undefined && pairing && !isRefused && <Renewal at={pairing.renewAt} />}
      </div>
      {read === 'gone' ? (
        <Trouble words={{ text: t.codeGone, again: true }} onAgain={onAgain} />
      ) : (
        <RelayNote hasCode={uri !== undefined} onAgain={onAgain} />
      )}
      {link && !isRefused && (
        <a
          className="button is-primary is-wide layout-below"
          href={link}
          rel="noopener noreferrer"
          onClick={() => {
            const { mobileLink } = listed ?? {}
            if (pairing && mobileLink !== undefined)
              command({ type: 'link.choose', data: { pairingTopic: pairing.pairingTopic, link: mobileLink } })
          }}
        >
          {t.open(name ?? '')}
        </a>
      )}
      <CopyLink uri={isRefused ? undefined : uri} />
    </>
  )
}

function CopyLink({ uri }: { uri: string | undefined }) {
  const { copy } = useSurroundings()
  const t = useTexts(connectArea)
  const notice = useNotice()
  const press = () => {
    if (uri === undefined) return
    copy(uri).then(
      copied => (copied ? notice('success', t.linkCopied) : notice('error', t.linkNotCopied)),
      () => notice('error', t.linkNotCopied),
    )
  }
  return (
    <Button
      wide
      disabled={uri === undefined}
      icon={<Icon path={copyIcon} small />}
      data-testid="copy-uri"
      onClick={press}
    >
      {t.copyLink}
    </Button>
  )
}
