import { useEffect } from 'react'
import { activeConnection } from '../../events/subjects/connection.ts'
import { Address } from '../kit/identity/Address.tsx'
import { Button } from '../kit/controls/Button.tsx'
import { Note } from '../kit/feedback/Note.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { copyIcon } from '../kit/icons/icons.ts'
import { loadEncoder, Qr } from '../kit/figures/Qr.tsx'
import { Row } from '../kit/Row.tsx'
import { useDispatch, useModel } from '../react.tsx'
import { useCopyAddress } from './useCopyAddress.ts'
import { networkNameOf, NetworkMark } from './NetworkChip.tsx'

/** The account's address as a QR code and in letters, and the networks it receives on. */
export function WalletReceive() {
  const account = useModel(model => activeConnection(model)?.account)
  return account === undefined ? null : <Receive account={account} />
}

function Receive({ account }: { account: string }) {
  const dispatch = useDispatch()
  const copy = useCopyAddress(account)
  const network = useModel(networkNameOf) ?? 'Solana'
  useEffect(() => void loadEncoder().catch(() => undefined), [])
  return (
    <>
      <div className="receive-code">
        <Qr text={account} label={`QR code of your address ${account}`} />
      </div>
      <p className="receive-address text-figures" data-testid="receive-address">
        <Address value={account} />
      </p>
      <Button wide icon={<Icon path={copyIcon} small />} data-testid="copy-address" onClick={copy}>
        Copy address
      </Button>
      <Row
        className="layout-above"
        mark={<NetworkMark name={network} />}
        name={network}
        sub="Send only tokens of this network here"
        leads
        data-testid="receive-networks"
        onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletCompatibleNetworks' } } })}
      />
    </>
  )
}

/** The networks on which the account can receive, and a warning about all others. */
export function WalletCompatibleNetworks() {
  const name = useModel(networkNameOf) ?? 'Solana'
  return (
    <>
      <Note tone="warn">
        <b>Only this network.</b> Tokens sent from another network are lost.
      </Note>
      <Row className="layout-above" mark={<NetworkMark name={name} />} name={name} />
    </>
  )
}
