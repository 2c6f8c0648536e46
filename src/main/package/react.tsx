/**
 * React entry of the package: `import { ConnectButton, WalletModalProvider } from 'mai-modal/react'`. It renders on a server as
 * without a wallet, and uses the host's React.
 */
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ModalConfig } from '../embed/config/hostConfig.ts'
import type {
  HostAccount,
  HostNetwork,
  ModalState,
  OpenOutcome,
  OpeningRequest,
  WalletInfo,
} from '../embed/hostModal.ts'
import { formatAmount } from '../../events/values/amount.ts'
import { solDecimals } from '../../events/values/solana/fees.ts'
import { floored } from '../../ui/account/holdings/decimal.ts'
import { type DeferredModal, deferModal } from './deferredModal.ts'
import { walletPublicKey, type WalletPublicKey } from './publicKey.ts'

type Held = { modal: DeferredModal | undefined; config: ModalConfig }
type Provided = Pick<Held, 'modal'> & Pick<WalletState, 'disconnect' | 'disconnecting'>
const ModalContext = createContext<Provided | null>(null)

/**
 * Provides the modal to all components below; one for a page is enough.
 *
 * @param props.config as for `createModal`; the first value holds
 */
export function WalletModalProvider({ config, children }: { config: ModalConfig; children?: ReactNode }) {
  const [held, setHeld] = useState<Held>({ modal: undefined, config })
  const [leaving, setLeaving] = useState(0)
  const { modal, config: first } = held
  useEffect(() => {
    const modal = deferModal(() => import('../embed/createModal.tsx'), first)
    let isHeld = true
    queueMicrotask(() => isHeld && setHeld({ modal, config: first }))
    return () => {
      isHeld = false
      // The modal's own root cannot end within a render of the same React
      queueMicrotask(modal.destroy)
    }
  }, [first])
  const disconnect = useCallback(async () => {
    setLeaving(count => count + 1)
    try {
      await modal?.disconnect()
    } finally {
      setLeaving(count => count - 1)
    }
  }, [modal])
  const disconnecting = leaving > 0
  const provided = useMemo(() => ({ modal, disconnect, disconnecting }), [modal, disconnect, disconnecting])
  return <ModalContext value={provided}>{children}</ModalContext>
}

function useProvided(hook: string): Provided {
  const provided = useContext(ModalContext)
  if (!provided) throw new Error(`${hook} expected a WalletModalProvider above it, found none`)
  return provided
}

function useModalState(modal: DeferredModal | undefined): ModalState | undefined {
  const subscribe = useCallback((listen: () => void) => modal?.subscribe(listen) ?? (() => undefined), [modal])
  return useSyncExternalStore(
    subscribe,
    () => modal?.getState(),
    () => undefined,
  )
}

/** Opening and closing the modal, as in wallet-adapter's hook of this name. */
export type WalletModalControl = {
  visible: boolean
  setVisible(visible: boolean): void
  /** Resolves with the outcome of the opening; `dismissed` where no modal can be, as on a server. */
  open: DeferredModal['open']
  close(): void
  /** the whole modal; absent on a server and before the first effect */
  modal: DeferredModal | undefined
}

/** @returns the control of the modal */
export function useWalletModal(): WalletModalControl {
  const { modal } = useProvided('useWalletModal')
  const state = useModalState(modal)
  const open = useCallback(
    (request?: OpeningRequest): Promise<OpenOutcome> =>
      modal ? modal.open(request) : Promise.resolve({ outcome: 'dismissed' }),
    [modal],
  )
  const close = useCallback(() => modal?.close(), [modal])
  const setVisible = useCallback(
    (visible: boolean) => (visible ? void open().catch(reportError) : close()),
    [open, close],
  )
  return { visible: state?.open ?? false, setVisible, open, close, modal }
}

/** The visitor's wallet, as in wallet-adapter's `useWallet` and wagmi's `useAccount`. */
export type WalletState = {
  /** base58; absent without a connection */
  address: string | undefined
  /** the address as a key, the same object while it is the same account; null without a connection */
  publicKey: WalletPublicKey | null
  account: HostAccount | undefined
  wallet: WalletInfo | undefined
  network: HostNetwork | undefined
  connected: boolean
  connecting: boolean
  /** whether a call of `disconnect` is under way */
  disconnecting: boolean
  /** Opens the list of wallets; resolves with the outcome. */
  connect(): Promise<OpenOutcome>
  disconnect(): Promise<void>
  /** Signs a message with the connected wallet, as in wallet-adapter; absent without one. @throws as `modal.signMessage` */
  signMessage: DeferredModal['signMessage'] | undefined
  /** Sign serialised transactions without sending them; absent without a wallet. @throws as the modal's */
  signTransaction: DeferredModal['signTransaction'] | undefined
  signAllTransactions: DeferredModal['signAllTransactions'] | undefined
  signInWithSolana: DeferredModal['signInWithSolana'] | undefined
}

/** @returns the visitor's wallet; on a server, and until the modal is loaded, none */
export function useWallet(): WalletState {
  const { modal, disconnect, disconnecting } = useProvided('useWallet')
  const { open } = useWalletModal()
  const state = useModalState(modal)
  const account = state?.account
  const address = account?.address
  const publicKey = useMemo(() => (address === undefined ? null : walletPublicKey(address)), [address])
  const connect = useCallback(() => open('Connect'), [open])
  const signer = account?.isConnected ? modal : undefined
  return {
    address,
    publicKey,
    account,
    wallet: modal?.getWalletInfo(),
    network: state?.network,
    connected: account?.isConnected ?? false,
    connecting: account?.status === 'connecting',
    disconnecting,
    connect,
    disconnect,
    signMessage: signer?.signMessage,
    signTransaction: signer?.signTransaction,
    signAllTransactions: signer?.signAllTransactions,
    signInWithSolana: signer?.signInWithSolana,
  }
}

/** As in RainbowKit: a function that opens the screen, absent while it would show another one. */
type Opener = (() => void) | undefined

/** @returns the way to the list of wallets; absent while a wallet is connected, and on a server */
export function useConnectModal(): { connectModalOpen: boolean; openConnectModal: Opener } {
  const { visible, open, modal } = useWalletModal()
  const { connected } = useWallet()
  const openConnectModal = useCallback(() => show(open, 'Connect'), [open])
  return {
    connectModalOpen: visible && !connected,
    openConnectModal: modal && !connected ? openConnectModal : undefined,
  }
}

/** @returns the way to the account; absent without a connected wallet */
export function useAccountModal(): { accountModalOpen: boolean; openAccountModal: Opener } {
  const { visible, open } = useWalletModal()
  const { connected } = useWallet()
  const openAccountModal = useCallback(() => show(open, 'Account'), [open])
  return { accountModalOpen: visible && connected, openAccountModal: connected ? openAccountModal : undefined }
}

const chainViews: readonly string[] = ['Networks', 'SwitchNetwork', 'UnsupportedChain', 'WhatIsANetwork']

/** @returns the way to the networks; absent without a connected wallet */
export function useChainModal(): { chainModalOpen: boolean; openChainModal: Opener } {
  const { open, modal } = useWalletModal()
  const { connected } = useWallet()
  const view = useModalState(modal)?.view ?? ''
  const openChainModal = useCallback(() => show(open, 'Networks'), [open])
  return { chainModalOpen: chainViews.includes(view), openChainModal: connected ? openChainModal : undefined }
}

/** @returns the visitor's account, in wagmi's words */
export function useAccount() {
  const { account, address, connected, connecting, wallet } = useWallet()
  return {
    address,
    /** `caip2:address` */
    caipAddress: account?.caipAddress,
    connector: wallet,
    status: account?.status ?? 'disconnected',
    isConnected: connected,
    isConnecting: connecting,
    isDisconnected: !connected && !connecting,
  }
}

/** @returns the end of the connection, as in wagmi */
export function useDisconnect(): Pick<WalletState, 'disconnect'> {
  const { disconnect } = useWallet()
  return { disconnect }
}

/** Words of the button, and its attributes. */
export type ConnectButtonProps = {
  label?: string
  connectingLabel?: string
  /** once connected, beside the address; default false */
  showBalance?: boolean
  className?: string
}

/** A button that opens the modal, the account once connected. Like those below it has no style of its own. */
export function ConnectButton({ showBalance = false, ...words }: ConnectButtonProps) {
  const { connected } = useWallet()
  return connected ? (
    <AccountButton showBalance={showBalance} className={words.className} />
  ) : (
    <WalletModalButton {...words} />
  )
}

/** The wallet and the ways in for a button of the host's own, in RainbowKit's words. */
export type CustomButtonProps = {
  /** absent without a wallet; balances are absent until they are read */
  account:
    | { address: string; displayName: string; balanceFormatted?: string; balanceSymbol: 'SOL'; displayBalance?: string }
    | undefined
  /** absent until the network is known */
  chain: { id: string; name: string; unsupported: boolean } | undefined
  /** false on a server and before the first effect */
  mounted: boolean
  connectModalOpen: boolean
  accountModalOpen: boolean
  chainModalOpen: boolean
  openConnectModal(): void
  /** As the next one it leads to the list of wallets while none is connected. */
  openAccountModal(): void
  openChainModal(): void
}

/** Renders what its child makes of the wallet. */
function CustomButton({ children }: { children: (props: CustomButtonProps) => ReactNode }) {
  const { modal, open } = useWalletModal()
  const { address, network, connected } = useWallet()
  const { connectModalOpen } = useConnectModal()
  const { accountModalOpen } = useAccountModal()
  const { chainModalOpen } = useChainModal()
  const sol = solIn(useModalState(modal)?.balance)
  const balance = sol === undefined ? {} : { balanceFormatted: sol, displayBalance: `${sol} SOL` }
  return children({
    account:
      address === undefined
        ? undefined
        : { address, displayName: shortened(address), balanceSymbol: 'SOL', ...balance },
    chain: network && { id: network.caipNetworkId, name: network.name, unsupported: !network.supported },
    mounted: modal !== undefined,
    connectModalOpen,
    accountModalOpen,
    chainModalOpen,
    openConnectModal: () => show(open, 'Connect'),
    openAccountModal: () => show(open, 'Account'),
    openChainModal: () => show(open, connected ? 'Networks' : 'Connect'),
  })
}
ConnectButton.Custom = CustomButton

/** A button that leads to the list of wallets, as in wallet-adapter. */
export function WalletModalButton({
  label = 'Connect Wallet',
  connectingLabel = 'Connecting…',
  className,
}: Omit<ConnectButtonProps, 'showBalance'>) {
  const { open } = useWalletModal()
  const { connecting } = useWallet()
  return (
    <button type="button" className={className} aria-busy={connecting} onClick={() => show(open, 'Connect')}>
      {connecting ? connectingLabel : label}
    </button>
  )
}

/** Attributes of the account's button. */
export type AccountButtonProps = {
  /** default true */
  showBalance?: boolean
  className?: string | undefined
}

/**
 * A button with SOL and address that leads to the account; nothing without a wallet. On a network that the wallet cannot use it
 * has the attribute `data-unsupported` and leads to what can be done.
 */
export function AccountButton({ showBalance = true, className }: AccountButtonProps) {
  const { modal, open } = useWalletModal()
  const { address, network } = useWallet()
  const sol = solIn(useModalState(modal)?.balance)
  if (!address) return null
  const isUnsupported = network?.supported === false
  return (
    <button
      type="button"
      className={className}
      title={address}
      aria-busy={showBalance && sol === undefined}
      data-unsupported={isUnsupported || undefined}
      onClick={() => show(open, isUnsupported ? 'UnsupportedChain' : 'Account')}
    >
      {showBalance && sol !== undefined && `${sol} SOL `}
      {shortened(address)}
    </button>
  )
}

/** @returns lamports as SOL, rounded down to three digits after the point; undefined until they are read */
function solIn(lamports: string | undefined): string | undefined {
  return lamports === undefined ? undefined : floored(formatAmount(lamports, solDecimals, { group: false }), 3)
}

function shortened(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-6)}`
}

/** Words of the network's button, and its attributes. */
export type NetworkButtonProps = {
  switchLabel?: string
  unknownLabel?: string
  selectLabel?: string
  className?: string
}

/** A button with the network's name that leads to the networks. */
export function NetworkButton({
  switchLabel = 'Switch Network',
  unknownLabel = 'Unknown Network',
  selectLabel = 'Select Network',
  className,
}: NetworkButtonProps) {
  const { open } = useWalletModal()
  const { network, connected, connecting } = useWallet()
  const isUnsupported = network?.supported === false
  const words = isUnsupported ? switchLabel : (network?.name ?? (connected ? unknownLabel : selectLabel))
  return (
    <button
      type="button"
      className={className}
      disabled={connecting}
      data-unsupported={isUnsupported || undefined}
      onClick={() => show(open, 'Networks')}
    >
      {words}
    </button>
  )
}

function show(open: WalletModalControl['open'], view: 'Account' | 'Connect' | 'Networks' | 'UnsupportedChain'): void {
  void open(view).catch(reportError)
}

export { ConnectButton as WalletMultiButton }
export type { LiveFeatures } from '../embed/config/featuresConfig.ts'
export type { ModalConfig } from '../embed/config/hostConfig.ts'
export type {
  HostAccount,
  HostEvents,
  HostModal,
  HostNetwork,
  HostView,
  ModalState,
  OpeningRequest,
  OpenOutcome,
  WalletInfo,
} from '../embed/hostModal.ts'
export type { ThemeMode, ThemeVariables } from '../embed/theme.ts'
export type { Provider, ProviderOptions } from '../provider/provider.ts'
export type { SignedIn, SignInRequest } from '../signIn/signInAttempt.ts'
export type { DeferredModal } from './deferredModal.ts'
export type { WalletPublicKey } from './publicKey.ts'
