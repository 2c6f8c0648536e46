import { type ReactNode, useState } from 'react'
import type { WalletRef } from '../../../events/schema/fields.ts'
import type { ListedWallet } from '../../../events/subjects/listing.ts'
import type { ScreenOf } from '../../../events/subjects/screen.ts'
import { TabBar } from '../../kit/controls/Tabs.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { warn } from '../../kit/icons/icons.ts'
import { bridge } from '../../kit/icons/iconsOfModal.ts'
import { Logo } from '../../kit/identity/Logo.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import { isPhone } from '../isPhone.ts'
import { listedOf, plainWalletConnect } from '../list/directory.ts'
import { outcomeOf } from '../outcome.ts'
import { Pending } from '../Pending.tsx'
import { InAppBrowser, OtherDevice } from '../phone/InAppBrowser.tsx'
import { phoneWay } from '../phone/openWallet.ts'
import { WalletMark } from '../WalletMark.tsx'
import { ByLink } from './ByLink.tsx'
import { Code } from './Code.tsx'
import { GetLine } from './GetLine.tsx'
import { type Platform, platformsOf } from './platforms.ts'
import { tabFailure } from './tabFailure.ts'
import { usePairing } from './usePairing.ts'

const labels: Record<Platform, string> = {
  mobile: 'Mobile',
  qrcode: 'Mobile',
  web: 'Webapp',
  desktop: 'Desktop',
  unsupported: 'Browser',
}

/** Connects a wallet over WalletConnect, or opens this page in the wallet's own browser; one tab for each way to the wallet. */
export function WalletConnect({ screen }: { screen: ScreenOf<'WalletConnect'> }) {
  const surroundings = useSurroundings()
  // a wallet first connected by the plain code uses it again
  const chosen = screen.wallet?.walletId === plainWalletConnect.walletId ? undefined : screen.wallet
  const wallet = chosen ?? plainWalletConnect
  const listed = useModel(model => chosen && listedOf(model.listing, chosen))
  const [picked, setPicked] = useState<Platform>()
  const way = chosen && phoneWay(surroundings, chosen)
  const platforms = platformsOf(listed, isPhone())
  const platform = picked ?? platforms[0] ?? 'qrcode'
  const tabs = platforms.length > 1 && (
    <div className="layout-below">
      <TabBar
        label="Ways to connect"
        look="seg"
        wide
        items={platforms.map(id => ({ id, label: labels[id] }))}
        value={platform}
        onChange={setPicked}
      />
    </div>
  )
  const get = <GetLine name={wallet.name} listed={listed} />
  if (way?.by === 'browser' && picked === undefined)
    return (
      <>
        <InAppBrowser wallet={wallet} url={way.url} onOther={() => setPicked('qrcode')} />
        {get}
      </>
    )
  if (platform === 'unsupported')
    return (
      <>
        {tabs}
        <Empty icon={warn} fact="Not detected">
          {wallet.name} is not installed in this browser.
        </Empty>
        {get}
      </>
    )
  return (
    <Paired
      key={wallet.walletId}
      chosen={chosen}
      listed={listed}
      platform={platform}
      tabs={tabs}
      onOther={() => setPicked('qrcode')}
    />
  )
}

interface PairedProps {
  chosen: WalletRef | undefined
  listed: ListedWallet | undefined
  platform: Exclude<Platform, 'unsupported'>
  tabs: ReactNode
  onOther: () => void
}

/** The code or the link with it, then the wallet's answer or the failure. */
function Paired({ chosen, listed, platform, tabs, onOther }: PairedProps) {
  const wallet = chosen ?? plainWalletConnect
  const { attempt, pairing, uri, ask } = usePairing(wallet)
  const kept = useModel(tabFailure)
  const code = kept ?? (attempt?.phase === 'failed' ? attempt.failure.code : undefined)
  const answered = pairing?.phase === 'responded' || pairing?.phase === 'answered'
  const get = <GetLine name={wallet.name} listed={listed} />
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
        outcome={code && outcomeOf(code, 'walletConnect', wallet.name)}
        title={chosen ? `${wallet.name} answered` : 'Your wallet answered'}
        text="The connection is being set up."
        onAgain={ask}
      >
        {get}
      </Pending>
    )
  }
  const links = { qrcode: undefined, mobile: listed?.mobileLink, web: listed?.webappLink, desktop: listed?.desktopLink }
  const link = links[platform]
  return (
    <>
      {tabs}
      {platform === 'qrcode' || !listed || link === undefined ? (
        <Code name={chosen?.name} listed={listed} pairing={pairing} uri={uri} onAgain={ask} />
      ) : (
        <ByLink wallet={wallet} listed={listed} platform={platform} link={link} pairing={pairing} uri={uri} onAgain={ask}>
          {platform === 'mobile' && <OtherDevice onPress={onOther} />}
        </ByLink>
      )}
      {get}
    </>
  )
}
