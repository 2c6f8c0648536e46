import { useState } from 'react'
import { type Auth, isOver } from '../../events/subjects/auth.ts'
import { Button } from '../kit/Button.tsx'
import { Icon } from '../kit/Icon.tsx'
import { bridge } from '../kit/iconsOfModal.ts'
import { Mark } from '../kit/Mark.tsx'
import { Qr } from '../kit/Qr.tsx'
import { Ring } from '../kit/Ring.tsx'
import { Sheet } from '../kit/Sheet.tsx'
import { useSurroundings } from '../react.tsx'
import { wordsOf } from './words.ts'

export interface SignInProps {
  /** Absent while it is being prepared. */
  auth: Auth | undefined
  /** The code for a wallet on another device, once it is here. */
  uri: string | undefined
  /** The browser wants a press before it opens the wallet. */
  wantsPress: boolean
  onOpenWallet: () => void
  /** Cancel, Close, Escape: it is left when it waits, and not shown any more. */
  onLeave: () => void
}

/** Signing in with a wallet: the code or the wallet on this device, then what came of it. */
export function SignIn({ auth, uri, wantsPress, onOpenWallet, onLeave }: SignInProps) {
  const { came, title, text } = wordsOf(auth)
  const isWaiting = !auth || !isOver(auth)
  const hasCode = isWaiting && !auth?.byLink && auth?.phase !== 'answered' && auth?.phase !== 'unsupported'
  return (
    <Sheet
      title="Sign in"
      viewKey="sign in"
      onAskClose={() => {
        onLeave()
        return true
      }}
      pad
    >
      {hasCode ? (
        <CodeToSign uri={uri} />
      ) : (
        <Ring came={came}>
          <Mark name="Wallet" tint={4} size="large">
            <Icon path={bridge} />
          </Mark>
        </Ring>
      )}
      <div className="say" role="status" data-testid="sign-in-state">
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {isWaiting && wantsPress && (
        <Button kind="primary" wide onClick={onOpenWallet} data-testid="open-wallet">
          Open wallet
        </Button>
      )}
      {hasCode && <CopyCode uri={uri} />}
      <Button wide onClick={onLeave} data-testid="leave-sign-in">
        {isWaiting ? 'Cancel' : 'Close'}
      </Button>
    </Sheet>
  )
}

function CodeToSign({ uri }: { uri: string | undefined }) {
  if (uri !== undefined) return <Qr text={uri} label="QR code to sign in with a wallet" mark={{ path: bridge }} />
  return (
    <div className="plate-wait">
      <span className="bone" aria-hidden="true" />
    </div>
  )
}

function CopyCode({ uri }: { uri: string | undefined }) {
  const { copy } = useSurroundings()
  const [came, setCame] = useState<'copied' | 'refused'>()
  const press = () => {
    if (uri === undefined) return
    copy(uri).then(
      done => setCame(done ? 'copied' : 'refused'),
      () => setCame('refused'),
    )
  }
  const says = { copied: 'Link copied', refused: 'The link was not copied' }
  return (
    <Button wide disabled={uri === undefined} onClick={press} data-testid="copy-sign-in">
      {came ? says[came] : 'Copy link'}
    </Button>
  )
}
