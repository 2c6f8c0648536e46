/** The modal's buttons in a host's page: words, looks, presses and their end. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createModal } from '../../../src/main/embed/createModal.tsx'
import type { HostButton, HostModal } from '../../../src/main/embed/hostModal.ts'
import { account, announceIn, smallWallet } from '../drivers/smallWallet.ts'

const nowhere = 'http://127.0.0.1:1'
const undo: (() => void)[] = []
let modal: HostModal
let place: HTMLElement

beforeEach(async () => {
  await page.viewport(900, 700)
  const { wallet } = smallWallet()
  undo.push(announceIn(window, wallet))
  modal = createModal({
    projectId: 'p1',
    metadata: { name: 'Host', description: '', url: 'https://host.example', icons: [] },
    themeMode: 'dark',
    addresses: {
      relayUrl: 'ws://127.0.0.1:1',
      // A log of its own: other files of tests share the origin
      solanaRpcUrl: `${nowhere}/buttons`,
      apiUrl: nowhere,
      configUrl: nowhere,
      termsUrl: `${nowhere}/terms.json`,
    },
  })
  place = document.body.appendChild(document.createElement('p'))
  place.append('Connect here')
  undo.push(() => place.remove())
})
afterEach(() => {
  modal.destroy()
  for (const end of undo.splice(0)) end()
})

const element = () => place.querySelector<HTMLElement>('mai-button')
const button = () => element()?.shadowRoot?.querySelector('button') ?? undefined
const words = () => button()?.textContent
const view = () => modal.getState().view
const show = (kind?: HostButton['kind']) => modal.showButton(place, kind && { kind })
const inside = (css: string) => document.querySelector('mai-modal')?.shadowRoot?.querySelector<HTMLElement>(css)

async function connect(): Promise<void> {
  void modal.open()
  await expect.poll(() => inside('[data-wallet="Quill"]')?.checkVisibility()).toBe(true)
  inside('[data-wallet="Quill"]')?.click()
  await expect.poll(() => modal.getAccount().isConnected).toBe(true)
  modal.close()
}

test('host buttons: the one for the wallet leads to the wallets by keyboard, then to the account', async () => {
  await show()
  await expect.poll(words).toBe('Connect wallet')
  button()?.focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(view).toBe('Connect')
  modal.close()
  await connect()
  const { address } = account(1)
  await expect.poll(words).toContain(`${address.slice(0, 4)}…${address.slice(-4)}`)
  expect(button()?.title).toBe(address)
  button()?.click()
  await expect.poll(view).toBe('Account')
  await modal.disconnect()
  await expect.poll(words).toBe('Connect wallet')
})

test('host buttons: the account has none without a wallet, the network leads to the networks', async () => {
  const remove = await show('account')
  await expect.poll(() => element()).not.toBeNull()
  expect(button()).toBeUndefined()
  remove()
  await show('network')
  await expect.poll(words).toBe('Select network')
  button()?.click()
  await expect.poll(view).toBe('Networks')
  modal.close()
  await connect()
  await expect.poll(words).toBe('Unknown network')
  await modal.disconnect()
})

test('host buttons: they follow theme and language, and can be styled as a part', async () => {
  await show()
  const look = () => getComputedStyle(element() as Element)
  await expect.poll(() => element() && look().colorScheme).toBe('dark')
  modal.setThemeMode('light')
  modal.setThemeVariables({ '--mai-accent': 'rgb(1, 2, 3)' })
  await expect.poll(() => look().colorScheme).toBe('light')
  expect(look().getPropertyValue('--mai-accent')).toBe('rgb(1, 2, 3)')
  modal.setLanguage('ar')
  await expect.poll(words).toBe('ربط المحفظة')
  expect(getComputedStyle(button() as Element).direction).toBe('rtl')
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('mai-button::part(button) { text-transform: uppercase }')
  document.adoptedStyleSheets = [sheet]
  undo.push(() => void (document.adoptedStyleSheets = []))
  expect(getComputedStyle(button() as Element).textTransform).toBe('uppercase')
  modal.setLanguage('en')
})

test('host buttons: removed, and with the modal’s end, the place has its own content again', async () => {
  expect(place.textContent).toBe('Connect here')
  const remove = await show()
  expect(place.textContent).toBe('')
  await expect(show()).rejects.toMatchObject({ code: 'busy' })
  remove()
  remove()
  expect(place.textContent).toBe('Connect here')
  await show()
  modal.destroy()
  expect(place.innerHTML).toBe('Connect here')
})

test.each<[string, unknown, unknown, string]>([
  ['no place', null, undefined, 'showButton: place expected an element of the page, got null'],
  [
    'another kind',
    undefined,
    { kind: 'swap' },
    'button.kind expected wallet or connect or account or network, got "swap"',
  ],
  ['another key', undefined, { label: 'x' }, 'button expected only the keys kind, showBalance, got label'],
])('host buttons: %s is refused by name', async (_, at, given, sentence) => {
  const shown = modal.showButton(at === null ? (null as unknown as HTMLElement) : place, given as HostButton)
  await expect(shown).rejects.toThrow(sentence)
  expect(element()).toBeNull()
})
