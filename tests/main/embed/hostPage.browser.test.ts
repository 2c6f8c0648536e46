/** The modal in pages that are unlike our own: their styles, their z-indexes, and their frameworks that start it twice. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { HostModal } from '../../../src/main/embed/hostModal.ts'
import { createModal, prepareAhead } from '../../../src/main/embed/createModal.tsx'
import type { ModalConfig } from '../../../src/main/embed/config/hostConfig.ts'
import { announceIn, smallWallet } from '../drivers/smallWallet.ts'

const nowhere = 'http://127.0.0.1:1'
const config: ModalConfig = {
  projectId: 'p1',
  metadata: { name: 'Host', description: '', url: 'https://host.example', icons: [] },
  addresses: {
    relayUrl: 'ws://127.0.0.1:1',
    solanaRpcUrl: nowhere,
    apiUrl: nowhere,
    configUrl: nowhere,
    termsUrl: `${nowhere}/terms.json`,
  },
}

const made: HostModal[] = []
const create = (more: Partial<ModalConfig> = {}): HostModal => {
  const modal = createModal({ ...config, ...more })
  made.push(modal)
  return modal
}
const style = document.createElement('style')
const inside = (css: string) => document.querySelector('mai-modal')?.shadowRoot?.querySelector<HTMLElement>(css)
async function opened(more?: Partial<ModalConfig>): Promise<void> {
  void create(more).open()
  await waitFor('.sheet')
}
async function waitFor(css: string): Promise<HTMLElement> {
  await expect.poll(() => inside(css)).toBeTruthy()
  return inside(css) as HTMLElement
}

/** Workers that were created and not terminated. */
const alive = new Set<Worker>()
const Native = globalThis.Worker
class Counted extends Native {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    super(...args)
    alive.add(this)
  }
  override terminate(): void {
    alive.delete(this)
    super.terminate()
  }
}

beforeEach(async () => {
  globalThis.Worker = Counted
  document.head.append(style)
  await page.viewport(900, 700)
})
afterEach(() => {
  for (const modal of made.splice(0)) modal.destroy()
  globalThis.Worker = Native
  style.remove()
  document.documentElement.removeAttribute('dir')
})

test('embed: a host whose rem is 10 px changes no size of its text', async () => {
  style.textContent = 'html { font-size: 62.5%; }'
  await opened()
  const title = await waitFor('[data-testid="modal-title"]')
  expect(getComputedStyle(title).fontSize).toBe('16px')
})

test('embed: a host’s text styles and direction stay outside', async () => {
  document.documentElement.dir = 'rtl'
  style.textContent = `
    body, mai-modal, div { letter-spacing: 2px; word-spacing: 6px; text-transform: uppercase; cursor: crosshair;
      font: italic 30px/3 serif; text-indent: 40px; white-space: pre; color: red; visibility: visible; }
  `
  await opened()
  const title = getComputedStyle(await waitFor('[data-testid="modal-title"]'))
  expect(title.letterSpacing).toBe('-0.16px')
  expect([title.wordSpacing, title.textTransform, title.cursor, title.direction]).toEqual([
    '0px',
    'none',
    'auto',
    'ltr',
  ])
  expect([title.fontStyle, title.textIndent]).toEqual(['normal', '0px'])
  expect(inside('.sheet')?.matches(':dir(rtl)')).toBe(false)
})

test('embed: no z-index of the host lies over the modal', async () => {
  const bar = document.createElement('header')
  style.textContent = 'header { position: fixed; inset: 0; z-index: 2147483647; background: red; }'
  document.body.append(bar)
  try {
    await opened()
    expect(document.elementFromPoint(450, 350)?.localName).toBe('mai-modal')
  } finally {
    bar.remove()
  }
})

test('embed: the window that an asked wallet draws in the page lies over the modal', async () => {
  const { wallet } = smallWallet({ connect: () => new Promise(() => undefined) })
  const takeBack = announceIn(window, wallet)
  const drawn = document.createElement('header')
  style.textContent = 'header { position: fixed; inset: 0; z-index: 2147483647; background: red; }'
  document.body.append(drawn)
  const onTop = () => document.elementFromPoint(450, 350)?.localName
  try {
    await opened()
    expect(onTop()).toBe('mai-modal')
    await expect.poll(() => inside('[data-wallet="Quill"]')).toBeTruthy()
    inside('[data-wallet="Quill"]')?.click()
    await expect.poll(onTop).toBe('header')
    inside('[data-testid="modal-back"]')?.click()
    await expect.poll(onTop).toBe('mai-modal')
  } finally {
    drawn.remove()
    takeBack()
  }
})

test('embed: it links no document and offers no recording unless the host says so', async () => {
  await opened()
  expect(getComputedStyle(await waitFor('.sheet-foot')).display).toBe('none')
  made.pop()?.destroy()
  await opened({ termsUrl: 'https://host.example/terms', recording: 'SHOW' })
  const foot = await waitFor('.sheet-foot')
  expect(foot.textContent).toContain('By connecting you agree to the terms.')
  expect(foot.textContent).toContain('Download a problem report')
})

test('embed: created, destroyed and created again, as by React’s strict mode, it has one worker', async () => {
  create().destroy()
  expect(document.querySelector('mai-modal')).toBeNull()
  const second = create()
  await expect.poll(() => alive.size).toBe(1)
  // A worker in use is ended, too
  await second.receiveLink(location.href)
  second.destroy()
  second.destroy()
  expect([alive.size, document.querySelector('mai-modal')]).toEqual([0, null])
  const third = create()
  await third.receiveLink(location.href)
  expect(alive.size).toBe(1)
  await expect(second.open()).rejects.toThrow('it was destroyed')
})

test('embed: destroyed while it opens on a screen with data, it settles what the host waits for', async () => {
  const modal = create()
  const opening = modal.open({ view: 'AllWallets', namespace: 'solana' })
  modal.destroy()
  await expect(opening).rejects.toThrow('it was destroyed')
})

test('embed: destroyed while a sign-in waits for its wallet, it keeps no host waiting', async () => {
  const modal = create()
  const signing = expect(modal.signIn({ chains: ['eip155:1'], nonce: '12345678' })).rejects.toThrow('it was destroyed')
  await waitFor('[data-testid="qr"]')
  modal.destroy()
  await signing
})

/** Renders the modal ahead and waits until an idle page has drawn Connect. */
async function isPrepared(): Promise<{ roots: ShadowRoot[]; attached: () => number }> {
  const roots: ShadowRoot[] = []
  const attach = vi.spyOn(Element.prototype, 'attachShadow').mockImplementation(function (this: Element, init) {
    const root = nativeAttach.call(this, init)
    roots.push(root)
    return root
  })
  prepareAhead()
  attach.mockRestore()
  await expect.poll(() => roots[0]?.querySelector('[data-testid="wallet-row"]')).toBeTruthy()
  return { roots, attached: () => document.querySelectorAll('mai-modal').length }
}
const nativeAttach = Element.prototype.attachShadow

test('embed: prepared ahead it is in no document, without a worker and requests; the press shows its elements', async () => {
  const fetched = vi.spyOn(window, 'fetch')
  const { roots, attached } = await isPrepared()
  expect([attached(), alive.size, fetched.mock.calls.length, document.activeElement]).toEqual([0, 0, 0, document.body])
  const row = roots[0]?.querySelector('[data-testid="wallet-row"]')
  await opened({ themeMode: 'dark' })
  expect(inside('[data-testid="wallet-row"]')).toBe(row)
  expect(getComputedStyle(document.querySelector('mai-modal') as Element).colorScheme).toBe('dark')
  await expect.poll(() => row?.checkVisibility()).toBe(true)
})

test('embed: prepared ahead it shows the choices of its host', async () => {
  const { roots } = await isPrepared()
  const row = roots[0]?.querySelector('[data-testid="wallet-row"]')
  await opened({ allWallets: 'HIDE', termsUrl: 'https://host.example/terms' })
  await expect.poll(() => inside('.sheet-foot a')?.getAttribute('href')).toBe('https://host.example/terms')
  expect(inside('[data-testid="all-wallets-row"]')).toBeNull()
  expect(row?.isConnected).toBe(false)
})

test('embed: a destroyed modal is prepared anew, and not beside one in use', async () => {
  const { roots } = await isPrepared()
  create().destroy()
  expect(roots[0]?.childElementCount).toBe(1)
  expect(roots[0]?.querySelector('[data-testid="wallet-row"]')).toBeNull()
  const modal = create()
  prepareAhead()
  expect(document.querySelectorAll('mai-modal')).toHaveLength(1)
  void modal.open()
  await waitFor('.sheet')
  expect(document.querySelector('mai-modal')?.shadowRoot).not.toBe(roots[0])
})
