import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { WalletRef } from '../../../events/schema/fields.ts'
import type { ListedWallet } from '../../../events/subjects/service/listingFacts.ts'
import type { Pairing } from '../../../events/subjects/session/pairing.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { Ring } from '../../kit/figures/Ring.tsx'
import { RelayNote, Trouble } from '../../notices/RelayNote.tsx'
import { useSurroundings } from '../../react.tsx'
import { handheld } from '../phone/handheld.ts'
import { codeLink, linkTarget } from '../phone/openWallet.ts'
import { opensFirst } from '../phone/prepared.ts'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { WalletMark } from '../WalletMark.tsx'
import { CopyLink } from './CopyLink.tsx'
import type { WayTo } from '../../../events/values/platforms.ts'

interface ByLinkProps {
  wallet: WalletRef
  listed: ListedWallet
  platform: Exclude<WayTo, 'qrcode' | 'unsupported'>
  link: string
  pairing: Pairing | undefined
  uri: string | undefined
  onAgain: () => void
  children?: ReactNode
}

/**
 * Opens the wallet with the code by its link: an app by itself once the code is here, where the browser lets a script do that; a
 * web wallet by a press only.
 */
export function ByLink({ wallet, listed, platform, link, pairing, uri, onAgain, children }: ByLinkProps) {
  const { store, command, open } = useSurroundings()
  const t = useTexts(connectArea)
  const topic = pairing?.pairingTopic
  const url = uri === undefined || uri === 'gone' ? undefined : codeLink(link, uri)
  const target = platform === 'mobile' ? linkTarget() : '_blank'
  const choose = () => {
    if (topic !== undefined) command({ type: 'link.choose', data: { pairingTopic: topic, link } })
  }
  const openItself = useEffectEvent(() => {
    const { system, isTelegram } = handheld()
    if (url === undefined || topic === undefined || platform === 'web' || system === 'ios' || isTelegram) return
    if (!opensFirst(store, topic, `${wallet.walletId} ${platform}`)) return
    choose()
    open({ url, target })
  })
  useEffect(() => openItself(), [topic, url])
  return (
    <>
      <Ring>
        <WalletMark name={wallet.name} imageId={listed.imageId} size="large" />
      </Ring>
      <div className="ring-words" role="status">
        <h3>{t.continueIn(wallet.name)}</h3>
        <p>{t.openAndApprove(wallet.name)}</p>
      </div>
      {uri === 'gone' ? (
        <Trouble words={{ text: t.codeGone, again: true }} onAgain={onAgain} />
      ) : (
        <RelayNote hasCode={uri !== undefined} onAgain={onAgain} />
      )}
      {url === undefined ? (
        <Button kind="primary" wide busy={uri !== 'gone'} disabled data-testid="open-app">
          {t.open(wallet.name)}
        </Button>
      ) : (
        <a
          className="button is-primary is-wide"
          href={url}
          target={target}
          rel="noopener noreferrer"
          data-testid="open-app"
          onClick={choose}
        >
          {t.open(wallet.name)}
        </a>
      )}
      {children}
      <div className="layout-above">
        <CopyLink uri={uri === 'gone' ? undefined : uri} />
      </div>
    </>
  )
}
