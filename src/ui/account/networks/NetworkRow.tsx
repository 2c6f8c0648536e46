import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { walletName } from '../../../events/subjects/wallet/connection.ts'
import { Icon } from '../../kit/icons/Icon.tsx'
import { checkIcon } from '../../kit/icons/iconsOfStart.ts'
import { Row } from '../../kit/Row.tsx'
import { Tag } from '../../kit/feedback/Tag.tsx'
import { useModel } from '../../react.tsx'
import { accountArea } from '../../texts/account/en.ts'
import { networksArea } from '../../texts/networks/en.ts'
import { useTexts } from '../../texts/language.tsx'
import type { ShownNetwork } from './networkChoice.ts'
import { NetworkMark } from '../../kit/identity/NetworkMark.tsx'
import { useSwitch } from './useSwitch.ts'

/** A network to go to. The active one is no button: a press on it would change nothing. */
export function NetworkRow({ network }: { network: ShownNetwork }) {
  const t = useTexts(networksArea)
  const { active } = useTexts(accountArea)
  const go = useSwitch()
  const wallet = useModel(model => {
    const connection = activeConnection(model)?.connection
    return connection && walletName(connection)
  })
  const { caip2, name, isActive, isTest, isDisabled } = network
  const mark = <NetworkMark name={name} />
  const sub = isDisabled && wallet !== undefined ? t.notApproved(wallet) : undefined
  if (isActive)
    return (
      <Row
        mark={mark}
        name={name}
        sub={sub}
        tag={
          <Tag tone="accent">
            <Icon path={checkIcon} small />
            {active}
          </Tag>
        }
      />
    )
  return (
    <Row
      mark={mark}
      name={name}
      sub={sub}
      tag={isTest && <Tag>{t.test}</Tag>}
      disabled={isDisabled}
      data-testid="network-row"
      data-network={caip2}
      onClick={() => go(caip2)}
    />
  )
}
