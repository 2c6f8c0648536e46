/** The modal's methods and events for its host, and several callers in one page. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { createModal } from '../../../src/main/embed/createModal.tsx'
import type { HostModal, ModalState } from '../../../src/main/embed/hostModal.ts'
import type { ModalConfig } from '../../../src/main/embed/config/hostConfig.ts'
import { outputBytes, readAnnouncement } from '../../../src/main/drivers/wallets/announced.ts'
import { announceIn, smallWallet } from '../drivers/smallWallet.ts'

const nowhere = 'http://127.0.0.1:1'
const config: ModalConfig = {
  projectId: 'p1',
  metadata: { name: 'Host', description: '', url: 'https://host.example', icons: [] },
  addresses: {
    relayUrl: 'ws://127.0.0.1:1',
    // A log of its own: other files of tests share the origin
    solanaRpcUrl: `${nowhere}/api`,
    apiUrl: nowhere,
    configUrl: nowhere,
    termsUrl: `${nowhere}/terms.json`,
  },
}
const undo: (() => void)[] = []
function create(more: Partial<ModalConfig> = {}): HostModal {
  const modal = createModal({ ...config, ...more })
  undo.push(() => modal.destroy())
  return modal
}
const element = () => document.querySelector<HTMLElement>('mai-modal')
const inside = (css: string) => element()?.shadowRoot?.querySelector<HTMLElement>(css)
const press = async (css: string) => {
  await expect.poll(() => inside(css)?.checkVisibility()).toBe(true)
  inside(css)?.click()
}
const rejected = () => Promise.reject(Object.assign(new Error('no'), { code: 4001 }))

let said: string[] = []
beforeEach(async () => {
  await page.viewport(900, 700)
  said = []
  vi.spyOn(console, 'warn').mockImplementation((sentence: string) => void said.push(sentence))
})
afterEach(() => {
  for (const end of undo.splice(0).reverse()) end()
  vi.restoreAllMocks()
})

test('host API: open resolves as dismissed when the modal closes, by whichever handle', async () => {
  const modal = create()
  const [first, second] = [modal.open(), modal.open('AllWallets')]
  await press('[data-testid="modal-close"]')
  expect(await Promise.all([first, second])).toEqual([{ outcome: 'dismissed' }, { outcome: 'dismissed' }])
  const third = modal.open()
  modal.destroy()
  expect(await third).toEqual({ outcome: 'dismissed' })
})

test('host API: a refusal is an event at once and the outcome at the end, a connection is both at once', async () => {
  const answers: unknown[] = [rejected]
  const { wallet } = smallWallet({
    connect: () => (answers.pop() as (() => unknown) | undefined)?.() ?? { accounts: [accountOfQuill] },
  })
  const accountOfQuill = smallAccount()
  undo.push(announceIn(window, wallet))
  const modal = create()
  const news: unknown[] = []
  modal.on('failed', ({ code }) => news.push(code))
  modal.on('view', ({ view }) => news.push(view))
  modal.on('closed', () => news.push('closed'))
  modal.on('connected', ({ address }) => news.push(address))
  const refused = modal.open()
  await press('[data-wallet="Quill"]')
  await expect.poll(() => news).toContain('user_rejected')
  modal.close()
  expect(await refused).toEqual({ outcome: 'failed', code: 'user_rejected' })
  expect(modal.getWalletInfo()).toBeUndefined()

  const connected = modal.open()
  await press('[data-wallet="Quill"]')
  const { address } = accountOfQuill
  expect(await connected).toMatchObject({ outcome: 'connected', account: { address, isConnected: true } })
  expect(modal.getWalletInfo()).toMatchObject({ name: 'Quill', connector: 'installed' })
  await expect.poll(() => modal.getState()).toMatchObject({ open: false, account: { address } })
  expect(news.slice(0, 4)).toEqual(['Connect', 'ConnectingInstalled', 'user_rejected', 'closed'])
  expect(news).toContain(address)
  await modal.disconnect()
  expect(modal.getAccount().isConnected).toBe(false)
})

function smallAccount() {
  return {
    address: '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
    publicKey: new Uint8Array(32).fill(0),
    chains: ['solana:devnet'],
    features: [],
  }
}

test('host API: Coinbase’s provider is a wallet like any announced one; a browser’s web3.js signs for it', async () => {
  const { address } = smallAccount()
  const coinbaseSolana = {
    publicKey: address,
    connect: async () => undefined,
    signTransaction: async (given: unknown) => given,
  }
  Object.assign(window, { coinbaseSolana })
  undo.push(() => Reflect.deleteProperty(window, 'coinbaseSolana'))
  const announced: object[] = []
  window.addEventListener(
    'wallet-standard:register-wallet',
    event => (event as CustomEvent<(api: object) => void>).detail({ register: (one: object) => announced.push(one) }),
    { once: true },
  )
  const opened = create().open()
  await press('[data-wallet="Coinbase Wallet"]')
  expect(await opened).toMatchObject({ outcome: 'connected', account: { address } })
  const keys = [...Array(32).fill(8), ...Array(32).fill(0)]
  const transaction = Uint8Array.from([1, ...Array(64).fill(0), 1, 0, 1, 2, ...keys, ...Array(32).fill(9), 0])
  const { call } = readAnnouncement(announced[0])
  expect(outputBytes(await call.signTransaction?.({ transaction }), 'signedTransaction')).toEqual(transaction)
})

test('host API: theme and variables change at once, a wrong one is refused by name', async () => {
  const modal = create({ themeMode: 'light', zIndex: 12 })
  const states: ModalState[] = []
  modal.subscribe(state => states.push(state))
  const style = () => getComputedStyle(element() as Element)
  expect([style().colorScheme, style().getPropertyValue('--mai-z-index')]).toEqual(['light', '12'])
  modal.setThemeMode('dark')
  modal.setThemeVariables({ '--mai-accent': 'rgb(1, 2, 3)' })
  expect([style().colorScheme, style().getPropertyValue('--mai-accent')]).toEqual(['dark', 'rgb(1, 2, 3)'])
  await expect.poll(() => states.at(-1)?.themeMode).toBe('dark')
  expect(() => modal.setThemeMode('blue' as 'dark')).toThrow('setThemeMode: themeMode expected light or dark or system')
  expect(() => modal.setThemeVariables({ '--mai-accent': 'url(x)' })).toThrow(
    'setThemeVariables: themeVariables.--mai-a',
  )
  expect(style().getPropertyValue('--mai-z-index')).toBe('12')
})

test('host API: the z-index of a host that sets none is 999', () => {
  create()
  expect(getComputedStyle(element() as Element).getPropertyValue('--mai-z-index')).toBe('999')
})

test('host API: two callers share one modal; it ends with the last, and each has its own listeners', async () => {
  const [one, two] = [create(), create()]
  expect(document.querySelectorAll('mai-modal')).toHaveLength(1)
  const heard: string[] = []
  one.on('view', () => heard.push('one'))
  two.on('view', () => heard.push('two'))
  one.destroy()
  one.destroy()
  const opened = two.open()
  await expect.poll(() => heard).toEqual(['two'])
  await expect(one.open()).rejects.toMatchObject({ code: 'unsupported' })
  two.close()
  expect(await opened).toEqual({ outcome: 'dismissed' })
  two.destroy()
  expect(element()).toBeNull()
  expect(said).toEqual([])
})

test('host API: a second caller of another sale is refused, with another theme told that the first holds', () => {
  create()
  const sale = { authority: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3', id: 'mai' }
  expect(() => create({ sale })).toThrow(expect.objectContaining({ code: 'busy' }))
  expect(() => create({ projectId: 'p2' })).toThrow(expect.objectContaining({ code: 'busy' }))
  create({ themeMode: 'dark' })
  expect(said).toEqual(['createModal: this page has a modal already, the config of the first call holds'])
})

test('host API: an element that the page removed is put back by the next call, and is on top', async () => {
  const modal = create()
  element()?.remove()
  void create().open()
  await expect.poll(() => inside('.sheet')?.checkVisibility()).toBe(true)
  // Open, too, as by a page that empties its body
  element()?.remove()
  void create().open('AllWallets')
  await expect.poll(() => inside('.sheet-overlay')?.matches(':popover-open')).toBe(true)
  await expect.poll(() => inside('[data-testid="modal-title"]')?.textContent).toBe('All wallets')
  modal.close()
  await expect.poll(() => inside('.sheet')?.checkVisibility()).toBeFalsy()
})

test('host API: an embedded modal whose place was removed stands in that of the next call', async () => {
  const [first, second] = [document.createElement('div'), document.createElement('div')]
  document.body.append(first, second)
  undo.push(
    () => first.remove(),
    () => second.remove(),
  )
  create({ embedded: first })
  await expect.poll(() => inside('.sheet')?.checkVisibility()).toBe(true)
  first.remove()
  create({ embedded: second })
  expect(element()?.parentElement).toBe(second)
  await expect.poll(() => inside('.sheet')?.checkVisibility()).toBe(true)
})

test('host API: another copy’s modal in the page is refused', () => {
  const other = document.body.appendChild(document.createElement('mai-modal'))
  undo.push(() => other.remove())
  expect(() => create()).toThrow('expected no other copy')
})

test('host API: open takes a view with its data; one of the account opens Connect without a wallet', async () => {
  const modal = create()
  const view = () => modal.getState().view
  void modal.open({ view: 'WalletConnect', data: { wallet: { walletId: 'w1', name: 'Lantern' } } })
  await expect.poll(view).toBe('WalletConnect')
  await expect.poll(() => inside('[data-testid="modal-title"]')?.textContent).toBe('Lantern')
  void modal.open({ view: 'ConnectWallets', namespace: 'solana' })
  await expect.poll(view).toBe('ConnectWallets')
  void modal.open('WalletReceive')
  expect(view()).toBe('Connect')
  await expect(modal.open({ view: 'Swap' as 'Connect' })).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringMatching(/^open: view expected Connect or .*, got "Swap"$/),
  })
  await expect(modal.open({ namespace: 'eip155' as 'solana' })).rejects.toThrow('open: namespace expected solana')
  expect(view()).toBe('Connect')
})

test('host API: with basic it begins with the code, and hears no installed wallet', async () => {
  const { wallet } = smallWallet()
  undo.push(announceIn(window, wallet))
  const modal = create({ basic: true })
  void modal.open()
  await expect.poll(() => inside('[data-testid="all-wallets-row"]')?.checkVisibility()).toBe(true)
  expect(modal.getState().view).toBe('ConnectingWalletConnectBasic')
  modal.close()
  void modal.open('ConnectWallets')
  await expect.poll(() => inside('[data-wallet="WalletConnect"]')?.checkVisibility()).toBe(true)
  expect(inside('[data-wallet="Quill"]')).toBeNull()
})

test('host API: features change at once, one that cannot is refused by name', async () => {
  const documents = { termsUrl: 'https://host.example/terms' }
  const modal = create({ ...documents, features: { legalCheckbox: true } })
  void modal.open()
  await expect.poll(() => inside('[data-testid="agreement"]')?.checkVisibility()).toBe(true)
  await modal.updateFeatures({ legalCheckbox: false, collapseWallets: true })
  await expect.poll(() => inside('[data-testid="collapsed-row"]')?.checkVisibility()).toBe(true)
  expect(inside('[data-testid="agreement"]')).toBeNull()
  await modal.updateFeatures({ collapseWallets: false })
  await expect.poll(() => inside('[data-testid="all-wallets-row"]')?.checkVisibility()).toBe(true)
  await modal.updateFeatures({ allWallets: false, history: false })
  await expect.poll(() => inside('[data-testid="all-wallets-row"]')).toBeNull()
  await expect(modal.updateFeatures({ swaps: [] } as object)).rejects.toThrow(
    'updateFeatures: features expected only the keys allWallets, legalCheckbox, collapseWallets, send, receive, history, got swaps',
  )
  await expect(modal.updateFeatures({ allWallets: 1 as unknown as true })).rejects.toMatchObject({
    code: 'bad_input',
    message: 'updateFeatures: features.allWallets expected true or false, got 1',
  })
})

test('host API: a second caller whose own wallets hold each other is no trouble', () => {
  const ring: { self?: object } = {}
  ring.self = ring
  create({ connectors: [ring] })
  create({ connectors: [ring] })
  expect(said.filter(sentence => !sentence.includes('connectors'))).toEqual([])
})

test('host API: embedded it stands in its place without overlay, and closing goes on with the first view', async () => {
  const box = document.body.appendChild(document.createElement('div'))
  const input = document.body.appendChild(document.createElement('input'))
  undo.push(() => (box.remove(), input.remove()))
  input.focus()
  const modal = create({ embedded: box })
  await expect.poll(() => inside('.sheet')?.checkVisibility()).toBe(true)
  expect(element()?.parentElement).toBe(box)
  expect([
    inside('.sheet')?.getAttribute('role'),
    inside('.sheet-overlay'),
    inside('[data-testid="modal-close"]'),
  ]).toEqual(['region', null, null])
  expect([document.activeElement, document.documentElement.style.overflow]).toEqual([input, ''])
  expect(box.getBoundingClientRect().height).toBeGreaterThan(200)
  let closings = 0
  modal.on('closed', () => (closings += 1))
  const opened = modal.open('AllWallets')
  await expect.poll(() => inside('[data-testid="modal-title"]')?.textContent).toBe('All wallets')
  modal.close()
  expect([await opened, closings]).toEqual([{ outcome: 'dismissed' }, 1])
  await expect.poll(() => inside('[data-testid="modal-title"]')?.textContent).toBe('Connect wallet')
})

test('host API: a closed shadow root hides the content from the page, its parts can be styled', async () => {
  const style = document.head.appendChild(document.createElement('style'))
  undo.push(() => style.remove())
  style.textContent = 'mai-modal::part(title) { color: rgb(9, 8, 7); }'
  const roots: ShadowRoot[] = []
  const attach = Element.prototype.attachShadow
  vi.spyOn(Element.prototype, 'attachShadow').mockImplementation(function (this: Element, init) {
    const root = attach.call(this, init)
    roots.push(root)
    return root
  })
  void create({ shadowRoot: 'closed' }).open()
  expect([element()?.shadowRoot, roots[0]?.mode]).toEqual([null, 'closed'])
  const title = () => roots[0]?.querySelector('[part="title"]')
  await expect.poll(() => title()?.textContent).toBe('Connect wallet')
  expect(getComputedStyle(title() as Element).color).toBe('rgb(9, 8, 7)')
  const parts = [...(roots[0]?.querySelectorAll('[part]') ?? [])].map(one => one.getAttribute('part'))
  expect(new Set(parts)).toEqual(new Set(['overlay', 'sheet', 'head', 'title', 'close', 'body', 'row', 'foot']))
})

test('host API: more than ten listeners of one event are told once', () => {
  const modal = create()
  for (let at = 0; at < 12; at++) modal.on('closed', () => undefined)
  expect(said).toEqual(['modal.on: closed has more than 10 listeners, one may never be removed'])
})

test('host API: an invalid option costs itself, and a strict one the modal', () => {
  expect(() => create({ sale: { authority: 'me', id: 'x' } })).toThrow('createModal: sale.authority expected')
  create({ themeMode: 'blue' as 'dark' })
  expect(said).toEqual(['createModal: themeMode expected light or dark or system, got "blue"; it is left out'])
})
