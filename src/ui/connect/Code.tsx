import { useEffect, useReducer } from 'react'
import type { ListedWallet } from '../../events/subjects/listing.ts'
import type { Pairing } from '../../events/subjects/pairing.ts'
import { Button } from '../kit/Button.tsx'
import { Icon } from '../kit/Icon.tsx'
import { copy as copyIcon } from '../kit/icons.ts'
import { bridge } from '../kit/iconsOfModal.ts'
import { Note } from '../kit/Note.tsx'
import { Qr } from '../kit/Qr.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { useNotice } from '../useNotice.ts'
import { isPhone } from './isPhone.ts'
import { type RelayWords, relayWords } from '../relayWords.ts'
import { walletLink } from './walletLink.ts'
import { useWalletPicture } from './WalletMark.tsx'

export interface CodeProps {
  /** The chosen wallet's name; absent for any wallet. */
  name: string | undefined
  listed: ListedWallet | undefined
  pairing: Pairing | undefined
  uri: string | undefined
  onAgain: () => void
}

/** The code to scan, how long it stands, and other ways to hand it over. */
export function Code({ name, listed, pairing, uri: read, onAgain }: CodeProps) {
  const uri = read === 'gone' ? undefined : read
  const { command } = useSurroundings()
  const picture = useWalletPicture(undefined, listed?.imageId)
  const link = uri !== undefined && listed?.mobileLink !== undefined && isPhone() && walletLink(listed.mobileLink, uri)
  return (
    <>
      {uri !== undefined && pairing ? (
        <div className="qr-in" key={pairing.pairingTopic}>
          <Qr
            text={uri}
            label={`QR code to connect ${name ?? 'a wallet'}`}
            mark={picture === undefined ? { path: bridge } : { src: picture }}
          />
        </div>
      ) : (
        <div className="plate-wait">{read !== 'gone' && <span className="bone" aria-hidden="true" />}</div>
      )}
      <div className="qrline">
        <span>{name === undefined ? 'Scan with your phone’s wallet' : `Scan with ${name}`}</span>
        {uri !== undefined && pairing && <Renewal at={pairing.renewAt} />}
      </div>
      {read === 'gone' ? (
        <Trouble words={{ text: 'This code is no longer on this device.', again: true }} onAgain={onAgain} />
      ) : (
        <Relay hasCode={uri !== undefined} onAgain={onAgain} />
      )}
      {link && (
        <a
          className="btn primary wide"
          href={link}
          rel="noopener noreferrer"
          onClick={() => {
            const { mobileLink } = listed ?? {}
            if (pairing && mobileLink !== undefined)
              command({ type: 'link.choose', data: { pairingTopic: pairing.pairingTopic, link: mobileLink } })
          }}
        >
          Open {name}
        </a>
      )}
      <CopyLink uri={uri} />
    </>
  )
}

/** When this code gives way to the next one. */
function Renewal({ at }: { at: number }) {
  const { now } = useSurroundings()
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((at - now()) / 1000))
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span className="muted num" role="timer">
      {seconds > 0 ? `New code in ${clock}` : 'Making a new code'}
    </span>
  )
}

function Relay({ hasCode, onAgain }: { hasCode: boolean; onAgain: () => void }) {
  const relay = useModel(model => model.relay)
  const online = useModel(model => model.network.online)
  const words = relayWords(relay, online, hasCode)
  return words ? <Trouble words={words} onAgain={onAgain} /> : null
}

function Trouble({ words, onAgain }: { words: RelayWords; onAgain: () => void }) {
  return (
    <Note {...(words.tone ? { tone: words.tone } : {})} className="gap-b" live="status">
      {words.text}{' '}
      {words.again && (
        <button type="button" className="link" onClick={onAgain}>
          Try again
        </button>
      )}
    </Note>
  )
}

function CopyLink({ uri }: { uri: string | undefined }) {
  const { copy } = useSurroundings()
  const notice = useNotice()
  const press = () => {
    if (uri === undefined) return
    copy(uri).then(
      copied => (copied ? notice('success', 'Link copied') : notice('error', 'The link was not copied')),
      () => notice('error', 'The link was not copied'),
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
      Copy link
    </Button>
  )
}
