// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Connect } from '../../../src/ui/connect/Connect.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import type { CoreSideFact, PageFact } from '../../../src/events/app.ts'
import { useChoose } from '../../../src/ui/connect/useChoose.ts'
import { announced, connected, listed, opened, read } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(over = {}) {
  const on = onStage(over)
  on.page(announced('Phantom'), opened())
  on.show(<Connect />)
  return on
}
const names = () => screen.getAllByTestId('wallet-row').map(one => one.dataset.wallet)
const row = (name: string) =>
  screen.getAllByTestId('wallet-row').find(one => one.dataset.wallet === name) as HTMLElement

describe('before any service answers', () => {
  test('the code, installed wallets and All wallets are shown', () => {
    open()
    expect(names()).toEqual(['WalletConnect', 'Phantom'])
    expect(row('WalletConnect').textContent).toContain('QR code')
    expect(row('Phantom').textContent).toContain('Installed')
    expect(screen.getByTestId('all-wallets-row').textContent).toBe('All wallets')
  })

  test('the directory is requested once, also when React mounts twice', () => {
    const on = onStage()
    on.page(opened())
    render(
      <StrictMode>
        <StoreProvider value={on.surroundings}>
          <Connect />
        </StoreProvider>
      </StrictMode>,
    )
    expect(on.commands).toEqual([{ type: 'listing.open', data: {} }])
  })

  test('a wallet announced while the list is open gets its row', () => {
    const on = open()
    on.page(announced('Backpack'))
    expect(names()).toEqual(['WalletConnect', 'Phantom', 'Backpack'])
    on.page({ type: 'installed.gone', data: { walletKey: 'key-Phantom' } })
    expect(names()).toEqual(['WalletConnect', 'Backpack'])
  })
})

test('connect: two lines explain it until a wallet was connected once', () => {
  const on = open()
  expect(screen.getByTestId('greeting').textContent).toContain('Nothing moves until you approve it there')
  on.facts(connected('Phantom'))
  expect(screen.queryByTestId('greeting')).toBeNull()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'person' } })
  expect(screen.queryByTestId('greeting')).toBeNull()
})

test('connect: visitors without a wallet are led to one, others are not', () => {
  const on = onStage()
  on.page(opened())
  on.show(<Connect />)
  fireEvent.click(screen.getByText('Get a wallet'))
  expect(on.store.model().screen.history.at(-1)?.name).toBe('GetWallet')
  on.page(announced('Phantom'))
  expect(screen.queryByText('Get a wallet')).toBeNull()
})

test('connect: a connected wallet is called that, not installed', () => {
  const on = open()
  on.facts(connected('Phantom'))
  expect(row('Phantom').textContent).toContain('Connected')
  expect(row('Phantom').textContent).not.toContain('Installed')
})

test('connect: a press on a connected wallet leads to its account, and does not ask it again', () => {
  const on = open()
  on.facts(connected('Phantom', 'c1'), connected('Solflare', 'c2'))
  fireEvent.click(row('Phantom'))
  expect(on.commands.at(-1)).toEqual({ type: 'connection.activate', data: { connectionId: 'c1' } })
  expect(on.store.model().screen.history).toEqual([{ name: 'ProfileWallets' }])
  on.facts({ type: 'connection.activated', data: { connectionId: 'c1' } })
  const asked = on.commands.length
  on.page(opened())
  fireEvent.click(row('Phantom'))
  expect(on.commands).toHaveLength(asked)
  // One that is gone for now is asked
  on.facts({ type: 'connection.missing', data: { connectionId: 'c1', failure: { code: 'wallet_gone', message: '' } } })
  on.page(opened())
  fireEvent.click(row('Phantom'))
  expect(on.types().at(-1)).toBe('connection.connectInstalled')
})

test('connect: on a phone, which cannot scan its own screen, there is no row for a code', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  open()
  expect(names()).toEqual(['Phantom'])
  vi.unstubAllGlobals()
})

test('connect: the rows of the service appear, with the count of all', () => {
  const on = open()
  on.facts(...read([listed('Phantom'), listed('Solflare')], 480))
  expect(names()).toEqual(['WalletConnect', 'Phantom', 'Solflare'])
  expect(screen.getByTestId('all-wallets-row').textContent).toBe('All wallets480+')
  cleanup()
  on.show(<Connect />)
  expect(on.types()).toEqual(['listing.open'])
})

test('connect: a failed directory leaves the known wallets and is requested again on the next entry', () => {
  const on = open()
  on.facts(
    { type: 'listing.asked', data: { page: 1, search: '' } },
    { type: 'listing.failed', data: { page: 1, search: '', failure: { code: 'unreachable', message: 'no' } } },
  )
  expect(names()).toEqual(['WalletConnect', 'Phantom'])
  expect(document.querySelector('.skeleton')).toBeNull()
  cleanup()
  on.show(<Connect />)
  on.facts({ type: 'listing.topRead', data: { count: 1, wallets: [listed('Solflare')], bundled: true } })
  expect(names()).toEqual(['WalletConnect', 'Phantom', 'Solflare'])
  expect(screen.getByTestId('all-wallets-row').textContent).toBe('All wallets')
  cleanup()
  on.show(<Connect />)
  expect(on.types()).toEqual(['listing.open', 'listing.open'])
})

test('connect: wallets whose names look alike are all marked, until one remains', () => {
  const on = open()
  on.page(announced('Phantom', 'other', true), announced('Heron'))
  const marked = () =>
    screen.getAllByTestId('wallet-row').map(row => row.textContent?.includes('Same name as another wallet here'))
  on.page({ type: 'installed.alike', data: { walletKeys: ['key-Phantom', 'other'] } })
  expect(marked()).toEqual([false, true, true, false])
  on.page({ type: 'installed.alike', data: { walletKeys: [] } })
  expect(marked()).toEqual([false, false, false, false])
  const [, , second] = screen.getAllByTestId('wallet-row')
  fireEvent.click(second as HTMLElement)
  expect(on.commands.at(-1)).toMatchObject({ type: 'connection.connectInstalled', data: { walletKey: 'other' } })
})

test('connect: of equal names the wallet with the recorded picture is named, unless another copied it', () => {
  const on = open()
  const known = (walletKey: string, identity: string): PageFact => {
    const { data } = announced('Quill', walletKey, true) as Extract<PageFact, { type: 'installed.announced' }>
    return { type: 'installed.announced', data: { ...data, identity } }
  }
  const before = connected('Quill') as Extract<CoreSideFact, { type: 'connection.made' }>
  on.facts({ ...before, data: { ...before.data, identity: 'i1' } })
  on.page(known('q1', 'i2'), known('q2', 'i1'))
  const told = () => screen.getAllByText(/Looks like the one you used/).map(one => one.closest('button')?.textContent)
  expect(told()).toHaveLength(1)
  expect(screen.getAllByTestId('wallet-row')[3]?.textContent).toContain('Looks like the one you used')
  on.page(known('q3', 'i1'))
  expect(screen.queryAllByText(/Looks like the one you used/)).toEqual([])
})

test('a wallet here that is named like a listed one is told apart from it', async () => {
  const on = open()
  on.facts(...read([listed('Solflare'), listed('Phantom')]))
  on.page(announced('So1flare'))
  expect(await screen.findByText('Not Solflare, only named like it')).toBeTruthy()
  expect(row('Phantom').textContent).not.toContain('named like it')
})

test.each(['Wallet Connect', 'WalletC\u043ennect', 'WALLETC0NNECT \u2713'])(
  'a wallet here that is named like the row of the code is told apart from it: %s',
  async name => {
    const on = open()
    on.page(announced(name))
    expect(await screen.findByText('Not WalletConnect, only named like it')).toBeTruthy()
  },
)

test('connect: a listed name of several installed wallets leads to the list, not to the first of them', () => {
  const on = onStage()
  function Press() {
    const choose = useChoose()
    return <button onClick={() => choose({ walletId: 'id', name: 'Backpack' })}>Backpack</button>
  }
  on.page(announced('Backpack', 'k1', true), announced('backpack', 'k2', true))
  on.show(<Press />)
  fireEvent.click(screen.getByText('Backpack'))
  expect(on.commands).toEqual([])
  expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })
})

describe('a press', () => {
  test('on an installed wallet shows its screen and calls it, both in the same turn', () => {
    const on = open()
    on.said.length = 0
    fireEvent.click(row('Phantom'))
    const wallet = { walletId: 'Phantom', name: 'Phantom' }
    expect(on.said).toEqual([
      { type: 'screen.shown', data: { screen: { name: 'ConnectingInstalled', wallet, walletKey: 'key-Phantom' } } },
    ])
    expect(on.commands.at(-1)).toEqual({
      type: 'connection.connectInstalled',
      data: { walletKey: 'key-Phantom', wallet },
    })
  })

  test('on a listed wallet announced meanwhile calls the one in this page', () => {
    const on = open()
    on.facts(...read([listed('Backpack')]))
    const pressed = row('Backpack')
    on.page(announced('BACKPACK', 'k2'))
    expect(names()).toEqual(['WalletConnect', 'Phantom', 'BACKPACK'])
    expect(pressed.isConnected).toBe(false)
    fireEvent.click(row('BACKPACK'))
    expect(on.commands.at(-1)).toMatchObject({
      data: { walletKey: 'k2', wallet: { walletId: 'BACKPACK', name: 'BACKPACK' } },
    })
  })

  test('on a listed wallet shows its code and calls no installed wallet', () => {
    const on = open()
    on.facts(...read([listed('Solflare')]))
    fireEvent.click(row('Solflare'))
    expect(on.said.at(-1)).toEqual({
      type: 'screen.shown',
      data: { screen: { name: 'WalletConnect', wallet: { walletId: 'id-Solflare', name: 'Solflare' } } },
    })
    expect(on.types()).toEqual(['listing.open'])
  })

  test('on WalletConnect shows a code for any wallet', () => {
    const on = open()
    fireEvent.click(row('WalletConnect'))
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'WalletConnect' } } })
  })

  test('on All wallets shows them', () => {
    const on = open()
    fireEvent.click(screen.getByTestId('all-wallets-row'))
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'AllWallets' } } })
  })
})

test.each([
  ['SHOW', false, true],
  ['HIDE', true, false],
  ['ONLY_MOBILE', false, false],
  ['ONLY_MOBILE', true, true],
] as const)('connect: with All wallets set to %s, phone %s, its row is there: %s', (allWallets, phone, there) => {
  vi.stubGlobal('matchMedia', () => ({ matches: phone }))
  const { surroundings } = onStage()
  open({ config: { ...surroundings.config, allWallets } })
  expect(screen.queryByTestId('all-wallets-row') !== null).toBe(there)
})

test.each([
  ['more featured wallets than rows', 4, [2 + 4, 6, 6]],
  ['fewer', 1, [2 + 2, 3 + 1, 4]],
  ['none', 0, [2 + 2, 2 + 2, 4]],
])('connect: the list keeps its height while the directory comes, with %s', (_, featured, heights) => {
  const wallets = Array.from({ length: featured }, (_wallet, at) => listed(`Featured ${at}`))
  const { surroundings } = onStage()
  const on = open({ config: { ...surroundings.config, featured: wallets.map(({ walletId }) => walletId) } })
  const height = () => names().length + document.querySelectorAll('.skeleton-logo').length
  const seen = [height()]
  on.facts({ type: 'listing.featuredRead', data: { wallets } })
  seen.push(height())
  const all = [...wallets, listed('Solflare'), listed('Backpack')]
  on.facts({ type: 'listing.topRead', data: { count: all.length, wallets: all } })
  seen.push(height())
  expect(seen).toEqual(heights)
})

test('connect: an installed wallet shows its own icon, a listed one the directory’s picture, one without the letter', async () => {
  const walletImage = vi.fn(async (imageId: string) => (imageId === 'p1' ? 'blob:p1' : undefined))
  const on = open({ walletIcon: (key: string) => `data:image/svg+xml,${key}`, walletImage })
  const wallets = [listed('Solflare', { imageId: 'p1' }), listed('Plain'), listed('Broken', { imageId: 'p2' })]
  on.facts({ type: 'listing.featuredRead', data: { wallets } })
  await settle()
  expect(row('Phantom').querySelector('img')?.src).toBe('data:image/svg+xml,key-Phantom')
  expect(row('Solflare').querySelector('img')?.src).toBe('blob:p1')
  expect(row('Plain').querySelector('img')).toBeNull()
  expect(row('Broken').textContent).toContain('BBroken')
  expect(walletImage).toHaveBeenCalledTimes(2)
})
