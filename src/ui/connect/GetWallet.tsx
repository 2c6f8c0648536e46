import { SkeletonRow } from '../kit/feedback/SkeletonRow.tsx'
import { Button } from '../kit/controls/Button.tsx'
import { Empty } from '../kit/feedback/Empty.tsx'
import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { out, refresh, warn } from '../kit/icons/icons.ts'
import { grid } from '../kit/icons/iconsOfModal.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { useCommand, useModel } from '../react.tsx'
import { homepageOf, knownWallets, useTop } from './list/directory.ts'
import { WalletMark } from './WalletMark.tsx'
import { connectArea } from '../texts/connect/en.ts'
import { useTexts } from '../texts/language.tsx'
import { basics } from '../texts/basics/en.ts'
import { modalArea } from '../texts/modal/en.ts'

const shownWallets = 4
/** WalletConnect's guide to all wallets. */
const guide = 'https://walletguide.walletconnect.network/'

/** Neither the host nor the directory names a place: the guide does. */
export function NoneToSuggest() {
  const t = useTexts(connectArea)
  const { allWallets } = useTexts(modalArea)
  return (
    <Empty
      icon={warn}
      fact={t.noneToSuggest}
      action={
        <ExternalLink className="button is-small touch" href={guide}>
          <Icon path={out} small />
          {allWallets}
        </ExternalLink>
      }
    >
      {t.store}
    </Empty>
  )
}

/** A few wallets with links to their sites, and the guide to all, each in a new tab. */
export function GetWallet() {
  useTop()
  const command = useCommand()
  const t = useTexts(connectArea)
  const { tryAgain } = useTexts(basics)
  const { allWallets } = useTexts(modalArea)
  const listing = useModel(model => model.listing)
  const wallets = knownWallets(listing)
    .filter((wallet, index, all) => all.findIndex(other => other.walletId === wallet.walletId) === index)
    .flatMap(wallet => {
      const address = homepageOf(wallet)
      return address === undefined ? [] : [{ ...wallet, address }]
    })
    .slice(0, shownWallets)
  if (wallets.length === 0 && (listing.all.phase === 'failed' || listing.top?.bundled)) {
    return (
      <Empty
        icon={warn}
        fact={t.listFailed}
        action={
          <Button
            size="small"
            icon={<Icon path={refresh} small />}
            onClick={() => command({ type: 'listing.open', data: {} })}
          >
            {tryAgain}
          </Button>
        }
      >
        {t.storeToo}
      </Empty>
    )
  }
  if (wallets.length === 0 && (listing.all.pages > 0 || listing.top)) {
    return <NoneToSuggest />
  }
  return (
    <>
      {wallets.map(({ walletId, name, imageId, address }) => (
        <ExternalLink key={walletId} className="row" href={address}>
          <WalletMark name={name} imageId={imageId} />
          <span className="row-name">{name}</span>
          <Icon path={out} className="row-go" />
        </ExternalLink>
      ))}
      {wallets.length === 0 && Array.from({ length: shownWallets }, (_, index) => <SkeletonRow key={index} />)}
      <ExternalLink className="row" href={guide}>
        <Logo name="" tint="none">
          <Icon path={grid} />
        </Logo>
        <span className="row-name">{allWallets}</span>
        <Icon path={out} className="row-go" />
      </ExternalLink>
      <p className="text-fine">{t.comeBack}</p>
    </>
  )
}
