// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { networks } from '../../../src/events/values/networks.ts'
import { Account } from '../../../src/ui/account/Account.tsx'
import { account, connected } from '../modalStage.ts'
import { onStage } from '../onStage.tsx'

afterEach(cleanup)

const [mainnet] = networks
const { genesisHash = '', caip2 = '' } = mainnet ?? {}
const ask = { call: 'balance', address: account, chainId: caip2 } as const
const token = (symbol: string, value: string | null, price: string) => ({
  name: symbol,
  symbol,
  chainId: caip2,
  asset: { kind: 'token', address: `mint of ${symbol}` } as const,
  value,
  price,
  decimals: 6,
  quantity: '1',
  iconUrl: '',
})

function open(values: (string | null)[], price = '1') {
  const on = onStage()
  const balances = values.map((value, at) => token(`T${at}`, value, price))
  on.facts(connected())
  on.facts(
    { type: 'network.identified', data: { genesisHash, caip2 } },
    { type: 'service.asked', data: { callId: 's1', ask } },
    { type: 'service.answered', data: { callId: 's1', answer: { call: 'balance', balances, dropped: 0 } } },
  )
  on.show(<Account />)
  return on
}

test('the account shows the exact value of its tokens under the balance', () => {
  open(['312.4', '0.10', '0.20', null])
  expect(screen.getByTestId('worth').textContent).toBe('$312.70')
})

test('the account shows no value while no price is known', () => {
  open([null])
  expect(screen.queryByTestId('worth')).toBeNull()
  cleanup()
  // The service's way to write it
  open(['0'], '0')
  expect(screen.queryByTestId('worth')).toBeNull()
})

test('the account asks for its balances on a public network, and not on a local one', () => {
  const on = onStage()
  on.facts(connected())
  on.facts({ type: 'network.identified', data: { genesisHash, caip2 } })
  on.show(<Account />)
  expect(on.types()).toContain('service.ask')
  cleanup()
  const local = onStage()
  local.facts(connected())
  local.facts({ type: 'network.identified', data: { genesisHash: account, caip2: `solana:${account.slice(0, 32)}` } })
  local.show(<Account />)
  expect(local.types()).not.toContain('service.ask')
})
