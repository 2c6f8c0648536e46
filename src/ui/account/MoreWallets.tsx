import { useEffect, useEffectEvent, useRef } from 'react'
import type { Connection, ConnectionView, EndedConnection } from '../../events/subjects/connection.ts'
import { own } from '../../runtime/schema/own.ts'
import { IconButton } from '../kit/controls/IconButton.tsx'
import { Tag } from '../kit/feedback/Tag.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { cross } from '../kit/icons/iconsOfStart.ts'
import { Address } from '../kit/identity/Address.tsx'
import { Avatar } from '../kit/identity/Avatar.tsx'
import { Logo } from '../kit/identity/Logo.tsx'
import { Row } from '../kit/Row.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { accountArea } from '../texts/account/en.ts'
import { useTexts } from '../texts/language.tsx'
import { useNotice } from '../useNotice.ts'

/** Other accounts of the active wallet, wallets that were connected lately, and the way out of all. */
export function MoreWallets() {
  const connection = useModel(model => model.connection)
  useNews(connection)
  const { made, active, ended = [] } = connection
  const shown = active === null ? undefined : own(made, active)
  return (
    <>
      {shown && <Accounts connection={shown} />}
      {ended.length > 0 && <Recently ended={ended} />}
      {Object.keys(made).length > 1 && <LeaveAll made={made} />}
    </>
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
function Accounts({ connection: { connectionId, accounts } }: { connection: Connection }) {
  const { command } = useSurroundings()
  const t = useTexts(accountArea)
  const [, ...others] = accounts
  if (others.length === 0) return null
  return (
    <ul className="wallets" aria-label={t.otherAccounts}>
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
  const t = useTexts(accountArea)
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
    <ul className="wallets" aria-label={t.recently}>
      {ended.map(one => (
        <li key={one.connectionId}>
          <Row
            mark={<Logo name={one.wallet.name} />}
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
  )
}

function LeaveAll({ made }: Pick<ConnectionView, 'made'>) {
  const { command } = useSurroundings()
  const t = useTexts(accountArea)
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
      name={t.leaveAll}
      data-testid="disconnect-all"
      onClick={leave}
    />
  )
}
