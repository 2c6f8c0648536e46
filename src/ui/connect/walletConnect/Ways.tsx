import { useState } from 'react'
import type { WalletRef } from '../../../events/schema/fields.ts'
import { TabBar } from '../../kit/controls/Tabs.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { warn } from '../../kit/icons/icons.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import { isPhone } from '../../isPhone.ts'
import { listedOf } from '../list/directory.ts'
import { InAppBrowser, OtherDevice } from '../phone/InAppBrowser.tsx'
import { phoneWay } from '../phone/openWallet.ts'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { ByLink } from './ByLink.tsx'
import { GetLine } from './GetLine.tsx'
import { Paired } from './Paired.tsx'
import { type WayTo, platformsOf } from '../../../events/values/platforms.ts'

const names = {
  mobile: 'mobile',
  qrcode: 'mobile',
  web: 'web',
  desktop: 'desktop',
  unsupported: 'browser',
} as const satisfies Record<WayTo, string>

/** The ways to a chosen wallet, one tab for each; on a phone its own browser, or its app. */
export function Ways({ wallet }: { wallet: WalletRef }) {
  const surroundings = useSurroundings()
  const t = useTexts(connectArea)
  const listed = useModel(model => listedOf(model.listing, wallet))
  const [picked, setPicked] = useState<WayTo>()
  const way = phoneWay(surroundings, wallet)
  const get = <GetLine wallet={wallet} listed={listed} />
  const toCode = () => setPicked('qrcode')
  if (way?.by === 'browser' && picked === undefined)
    return (
      <>
        <InAppBrowser wallet={wallet} url={way.url} onOther={toCode} />
        {get}
      </>
    )
  const platforms = platformsOf(listed, isPhone())
  const platform = picked ?? platforms[0] ?? 'qrcode'
  const tabs = platforms.length > 1 && (
    <div className="layout-below">
      <TabBar
        label={t.ways}
        look="seg"
        wide
        items={platforms.map(id => ({ id, label: t.wayNames[names[id]] }))}
        value={platform}
        onChange={setPicked}
      />
    </div>
  )
  if (platform === 'unsupported')
    return (
      <>
        {tabs}
        <Empty icon={warn} fact={t.notDetected}>
          {t.notInBrowser(wallet.name)}
        </Empty>
        {get}
      </>
    )
  const link =
    platform === 'qrcode'
      ? undefined
      : { mobile: listed?.mobileLink, web: listed?.webappLink, desktop: listed?.desktopLink }[platform]
  if (platform === 'qrcode' || !listed || link === undefined) return <Paired chosen={wallet} tabs={tabs} get={get} />
  return (
    <Paired
      chosen={wallet}
      tabs={tabs}
      get={get}
      byLink={handed => (
        <ByLink {...handed} wallet={wallet} listed={listed} platform={platform} link={link}>
          {platform === 'mobile' && <OtherDevice onPress={toCode} />}
        </ByLink>
      )}
    />
  )
}
