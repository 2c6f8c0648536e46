// @vitest-environment happy-dom
/** Hooks of the React entry over a modal that only notes its calls. */
import { PublicKey } from '@solana/web3.js'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HostAccount, ModalState } from '../../../src/main/embed/hostModal.ts'
import {
  AccountButton,
  type AccountButtonProps,
  ConnectButton,
  type CustomButtonProps,
  NetworkButton,
  type NetworkButtonProps,
  useAccount,
  useChainModal,
  useAccountModal,
  useConnectModal,
  useDisconnect,
  useWallet,
  WalletModalButton,
  WalletModalProvider,
} from '../../../src/main/package/react.tsx'

const config = { projectId: 'p1', metadata: { name: 'Host', description: '', url: 'https://host.example', icons: [] } }
const none: HostAccount = {
  isConnected: false,
  address: undefined,
  caipAddress: undefined,
  status: 'disconnected',
  allAccounts: [],
  addressLabels: {},
  embeddedWalletInfo: undefined,
}
const linked: HostAccount = { ...none, isConnected: true, address: 'A', caipAddress: 'solana:x:A', status: 'connected' }
const closed: ModalState = {
  open: false,
  view: undefined,
  account: none,
  network: undefined,
  balance: undefined,
  themeMode: 'system',
}

const { real } = vi.hoisted(() => ({
  real: { state: {} as ModalState, calls: [] as string[], tell: () => {}, disconnecting: Promise.resolve() },
}))
vi.mock('../../../src/main/embed/createModal.tsx', () => ({
  createModal: () => {
    const watchers = new Set<(state: ModalState) => void>()
    real.tell = () => watchers.forEach(watch => watch(real.state))
    return {
      getState: () => real.state,
      getWalletInfo: () => ({ name: 'Nib', connector: 'installed', walletId: 'Nib' }),
      subscribe: (watch: (state: ModalState) => void) => (watchers.add(watch), () => watchers.delete(watch)),
      open: async (view: unknown) => (real.calls.push(`open ${String(view)}`), { outcome: 'dismissed' }),
      close: () => real.calls.push('close'),
      disconnect: () => (real.calls.push('disconnect'), real.disconnecting),
      signMessage: async (message: string) => (real.calls.push(`sign ${message}`), new Uint8Array(64)),
      signTransaction: async (bytes: Uint8Array) => (real.calls.push(`sign ${bytes.length} bytes`), bytes),
      signAllTransactions: async (all: Uint8Array[]) => (real.calls.push(`sign ${all.length} transactions`), all),
      signInWithSolana: async () => (real.calls.push('sign in'), {}),
      destroy: () => undefined,
    }
  },
}))

type Seen = ReturnType<typeof useAll>
const useAll = () => ({
  connect: useConnectModal(),
  sheet: useAccountModal(),
  account: useAccount(),
  leave: useDisconnect(),
  chain: useChainModal(),
  wallet: useWallet(),
})
let seen: Seen
function Probe() {
  const now = useAll()
  useEffect(() => void (seen = now))
  return null
}
/** The modal in another state. */
const becomes = (more: Partial<ModalState>) =>
  act(async () => {
    real.state = { ...real.state, ...more }
    real.tell()
  })

beforeEach(() => {
  vi.stubGlobal('reportError', () => undefined)
  real.state = closed
  real.calls = []
  real.disconnecting = Promise.resolve()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('React hooks: those of RainbowKit and wagmi follow the connection', async () => {
  render(
    <WalletModalProvider config={config}>
      <Probe />
    </WalletModalProvider>,
  )
  await act(async () => {})
  expect(seen.account).toMatchObject({ address: undefined, status: 'disconnected', isDisconnected: true })
  const { signMessage, signTransaction, signAllTransactions, signInWithSolana } = seen.wallet
  const signers = [signMessage, signTransaction, signAllTransactions, signInWithSolana]
  expect([seen.sheet.openAccountModal, ...signers]).toEqual([undefined, undefined, undefined, undefined, undefined])
  await act(async () => seen.connect.openConnectModal?.())
  await becomes({ open: true, view: 'Connect' })
  expect([seen.connect.connectModalOpen, seen.sheet.accountModalOpen]).toEqual([true, false])

  await becomes({ account: { ...none, status: 'connecting' } })
  expect(seen.account).toMatchObject({ isConnecting: true, isConnected: false, isDisconnected: false })

  await becomes({ open: false, account: linked })
  expect(seen.account).toMatchObject({ address: 'A', caipAddress: 'solana:x:A', connector: { name: 'Nib' } })
  expect(seen.connect.openConnectModal).toBeUndefined()
  await act(async () => seen.sheet.openAccountModal?.())
  await becomes({ open: true, view: 'Account' })
  expect([seen.connect.connectModalOpen, seen.sheet.accountModalOpen]).toEqual([false, true])
  expect(await seen.wallet.signMessage?.('hello')).toHaveLength(64)
  const bytes = new Uint8Array(3)
  expect(await seen.wallet.signTransaction?.(bytes)).toBe(bytes)
  expect(await seen.wallet.signAllTransactions?.([bytes, bytes])).toHaveLength(2)
  await seen.wallet.signInWithSolana?.()
  await act(() => seen.leave.disconnect())
  const signed = ['sign hello', 'sign 3 bytes', 'sign 2 transactions', 'sign in']
  expect(real.calls).toEqual(['open Connect', 'open Account', ...signed, 'disconnect'])
})

test('React hooks: the networks are there for a connected wallet, and open while one of their screens is', async () => {
  render(
    <WalletModalProvider config={config}>
      <Probe />
    </WalletModalProvider>,
  )
  await act(async () => {})
  expect(seen.chain).toEqual({ chainModalOpen: false, openChainModal: undefined })
  await act(async () => seen.connect.openConnectModal?.())
  await becomes({ account: linked })
  await act(async () => seen.chain.openChainModal?.())
  expect(real.calls).toEqual(['open Connect', 'open Networks'])
  for (const [view, open] of [
    ['Networks', true],
    ['SwitchNetwork', true],
    ['Account', false],
  ] as const) {
    await becomes({ open: true, view })
    expect(seen.chain.chainModalOpen, view).toBe(open)
  }
})

const mint = 'So11111111111111111111111111111111111111112'

test('React hooks: a wallet has its key, is connected by a call, and says that it disconnects', async () => {
  render(
    <WalletModalProvider config={config}>
      <Probe />
    </WalletModalProvider>,
  )
  await act(async () => {})
  expect([seen.wallet.publicKey, seen.wallet.disconnecting]).toEqual([null, false])
  await act(async () => expect(await seen.wallet.connect()).toEqual({ outcome: 'dismissed' }))
  expect(real.calls).toEqual(['open Connect'])
  await becomes({ account: { ...linked, address: mint } })
  const { publicKey } = seen.wallet
  expect([publicKey?.toBase58(), String(publicKey)]).toEqual([mint, mint])
  expect(new PublicKey(publicKey?.toBase58() ?? '').toBase58()).toBe(mint)
  await becomes({ balance: '1' })
  expect(seen.wallet.publicKey).toBe(publicKey)

  let end = () => {}
  real.disconnecting = new Promise(resolve => (end = resolve))
  let left = false
  await act(async () => void seen.wallet.disconnect().then(() => (left = true)))
  expect([seen.wallet.disconnecting, left]).toEqual([true, false])
  await act(async () => end())
  expect([seen.wallet.disconnecting, left]).toEqual([false, true])
})

test('React buttons: one of the host’s own gets the wallet and the ways in', async () => {
  const given: CustomButtonProps[] = []
  render(
    <WalletModalProvider config={config}>
      <ConnectButton.Custom>
        {props => {
          given.push(props)
          return <b>{props.account?.displayName ?? 'nothing'}</b>
        }}
      </ConnectButton.Custom>
    </WalletModalProvider>,
  )
  expect(given[0]).toMatchObject({ account: undefined, chain: undefined, mounted: false })
  await act(async () => {})
  expect(given.at(-1)?.mounted).toBe(true)
  const press = (name: 'openConnectModal' | 'openAccountModal' | 'openChainModal') =>
    act(async () => given.at(-1)?.[name]())
  await press('openConnectModal')
  await press('openChainModal')
  await becomes({ open: true, view: 'Connect' })
  expect(given.at(-1)).toMatchObject({ connectModalOpen: true, accountModalOpen: false, chainModalOpen: false })

  const network = { caipNetworkId: 'solana:x', name: 'Solana', test: false, supported: false }
  await becomes({ open: false, account: { ...linked, address: mint }, network })
  const displayName = 'So11…111112'
  expect(screen.getByText(displayName)).toBeTruthy()
  expect(given.at(-1)).toMatchObject({
    account: { address: mint, displayName, balanceSymbol: 'SOL' },
    chain: { id: 'solana:x', name: 'Solana', unsupported: true },
  })
  await becomes({ balance: '12481900000', open: true, view: 'Networks' })
  expect(given.at(-1)).toMatchObject({
    account: { balanceFormatted: '12.481', displayBalance: '12.481 SOL' },
    chainModalOpen: true,
  })
  await press('openAccountModal')
  await press('openChainModal')
  expect(real.calls).toEqual(['open Connect', 'open Connect', 'open Account', 'open Networks'])
})

test('React buttons: each shows how the wallet stands, and leads to its screen', async () => {
  const plain: AccountButtonProps = { showBalance: false }
  const words: NetworkButtonProps = { selectLabel: 'Choose' }
  const all = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
  const press = async (text: string) => act(async () => void fireEvent.click(screen.getByText(text)))
  render(
    <WalletModalProvider config={config}>
      <ConnectButton showBalance />
      <AccountButton {...plain} />
      <NetworkButton {...words} />
      <WalletModalButton label="Wallets" />
    </WalletModalProvider>,
  )
  await act(async () => {})
  await becomes({})
  expect(all()).toEqual(['Connect Wallet', 'Choose', 'Wallets'])
  await press('Connect Wallet')
  await becomes({ account: { ...none, status: 'connecting' } })
  expect(all()).toEqual(['Connecting…', 'Choose', 'Connecting…'])
  expect(screen.getByText<HTMLButtonElement>('Choose').disabled).toBe(true)

  const account = { ...linked, address: 'AbcdefghijkLMNOPQ' }
  await becomes({ account })
  expect(all()).toEqual(['Abcd…LMNOPQ', 'Abcd…LMNOPQ', 'Unknown Network', 'Wallets'])
  const shown = screen.getAllByText('Abcd…LMNOPQ').map(button => button.getAttribute('aria-busy'))
  expect(shown).toEqual(['true', 'false'])
  const network = { caipNetworkId: 'solana:x', name: 'Solana', test: false, supported: true }
  await becomes({ balance: '12481900000', network })
  expect(all()).toEqual(['12.481 SOL Abcd…LMNOPQ', 'Abcd…LMNOPQ', 'Solana', 'Wallets'])
  await press('Abcd…LMNOPQ')
  await press('Solana')

  await becomes({ balance: '3000000000', network: { ...network, supported: false } })
  expect(all()).toEqual(['3.000 SOL Abcd…LMNOPQ', 'Abcd…LMNOPQ', 'Switch Network', 'Wallets'])
  await press('3.000 SOL Abcd…LMNOPQ')
  await press('Switch Network')
  const opened = ['Connect', 'Account', 'Networks', 'UnsupportedChain', 'Networks']
  expect(real.calls).toEqual(opened.map(view => `open ${view}`))
})
