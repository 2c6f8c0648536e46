/** The React entry with the real modal: components and hooks follow it, and unmounting leaves nothing. */
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  ConnectButton,
  type ConnectButtonProps,
  useWallet,
  useWalletModal,
  type WalletModalControl,
  WalletModalProvider,
  type WalletState,
} from '../../../src/main/package/react.tsx'
import { announceIn, smallWallet } from '../drivers/smallWallet.ts'

const nowhere = 'http://127.0.0.1:1'
const config = {
  projectId: 'p1',
  metadata: { name: 'Host', description: '', url: 'https://host.example', icons: [] },
  addresses: {
    relayUrl: 'ws://127.0.0.1:1',
    // A log of its own: other files of tests share the origin
    solanaRpcUrl: `${nowhere}/react`,
    apiUrl: nowhere,
    configUrl: nowhere,
    termsUrl: `${nowhere}/terms.json`,
  },
}
const words: ConnectButtonProps = { label: 'Join', className: 'join' }
let seen: { modal: WalletModalControl; wallet: WalletState }
const unseen = { modal: {}, wallet: {} } as typeof seen
function Probe() {
  const now = { modal: useWalletModal(), wallet: useWallet() }
  useEffect(() => void (seen = now))
  return null
}
const box = document.createElement('div')
const inside = (css: string) =>
  document.querySelector('mai-modal')?.shadowRoot?.querySelector<HTMLElement>(css) ?? undefined
const button = () => box.querySelector<HTMLButtonElement>('button.join')
const undo: (() => void)[] = []

beforeEach(() => {
  seen = unseen
  document.body.append(box)
})
afterEach(() => {
  for (const end of undo.splice(0).reverse()) end()
  box.remove()
})

function draw(): void {
  const root = createRoot(box)
  undo.push(() => root.unmount())
  root.render(
    <WalletModalProvider config={config}>
      <ConnectButton {...words} />
      <Probe />
    </WalletModalProvider>,
  )
}

test('React entry: the button opens the modal, a connection shows in the hooks and in the button', async () => {
  const { wallet } = smallWallet()
  undo.push(announceIn(window, wallet))
  draw()
  await expect.poll(() => seen.modal.modal).toBeTruthy()
  expect([button()?.textContent, seen.modal.visible, seen.wallet.connected]).toEqual(['Join', false, false])
  button()?.click()
  await expect.poll(() => seen.modal.visible).toBe(true)
  await expect.poll(() => inside('[data-wallet="Quill"]')?.checkVisibility()).toBe(true)
  seen.modal.setVisible(false)
  await expect.poll(() => seen.modal.visible).toBe(false)
  await expect.poll(() => inside('[data-testid="modal"]')?.checkVisibility() ?? false).toBe(false)

  const opened = seen.modal.open()
  await expect.poll(() => inside('[data-wallet="Quill"]')?.checkVisibility()).toBe(true)
  inside('[data-wallet="Quill"]')?.click()
  expect(await opened).toMatchObject({ outcome: 'connected' })
  await expect.poll(() => seen.wallet.connected).toBe(true)
  const { address = '' } = seen.wallet
  expect(seen.wallet.wallet).toMatchObject({ name: 'Quill', connector: 'installed', icon: wallet.icon })
  expect(button()?.textContent).toBe(`${address.slice(0, 4)}…${address.slice(-6)}`)
  await seen.wallet.disconnect()
  await expect.poll(() => seen.wallet.connected).toBe(false)
})

test('React entry: unmounting ends the modal', async () => {
  draw()
  await expect.poll(() => seen.modal.modal).toBeTruthy()
  await seen.modal.modal?.ready()
  expect(document.querySelector('mai-modal')).not.toBeNull()
  for (const end of undo.splice(0)) end()
  await expect.poll(() => document.querySelector('mai-modal')).toBeNull()
})
