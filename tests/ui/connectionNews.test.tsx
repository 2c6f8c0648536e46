// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ConnectionNews } from '../../src/ui/ConnectionNews.tsx'
import { ProfileWallets } from '../../src/ui/account/ProfileWallets.tsx'
import { connected, connectedTorch, opened } from './modalStage.ts'
import { onStage } from './onStage.tsx'

afterEach(cleanup)

function two(onlyOpen = false) {
  const on = onStage()
  on.facts(connected('Solflare', 'c2'), connected())
  on.show(
    <>
      <ConnectionNews onlyOpen={onlyOpen} />
      <ProfileWallets />
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
  fireEvent.click(screen.getByRole('button', { name: 'Disconnect Solflare' }))
  expect(on.types()).toContain('connection.disconnect')
  expect(toastOf(on)).toBeUndefined()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
  expect(toastOf(on)).toBe('Solflare disconnected')
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

test('toasts: another network, whose log has other connections, shows none', () => {
  const on = two()
  const [home, active] = ['solana:a', 'solana:b']
  on.facts(
    { type: 'network.offered', data: { home, active, networks: [home, active] } },
    { type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } },
  )
  expect(toastOf(on)).toBeUndefined()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'person' } })
  expect(toastOf(on)).toBe('Phantom disconnected')
})

test('toasts: an embed shows none while its modal is closed', () => {
  const on = two(true)
  on.facts({ type: 'connection.activated', data: { connectionId: 'c2' } })
  expect(toastOf(on)).toBeUndefined()
  on.page(opened('Account'))
  on.facts({ type: 'connection.activated', data: { connectionId: 'c1' } })
  expect(toastOf(on)).toBe('Wallet switched')
})
