import { useMemo } from 'react'
import type { Connection } from '../../events/subjects/connection.ts'
import { SkeletonRow } from '../kit/feedback/SkeletonRow.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { bridge, grid } from '../kit/icons/iconsOfModal.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { Row } from '../kit/Row.tsx'
import { ScrollArea } from '../kit/surface/ScrollArea.tsx'
import { Tag } from '../kit/feedback/Tag.tsx'
import { useModel, useDispatch, useSurroundings } from '../react.tsx'
import { countLabel, useTop } from './list/directory.ts'
import { isPhone } from './isPhone.ts'
import { type WalletRow, walletRows, wantedRows } from './list/rows.ts'
import { isKnownWallet, likenessWords } from './list/likeness.ts'
import { useChoose } from './useChoose.ts'
import { useLookalikes } from './list/useLookalikes.ts'
import { WalletMark } from './WalletMark.tsx'

/** The ways to connect. Wallets known to this page appear at once; rows of the directory fill in. */
export function Connect() {
  useTop()
  const { config } = useSurroundings()
  const dispatch = useDispatch()
  const choose = useChoose()
  const installed = useModel(model => model.installed)
  const recent = useModel(model => model.connection.recent)
  const listing = useModel(model => model.listing)
  const made = useModel(model => model.connection.made)
  const lookalikes = useLookalikes(installed, listing)
  const isHandheld = isPhone()
  const rows = useMemo(() => {
    const all = walletRows(installed, recent, listing, isHandheld)
    // A phone cannot scan its own screen, so its code is the last resort there
    const [code, ...others] = all
    return isHandheld && code ? [...others, code] : all
  }, [installed, recent, listing, isHandheld])
  const reads = !listing.top && listing.all.pages === 0 && listing.all.phase !== 'failed'
  // One skeleton for each row to come, so that no row moves from under a press
  const bones = reads ? Math.max(0, wantedRows - rows.length) : 0
  const all = config.allWallets === 'SHOW' || (config.allWallets === 'ONLY_MOBILE' && isHandheld)
  const count = countLabel(listing)
  return (
    <>
      {recent.length === 0 && Object.keys(made).length === 0 && (
        <p className="text-fine" data-testid="greeting">
          Choose a wallet to show this page your address. Nothing moves until you approve it there.
        </p>
      )}
      <ScrollArea>
        {rows.map(row => (
          <OneRow
            key={row.key}
            row={row}
            isConnected={Object.values(made).some(one => isSameWallet(one, row))}
            isHandheld={isHandheld}
            sub={
              row.walletKey === undefined
                ? undefined
                : likenessWords({
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
      {all && (
        <Row
          mark={
            <Logo name="" tint="none">
              <Icon path={grid} />
            </Logo>
          }
          name="All wallets"
          tag={count && <Tag>{count}</Tag>}
          leads
          data-testid="all-wallets-row"
          onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'AllWallets' } } })}
        />
      )}
    </>
  )
}

/** A wallet of a shared name proves nothing by it. */
function isSameWallet({ connector, phase, wallet }: Connection, { kind, twin, wallet: { name } }: WalletRow): boolean {
  return kind === 'installed' && connector === 'installed' && phase === 'live' && twin !== true && wallet.name === name
}

function OneRow(props: {
  row: WalletRow
  isConnected: boolean
  isHandheld: boolean
  sub: string | undefined
  onPress: () => void
}) {
  const { row, isConnected, isHandheld, sub, onPress } = props
  const { kind, wallet, walletKey, imageId } = row
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
      tag={tagOf(kind, isConnected, isHandheld)}
      data-testid="wallet-row"
      data-wallet={wallet.name}
      onClick={onPress}
    />
  )
}

function tagOf(kind: WalletRow['kind'], isConnected: boolean, isHandheld: boolean) {
  if (kind === 'walletConnect') return isHandheld ? undefined : <Tag>QR code</Tag>
  if (kind === 'recent') return <Tag>Recent</Tag>
  if (kind !== 'installed') return undefined
  return (
    <Tag tone="good" dot>
      {isConnected ? 'Connected' : 'Installed'}
    </Tag>
  )
}
