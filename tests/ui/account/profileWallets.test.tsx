// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { PageFact } from '../../../src/events/app.ts'
import { ConnectionNews } from '../../../src/ui/notices/ConnectionNews.tsx'
import { Account } from '../../../src/ui/account/Account.tsx'
import { ProfileWallets } from '../../../src/ui/account/wallets/ProfileWallets.tsx'
import { account, announced, connected, connectedTorch, genesis, listed as listing, read } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'

afterEach(cleanup)

const second = 'So11111111111111111111111111111111111111112'

async function two(over = {}) {
  const on = onStage(over)
  on.facts(connected('Solflare', 'c2'), connected())
  on.show(
    <>
      <ConnectionNews />
      <ProfileWallets />
    </>,
  )
  await settle()
  return on
}
const toastOf = (on: Awaited<ReturnType<typeof two>>) => on.store.model().toast?.message

test('wallets: one that is missing cannot be switched to, and the toast says so', async () => {
  const on = await two()
  const failure = { code: 'wallet_gone', message: 'not here' } as const
  on.facts({ type: 'connection.missing', data: { connectionId: 'c2', failure } })
  on.facts({ type: 'connection.activated', data: { connectionId: 'c2' } })
  expect(on.store.model().toast).toMatchObject({ variant: 'error', message: 'Failed to switch wallet' })
})

test('wallets: another account is announced once it is chosen, not at the press', async () => {
  const on = await two()
  on.facts({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [account, second] } })
  expect(toastOf(on)).toBeUndefined()
  fireEvent.click(screen.getByTestId('choose-account'))
  expect(on.commands.at(-1)).toEqual({
    type: 'connection.chooseAccount',
    data: { connectionId: 'c1', account: second },
  })
  expect(toastOf(on)).toBeUndefined()
  on.facts({ type: 'connection.accountChosen', data: { connectionId: 'c1', account: second } })
  expect(toastOf(on)).toBe('Account switched')
  expect(screen.getByTestId('choose-account').dataset.address).toBe(account)
})

test('wallets: an account has its wallet’s name for it before its address', async () => {
  const on = await two()
  const labels = [{ account: second, label: '<b>Savings</b>' }]
  on.facts({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [account, second], labels } })
  expect(screen.getByTestId('choose-account').textContent).toContain('<b>Savings</b> · ')
  on.facts({ type: 'connection.accountChosen', data: { connectionId: 'c1', account: second } })
  expect(screen.getByTestId('account-label').textContent).toBe('<b>Savings</b> · ')
  expect(screen.getByTestId('choose-account').dataset.address).toBe(account)
})

test('wallets: one connected lately can be connected again, or forgotten', async () => {
  const on = await two()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
  expect(toastOf(on)).toBe('Solflare disconnected')
  // It is not in this browser now
  expect(screen.queryByTestId('recent-wallet')).toBeNull()
  on.page({
    type: 'installed.announced',
    data: { walletKey: 'k2', name: 'Solflare', features: [], chains: [], twin: false },
  })
  fireEvent.click(screen.getByTestId('recent-wallet'))
  expect(on.commands.at(-1)).toMatchObject({ type: 'connection.connectInstalled', data: { walletKey: 'k2' } })
  const commands = on.commands.length
  on.page({
    type: 'installed.announced',
    data: { walletKey: 'k3', name: 'Solflare', features: [], chains: [], twin: true },
  })
  fireEvent.click(screen.getByTestId('recent-wallet'))
  expect(on.said.at(-1)).toMatchObject({ data: { screen: { name: 'Connect' } } })
  expect(on.commands).toHaveLength(commands)
  fireEvent.click(screen.getByTestId('forget-wallet'))
  expect(on.commands.at(-1)).toEqual({ type: 'connection.forget', data: { connectionId: 'c2' } })
  on.facts({ type: 'connection.forgotten', data: { connectionId: 'c2' } })
  expect(toastOf(on)).toBe('Wallet deleted')
  expect(screen.queryByTestId('recent-wallet')).toBeNull()
})

test('wallets: one that connects again leaves the list without a word of deletion', async () => {
  const on = await two()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
  on.facts(connected('Solflare', 'c3'))
  expect(screen.queryByTestId('recent-wallet')).toBeNull()
  expect(toastOf(on)).not.toBe('Wallet deleted')
})

test('wallets: one connected lately waits for the tick that the host asks for', async () => {
  const on = await two()
  on.page(announced('Solflare'), { type: 'tab.featured', data: { features: { legalCheckbox: true } } })
  on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
  fireEvent.click(screen.getByTestId('recent-wallet'))
  expect(on.said.at(-1)).toMatchObject({ data: { screen: { name: 'Connect' } } })
  expect(on.types()).not.toContain('connection.connectInstalled')
  on.page({ type: 'screen.agreed', data: { agreed: true } })
  fireEvent.click(screen.getByTestId('recent-wallet'))
  expect(on.types().at(-1)).toBe('connection.connectInstalled')
})

const lost = (toastId: string): PageFact => ({
  type: 'toast.shown',
  data: { toastId, variant: 'error', message: 'That did not get through. Try again.', autoClose: true },
})

test('wallets: one whose disconnecting did not get through can be pressed again', async () => {
  const on = await two()
  const row = () => screen.getByTestId('switch-wallet')
  const press = () => fireEvent.click(screen.getAllByTestId('leave-wallet')[1] as HTMLElement)
  press()
  expect(row().getAttribute('aria-busy')).toBe('true')
  on.page(lost('c1'))
  expect(row().getAttribute('aria-busy')).toBeNull()
  // The old notice is no answer to the next press
  press()
  expect(row().getAttribute('aria-busy')).toBe('true')
  on.page({ type: 'toast.closed', data: { toastId: 'c1' } }, lost('c2'))
  expect(row().getAttribute('aria-busy')).toBeNull()
})

test('account: the row that disconnects says so until the command did not get through', () => {
  const on = onStage()
  on.facts(connected())
  on.show(<Account />)
  const row = screen.getByTestId('disconnect')
  fireEvent.click(row)
  expect(row.textContent).toContain('Disconnecting')
  on.page(lost('c1'))
  expect(row.textContent).not.toContain('Disconnecting')
  fireEvent.click(row)
  expect(on.types().filter(type => type === 'connection.disconnect')).toHaveLength(2)
})

test('wallets: the active account has its page in the explorer, once the network is known', async () => {
  const on = await two()
  expect(screen.queryByTestId('explore-wallet')).toBeNull()
  on.facts({ type: 'network.identified', data: { genesisHash: genesis, caip2: 'solana:x' } })
  const link = screen.getByRole('link', { name: 'View on explorer' }) as HTMLAnchorElement
  expect(link.href).toBe(`https://solscan.io/account/${account}`)
})

test('wallets: all are left by one press', async () => {
  const on = await two()
  fireEvent.click(screen.getByTestId('disconnect-all'))
  const left = on.commands.filter(({ type }) => type === 'connection.disconnect').map(({ data }) => data)
  expect(left).toEqual([{ connectionId: 'c2' }, { connectionId: 'c1' }])
})

test('wallets: all that are being left are not left twice, until a notice says that it failed', async () => {
  const on = await two()
  const all = screen.getByTestId('disconnect-all')
  fireEvent.click(all)
  expect([all.textContent, all.getAttribute('aria-busy')]).toEqual(['Disconnecting', 'true'])
  on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
  fireEvent.click(all)
  expect(on.types().filter(type => type === 'connection.disconnect')).toHaveLength(2)
  on.page(lost('c1'))
  expect([all.textContent, all.getAttribute('aria-busy')]).toEqual(['Disconnect all', null])
  fireEvent.click(all)
  expect(on.types().filter(type => type === 'connection.disconnect')).toHaveLength(3)
})

const listed = () =>
  within(screen.getByRole('list', { name: 'Connected wallets' }))
    .getAllByRole('listitem')
    .map(item => item.textContent)

test('wallets: without one, the way to connect stands there', () => {
  const on = onStage()
  on.show(<ProfileWallets />)
  expect(document.body.textContent).toContain('No wallet connected')
  fireEvent.click(screen.getByTestId('another-wallet'))
  expect(on.said).toContainEqual({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })
})

test('wallets: are listed, the active one first; a press activates another one', async () => {
  const on = await two()
  expect(document.body.textContent).toContain('2 accounts')
  expect(listed()).toEqual(['PPhantom2xiX…8C3fActive', 'SSolflare2xiX…8C3f'])
  fireEvent.click(screen.getByTestId('switch-wallet'))
  expect(on.commands.at(-1)).toEqual({ type: 'connection.activate', data: { connectionId: 'c2' } })
  on.facts({ type: 'connection.activated', data: { connectionId: 'c2' } })
  expect(screen.getByTestId('switch-wallet').dataset.wallet).toBe('Phantom')
})

test('wallets: have the icon of an installed wallet', async () => {
  const on = await two({
    walletIcon: (key: string) => (key === 'key-Phantom' ? 'data:image/png;base64,AAAA' : undefined),
  })
  on.page(announced('Phantom'))
  const pictures = screen.getAllByRole('listitem').map(item => item.querySelector('img')?.getAttribute('src'))
  expect(pictures).toEqual(['data:image/png;base64,AAAA', undefined])
})

test('wallets: over WalletConnect have the directory’s picture, also once they have ended', async () => {
  const asked: string[] = []
  const walletImage = async (imageId: string) => {
    asked.push(imageId)
    return `blob:${imageId}`
  }
  const on = onStage({ walletImage })
  const [settled, made] = connectedTorch()
  if (settled?.type !== 'session.settled' || made?.type !== 'connection.made') throw new Error('expected a connection')
  on.facts(...read([listing('Torch', { imageId: 'torch' }), listing('Phantom', { imageId: 'phantom' })]), settled)
  on.facts({ ...made, data: { ...made.data, wallet: { walletId: 'id-Torch', name: 'Torch' } } })
  on.facts(connected('Phantom', 'c2'))
  on.show(<ProfileWallets />)
  await settle()
  const pictures = () => [...document.querySelectorAll('.logo img')].map(one => one.getAttribute('src'))
  expect(pictures()).toEqual(['blob:torch'])
  on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'person' } })
  await settle()
  expect(screen.getByTestId('recent-wallet').querySelector('img')?.getAttribute('src')).toBe('blob:torch')
  expect([pictures(), asked]).toEqual([['blob:torch'], ['torch']])
})

test.each([
  ['its own', 'Torch', ['blob:torch']],
  ['its own in other letters of case', ' TORCH', ['blob:torch']],
  ['another', 'Lantern', []],
  ['a lookalike of its own', 'T\u043erch', []],
  ['no', undefined, []],
])(
  'wallets: a peer that gives %s name as the chosen wallet has the directory’s picture or none',
  async (_name, peerName, pictures) => {
    const on = onStage({ walletImage: async imageId => `blob:${imageId}` })
    const [settled, made] = connectedTorch()
    if (settled?.type !== 'session.settled' || made?.type !== 'connection.made')
      throw new Error('expected a connection')
    const { peerName: _, ...chosen } = made.data
    on.facts(...read([listing('Torch', { imageId: 'torch' })]), settled)
    on.facts({
      ...made,
      data: { ...chosen, wallet: { walletId: 'id-Torch', name: 'Torch' }, ...(peerName && { peerName }) },
    })
    on.show(
      <>
        <ProfileWallets />
        <Account />
      </>,
    )
    await settle()
    const shown = [...document.querySelectorAll('.logo img')].map(one => one.getAttribute('src'))
    expect([...new Set(shown)]).toEqual(pictures)
  },
)

test('wallets: each is disconnected by itself, and the address of the active one copied', async () => {
  const on = await two()
  fireEvent.click(screen.getByTestId('copy-wallet'))
  expect(on.copied).toEqual([account])
  for (const [name, connectionId] of [
    ['Solflare', 'c2'],
    ['Phantom', 'c1'],
  ]) {
    fireEvent.click(screen.getByRole('button', { name: `Disconnect ${name}` }))
    expect(on.commands.at(-1)).toEqual({ type: 'connection.disconnect', data: { connectionId } })
  }
})
