import { useState } from 'react'
import { own } from '../../runtime/schema/own.ts'
import type { Auth } from '../../events/subjects/wallet/authState.ts'
import { awaitsScan, isAuthAsked, isAuthOver } from '../../events/subjects/wallet/auth.ts'
import type { Pairing } from '../../events/subjects/session/pairing.ts'
import { OpenWallet } from '../OpenWallet.tsx'
import { RelayNote } from '../notices/RelayNote.tsx'
import { Renewal } from '../notices/Renewal.tsx'
import { Button } from '../kit/controls/Button.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { bridge } from '../kit/icons/iconsOfModal.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { Qr } from '../kit/figures/Qr.tsx'
import { Ring } from '../kit/figures/Ring.tsx'
import { Sheet } from '../kit/surface/Sheet.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { runOutWords, wordsOf } from './words.ts'
import { basics } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'
import { signInArea } from '../texts/signin/en.ts'

interface SignInProps {
  /** Absent while in preparation. */
  auth: Auth | undefined
  /** The code for a wallet on another device, once made. */
  uri: string | undefined
  /** The browser requires a press before it opens the wallet. */
  wantsPress: boolean
  /** Requests a new code: the one shown is being replaced or has expired. */
  onRenew: () => void
  /** Cancel, Close or Escape: abandons a pending sign-in and hides it. */
  onLeave: () => void
}

/** Sign-in with a wallet: the code or the wallet on this device, then the outcome. */
export function SignIn({ auth, uri, wantsPress, onRenew, onLeave }: SignInProps) {
  const t = useTexts(signInArea)
  const { cancel, close, reload } = useTexts(basics)
  const pairing = useModel(model =>
    auth && isAuthAsked(auth) ? own(model.pairing.open, auth.sent.pairingTopic) : undefined,
  )
  const isWaiting = !auth || !isAuthOver(auth)
  const hasCode = !auth || awaitsScan(auth)
  const hasRunOut = hasCode && uri !== undefined && !pairing
  const hasChanged = auth?.phase === 'failed' && auth.failure.code === 'reload_needed'
  const { came, title, text } = hasRunOut ? runOutWords(t) : wordsOf(t, auth, uri !== undefined)
  return (
    <Sheet title={t.signIn} viewKey="sign in" onClose={onLeave} pad>
      {hasCode && !hasRunOut ? (
        <CodeToSign uri={uri} pairing={pairing} onRenew={onRenew} />
      ) : (
        <Ring came={came}>
          <Logo name="" tint={4} size="large">
            <Icon path={bridge} />
          </Logo>
        </Ring>
      )}
      <div className="ring-words" role="status" data-testid="sign-in-state">
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {hasCode && <RelayNote hasCode={uri !== undefined} onAgain={onRenew} />}
      <div className="layout-stack">
        {hasRunOut && (
          <Button kind="primary" wide onClick={onRenew} data-testid="renew-sign-in">
            {t.newCode}
          </Button>
        )}
        {isWaiting && wantsPress && auth && isAuthAsked(auth) && <OpenWallet requestId={auth.sent.payloadId} />}
        {hasCode && !hasRunOut && <CopyCode uri={uri} />}
        {hasChanged && (
          <Button kind="primary" wide onClick={() => location.reload()} data-testid="reload">
            {reload}
          </Button>
        )}
        <Button wide onClick={onLeave} data-testid="leave-sign-in">
          {isWaiting ? cancel : close}
        </Button>
      </div>
    </Sheet>
  )
}

type CodeToSignProps = { pairing: Pairing | undefined } & Pick<SignInProps, 'uri' | 'onRenew'>

/** The code; an empty plate before it is made. */
function CodeToSign({ uri, pairing, onRenew }: CodeToSignProps) {
  const { codeLabel } = useTexts(signInArea)
  if (uri === undefined || !pairing)
    return (
      <div className="qr-wait is-alone">
        <span className="skeleton" aria-hidden="true" />
      </div>
    )
  return (
    <>
      <Qr text={uri} label={codeLabel} mark={{ path: bridge }} />
      <div className="qr-line is-alone">
        <Renewal key={pairing.pairingTopic} at={pairing.renewAt} onOver={onRenew} />
      </div>
    </>
  )
}

function CopyCode({ uri }: { uri: string | undefined }) {
  const { copy } = useSurroundings()
  const t = useTexts(signInArea)
  const [came, setCame] = useState<'copied' | 'refused'>()
  const press = () => {
    if (uri === undefined) return
    copy(uri).then(
      done => setCame(done ? 'copied' : 'refused'),
      () => setCame('refused'),
    )
  }
  const says = { copied: t.linkCopied, refused: t.linkNotCopied }
  return (
    <Button wide disabled={uri === undefined} onClick={press} data-testid="copy-sign-in">
      {came ? says[came] : t.copyLink}
    </Button>
  )
}
