// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ConnectionNews } from '../../src/ui/ConnectionNews.tsx'
import { Account } from '../../src/ui/account/Account.tsx'
import { account, connected, connectedTorch, opened } from './modalStage.ts'
import { onStage } from './onStage.tsx'

afterEach(cleanup)

function two(onlyOpen = false) {
  const on = onStage()
  on.facts(connected('Solflare', 'c2'), connected())
  on.show(
    <>
      <ConnectionNews onlyOpen={onlyOpen} />
      <Account />
    </>,
  )
  return on
}
const toastOf = (on: ReturnType<typeof two>) => on.store.model().toast?.message

test('toasts: a switch is announced after it happened, not at the press', () => {
  const on = two()
  fireEvent.click(screen.getByTestId('switch-wallet'))
  expect(on.types()).toContain('connection.activate')
  expect(toastOf(on)).toBeUndefined()
  on.facts({ type: 'connection.activated', data: { connectionId: 'c2' } })
  expect(toastOf(on)).toBe('Wallet switched')
})

test('toasts: a disconnection is announced after it happened, not at the press', () => {
  const on = two()
  fireEvent.click(screen.getByTestId('leave-wallet'))
  expect(on.types()).toContain('connection.disconnect')
  expect(toastOf(on)).toBeUndefined()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
  expect(toastOf(on)).toBe('Solflare disconnected')
})

test('toasts: a switch to a wallet that is missing has failed', () => {
  const on = two()
  const failure = { code: 'wallet_gone', message: 'not here' } as const
  on.facts({ type: 'connection.missing', data: { connectionId: 'c2', failure } })
  on.facts({ type: 'connection.activated', data: { connectionId: 'c2' } })
  expect(on.store.model().toast).toMatchObject({ variant: 'error', message: 'Failed to switch wallet' })
})

test('toasts: another account of the wallet is announced once it is chosen', () => {
  const on = two()
  const second = 'So11111111111111111111111111111111111111112'
  on.facts({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [account, second] } })
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

test('toasts: a wallet connected lately can be connected again, or forgotten', () => {
  const on = two()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
  expect(toastOf(on)).toBe('Solflare disconnected')
  fireEvent.click(screen.getByTestId('recent-wallet'))
  expect(on.said.at(-1)).toMatchObject({ data: { screen: { name: 'Connect' } } })
  fireEvent.click(screen.getByTestId('forget-wallet'))
  expect(on.commands.at(-1)).toEqual({ type: 'connection.forget', data: { connectionId: 'c2' } })
  on.facts({ type: 'connection.forgotten', data: { connectionId: 'c2' } })
  expect(toastOf(on)).toBe('Wallet deleted')
  expect(screen.queryByTestId('recent-wallet')).toBeNull()
})

test('account: all wallets are left by one press', () => {
  const on = two()
  fireEvent.click(screen.getByTestId('disconnect-all'))
  const left = on.commands.filter(({ type }) => type === 'connection.disconnect').map(({ data }) => data)
  expect(left).toEqual([{ connectionId: 'c2' }, { connectionId: 'c1' }])
})

test('toasts: a session ended by its wallet is announced by the wallet’s name', () => {
  const on = onStage()
  on.facts(...connectedTorch())
  on.show(<ConnectionNews />)
  on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'wallet' } })
  expect(toastOf(on)).toBe('Torch disconnected')
})

test('toasts: a wallet that connects, and a page that joins a core, show none', () => {
  const on = onStage()
  on.show(<ConnectionNews />)
  on.facts(connected('Solflare', 'c2'))
  on.facts(connected())
  expect(toastOf(on)).toBeUndefined()
})

test('toasts: an embed shows none while its modal is closed', () => {
  const on = two(true)
  on.facts({ type: 'connection.activated', data: { connectionId: 'c2' } })
  expect(toastOf(on)).toBeUndefined()
  on.page(opened('Account'))
  on.facts({ type: 'connection.activated', data: { connectionId: 'c1' } })
  expect(toastOf(on)).toBe('Wallet switched')
})
