import { useEffect, useId, useRef } from 'react'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { type Connection, walletName } from '../../events/subjects/wallet/connection.ts'
import type { Screen } from '../../events/subjects/page/screen.ts'
import { Address } from '../kit/identity/Address.tsx'
import { Avatar } from '../kit/identity/Avatar.tsx'
import { TabBar } from '../kit/controls/Tabs.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { copyIcon } from '../kit/icons/icons.ts'
import { Row } from '../kit/Row.tsx'
import { useDispatch, useModel, useSurroundings } from '../react.tsx'
import { RecentActivity } from './activity/Activity.tsx'
import { DisconnectRow } from './wallets/DisconnectRow.tsx'
import { AccountBalance } from './holdings/Holdings.tsx'
import { activityIcon, receiveIcon, sendIcon } from './accountIcons.ts'
import { Origin } from './wallets/Origin.tsx'
import { ConnectionStanding } from './wallets/ConnectionStanding.tsx'
import { TokenList } from './holdings/TokenList.tsx'
import { useCopyAddress } from './useCopyAddress.ts'
import { ExplorerRow } from './ExplorerRow.tsx'
import { WalletLogo } from './wallets/WalletLogo.tsx'
import { accountArea } from '../texts/account/en.ts'
import { activityArea } from '../texts/activity/en.ts'
import { useTexts } from '../texts/language.tsx'

/** The connected account; null without one. */
export function Account() {
  const connection = useModel(model => activeConnection(model)?.connection)
  const account = useModel(model => activeConnection(model)?.account)
  return connection && account !== undefined ? <Shown connection={connection} account={account} /> : null
}

function Shown({ connection, account }: { connection: Connection; account: string }) {
  const { command } = useSurroundings()
  const asked = useRef('')
  useEffect(() => {
    if (asked.current === account) return
    asked.current = account
    command({ type: 'balance.refresh', data: {} })
  }, [account, command])
  return (
    <>
      <div className="account">
        <Avatar address={account} size={76} />
        <CopyAddress account={account} />
        <AccountBalance account={account} />
      </div>
      <div className="account-standing">
        <ConnectionStanding connection={connection} />
        <Origin connection={connection} />
      </div>
      <Actions />
      <Holdings account={account} />
      <div className="layout-rule" />
      <Wallet connection={connection} />
      <ExplorerRow account={account} />
      <DisconnectRow connection={connection} />
    </>
  )
}

const actions = {
  receive: { path: receiveIcon, screen: { name: 'WalletReceive' } },
  send: { path: sendIcon, screen: { name: 'WalletSend' } },
  activity: { path: activityIcon, screen: { name: 'Transactions' } },
} as const
const allActions = ['receive', 'send', 'activity'] as const

/** The ways to the screens of the account, side by side: in the host's order, those that it has on. */
function Actions() {
  const t = useTexts(accountArea)
  const features = useModel(({ project }) => project.features)
  const live = useModel(({ tab }) => tab.account)
  const order = features?.walletFeaturesOrder ?? []
  const ways = [...new Set([...order.filter(way => way === 'receive' || way === 'send'), ...allActions])]
  const shown = ways.filter(way => (live?.[way] ?? features?.[way]) !== false)
  if (shown.length === 0) return null
  return (
    <div className="account-actions">
      {shown.map(way => (
        <Action key={way} {...actions[way]} name={t[way]} data-testid={way} />
      ))}
    </div>
  )
}

function Action({
  path,
  name,
  screen,
  ...rest
}: {
  path: string
  name: string
  screen: Screen
  'data-testid': string
}) {
  const dispatch = useDispatch()
  return (
    <button
      type="button"
      className="account-action"
      {...rest}
      onClick={() => dispatch({ type: 'screen.shown', data: { screen } })}
    >
      <Icon path={path} />
      {name}
    </button>
  )
}

/** Tokens, and what happened lately. */
function Holdings({ account }: { account: string }) {
  const dispatch = useDispatch()
  const t = useTexts(activityArea)
  const hasActivity = useModel(({ project, tab }) => (tab.account?.activity ?? project.features?.activity) !== false)
  const tab = useModel(({ screen }) => (hasActivity && screen.tab) || 'tokens')
  const panel = useId()
  return (
    <>
      <TabBar
        label={t.holdings}
        items={[
          { id: 'tokens', label: t.tokens },
          ...(hasActivity ? [{ id: 'activity' as const, label: t.activity }] : []),
        ]}
        value={tab}
        controls={panel}
        onChange={chosen => dispatch({ type: 'screen.tabChosen', data: { tab: chosen } })}
      />
      <div id={panel} role="tabpanel" className="account-rows" aria-label={t[tab]}>
        {tab === 'tokens' ? <TokenList account={account} /> : <RecentActivity />}
      </div>
    </>
  )
}

/** The wallet of the account, and the way to the others. */
function Wallet({ connection }: { connection: Connection }) {
  const dispatch = useDispatch()
  const t = useTexts(accountArea)
  const count = useModel(model => Object.keys(model.connection.made).length)
  return (
    <Row
      mark={<WalletLogo connection={connection} />}
      name={walletName(connection)}
      sub={count > 1 ? t.walletsHere(count) : t.wallets}
      leads
      data-testid="wallets"
      onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'ProfileWallets' } } })}
    />
  )
}

function CopyAddress({ account }: { account: string }) {
  const copy = useCopyAddress(account)
  const t = useTexts(accountArea)
  return (
    <button
      type="button"
      className="account-copy touch"
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
