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
  useState,
  useSyncExternalStore,
} from 'react'
import type { ModalConfig } from '../embed/hostConfig.ts'
import type { HostAccount, HostNetwork, ModalState, OpenOutcome, WalletInfo } from '../embed/hostModal.ts'
import { type DeferredModal, deferModal } from './deferredModal.ts'

type Held = { modal: DeferredModal | undefined; config: ModalConfig }
const ModalContext = createContext<Held | null>(null)

/**
 * Provides the modal to all components below; one for a page is enough.
 *
 * @param props.config as for `createModal`; the first value holds
 */
export function WalletModalProvider({ config, children }: { config: ModalConfig; children?: ReactNode }) {
  const [held, setHeld] = useState<Held>({ modal: undefined, config })
  const first = held.config
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
  return <ModalContext value={held}>{children}</ModalContext>
}

function useHeld(hook: string): DeferredModal | undefined {
  const held = useContext(ModalContext)
  if (!held) throw new Error(`${hook} expected a WalletModalProvider above it, found none`)
  return held.modal
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
  const modal = useHeld('useWalletModal')
  const state = useModalState(modal)
  const open = useCallback(
    (view?: Parameters<DeferredModal['open']>[0]): Promise<OpenOutcome> =>
      modal ? modal.open(view) : Promise.resolve({ outcome: 'dismissed' }),
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
  account: HostAccount | undefined
  wallet: WalletInfo | undefined
  network: HostNetwork | undefined
  connected: boolean
  connecting: boolean
  disconnect(): Promise<void>
}

/** @returns the visitor's wallet; on a server, and until the modal is loaded, none */
export function useWallet(): WalletState {
  const modal = useHeld('useWallet')
  const state = useModalState(modal)
  const disconnect = useCallback(async () => modal?.disconnect(), [modal])
  const account = state?.account
  return {
    address: account?.address,
    account,
    wallet: modal?.getWalletInfo(),
    network: state?.network,
    connected: account?.isConnected ?? false,
    connecting: account?.status === 'connecting',
    disconnect,
  }
}

/** Words of the button, and its attributes. */
export type ConnectButtonProps = { label?: string; connectingLabel?: string; className?: string }

/** A button that opens the modal: the wallet's address once connected. It has no style of its own. */
export function ConnectButton({
  label = 'Connect Wallet',
  connectingLabel = 'Connecting…',
  className,
}: ConnectButtonProps) {
  const { setVisible } = useWalletModal()
  const { address, connecting } = useWallet()
  const words = address ? `${address.slice(0, 4)}…${address.slice(-6)}` : connecting ? connectingLabel : label
  return (
    <button type="button" className={className} title={address} aria-busy={connecting} onClick={() => setVisible(true)}>
      {words}
    </button>
  )
}

export { ConnectButton as WalletMultiButton }
export type { ModalConfig } from '../embed/hostConfig.ts'
