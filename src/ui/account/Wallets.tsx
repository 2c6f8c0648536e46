import { useState } from 'react'
import { type Connection, type ConnectionView, type EndedConnection, walletName } from '../../events/subjects/connection.ts'
import { Address } from '../kit/identity/Address.tsx'
import { Avatar } from '../kit/identity/Avatar.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { IconButton } from '../kit/controls/IconButton.tsx'
import { plus } from '../kit/icons/icons.ts'
import { cross } from '../kit/icons/iconsOfStart.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { Row } from '../kit/Row.tsx'
import { Tag } from '../kit/feedback/Tag.tsx'
import { useModel, useSurroundings } from '../react.tsx'

/** The connected wallets, if several, and the way to connect another. */
export function Wallets() {
  const { dispatch } = useSurroundings()
  const { made, active, ended = [] } = useModel(model => model.connection)
  return (
    <>
      {active !== null && made[active] && <Accounts connection={made[active]} />}
      {Object.keys(made).length > 1 && <Several made={made} active={active} />}
      <Row
        mark={
          <Logo name="" tint="none">
            <Icon path={plus} />
          </Logo>
        }
        name="Connect another wallet"
        leads
        data-testid="another-wallet"
        onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })}
      />
      {ended.length > 0 && <Recently ended={ended} />}
      {Object.keys(made).length > 1 && <LeaveAll made={made} />}
    </>
  )
}

/** The accounts that the active wallet shares beside the first. */
function Accounts({ connection: { connectionId, accounts } }: { connection: Connection }) {
  const { command } = useSurroundings()
  const [, ...others] = accounts
  if (others.length === 0) return null
  return (
    <ul className="wallets" aria-label="Other accounts of this wallet">
      {others.map(account => (
        <li key={account}>
          <Row
            mark={<Avatar address={account} size={40} />}
            name={<Address value={account} short />}
            data-testid="choose-account"
            data-address={account}
            onClick={() => command({ type: 'connection.chooseAccount', data: { connectionId, account } })}
          />
        </li>
      ))}
    </ul>
  )
}

/** Wallets that were connected lately, to connect or to forget. */
function Recently({ ended }: { ended: readonly EndedConnection[] }) {
  const { dispatch, command } = useSurroundings()
  const installed = useModel(model => model.installed)
  const again = ({ connector, wallet }: EndedConnection) => {
    if (connector === 'walletConnect')
      return dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletConnect', wallet } } })
    const [only, ...others] = installed.filter(one => one.name === wallet.name)
    // Several candidates, or none: the person chooses from the list
    if (!only || others.length > 0) return dispatch({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })
    const { walletKey } = only
    dispatch({ type: 'screen.shown', data: { screen: { name: 'ConnectingInstalled', wallet, walletKey } } })
    command({ type: 'connection.connectInstalled', data: { walletKey, wallet } })
  }
  return (
    <ul className="wallets" aria-label="Recently connected">
      {ended.map(one => (
        <li key={one.connectionId}>
          <Row
            mark={<Logo name={one.wallet.name} />}
            name={one.wallet.name}
            sub={<Address value={one.account} short />}
            tag={<Tag>Recent</Tag>}
            aria-label={`Connect ${one.wallet.name} again`}
            data-testid="recent-wallet"
            data-wallet={one.wallet.name}
            onClick={() => again(one)}
          />
          <IconButton
            path={cross}
            label={`Forget ${one.wallet.name}`}
            data-testid="forget-wallet"
            onClick={() => command({ type: 'connection.forget', data: { connectionId: one.connectionId } })}
          />
        </li>
      ))}
    </ul>
  )
}

function LeaveAll({ made }: Pick<ConnectionView, 'made'>) {
  const { command } = useSurroundings()
  const leave = () => {
    for (const connectionId of Object.keys(made)) command({ type: 'connection.disconnect', data: { connectionId } })
  }
  return (
    <Row
      mark={
        <Logo name="" tint="none">
          <Icon path={cross} />
        </Logo>
      }
      name="Disconnect all"
      data-testid="disconnect-all"
      onClick={leave}
    />
  )
}

function Several({ made, active }: Pick<ConnectionView, 'made' | 'active'>) {
  const all = Object.values(made).sort((a, b) => Number(b.connectionId === active) - Number(a.connectionId === active))
  return (
    <ul className="wallets" aria-label="Connected wallets">
      {all.map(connection => (
        <li key={connection.connectionId}>
          <One connection={connection} active={connection.connectionId === active} />
        </li>
      ))}
    </ul>
  )
}

/** The icon of an installed wallet, if it is here under its name and with the recorded picture. */
function useOwnIcon({ connector, wallet, identity }: Connection): string | undefined {
  const { walletIcon } = useSurroundings()
  const here = useModel(({ installed }) =>
    installed.find(one => one.name === wallet.name && (identity === undefined || one.identity === identity)),
  )
  return connector === 'installed' && here ? walletIcon(here.walletKey) : undefined
}

function One({ connection, active }: { connection: Connection; active: boolean }) {
  const { command } = useSurroundings()
  const [leaving, setLeaving] = useState(false)
  const { connectionId, accounts } = connection
  const name = walletName(connection)
  const [account] = accounts
  const icon = useOwnIcon(connection)
  const said = {
    mark: <Logo name={name} src={icon} />,
    name,
    sub: account === undefined ? 'Shares no account' : <Address value={account} short />,
  }
  if (active) return <Row {...said} tag={<Tag tone="good">Active</Tag>} />
  const choose = () => command({ type: 'connection.activate', data: { connectionId } })
  const leave = () => {
    setLeaving(true)
    command({ type: 'connection.disconnect', data: { connectionId } })
  }
  return (
    <>
      <Row
        {...said}
        busy={leaving}
        aria-label={`Switch to ${name}`}
        disabled={account === undefined}
        data-testid="switch-wallet"
        data-wallet={name}
        onClick={choose}
      />
      <IconButton path={cross} label={`Disconnect ${name}`} data-testid="leave-wallet" onClick={leave} />
    </>
  )
}
