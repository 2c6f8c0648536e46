import { useEffect, useEffectEvent, useRef } from 'react'
import {
  type Connection,
  type ConnectionView,
  type EndedConnection,
  walletName,
} from '../../../events/subjects/wallet/connection.ts'
import { labelOf } from '../../../events/subjects/wallet/connection.ts'
import { own } from '../../../runtime/schema/own.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { IconButton } from '../../kit/controls/IconButton.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { Tag } from '../../kit/feedback/Tag.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { copyIcon, out, plus, wallet as walletIcon } from '../../kit/icons/icons.ts'
import { power } from '../../kit/icons/iconsOfModal.ts'
import { cross } from '../../kit/icons/iconsOfStart.ts'
import { Address } from '../../kit/identity/Address.tsx'
import { Avatar } from '../../kit/identity/Avatar.tsx'
import { Logo } from '../../kit/identity/Logo.tsx'
import { Row } from '../../kit/Row.tsx'
import { useDispatch, useModel, useSurroundings } from '../../react.tsx'
import { accountArea } from '../../texts/account/en.ts'
import { basics } from '../../texts/basics/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { useNotice } from '../../notices/useNotice.ts'
import { useListedPicture } from '../../walletPicture.ts'
import { useCopyAddress } from '../useCopyAddress.ts'
import { useAccountExplorer } from '../useAccountExplorer.ts'
import { useLeaving } from './useLeaving.ts'
import { WalletLogo } from './WalletLogo.tsx'

/** Every connected wallet with its accounts, those that were connected lately, and the way to another. */
export function ProfileWallets() {
  const connection = useModel(model => model.connection)
  useNews(connection)
  const t = useTexts(accountArea)
  const { made, active, ended = [] } = connection
  const shown = active === null ? undefined : own(made, active)
  const all = Object.values(made)
  const accounts = all.reduce((sum, one) => sum + one.accounts.length, 0)
  return (
    <>
      {all.length === 0 ? (
        <Empty icon={walletIcon} fact={t.noWallet}>
          {t.noWalletNote}
        </Empty>
      ) : (
        <>
          <div className="wallets-head">
            <span>{t.accountsHere(accounts)}</span>
            <LeaveAll made={made} />
          </div>
          <Connected made={made} active={active} />
        </>
      )}
      {shown && <Accounts connection={shown} />}
      <Recently ended={ended} />
      <Another isOnly={all.length === 0} />
    </>
  )
}

function Another({ isOnly }: { isOnly: boolean }) {
  const dispatch = useDispatch()
  const { another } = useTexts(accountArea)
  const { connectWallet } = useTexts(basics)
  return (
    <Button
      wide
      className="layout-above"
      icon={<Icon path={plus} small />}
      data-testid="another-wallet"
      onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })}
    >
      {isOnly ? connectWallet : another}
    </Button>
  )
}

function Connected({ made, active }: Pick<ConnectionView, 'made' | 'active'>) {
  const { connectedWallets } = useTexts(accountArea)
  const all = Object.values(made).sort((a, b) => Number(b.connectionId === active) - Number(a.connectionId === active))
  return (
    <ul className="wallets" aria-label={connectedWallets}>
      {all.map(connection => (
        <li key={connection.connectionId}>
          <One connection={connection} active={connection.connectionId === active} />
        </li>
      ))}
    </ul>
  )
}

function One({ connection, active }: { connection: Connection; active: boolean }) {
  const { command } = useSurroundings()
  const t = useTexts(accountArea)
  const { connectionId, accounts } = connection
  const { isLeaving, leave } = useLeaving(connectionId)
  const name = walletName(connection)
  const [account] = accounts
  const said = {
    mark: <WalletLogo connection={connection} />,
    name,
    sub: account === undefined ? t.sharesNone : <Labelled connection={connection} account={account} />,
  }
  const off = <IconButton path={power} label={t.leave(name)} data-testid="leave-wallet" onClick={leave} />
  if (active)
    return (
      <>
        <Row {...said} busy={isLeaving} tag={<Tag tone="good">{t.active}</Tag>} />
        <span>
          {account !== undefined && <Copy account={account} />}
          {account !== undefined && <Explorer account={account} />}
          {off}
        </span>
      </>
    )
  return (
    <>
      <Row
        {...said}
        busy={isLeaving}
        aria-label={t.switchTo(name)}
        disabled={account === undefined}
        data-testid="switch-wallet"
        data-wallet={name}
        onClick={() => command({ type: 'connection.activate', data: { connectionId } })}
      />
      {off}
    </>
  )
}

/** An account by its address, after the wallet's own name for it if it has one. */
function Labelled({ connection, account }: { connection: Connection; account: string }) {
  const label = labelOf(connection, account)
  return (
    <>
      {label !== undefined && (
        <span dir="auto" data-testid="account-label">
          {label} ·{' '}
        </span>
      )}
      <Address value={account} short />
    </>
  )
}

function Copy({ account }: { account: string }) {
  const { copyIt } = useTexts(accountArea)
  const copy = useCopyAddress(account)
  return <IconButton path={copyIcon} label={copyIt} data-testid="copy-wallet" onClick={copy} />
}

function Explorer({ account }: { account: string }) {
  const { explorer } = useTexts(accountArea)
  const href = useAccountExplorer()({ address: account })
  if (href === undefined) return null
  return (
    <ExternalLink className="icon-button" href={href} aria-label={explorer} data-testid="explore-wallet">
      <Icon path={out} />
    </ExternalLink>
  )
}

/** Toasts a change once the facts say so. */
function useNews(now: ConnectionView): void {
  const notice = useNotice()
  const t = useTexts(accountArea)
  const before = useRef(now)
  const tell = useEffectEvent((then: ConnectionView) => {
    const is = now.active === null ? undefined : own(now.made, now.active)
    const was = is && own(then.made, is.connectionId)
    // A connected wallet leaves the list of ended ones, too
    if (now.made === then.made && (now.ended?.length ?? 0) < (then.ended?.length ?? 0)) notice('success', t.deleted)
    else if (then.active !== now.active && was && is.phase === 'missing') notice('error', t.switchFailed)
    else if (was && is.chosen !== undefined && is.chosen !== was.chosen) notice('success', t.accountSwitched)
  })
  useEffect(() => {
    const then = before.current
    before.current = now
    if (then !== now) tell(then)
  }, [now])
}

/** The accounts that the active wallet shares beside the first. */
function Accounts({ connection }: { connection: Connection }) {
  const { connectionId, accounts } = connection
  const { command } = useSurroundings()
  const t = useTexts(accountArea)
  const [, ...others] = accounts
  if (others.length === 0) return null
  return (
    <section aria-label={t.otherAccounts}>
      <h3 className="account-heading">{t.otherAccounts}</h3>
      <ul className="wallets">
        {others.map(account => (
          <li key={account}>
            <Row
              mark={<Avatar address={account} size={40} />}
              name={<Labelled connection={connection} account={account} />}
              data-testid="choose-account"
              data-address={account}
              onClick={() => command({ type: 'connection.chooseAccount', data: { connectionId, account } })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Wallets that were connected lately, to connect or to forget; an installed one only while it is here. */
function Recently({ ended }: { ended: readonly EndedConnection[] }) {
  const { dispatch, command } = useSurroundings()
  const t = useTexts(accountArea)
  const installed = useModel(model => model.installed)
  const mustAgree = useModel(({ tab, screen }) => tab.features?.legalCheckbox === true && screen.agreed !== true)
  const shown = ended.filter(
    ({ connector, wallet }) => connector === 'walletConnect' || installed.some(({ name }) => name === wallet.name),
  )
  if (shown.length === 0) return null
  const again = ({ connector, wallet }: EndedConnection) => {
    if (connector === 'walletConnect')
      return dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletConnect', wallet } } })
    const [only, ...others] = installed.filter(one => one.name === wallet.name)
    // Several candidates, or documents to agree to: the list has them
    if (!only || others.length > 0 || mustAgree)
      return dispatch({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })
    const { walletKey } = only
    dispatch({ type: 'screen.shown', data: { screen: { name: 'ConnectingInstalled', wallet, walletKey } } })
    command({ type: 'connection.connectInstalled', data: { walletKey, wallet } })
  }
  return (
    <section aria-label={t.recently}>
      <h3 className="account-heading">{t.recently}</h3>
      <ul className="wallets">
        {shown.map(one => (
          <li key={one.connectionId}>
            <Row
              mark={<EndedLogo ended={one} />}
              name={one.wallet.name}
              sub={<Address value={one.account} short />}
              tag={<Tag>{t.recent}</Tag>}
              aria-label={t.connectThis(one.wallet.name)}
              data-testid="recent-wallet"
              data-wallet={one.wallet.name}
              onClick={() => again(one)}
            />
            <IconButton
              path={cross}
              label={t.forget(one.wallet.name)}
              data-testid="forget-wallet"
              onClick={() => command({ type: 'connection.forget', data: { connectionId: one.connectionId } })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** To connect again, the product is chosen: its picture stands for no peer. */
function EndedLogo({ ended }: { ended: EndedConnection }) {
  return <Logo name={ended.wallet.name} src={useListedPicture({ ...ended, peerName: ended.wallet.name })} />
}

function LeaveAll({ made }: Pick<ConnectionView, 'made'>) {
  const t = useTexts(accountArea)
  const { isLeaving, leave } = useLeaving(...Object.keys(made))
  return (
    <button
      type="button"
      className="link"
      data-testid="disconnect-all"
      aria-busy={isLeaving || undefined}
      onClick={isLeaving ? undefined : leave}
    >
      {isLeaving ? t.disconnecting : t.leaveAll}
    </button>
  )
}
