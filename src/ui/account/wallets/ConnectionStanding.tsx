import { type Connection, walletName } from '../../../events/subjects/wallet/connection.ts'
import type { InstalledView } from '../../../events/subjects/wallet/installed.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { Note } from '../../kit/feedback/Note.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { clockIcon, refresh } from '../../kit/icons/icons.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import { accountArea, type AccountTexts } from '../../texts/account/en.ts'
import { basics } from '../../texts/basics/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { relayArea } from '../../texts/relay/en.ts'

/** Explains why a restored connection cannot take requests yet. */
export function ConnectionStanding({ connection }: { connection: Connection }) {
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
  const isHere = alike.length > 0
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
      <Button
        kind={isHere ? 'primary' : 'plain'}
        wide
        className="layout-above"
        icon={isHere && <Icon path={refresh} small />}
        onClick={again}
      >
        {isHere ? t.connectAgain : t.another}
      </Button>
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
