// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ConnectionNews } from '../../src/ui/notices/ConnectionNews.tsx'
import { ModalView } from '../../src/ui/modal/ModalView.tsx'
import { ProfileWallets } from '../../src/ui/account/wallets/ProfileWallets.tsx'
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

function embedded(host = { recording: false }) {
  const on = onStage()
  Object.assign(on.surroundings.config, { host })
  on.facts(connected('Quill', 'c1'))
  on.page(opened('Account'))
  on.show(
    <>
      <ConnectionNews onlyOpen />
      <ModalView />
    </>,
  )
  return on
}
const shownWith = (autoClose: boolean, toastId: string) =>
  ({ type: 'toast.shown', data: { toastId, variant: 'success', message: 'Address copied', autoClose } }) as const

test('toasts: an embed’s modal takes its toast along when it closes', () => {
  const on = embedded()
  on.page(shownWith(true, 't1'), { type: 'screen.closed', data: {} })
  expect(toastOf(on)).toBeUndefined()
  on.page(opened('Account'), shownWith(true, 't2'))
  expect(toastOf(on)).toBe('Address copied')
  on.page({ type: 'screen.closed', data: {} })
  expect(toastOf(on)).toBeUndefined()
})

test('toasts: the last wallet’s disconnection, which closes an embed’s modal, is not told at the next opening', () => {
  const on = embedded()
  on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'person' } })
  expect(on.store.model().screen.open).toBe(false)
  on.page(opened())
  expect(toastOf(on)).toBeUndefined()
})

test('toasts: one without an end, and one of an embedded modal, stay after a close', () => {
  const on = embedded()
  on.page(shownWith(false, 'not-started'), { type: 'screen.closed', data: {} })
  expect(toastOf(on)).toBe('Address copied')
  cleanup()
  const flow = embedded(Object.assign({ recording: false }, { embedded: true }))
  flow.page(shownWith(true, 't1'), { type: 'screen.closed', data: {} }, opened())
  expect(toastOf(flow)).toBe('Address copied')
})

test('toasts: one of our own page stays after a close, the page shows it', () => {
  const on = two()
  on.page(opened('Account'))
  on.page(shownWith(true, 't1'), { type: 'screen.closed', data: {} })
  expect(toastOf(on)).toBe('Address copied')
})
