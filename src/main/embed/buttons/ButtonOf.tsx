/** The buttons of a host's page. */
import { solDecimals } from '../../../events/values/solana/fees.ts'
import { Button } from '../../../ui/kit/controls/Button.tsx'
import { Spinner } from '../../../ui/kit/feedback/Spinner.tsx'
import { Icon } from '../../../ui/kit/icons/Icon.tsx'
import { warn } from '../../../ui/kit/icons/icons.ts'
import { Address } from '../../../ui/kit/identity/Address.tsx'
import { Avatar } from '../../../ui/kit/identity/Avatar.tsx'
import { NetworkMark } from '../../../ui/kit/identity/NetworkMark.tsx'
import { useModel } from '../../../ui/react.tsx'
import { amountsIn, balanceDecimals } from '../../../ui/texts/amounts.ts'
import { basics } from '../../../ui/texts/basics/en.ts'
import { buttonsArea } from '../../../ui/texts/buttons/en.ts'
import { useLanguage, useTexts } from '../../../ui/texts/language.tsx'
import { modalArea } from '../../../ui/texts/modal/en.ts'
import type { HostButton, ModalState } from '../hostModal.ts'

/** The state and the way in that a modal gives its buttons. */
export type OfModal = {
  state: () => ModalState
  open: (view: 'Connect' | 'Account' | 'Networks' | 'UnsupportedChain') => void
}

/** One of them, by its kind. */
export function ButtonOf({ of, kind, showBalance }: Required<HostButton> & { of: OfModal }) {
  const address = useHost(of, ({ account }) => account.address)
  if (kind === 'network') return <NetworkButton of={of} />
  if (address !== undefined && kind !== 'connect')
    return <AccountButton of={of} address={address} showBalance={showBalance} />
  return kind === 'account' ? null : <ConnectButton of={of} />
}

/** A part of what the host's own listeners hear: text, or a flag. */
function useHost<T extends string | boolean | undefined>({ state }: OfModal, part: (state: ModalState) => T): T {
  return useModel(() => part(state()))
}

function ConnectButton({ of }: { of: OfModal }) {
  const { connectWallet } = useTexts(basics)
  const { connecting } = useTexts(buttonsArea)
  const isConnecting = useHost(of, ({ account }) => account.status === 'connecting')
  return (
    <Button kind="primary" icon={isConnecting && <Spinner />} onClick={() => of.open('Connect')}>
      {isConnecting ? connecting : connectWallet}
    </Button>
  )
}

function AccountButton({ of, address, showBalance }: { of: OfModal; address: string; showBalance: boolean }) {
  const network = useHost(of, state => state.network?.name)
  const isUnsupported = useHost(of, state => state.network?.supported === false)
  const open = () => of.open(isUnsupported ? 'UnsupportedChain' : 'Account')
  return (
    <Button
      icon={isUnsupported ? <Icon path={warn} small /> : <Mark network={network} />}
      title={address}
      onClick={open}
    >
      {showBalance && !isUnsupported && <Balance of={of} address={address} />}
      <Avatar address={address} size={20} />
      <Address value={address} short />
    </Button>
  )
}

function Balance({ of, address }: { of: OfModal; address: string }) {
  const lamports = useHost(of, state => state.balance)
  const hasFailed = useModel(model => model.balance[address]?.failure !== undefined)
  const language = useLanguage()
  if (lamports === undefined) return hasFailed ? null : <Spinner />
  const digits = { maxDecimals: balanceDecimals, minDecimals: balanceDecimals }
  return <span className="text-figures">{amountsIn(language)(lamports, solDecimals, digits)} SOL</span>
}

function NetworkButton({ of }: { of: OfModal }) {
  const { switchNetwork } = useTexts(modalArea)
  const { unknownNetwork, selectNetwork } = useTexts(buttonsArea)
  const status = useHost(of, ({ account }) => account.status)
  const name = useHost(of, state => state.network?.name)
  const isUnsupported = useHost(of, state => state.network?.supported === false)
  const words = isUnsupported ? switchNetwork : (name ?? (status === 'connected' ? unknownNetwork : selectNetwork))
  const mark = isUnsupported ? <Icon path={warn} small /> : <Mark network={name} />
  return (
    <Button icon={mark} disabled={status === 'connecting'} onClick={() => of.open('Networks')}>
      {words}
    </Button>
  )
}

function Mark({ network }: { network: string | undefined }) {
  return network === undefined ? null : <NetworkMark name={network} size="small" />
}
