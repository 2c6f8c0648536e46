// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { ConnectionNews } from '../../../src/ui/ConnectionNews.tsx'
import { Account } from '../../../src/ui/account/Account.tsx'
import { loadMoreWallets } from '../../../src/ui/account/Wallets.tsx'
import { account, connected } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'

beforeAll(loadMoreWallets)
afterEach(cleanup)

const second = 'So11111111111111111111111111111111111111112'

async function two() {
  const on = onStage()
  on.facts(connected('Solflare', 'c2'), connected())
  on.show(
    <>
      <ConnectionNews />
      <Account />
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
  expect(screen.getByTestId('account-address').dataset.address).toBe(second)
})

test('wallets: one connected lately can be connected again, or forgotten', async () => {
  const on = await two()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
  expect(toastOf(on)).toBe('Solflare disconnected')
  fireEvent.click(screen.getByTestId('recent-wallet'))
  expect(on.said.at(-1)).toMatchObject({ data: { screen: { name: 'Connect' } } })
  on.page({
    type: 'installed.announced',
    data: { walletKey: 'k2', name: 'Solflare', features: [], chains: [], twin: false },
  })
  fireEvent.click(screen.getByTestId('recent-wallet'))
  expect(on.commands.at(-1)).toMatchObject({ type: 'connection.connectInstalled', data: { walletKey: 'k2' } })
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

test('wallets: all are left by one press', async () => {
  const on = await two()
  fireEvent.click(screen.getByTestId('disconnect-all'))
  const left = on.commands.filter(({ type }) => type === 'connection.disconnect').map(({ data }) => data)
  expect(left).toEqual([{ connectionId: 'c2' }, { connectionId: 'c1' }])
})
