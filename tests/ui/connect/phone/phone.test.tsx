// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { carry } from '../../../../src/ui/carriedFragment.ts'
import { Connect } from '../../../../src/ui/connect/Connect.tsx'
import { loadWays, WalletConnect } from '../../../../src/ui/connect/walletConnect/WalletConnect.tsx'
import { loadEncoder } from '../../../../src/ui/kit/figures/Qr.tsx'
import { listed, opened, paired, read, requested } from '../../modalStage.ts'
import { onStage, settle } from '../../onStage.tsx'

const phantomId = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
const plain = { walletId: 'walletConnect', name: 'WalletConnect' }
const torch = { walletId: 'id-Torch', name: 'Torch' }
const torchLink = 'torch://wc?uri=wc%3Atopic1%402%3FsymKey%3D00'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1'
const pixel = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile'

beforeAll(loadEncoder)
beforeAll(loadWays)
beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: true })))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const row = (name: string) =>
  screen.getAllByTestId('wallet-row').find(one => one.dataset.wallet === name) as HTMLElement
const agent = (userAgent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)

/** The list of wallets on a phone, with the code that was made for it unless `isMade` is false. */
async function list({ isMade = true, ...over } = {}) {
  const on = onStage(over)
  on.page(opened())
  on.facts(...read([listed('Torch', { mobileLink: 'torch://' }), listed('Phantom', { walletId: phantomId })]))
  on.show(<Connect />)
  // The opener of wallets is loaded with the list
  await import('../../../../src/ui/connect/phone/openWallet.ts')
  await settle()
  if (isMade) on.facts(requested('walletConnect', 'WalletConnect', 'walletConnect'), paired('topic1'))
  await settle()
  return on
}

describe('the list on a phone', () => {
  test('has a code made before any press, once', async () => {
    const on = await list({ isMade: false })
    const made = on.commands.filter(({ type }) => type === 'connection.connectWalletConnect')
    expect(made).toEqual([{ type: 'connection.connectWalletConnect', data: { wallet: plain, share: true } }])
  })

  test('leaves an attempt under way alone', async () => {
    const on = onStage()
    on.facts(requested('installed', 'Quill', 'Quill'))
    on.show(<Connect />)
    expect(on.types()).toEqual(['listing.open'])
  })

  test('opens a wallet in the press, with the code that is here', async () => {
    agent(iPhone)
    const on = await list()
    fireEvent.click(row('Torch'))
    expect(on.opened).toEqual([{ url: torchLink, target: '_self' }])
    expect(on.commands.slice(-2)).toEqual([
      { type: 'connection.connectWalletConnect', data: { wallet: torch, share: true } },
      { type: 'link.choose', data: { pairingTopic: 'topic1', link: 'torch://' } },
    ])
    expect(on.said.at(-1)).toEqual({
      type: 'screen.shown',
      data: { screen: { name: 'WalletConnect', wallet: torch } },
    })
    expect(JSON.stringify([on.said, on.commands])).not.toContain('symKey')
  })

  test('opens it once: the view that follows leaves it at that', async () => {
    agent(pixel)
    const on = await list()
    fireEvent.click(row('Torch'))
    on.facts({ type: 'connection.walletChosen', data: { attemptId: 'a1', wallet: torch } })
    cleanup()
    on.show(<WalletConnect screen={{ name: 'WalletConnect', wallet: torch }} />)
    await settle()
    expect(screen.getByTestId('open-app').getAttribute('href')).toBe(torchLink)
    expect(on.opened).toHaveLength(1)
  })

  test('opens nothing with a code that has been answered or replaced', async () => {
    const on = await list()
    on.facts({ type: 'pairing.responded', data: { pairingTopic: 'topic1', responderKey: 'k' } })
    fireEvent.click(row('Torch'))
    expect(on.opened).toEqual([])
  })

  test('opens a new tab in Telegram, and encodes an app’s link twice on Android', async () => {
    agent(pixel)
    vi.stubGlobal('TelegramWebviewProxy', {})
    const on = await list()
    fireEvent.click(row('Torch'))
    expect(on.opened).toEqual([{ url: 'torch://wc?uri=wc%253Atopic1%25402%253FsymKey%253D00', target: '_blank' }])
  })

  test('leaves the frame that the page is in', async () => {
    vi.stubGlobal('top', {})
    const on = await list()
    fireEvent.click(row('Torch'))
    expect(on.opened).toMatchObject([{ target: '_top' }])
  })

  test('opens Phantom’s own browser in the press, with the drafted purchase, and asks for no connection', async () => {
    agent(iPhone)
    const on = await list()
    carry(on.store, 'asset=SOL&units=5&min=7')
    const before = on.commands.length
    fireEvent.click(row('Phantom'))
    const url = on.opened[0]?.url ?? ''
    const page = decodeURIComponent(url.split('/browse/')[1]?.split('?ref=')[0] ?? '')
    expect(url).toMatch(/^https:\/\/phantom\.app\/ul\/browse\//)
    expect(page).toBe(`${location.href.split('#')[0]}#asset=SOL&units=5&min=7`)
    expect(on.commands).toHaveLength(before)
  })

  test('opens no browser of a wallet whose provider is in the page', async () => {
    vi.stubGlobal('phantom', {})
    const on = await list()
    fireEvent.click(row('Phantom'))
    expect(on.opened).toEqual([])
  })
})

describe('the view of a wallet on a phone', () => {
  async function view(userAgent: string, over = {}) {
    agent(userAgent)
    const on = onStage(over)
    on.facts(...read([listed('Torch', { mobileLink: 'torch://' }), listed('Phantom', { walletId: phantomId })]))
    on.show(<WalletConnect screen={{ name: 'WalletConnect', wallet: torch }} />)
    await settle()
    return on
  }
  const made = () => [
    { type: 'relay.connected' as const, data: {} },
    requested('walletConnect', 'Torch', 'id-Torch'),
    paired('topic1'),
  ]

  test('opens an app by itself once the code is here, where a script may', async () => {
    const on = await view(pixel)
    expect(screen.getByTestId('open-app').getAttribute('aria-busy')).toBe('true')
    on.facts(...made())
    await settle()
    expect(on.opened).toEqual([{ url: torchLink, target: '_self' }])
    expect(on.commands[0]).toEqual({ type: 'connection.connectWalletConnect', data: { wallet: torch, share: true } })
    expect(on.commands[1]).toEqual({ type: 'link.choose', data: { pairingTopic: 'topic1', link: 'torch://' } })
  })

  test('waits for a press on an iPhone, and notes the link with it', async () => {
    const on = await view(iPhone)
    on.facts(...made())
    await settle()
    expect(on.opened).toEqual([])
    expect(on.types()).not.toContain('link.choose')
    const open = screen.getByTestId('open-app')
    expect(open.textContent).toBe('Open Torch')
    expect(open.getAttribute('href')).toBe(torchLink)
    fireEvent.click(open)
    expect(on.commands.at(-1)).toEqual({ type: 'link.choose', data: { pairingTopic: 'topic1', link: 'torch://' } })
  })

  test('keeps the code to scan behind another device', async () => {
    const on = await view(iPhone)
    on.facts(...made())
    await settle()
    expect(screen.queryByTestId('qr')).toBeNull()
    fireEvent.click(screen.getByTestId('other-device'))
    expect(screen.queryByTestId('qr')).not.toBeNull()
  })

  test('of Phantom leads to its browser again, and makes a code for another device only', async () => {
    agent(iPhone)
    const on = onStage()
    const wallet = { walletId: phantomId, name: 'Phantom' }
    on.facts(...read([listed('Phantom', { walletId: phantomId, mobileLink: 'phantom://' })]))
    on.show(<WalletConnect screen={{ name: 'WalletConnect', wallet }} />)
    await settle()
    expect(screen.getByTestId('open-app').getAttribute('href')).toMatch(/^https:\/\/phantom\.app\/ul\/browse\//)
    expect(document.body.textContent).toContain('Continue in Phantom')
    expect(on.commands).toEqual([])
    fireEvent.click(screen.getByTestId('other-device'))
    expect(on.types()).toEqual(['connection.connectWalletConnect'])
  })
})
