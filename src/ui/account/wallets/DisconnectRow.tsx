import { type Connection, walletName } from '../../../events/subjects/wallet/connection.ts'
import { Icon } from '../../kit/icons/Icon.tsx'
import { power } from '../../kit/icons/iconsOfModal.ts'
import { Logo } from '../../kit/identity/Logo.tsx'
import { Row } from '../../kit/Row.tsx'
import { accountArea } from '../../texts/account/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { useLeaving } from './useLeaving.ts'

/** Ends a connection. */
export function DisconnectRow({ connection }: { connection: Connection }) {
  const t = useTexts(accountArea)
  const { isLeaving, leave } = useLeaving(connection.connectionId)
  return (
    <Row
      mark={
        <Logo name="" tint="none">
          <Icon path={power} />
        </Logo>
      }
      name={isLeaving ? t.disconnecting : t.disconnect}
      sub={walletName(connection)}
      busy={isLeaving}
      data-testid="disconnect"
      onClick={leave}
    />
  )
}
