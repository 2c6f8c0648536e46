import { lazy, Suspense, useState } from 'react'
import { type Connection, type ConnectionView, walletName } from '../../events/subjects/connection.ts'
import { Address } from '../kit/identity/Address.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { IconButton } from '../kit/controls/IconButton.tsx'
import { plus } from '../kit/icons/icons.ts'
import { cross } from '../kit/icons/iconsOfStart.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { Row } from '../kit/Row.tsx'
import { Tag } from '../kit/feedback/Tag.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { accountArea } from '../texts/account/en.ts'
import { useTexts } from '../texts/language.tsx'

/** Few visitors have other accounts, several wallets or ended connections: their rows are a file of their own. */
export const loadMoreWallets = async () => ({ default: (await import('./MoreWallets.tsx')).MoreWallets })
const MoreWallets = lazy(loadMoreWallets)

/** The connected wallets, if several, and the way to connect another. */
export function Wallets() {
  const { dispatch } = useSurroundings()
  const { another } = useTexts(accountArea)
  const { made, active, ended = [] } = useModel(model => model.connection)
  const all = Object.values(made)
  const hasMore = ended.length > 0 || all.length > 1 || all.some(({ accounts }) => accounts.length > 1)
  // It tells of the last one that goes, too
  const [hadMore, setHadMore] = useState(hasMore)
  if (hasMore && !hadMore) setHadMore(true)
  return (
    <>
      {all.length > 1 && <Several made={made} active={active} />}
      <Row
        mark={
          <Logo name="" tint="none">
            <Icon path={plus} />
          </Logo>
        }
        name={another}
        leads
        data-testid="another-wallet"
        onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })}
      />
      {hadMore && (
        <Suspense>
          <MoreWallets />
        </Suspense>
      )}
    </>
  )
}

function Several({ made, active }: Pick<ConnectionView, 'made' | 'active'>) {
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
  const t = useTexts(accountArea)
  const [leaving, setLeaving] = useState(false)
  const { connectionId, accounts } = connection
  const name = walletName(connection)
  const [account] = accounts
  const icon = useOwnIcon(connection)
  const said = {
    mark: <Logo name={name} src={icon} />,
    name,
    sub: account === undefined ? t.sharesNone : <Address value={account} short />,
  }
  if (active) return <Row {...said} tag={<Tag tone="good">{t.active}</Tag>} />
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
        aria-label={t.switchTo(name)}
        disabled={account === undefined}
        data-testid="switch-wallet"
        data-wallet={name}
        onClick={choose}
      />
      <IconButton path={cross} label={t.leave(name)} data-testid="leave-wallet" onClick={leave} />
    </>
  )
}
