// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Here already, so that a settled promise is all it takes to show them
import '../../../src/ui/connect/Basic.tsx'
import '../../../src/ui/modal/Agreement.tsx'
import { Modal } from '../../../src/ui/modal/Modal.tsx'
import { announced, opened, paired, requested } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'

beforeEach(
  () =>
    void vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe() {}
        disconnect() {}
      },
    ),
)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const waits = () => document.querySelector('[inert]')
const box = () => screen.queryByTestId<HTMLInputElement>('agreement')
const foot = () => document.querySelector('.sheet-foot')?.textContent

async function open(over = {}, name: 'Connect' | 'WalletConnect' = 'Connect') {
  const on = onStage(over)
  on.page({ type: 'tab.featured', data: { features: { legalCheckbox: true } } }, announced('Phantom'), opened(), {
    type: 'screen.shown',
    data: { screen: { name } },
  })
  on.show(<Modal />)
  await settle()
  await settle()
  return on
}
const config = (more: object) => ({ config: { ...onStage().surroundings.config, ...more } })

describe('a host whose visitors agree first', () => {
  test('has a box above the wallets, which wait for its tick; the line in the foot is gone', async () => {
    const on = await open()
    expect(box()?.closest('label')?.textContent).toBe(
      'I agree to the terms and privacy notice. Tick this box to go on.',
    )
    expect([...document.querySelectorAll('.check a')].map(link => link.getAttribute('href'))).toEqual([
      'https://mai.example/terms',
      'https://mai.example/privacy',
    ])
    expect(waits()?.querySelectorAll('[data-testid="wallet-row"]')).toHaveLength(2)
    expect(foot()).not.toContain('agree')
    fireEvent.click(box() as HTMLElement)
    expect(waits()).toBeNull()
    expect(on.said.at(-1)).toEqual({ type: 'screen.agreed', data: { agreed: true } })
    fireEvent.click(box() as HTMLElement)
    expect(waits()).not.toBeNull()
  })

  test('has it ticked at the next opening', async () => {
    const on = await open()
    fireEvent.click(box() as HTMLElement)
    on.page({ type: 'screen.closed', data: {} }, opened())
    expect([box()?.checked, waits()]).toEqual([true, null])
  })

  test('shows no code before the tick, as a code needs no press', async () => {
    const on = await open({}, 'WalletConnect')
    on.facts(requested('walletConnect', 'WalletConnect', 'walletConnect'), paired('p1'))
    expect(on.types()).not.toContain('connection.connectWalletConnect')
    expect(screen.queryByTestId('copy-uri')).toBeNull()
    fireEvent.click(box() as HTMLElement)
    expect(screen.getByTestId('copy-uri')).toBeTruthy()
  })

  test('without any document has no box', async () => {
    await open(config({ termsUrl: '', privacyUrl: 'javascript:alert(1)' }))
    expect([box(), waits()]).toEqual([null, null])
  })

  test('that turns it off shows the wallets and the line again', async () => {
    const on = await open()
    on.page({ type: 'tab.featured', data: { features: { legalCheckbox: false } } })
    expect([box(), waits()]).toEqual([null, null])
    expect(foot()).toContain('By connecting you agree to the terms and privacy notice.')
  })
})

describe('a host that collapses the list', () => {
  test('has one row, which leads to the wallets and back', async () => {
    const on = onStage()
    on.page({ type: 'tab.featured', data: { features: { collapseWallets: true } } }, announced('Phantom'), opened())
    on.show(<Modal />)
    expect(screen.queryByTestId('wallet-row')).toBeNull()
    fireEvent.click(screen.getByTestId('collapsed-row'))
    expect(on.store.model().screen.history.at(-1)?.name).toBe('ConnectWallets')
    expect(screen.getAllByTestId('wallet-row')).toHaveLength(2)
    fireEvent.click(screen.getByTestId('modal-back'))
    expect(screen.getByTestId('collapsed-row')).toBeTruthy()
  })
})

describe('the row All wallets', () => {
  const row = () => screen.queryByTestId('all-wallets-row')
  const features = (allWallets: boolean) => ({ type: 'tab.featured', data: { features: { allWallets } } }) as const

  test('follows the host’s last word', () => {
    const on = onStage()
    on.page(opened())
    on.show(<Modal />)
    expect(row()).toBeTruthy()
    on.page(features(false))
    expect(row()).toBeNull()
    on.page(features(true))
    expect(row()).toBeTruthy()
  })

  test('that a host hides at the start comes back by its word', () => {
    const on = onStage(config({ allWallets: 'HIDE' }))
    on.page(opened())
    on.show(<Modal />)
    expect(row()).toBeNull()
    on.page(features(true))
    expect(row()).toBeTruthy()
  })
})

describe('where WalletConnect alone connects', () => {
  const basic = { type: 'screen.opened', data: { screen: { name: 'ConnectingWalletConnectBasic' } } } as const

  test('the code and the way to all wallets are there', async () => {
    const on = onStage()
    on.page(basic)
    on.show(<Modal />)
    await settle()
    expect(on.types()).toContain('connection.connectWalletConnect')
    expect(screen.getByTestId('copy-uri')).toBeTruthy()
    fireEvent.click(screen.getByTestId('all-wallets-row'))
    expect(on.store.model().screen.history.map(({ name }) => name)).toEqual([
      'ConnectingWalletConnectBasic',
      'AllWallets',
    ])
  })

  test('a phone, which cannot scan itself, shows the list', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    const on = onStage()
    on.page(basic)
    on.show(<Modal />)
    await settle()
    expect(screen.queryByTestId('copy-uri')).toBeNull()
    expect(screen.getByTestId('all-wallets-row')).toBeTruthy()
    expect(on.store.model().screen.open).toBe(true)
  })
})
