import { useEffect } from 'react'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { Address } from '../../kit/identity/Address.tsx'
import { Button } from '../../kit/controls/Button.tsx'
import { Note } from '../../kit/feedback/Note.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { copyIcon } from '../../kit/icons/icons.ts'
import { loadEncoder, Qr } from '../../kit/figures/Qr.tsx'
import { Row } from '../../kit/Row.tsx'
import { useDispatch, useModel } from '../../react.tsx'
import { accountArea } from '../../texts/account/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { useCopyAddress } from '../useCopyAddress.ts'
import { useNetworkName } from '../networks/NetworkChip.tsx'
import { useNetworks } from '../networks/useNetworks.ts'
import { NetworkMark } from '../../kit/identity/NetworkMark.tsx'

/** Marks of networks in the row that leads to all of them. */
const mostMarks = 5

/** The account's address as a QR code and in letters, and the networks it receives on. */
export function WalletReceive() {
  const account = useModel(model => activeConnection(model)?.account)
  return account === undefined ? null : <Receive account={account} />
}

function Receive({ account }: { account: string }) {
  const dispatch = useDispatch()
  const t = useTexts(accountArea)
  const copy = useCopyAddress(account)
  const [network, ...others] = useReceiving()
  const only = others.length > 0 ? t.onlyTheirTokens : t.onlyTokens
  useEffect(() => void loadEncoder().catch(() => undefined), [])
  return (
    <>
      <div className="receive-code">
        <Qr text={account} label={t.addressCode(account)} />
      </div>
      <p className="receive-address text-figures" data-testid="receive-address">
        <Address value={account} />
      </p>
      <Button wide icon={<Icon path={copyIcon} small />} data-testid="copy-address" onClick={copy}>
        {t.copyIt}
      </Button>
      <Row
        className="layout-above"
        mark={<NetworkMark name={network ?? ''} />}
        name={network ?? only}
        sub={network !== undefined && only}
        tag={
          others.length > 0 && (
            <span className="layout-inline">
              {others.slice(0, mostMarks - 1).map((name, at) => (
                <NetworkMark key={at} name={name} size="small" />
              ))}
            </span>
          )
        }
        leads
        data-testid="receive-networks"
        onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletCompatibleNetworks' } } })}
      />
    </>
  )
}

/** The networks on which the account can receive, and a warning about all others. */
export function WalletCompatibleNetworks() {
  const t = useTexts(accountArea)
  const names = useReceiving()
  return (
    <>
      <Note tone="warn">
        <b>{names.length > 1 ? t.onlyNetworks : t.onlyNetwork}</b> {t.othersLost}
      </Note>
      {names.map((name, at) => (
        <Row key={at} className={at === 0 ? 'layout-above' : ''} mark={<NetworkMark name={name} />} name={name} />
      ))}
    </>
  )
}

/**
 * @returns names of the networks on which the account receives, the active one first, those that its wallet did not approve left out;
 *   none until the active one is known
 */
function useReceiving(): string[] {
  const active = useNetworkName()
  const others = (useNetworks() ?? []).filter(({ isActive, isDisabled }) => !isActive && !isDisabled)
  return active === undefined ? [] : [active, ...others.map(({ name }) => name)]
}
