// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ButtonOf } from '../../../src/main/embed/buttons/ButtonOf.tsx'
import type { HostAccount, ModalState } from '../../../src/main/embed/hostModal.ts'
import { account as address } from '../../ui/modalStage.ts'
import { onStage } from '../../ui/onStage.tsx'

afterEach(cleanup)

test.each([
  ['account', true, 'Account'],
  ['account', false, 'UnsupportedChain'],
  ['network', true, 'Networks'],
  ['network', false, 'Networks'],
] as const)('host buttons: %s, on a network that can be used: %s, leads to %s', (kind, supported, view) => {
  const account: HostAccount = {
    isConnected: true,
    address,
    caipAddress: undefined,
    status: 'connected',
    allAccounts: [],
    addressLabels: {},
    embeddedWalletInfo: undefined,
  }
  const network = { caipNetworkId: 'solana:x', name: 'Solana', test: false, supported }
  const state: ModalState = { open: false, view: undefined, account, network, balance: '0', themeMode: 'dark' }
  const open = vi.fn()
  onStage().show(<ButtonOf of={{ state: () => state, open }} kind={kind} showBalance />)
  fireEvent.click(screen.getByRole('button'))
  expect(open.mock.calls).toEqual([[view]])
})
