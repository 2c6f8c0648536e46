import { useEffect, useRef, useState } from 'react'
import { activeConnection, type Connection, walletName } from '../../events/subjects/connection.ts'
import type { InstalledView } from '../../events/subjects/installed.ts'
import { explorerUrl, networkOfGenesis } from '../../events/values/networks.ts'
import { Address } from '../kit/identity/Address.tsx'
import { Avatar } from '../kit/identity/Avatar.tsx'
import { Button } from '../kit/controls/Button.tsx'
import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { clockIcon, copyIcon, out, refresh } from '../kit/icons/icons.ts'
import { power, qrCode } from '../kit/icons/iconsOfModal.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { Note } from '../kit/feedback/Note.tsx'
import { Row } from '../kit/Row.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { BalanceAmount, OtherAssets } from './Holdings.tsx'
import { Origin } from './Origin.tsx'
import { useCopyAddress } from './useCopyAddress.ts'
import { Worth } from './Worth.tsx'
import { Wallets } from './Wallets.tsx'
import { accountArea, type AccountTexts } from '../texts/account/en.ts'
import { basics } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'
import { relayArea } from '../texts/relay/en.ts'

/** The connected account; null without one. */
export function Account() {
  const connection = useModel(model => activeConnection(model)?.connection)
  const account = useModel(model => activeConnection(model)?.account)
  return connection && account !== undefined ? <Shown connection={connection} account={account} /> : null
}

function Shown({ connection, account }: { connection: Connection; account: string }) {
  const { command, dispatch } = useSurroundings()
  const t = useTexts(accountArea)
  const [leaving, setLeaving] = useState('')
  const { connectionId } = connection
  const asked = useRef('')
  useEffect(() => {
    if (asked.current === account) return
    asked.current = account
    command({ type: 'balance.refresh', data: {} })
  }, [account, command])
  const disconnect = () => {
    setLeaving(connectionId)
    command({ type: 'connection.disconnect', data: { connectionId } })
  }
  const busy = leaving === connectionId
  return (
    <>
      <div className="account">
        <Avatar address={account} size={76} />
        <CopyAddress account={account} />
        <BalanceAmount account={account} />
        <Worth />
      </div>
      <Standing connection={connection} />
      <Origin connection={connection} />
      <div className="account-rows">
        <OtherAssets account={account} />
        <Explorer account={account} />
      </div>
      <div className="layout-rule" />
      <Row
        mark={
          <Logo name="" tint="none">
            <Icon path={qrCode} />
          </Logo>
        }
        name={t.receive}
        leads
        data-testid="receive"
        onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletReceive' } } })}
      />
      <Wallets />
      <Row
        mark={
          <Logo name="" tint="none">
            <Icon path={power} />
          </Logo>
        }
        name={busy ? t.disconnecting : t.disconnect}
        sub={walletName(connection)}
        busy={busy}
        data-testid="disconnect"
        onClick={disconnect}
      />
    </>
  )
}

function CopyAddress({ account }: { account: string }) {
  const copy = useCopyAddress(account)
  const t = useTexts(accountArea)
  return (
    <button
      type="button"
      className="account-copy"
      data-testid="account-address"
      data-address={account}
      title={account}
      onClick={copy}
    >
      <Address value={account} short />
      <Icon path={copyIcon} small />
      <span className="text-hidden">, {t.copyAddress}</span>
    </button>
  )
}

/** Explains why a restored connection cannot take requests yet. */
function Standing({ connection }: { connection: Connection }) {
  const { dispatch, command } = useSurroundings()
  const t = useTexts(accountArea)
  const { wallet, phase, connector, identity } = connection
  const installed = useModel(model => model.installed)
  if (phase === 'live') return null
  if (phase === 'restoring') {
    return (
      <Note icon={clockIcon} live="status">
        {t.waitingFor(wallet.name)}
      </Note>
    )
  }
  if (connector === 'walletConnect') return <Away connection={connection} />
  const alike = installed.filter(here => here.name === wallet.name)
  const [only, ...others] = alike.filter(here => identity === undefined || here.identity === identity)
  const again = () => {
    // Several candidates, or none: the person chooses from the list
    if (!only || others.length > 0) return dispatch({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })
    const { walletKey } = only
    dispatch({ type: 'screen.shown', data: { screen: { name: 'ConnectingInstalled', wallet, walletKey } } })
    command({ type: 'connection.connectInstalled', data: { walletKey, wallet } })
  }
  return (
    <>
      <Note tone="warn" live="status">
        {`${missingInstalledWords(t, wallet.name, alike, only)} ${t.lookOnly}`}
      </Note>
      {alike.length > 0 && (
        <Button kind="primary" wide className="layout-above" icon={<Icon path={refresh} small />} onClick={again}>
          {t.connectAgain}
        </Button>
      )}
    </>
  )
}

/** Explains a missing installed wallet. `same`: the only wallet of that name with the same icon as before. */
function missingInstalledWords(
  t: AccountTexts,
  name: string,
  alike: InstalledView,
  same: InstalledView[number] | undefined,
): string {
  if (alike.length === 0) return t.notHere(name)
  if (alike.some(({ twin }) => twin)) return t.sharedName(name)
  if (!same) return t.looksDifferent(name)
  return t.noAccess(name)
}

/** A wallet over the relay, while the client's file could not be fetched. */
function Away({ connection }: { connection: Connection }) {
  const { command } = useSurroundings()
  const relay = useTexts(relayArea)
  const { tryAgain, reload } = useTexts(basics)
  const { connectionId } = connection
  const name = walletName(connection)
  const online = useModel(({ network }) => network.online)
  const again = () => command({ type: 'connection.retry', data: { connectionId } })
  return (
    <>
      <Note tone="warn" live="status">
        {online ? relay.walletAway(name) : relay.walletOffline(name)}
      </Note>
      <Button
        kind="primary"
        wide
        className="layout-above"
        icon={<Icon path={refresh} small />}
        data-testid="reach-again"
        onClick={again}
      >
        {tryAgain}
      </Button>
      {online && (
        <Button wide className="layout-above" onClick={() => location.reload()}>
          {reload}
        </Button>
      )}
    </>
  )
}

function Explorer({ account }: { account: string }) {
  const { config } = useSurroundings()
  const { explorer } = useTexts(accountArea)
  const genesis = useModel(({ network }) => (network.phase === 'identified' ? network.genesisHash : undefined))
  if (genesis === undefined) return null
  return (
    <ExternalLink
      className="row"
      href={explorerUrl(networkOfGenesis(genesis), { address: account }, config.solanaRpcUrl)}
    >
      <Logo name="" tint="none">
        <Icon path={out} />
      </Logo>
      <span className="row-name">{explorer}</span>
    </ExternalLink>
  )
}
