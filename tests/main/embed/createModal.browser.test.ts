import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { HostModal, ModalState } from '../../../src/main/embed/hostModal.ts'
import { createModal } from '../../../src/main/embed/createModal.tsx'

// One page has one modal, so these tests follow one life of it, in order. No service answers here.

const config = {
  projectId: 'p1',
  metadata: { name: 'Host', description: '', url: 'https://host.example', icons: [] },
  themeMode: 'dark',
  themeVariables: { '--mai-accent': 'rgb(0, 128, 64)', '--mai-z-index': 7 },
  addresses: {
    relayUrl: 'ws://127.0.0.1:1',
    solanaRpcUrl: 'http://127.0.0.1:1',
    apiUrl: 'http://127.0.0.1:1',
    configUrl: 'http://127.0.0.1:1',
    termsUrl: 'http://127.0.0.1:1/terms.json',
  },
} as const

let modal: HostModal
const states: ModalState[] = []
const element = () => document.querySelector('mai-modal') as HTMLElement
/** The visible element; an idle page renders the modal ahead, hidden. */
const inside = (testId: string) => {
  const found = element().shadowRoot?.querySelector<HTMLElement>(`[data-testid="${testId}"]`)
  return found?.checkVisibility() ? found : null
}

/** All notices so far: one may be gone before the test that expects it begins. */
const told: string[] = []
const notice = () => element().shadowRoot?.querySelector('.toast:not(.is-out)')?.textContent ?? ''

beforeAll(() => {
  modal = createModal({ ...config, metadata: { ...config.metadata, icons: [] }, featuredWalletIds: [] })
  new MutationObserver(() => told.push(notice())).observe(element().shadowRoot as ShadowRoot, {
    childList: true,
    subtree: true,
    characterData: true,
  })
  modal.subscribe(state => states.push(state))
})
afterAll(() => element().remove())
// Closes the modal of a test that failed in the middle
afterEach(async () => {
  vi.restoreAllMocks()
  inside('leave-sign-in')?.click()
  modal.close()
  await expect.poll(() => inside('modal')).toBeNull()
})

test('embed: a new modal is invisible and without an account', () => {
  expect(inside('modal')).toBeNull()
  expect(modal.getAccount()).toMatchObject({ isConnected: false, status: 'disconnected', allAccounts: [] })
})

test('embed: it opens on Connect at once, in the host’s theme', async () => {
  await page.viewport(800, 700)
  void modal.open()
  await expect.poll(() => inside('modal-title')?.textContent).toBe('Connect wallet')
  expect(states.at(-1)).toMatchObject({ open: true })
  const style = getComputedStyle(element())
  expect([style.getPropertyValue('--mai-accent'), style.getPropertyValue('--mai-z-index')]).toEqual([
    'rgb(0, 128, 64)',
    '7',
  ])
  expect(style.colorScheme).toBe('dark')
  expect(inside('modal')?.offsetWidth).toBe(360)
})

test('embed: Escape and close close it, and listeners hear both', async () => {
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => inside('modal')).toBeNull()
  expect(states.at(-1)).toMatchObject({ open: false })
  void modal.open('AllWallets')
  await expect.poll(() => inside('modal-title')?.textContent).toBe('All wallets')
  modal.close()
  await expect.poll(() => inside('modal')).toBeNull()
  expect(states.filter(state => state.open)).toHaveLength(2)
})

test('embed: the Account view without an account is Connect', async () => {
  void modal.open('Account')
  await expect.poll(() => inside('modal-title')?.textContent).toBe('Connect wallet')
  modal.close()
})

test('embed: an unknown view is refused by name', async () => {
  await expect(modal.open('Swap' as 'Account')).rejects.toThrow(
    /^open: view expected Connect or Account or .* or WalletConnect, got "Swap"$/,
  )
})

test('embed: disconnecting without a connection resolves at once', async () => {
  await expect(modal.disconnect()).resolves.toBeUndefined()
})

test('embed: the core takes any link the page was opened with', async () => {
  await expect(modal.receiveLink(`${location.origin}/?wc_ev=none`)).resolves.toBeUndefined()
  await expect(modal.receiveLink('no address')).resolves.toBeUndefined()
})

test('embed: a link with an unreadable message gives a notice; an address without one does not', async () => {
  const words = 'A wallet opened this page with a message it cannot read. Nothing has changed.'
  await expect.poll(() => told.some(text => text.includes(words))).toBe(true)
  await expect.poll(notice).toBe('')
  await modal.receiveLink(location.href)
  expect(notice()).toBe('')
})

test('embed: a sign-in shows a code, renews it in time, runs once at a time, and can be cancelled', async () => {
  const request = { chains: ['eip155:1'], nonce: '12345678' }
  const signing = modal.signIn(request)
  signing.catch(() => undefined)
  await expect.poll(() => inside('modal-title')?.textContent).toBe('Sign in')
  await expect.poll(() => inside('copy-sign-in')?.getAttribute('aria-disabled')).toBeNull()
  await expect.poll(() => inside('qr')).not.toBeNull()
  await expect(modal.signIn(request)).rejects.toMatchObject({ code: 'busy' })
  const code = () => inside('qr')?.querySelector('.qr-dots')?.getAttribute('d')
  const first = code()
  const later = Date.now() + 231_000
  vi.spyOn(Date, 'now').mockImplementation(() => later)
  await expect.poll(() => code() !== undefined && code() !== first).toBe(true)
  inside('leave-sign-in')?.click()
  vi.restoreAllMocks()
  await expect(signing).rejects.toMatchObject({ code: 'user_rejected' })
  await expect.poll(() => inside('modal')).toBeNull()
})

test('embed: a sign-in no wallet can get is refused with a sentence, and nothing is shown', async () => {
  await expect(modal.signIn({ chains: [], nonce: '12345678' })).rejects.toMatchObject({ code: 'bad_input' })
  expect(inside('modal')).toBeNull()
})

test('embed: the provider is there, and names the call it needs first', async () => {
  const provider = await modal.provider({ rpcMap: { 'eip155:1': 'https://node.example/secret-key' } })
  expect([provider.session, provider.sessions]).toEqual([undefined, []])
  await expect(provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({
    code: 4900,
    message: 'Please call connect() before request()',
  })
  const uri = new Promise<string>(resolve => provider.once('display_uri', resolve))
  const connecting = provider.connect({ optionalNamespaces: {} })
  expect(await uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  modal.close()
  const again = provider.connect({ optionalNamespaces: {} })
  await expect(connecting).rejects.toMatchObject({ code: 4001, message: 'the connection attempt was abandoned' })
  again.catch(() => undefined)
})

test.each([
  [{ rpc: {} }, 'options expected only the keys rpcMap, defaultChains, networks, ping, got rpc'],
  [{ rpcMap: { mainnet: 'https://x' } }, 'rpcMap expected chains as in eip155:1, got mainnet'],
  [{ rpcMap: { 'eip155:1': 7 } }, 'rpcMap expected an address for eip155:1, got number'],
  [{ defaultChains: { eip155: '1' } }, 'defaultChains expected chains as in eip155:1, got 1'],
  [{ networks: [] }, 'networks expected an object, got a list'],
])('embed: a provider with options %j is refused with a sentence', async (options, sentence) => {
  await expect(modal.provider(options as never)).rejects.toThrow(`provider: ${sentence}`)
})

test('embed: removed listeners are not called', () => {
  const heard = vi.fn()
  modal.on('connected', heard)()
  modal.subscribe(heard)()
  void modal.open()
  modal.close()
  expect(heard).not.toHaveBeenCalled()
})
