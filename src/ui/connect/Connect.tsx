import { useEffect, useMemo } from 'react'
import { SkeletonRow } from '../kit/feedback/SkeletonRow.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { bridge, grid } from '../kit/icons/iconsOfModal.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { Row } from '../kit/Row.tsx'
import { ScrollArea } from '../kit/surface/ScrollArea.tsx'
import { Tag } from '../kit/feedback/Tag.tsx'
import { useModel, useDispatch, useSurroundings } from '../react.tsx'
import { countLabel, useTop } from './list/directory.ts'
import { isPhone } from '../isPhone.ts'
import { type WalletRow, walletRows, wantedRows } from './list/rows.ts'
import { isKnownWallet, likenessWords } from './list/likeness.ts'
import { linkedOf, useChoose } from './useChoose.ts'
import { useLookalikes } from './list/useLookalikes.ts'
import { useReadyPhone } from './phone/opener.ts'
import { loadWays } from './walletConnect/WalletConnect.tsx'
import { WalletMark } from './WalletMark.tsx'
import { connectArea, type ConnectTexts } from '../texts/connect/en.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { modalArea } from '../texts/modal/en.ts'
import { basics } from '../texts/basics/en.ts'

/** The ways to connect: the wallets, or one row that leads to them where the host collapses the list. */
export function Connect() {
  const dispatch = useDispatch()
  const isCollapsed = useModel(({ tab }) => tab.features?.collapseWallets === true)
  const { connectWallet } = useTexts(basics)
  if (!isCollapsed) return <ConnectWallets />
  return (
    <Row
      mark={gridMark}
      name={connectWallet}
      leads
      data-testid="collapsed-row"
      onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'ConnectWallets' } } })}
    />
  )
}

const gridMark = (
  <Logo name="" tint="none">
    <Icon path={grid} />
  </Logo>
)

/** The list of wallets and the way to all of them. Wallets known to this page appear at once; rows of the directory fill in. */
export function ConnectWallets() {
  useTop()
  const { config } = useSurroundings()
  const t = useTexts(connectArea)
  const choose = useChoose()
  const installed = useModel(model => model.installed)
  const recent = useModel(model => model.connection.recent)
  const listing = useModel(model => model.listing)
  const made = useModel(model => model.connection.made)
  const lookalikes = useLookalikes(installed, listing)
  const isHandheld = isPhone()
  useReadyPhone()
  // A press on a wallet then waits for no file; without it the wallet's screen says so
  useEffect(() => void loadWays().catch(() => undefined), [])
  const rows = useMemo(
    () => walletRows(installed, recent, listing, isHandheld, config.order),
    [installed, recent, listing, isHandheld, config.order],
  )
  const reads = !listing.top && listing.all.pages === 0 && listing.all.phase !== 'failed'
  // One skeleton for each row to come, so that no row moves from under a press
  const bones = reads ? Math.max(0, config.featured.length - listing.featured.length, wantedRows - rows.length) : 0
  const isNew = recent.length === 0 && Object.keys(made).length === 0
  return (
    <>
      {isNew && (
        <p className="text-fine" data-testid="greeting">
          {t.greeting}
        </p>
      )}
      <ScrollArea>
        {rows.map(row => (
          <OneRow
            key={row.key}
            row={row}
            isConnected={linkedOf(made, { name: row.wallet.name, ...row }) !== undefined}
            sub={
              row.walletKey === undefined
                ? undefined
                : likenessWords(t, {
                    twin: row.twin ?? false,
                    known: isKnownWallet(row.walletKey, installed, made),
                    listed: lookalikes.get(row.walletKey),
                  })
            }
            onPress={() => choose(row.kind === 'walletConnect' ? undefined : row.wallet, row.walletKey)}
          />
        ))}
        {Array.from({ length: bones }, (_, index) => (
          <SkeletonRow key={index} width={index % 2 ? 64 : 96} />
        ))}
      </ScrollArea>
      <AllWalletsRow />
      {isNew && installed.length === 0 && <GuideLine />}
    </>
  )
}

/** Leads to all wallets, with their number, where the host shows them. */
export function AllWalletsRow() {
  const { config } = useSurroundings()
  const dispatch = useDispatch()
  const { allWallets } = useTexts(modalArea)
  const language = useLanguage()
  const count = useModel(({ listing }) => countLabel(listing, language))
  const isOn = useModel(({ tab }) => tab.features?.allWallets ?? config.allWallets !== 'HIDE')
  if (!isOn || (config.allWallets === 'ONLY_MOBILE' && !isPhone())) return null
  return (
    <Row
      mark={gridMark}
      name={allWallets}
      tag={
        count && (
          <Tag>
            <bdi dir="ltr">{count}</bdi>
          </Tag>
        )
      }
      leads
      data-testid="all-wallets-row"
      onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'AllWallets' } } })}
    />
  )
}

/** For visitors without a wallet. */
function GuideLine() {
  const dispatch = useDispatch()
  const { newHere } = useTexts(connectArea)
  const { getAWallet } = useTexts(modalArea)
  return (
    <div className="get-line">
      <span>{newHere}</span>
      <button
        type="button"
        className="link touch"
        onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'GetWallet' } } })}
      >
        {getAWallet}
      </button>
    </div>
  )
}

function OneRow(props: { row: WalletRow; isConnected: boolean; sub: string | undefined; onPress: () => void }) {
  const { row, isConnected, sub, onPress } = props
  const { kind, wallet, walletKey, imageId } = row
  const t = useTexts(connectArea)
  return (
    <Row
      mark={
        kind === 'walletConnect' ? (
          <Logo name="WalletConnect" tint={4}>
            <Icon path={bridge} />
          </Logo>
        ) : (
          <WalletMark name={wallet.name} walletKey={walletKey} imageId={imageId} />
        )
      }
      name={wallet.name}
      sub={sub}
      tag={tagOf(t, kind, isConnected)}
      data-testid="wallet-row"
      data-wallet={wallet.name}
      onClick={onPress}
    />
  )
}

function tagOf(t: ConnectTexts, kind: WalletRow['kind'], isConnected: boolean) {
  if (kind === 'walletConnect') return <Tag>{t.qrCode}</Tag>
  if (kind === 'recent') return <Tag>{t.recent}</Tag>
  if (kind !== 'installed') return undefined
  return (
    <Tag tone="good" dot>
      {isConnected ? t.connected : t.installed}
    </Tag>
  )
}
