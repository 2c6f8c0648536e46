import { describe, expect, test } from 'vitest'
import type { Screen } from '../../../src/events/subjects/page/screen.ts'
import { needsAccount, openingScreen, staysOpen } from '../../../src/ui/modal/rules.ts'
import { networks } from '../../../src/events/values/networks.ts'
import { connected, stage } from '../modalStage.ts'

const history = (...names: string[]) => names.map(name => ({ name }))

describe('closing', () => {
  test.each([
    ['UnsupportedChain', true],
    ['Account UnsupportedChain', true],
    ['UnsupportedChain SwitchNetwork', true],
    ['Networks SwitchNetwork', false],
    ['SwitchNetwork', false],
    ['UnsupportedChain WhatIsANetwork', false],
    ['Connect', false],
    ['toString', false],
    ['', false],
  ])('of %s is refused: %s', (names, refused) => {
    expect(staysOpen(history(...names.split(' ')))).toBe(refused)
  })
})

describe('the first screen', () => {
  const empty = stage().store.model()
  const linked = stage()
  linked.facts(connected())
  const withWallet = linked.store.model()
  const opening = (model: typeof empty, over: { basic?: boolean; phone?: boolean; wished?: Screen }) =>
    openingScreen(
      model,
      over.basic ? { host: { recording: false, basic: true } } : {},
      over.phone ?? false,
      over.wished,
    ).name

  test('is Connect without a wallet, Account with one', () => {
    expect(opening(empty, {})).toBe('Connect')
    expect(opening(withWallet, {})).toBe('Account')
  })

  test('is the wished one; one of the account needs a wallet', () => {
    expect(opening(empty, { wished: { name: 'AllWallets' } })).toBe('AllWallets')
    expect(opening(withWallet, { wished: { name: 'Connect' } })).toBe('Connect')
    expect(opening(withWallet, { wished: { name: 'WalletReceive' } })).toBe('WalletReceive')
    expect(opening(empty, { wished: { name: 'WalletReceive' } })).toBe('Connect')
    expect([needsAccount('WalletReceive'), needsAccount('AllWallets')]).toEqual([true, false])
  })

  test('is that of an unsupported network only on one; else the networks', () => {
    const wished = { name: 'UnsupportedChain' } as const
    const away = stage()
    away.facts(connected(), { type: 'network.mismatched', data: { expected: 'a', got: 'b' } })
    expect(opening(away.store.model(), { wished })).toBe('UnsupportedChain')
    const { caip2 = '', genesisHash = '' } = networks[0] ?? {}
    away.facts(
      { type: 'network.offered', data: { home: caip2, active: caip2, networks: [caip2] } },
      { type: 'network.identified', data: { genesisHash, caip2 } },
    )
    expect(opening(away.store.model(), { wished })).toBe('Networks')
    expect(opening(withWallet, { wished })).toBe('Networks')
    expect(opening(empty, { wished })).toBe('Connect')
  })

  test('where WalletConnect alone connects is its code, on a phone all wallets, until a wallet is connected', () => {
    expect(opening(empty, { basic: true })).toBe('ConnectingWalletConnectBasic')
    expect(opening(empty, { basic: true, wished: { name: 'Account' } })).toBe('ConnectingWalletConnectBasic')
    expect(opening(empty, { basic: true, phone: true, wished: { name: 'Connect' } })).toBe('AllWallets')
    expect(opening(empty, { basic: true, wished: { name: 'WhatIsAWallet' } })).toBe('WhatIsAWallet')
    expect(opening(withWallet, { basic: true })).toBe('Account')
  })
})
