// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CoreSideFact } from '../../../../src/events/app.ts'
import type { ListedWallet } from '../../../../src/events/subjects/service/listingFacts.ts'
import { AllWallets } from '../../../../src/ui/connect/list/AllWallets.tsx'
import { announced, listed, read } from '../../modalStage.ts'
import { onStage } from '../../onStage.tsx'

/** All observed elements, in order; `see` brings the first ones that fit onto the screen. */
let watched: { element: Element; seen: () => void }[] = []
class Watcher {
  private readonly call: IntersectionObserverCallback
  constructor(call: IntersectionObserverCallback) {
    this.call = call
  }
  observe(element: Element) {
    const seen = () =>
      this.call([{ isIntersecting: true, target: element }] as never, this as unknown as IntersectionObserver)
    watched.push({ element, seen })
  }
  disconnect() {
    watched = watched.filter(one => one.element.isConnected)
  }
}
const bringNear = () =>
  act(() => {
    const end = watched.filter(one => one.element.matches('span.tile') && one.element.isConnected).at(-1)
    end?.seen()
  })

beforeEach(() => {
  watched = []
  vi.useFakeTimers()
  vi.stubGlobal('IntersectionObserver', Watcher)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const failure = { code: 'unreachable', message: 'no answer' } as const
const forty = (page: number) =>
  Array.from({ length: 40 }, (_, index) => listed(`W${page}-${index}`, { certified: index === 0 }))
const certified = (page: number, wallets: ListedWallet[], count = wallets.length, search = ''): CoreSideFact[] => [
  { type: 'listing.asked', data: { page, search, certified: true } },
  { type: 'listing.read', data: { page, search, count, wallets, certified: true } },
]
const names = () => screen.queryAllByTestId('wallet-row').map(one => one.dataset.wallet)
const body = () => document.body.textContent
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
/** Types a text, and waits for its search and spinner. */
const searchFor = async (text: string) => {
  type(text)
  await pass(500)
  await pass(300)
}
/** Presses the toggle, and waits for its search's spinner. */
const press = async (toggle: HTMLElement) => {
  fireEvent.click(toggle)
  await pass(0)
  await pass(300)
}
const type = (text: string) => fireEvent.change(screen.getByTestId('wallet-search'), { target: { value: text } })

function open(over = {}) {
  const on = onStage(over)
  on.show(<AllWallets />)
  return on
}
const searches = (on: ReturnType<typeof open>) =>
  on.commands.flatMap(command => (command.type === 'listing.read' && command.data.search ? [command.data.search] : []))
const pages = (on: ReturnType<typeof open>) =>
  on.commands.flatMap(command => (command.type === 'listing.read' && !command.data.search ? [command.data.page] : []))

test('a wallet here that is named like a listed one is told apart from it among all wallets, too', async () => {
  vi.useRealTimers()
  const on = onStage()
  on.show(<AllWallets />)
  on.facts(...read([listed('Solflare'), listed('Phantom')]))
  on.page(announced('So1flare'))
  expect(await screen.findByText(', Not Solflare, only named like it')).toBeTruthy()
  expect(screen.getAllByText(/named like it/)).toHaveLength(1)
})

describe('the list', () => {
  test('shimmers until the first page is here, then shows installed wallets first, marked', () => {
    const on = open()
    expect(document.querySelectorAll('.skeleton.tile-skeleton')).toHaveLength(16)
    on.page(announced('Backpack'))
    on.facts(...read([listed('Phantom'), listed('Backpack')]))
    expect(names()).toEqual(['Backpack', 'Phantom'])
    expect(screen.getAllByTestId('wallet-row')[0]?.textContent).toContain('installed')
    expect(document.querySelectorAll('.skeleton.tile-skeleton')).toHaveLength(0)
    expect(screen.getByPlaceholderText('Search 2 wallets')).not.toBeNull()
  })

  test('requests the next page near its end, once a page, until the count is reached', () => {
    const on = open()
    on.facts(...read(forty(1), 100))
    bringNear()
    bringNear()
    expect(pages(on)).toEqual([1, 2, 2])
    on.facts({ type: 'listing.asked', data: { page: 2, search: '' } })
    bringNear()
    expect(pages(on)).toEqual([1, 2, 2])
    on.facts(...read(forty(2), 100, 2))
    bringNear()
    expect(pages(on).at(-1)).toBe(3)
    on.facts(...read(forty(3).slice(0, 20), 100, 3))
    expect(names()).toHaveLength(100)
    expect(document.querySelectorAll('.skeleton.tile-skeleton')).toHaveLength(0)
  })

  test('ends after pages without new wallets, too', () => {
    const on = open()
    on.facts(...read(forty(1), 80), ...read([], 80, 2))
    expect(names()).toHaveLength(40)
    expect(document.querySelectorAll('.skeleton.tile-skeleton')).toHaveLength(0)
  })

  test('requests pictures once it stands still, and has them at once when drawn again', async () => {
    const walletImage = vi.fn(async () => 'blob:p1')
    const on = open({ walletImage })
    fireEvent.scroll(document.querySelector('.scroll-area') as Element)
    on.facts(...read([listed('Phantom', { imageId: 'p1' })]))
    await pass(119)
    expect(walletImage).not.toHaveBeenCalled()
    await pass(1)
    const picture = () => screen.getByTestId('wallet-row').querySelector('img')?.src
    expect(picture()).toBe('blob:p1')
    await searchFor('nothing')
    type('')
    expect(picture()).toBe('blob:p1')
    expect(walletImage).toHaveBeenCalledTimes(1)
  })

  test('that did not load says so, keeps installed wallets and can be requested again', () => {
    const on = open()
    on.page(announced('Phantom'))
    on.facts(
      { type: 'listing.asked', data: { page: 1, search: '' } },
      { type: 'listing.failed', data: { page: 1, search: '', failure } },
    )
    expect(names()).toEqual(['Phantom'])
    expect(body()).toContain('The wallet list did not load')
    fireEvent.click(screen.getByText('Try again'))
    expect(pages(on)).toEqual([1, 1])
  })

  test('keeps its rows when a later page did not load, and requests that page again', () => {
    const on = open()
    on.facts(...read(forty(1), 100), { type: 'listing.asked', data: { page: 2, search: '' } })
    on.facts({ type: 'listing.failed', data: { page: 2, search: '', failure } })
    expect(names()).toHaveLength(40)
    expect(body()).toContain('More wallets did not load')
    fireEvent.click(screen.getByText('Try again'))
    expect(pages(on)).toEqual([1, 2])
  })

  test('marks certified wallets, and none that is installed', () => {
    const on = open()
    on.page(announced('Phantom'))
    on.facts(...read([listed('Phantom', { certified: true }), listed('Ledger', { certified: true }), listed('Torch')]))
    const names = screen.getAllByTestId('wallet-row').map(row => row.textContent?.slice(1))
    expect(names).toEqual(['Phantom, installed', 'Ledger, certified', 'Torch'])
  })

  test('requests certified wallets from the service, and tells so', async () => {
    const on = open()
    on.facts(...read(forty(1), 100))
    const toggle = screen.getByLabelText('Certified wallets only')
    await press(toggle)
    expect(on.commands.at(-1)?.data).toEqual({ page: 1, search: '', certified: true })
    expect(names()).toEqual([])
    on.facts(...certified(1, [listed('Deep in the list', { certified: true })]))
    expect(names()).toEqual(['Deep in the list'])
    expect(toggle.getAttribute('aria-pressed')).toBe('true')
    expect(on.store.model().toast?.message).toBe('Only certified wallets are shown')
    fireEvent.click(toggle)
    expect(names()).toHaveLength(40)
  })

  test('shows certified wallets page by page near the end', async () => {
    const on = open()
    on.facts(...read(forty(1), 100))
    await press(screen.getByLabelText('Certified wallets only'))
    const hundred = Array.from({ length: 100 }, (_, at) => listed(`C${at}`, { certified: true }))
    on.facts(...certified(1, hundred, 101))
    bringNear()
    expect(on.commands.at(-1)?.data).toEqual({ page: 2, search: '', certified: true })
    on.facts(...certified(2, [listed('Last', { certified: true })], 101))
    expect(names()).toHaveLength(101)
    expect(document.querySelectorAll('.skeleton.tile-skeleton')).toHaveLength(0)
  })

  test('combines a search and the badge in one request', async () => {
    const on = open()
    fireEvent.click(screen.getByLabelText('Certified wallets only'))
    await searchFor('sol')
    expect(on.commands.at(-1)?.data).toEqual({ page: 1, search: 'sol', certified: true })
    on.facts(...certified(1, [listed('Solflare', { certified: true })], 1, 'sol'))
    expect(names()).toEqual(['Solflare'])
    fireEvent.click(screen.getByLabelText('Certified wallets only'))
    await pass(800)
    expect(on.commands.at(-1)?.data).toEqual({ page: 1, search: 'sol' })
  })

  test('tells that there is no certified wallet', async () => {
    const on = open()
    on.facts(...read([listed('Plain')]))
    await press(screen.getByLabelText('Certified wallets only'))
    on.facts(...certified(1, []))
    expect(body()).toContain('No certified wallet here')
  })

  test('leads to a wallet by a press on its tile', () => {
    const on = open()
    on.page(announced('Backpack'))
    on.facts(...read([listed('Phantom')]))
    const [backpack, phantom] = screen.getAllByTestId('wallet-row')
    fireEvent.click(phantom as HTMLElement)
    expect(on.said.at(-1)).toMatchObject({ data: { screen: { name: 'WalletConnect', wallet: { name: 'Phantom' } } } })
    fireEvent.click(backpack as HTMLElement)
    expect(on.commands.at(-1)).toMatchObject({ type: 'connection.connectInstalled' })
  })
})

describe('the search', () => {
  test('waits 500 ms for the next letter, then runs once for the final text', async () => {
    const on = open()
    type('ph')
    await pass(400)
    type('  pha ')
    await pass(499)
    expect(searches(on)).toEqual([])
    await pass(1)
    expect(searches(on)).toEqual(['pha'])
    await pass(5000)
    expect(searches(on)).toEqual(['pha'])
  })

  test('of fewer than two letters does not run: the list stays', async () => {
    const on = open()
    on.facts(...read([listed('Phantom')]))
    type('p')
    await pass(1000)
    type('   ')
    await pass(1000)
    expect(searches(on)).toEqual([])
    expect(names()).toEqual(['Phantom'])
  })

  test('shows its spinner for at least 300 ms, also with an immediate answer', async () => {
    const on = open()
    type('sol')
    await pass(500)
    on.facts(...read([listed('Solflare')], 1, 1, 'sol'))
    await pass(299)
    expect(screen.getByText('Searching')).not.toBeNull()
    expect(names()).toEqual([])
    await pass(1)
    expect(names()).toEqual(['Solflare'])
  })

  test('keeps its spinner until the answer', async () => {
    const on = open()
    await searchFor('sol')
    expect(screen.getByText('Searching')).not.toBeNull()
    on.facts(...read([listed('Solflare')], 1, 1, 'sol'))
    expect(names()).toEqual(['Solflare'])
  })

  test('never shows the result of another text', async () => {
    const on = open()
    await searchFor('sol')
    on.facts(...read([listed('Solflare')], 1, 1, 'sol'))
    type('back')
    expect(names()).toEqual([])
    await pass(900)
    on.facts({ type: 'listing.read', data: { page: 1, search: 'sol', count: 1, wallets: [listed('Late')] } })
    expect(names()).toEqual([])
  })

  test('finds wallets of this page that the directory lacks', async () => {
    const on = open()
    on.page(announced('Own Wallet'), announced('Phantom'))
    await searchFor('own')
    on.facts(...read([], 0, 1, 'own'))
    expect(names()).toEqual(['Own Wallet'])
  })

  test('without a result says so and offers the code', async () => {
    const on = open()
    await searchFor('fantom')
    on.facts(...read([], 0, 1, 'fantom'))
    expect(body()).toContain('No wallet named “fantom”')
    fireEvent.click(screen.getByText('Show QR code'))
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'WalletConnect' } } })
  })

  test('that fails offline promises no code', async () => {
    const on = open()
    await searchFor('sol')
    on.facts(
      { type: 'listing.asked', data: { page: 1, search: 'sol' } },
      { type: 'listing.failed', data: { page: 1, search: 'sol', failure } },
    )
    expect(body()).toContain('Installed wallets and the QR code still work.')
    on.facts({ type: 'network.offline', data: {} })
    expect(body()).toContain('You are offline. Installed wallets still work.')
  })

  test('that fails is not shown as empty and can be repeated', async () => {
    const on = open()
    await searchFor('sol')
    on.facts(
      { type: 'listing.asked', data: { page: 1, search: 'sol' } },
      { type: 'listing.failed', data: { page: 1, search: 'sol', failure } },
    )
    expect(body()).toContain('The search failed')
    expect(body()).not.toContain('No wallet named')
    fireEvent.click(screen.getByText('Try again'))
    expect(searches(on)).toEqual(['sol', 'sol'])
    expect(screen.getByText('Searching')).not.toBeNull()
  })

  test('that is cleared shows the list again', async () => {
    const on = open()
    on.facts(...read([listed('Phantom')]))
    await searchFor('sol')
    type('')
    expect(names()).toEqual(['Phantom'])
  })

  test('of a text cleared and typed again runs once', async () => {
    const on = open()
    await searchFor('sol')
    on.facts(...read([listed('Solflare')], 1, 1, 'sol'))
    type('')
    await searchFor('sol')
    expect(names()).toEqual(['Solflare'])
    expect(searches(on)).toEqual(['sol'])
  })
})
