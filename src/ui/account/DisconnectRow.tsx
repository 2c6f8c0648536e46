import { useState } from 'react'
import { type Connection, walletName } from '../../events/subjects/connection.ts'
import { Icon } from '../kit/icons/Icon.tsx'
import { power } from '../kit/icons/iconsOfModal.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { Row } from '../kit/Row.tsx'
import { useCommand } from '../react.tsx'
import { accountArea } from '../texts/account/en.ts'
import { useTexts } from '../texts/language.tsx'

/** Ends a connection. */
export function DisconnectRow({ connection }: { connection: Connection }) {
  const command = useCommand()
  const t = useTexts(accountArea)
  const [leaving, setLeaving] = useState('')
  const { connectionId } = connection
  const busy = leaving === connectionId
  const disconnect = () => {
    setLeaving(connectionId)
    command({ type: 'connection.disconnect', data: { connectionId } })
  }
  return (
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
  )
}
