// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ServiceAnswer, ServiceAsk } from '../../../src/events/subjects/service/service.ts'
import { networks } from '../../../src/events/values/networks.ts'
import { Account } from '../../../src/ui/account/Account.tsx'
import { Transactions } from '../../../src/ui/account/activity/Activity.tsx'
import { account, connected, genesis, opened, start } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'
import { usdc as usdcMint } from '../sendStates.ts'

type Transaction = Extract<ServiceAnswer, { call: 'history' }>['data'][number]

const [mainnet] = networks
const { genesisHash = '', caip2 = '' } = mainnet ?? {}
const first = { call: 'history', address: account, chainId: caip2 } as const
const failure = { code: 'unreachable', message: 'no answer' } as const

/** Ends of lists that came into view. */
let seen: (() => void)[] = []
beforeEach(() => {
  seen = []
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
        seen.push(() => told([{ isIntersecting: true }]))
      }
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function transaction(id: string, over: Partial<Transaction> = {}): Transaction {
  const token = { name: 'Solana', symbol: 'SOL', iconUrl: '' }
  return {
    id,
    operation: 'send',
    hash: `hash-${id}`,
    minedAt: start,
    sentFrom: account,
    sentTo: genesis,
    status: 'confirmed',
    chain: caip2,
    isSpam: false,
    transfers: [{ direction: 'out', quantity: '1.25', value: null, price: null, token }],
    ...over,
  }
}

function open(element = <Transactions />, over: Parameters<typeof onStage>[0] = {}) {
  const on = onStage(over)
  on.facts(connected(), { type: 'network.identified', data: { genesisHash, caip2 } })
  on.page(opened('Account'))
  on.show(element)
  const asked = (callId: string, ask: ServiceAsk) => on.facts({ type: 'service.asked', data: { callId, ask } })
  const answered = (callId: string, data: Transaction[], next?: string) =>
    on.facts({
      type: 'service.answered',
      data: { callId, answer: { call: 'history', data, dropped: 0, ...(next !== undefined && { next }) } },
    })
  return { ...on, asked, answered }
}
const asks = (on: ReturnType<typeof open>) =>
  on.commands.flatMap(command =>
    command.type === 'service.ask' && command.data.ask.call === 'history' ? [command.data.ask] : [],
  )
const body = () => document.body.textContent ?? ''
const rows = () => screen.getAllByTestId('transaction').map(row => row.textContent)

describe('the transactions of an account', () => {
  test('are asked for at once, and shimmer until they are here', () => {
    const on = open()
    expect(asks(on)).toEqual([first])
    on.asked('s1', first)
    expect(body()).toBe('Reading transactions')
    on.answered('s1', [transaction('a')])
    expect(rows()).toEqual(['Sent15 Jan, final−1.250 SOL'])
  })

  test('stand by month, the newest first, each with its link to the explorer', () => {
    const on = open()
    on.asked('s1', first)
    on.answered('s1', [
      transaction('old', { minedAt: Date.UTC(2026, 11, 30), operation: 'receive' }),
      transaction('new', { status: 'failed' }),
    ])
    expect(screen.getAllByRole('heading').map(one => one.textContent)).toEqual(['January', 'December 2026'])
    expect(rows()).toEqual(['Sent15 Jan, failed−1.250 SOL', 'Received30 Dec, final+1.250 SOL'])
    expect((screen.getAllByTestId('transaction')[0] as HTMLAnchorElement).href).toBe('https://solscan.io/tx/hash-new')
  })

  test('show their amounts in the chosen language', async () => {
    const on = open()
    on.asked('s1', first)
    const token = { name: 'Solana', symbol: 'SOL', iconUrl: '' }
    const transfers = [{ direction: 'out', quantity: '1234.5', value: null, price: null, token } as const]
    on.answered('s1', [transaction('a', { transfers })])
    on.page({ type: 'tab.languageChosen', data: { language: 'de' } })
    await waitFor(() => expect(rows()[0]).toContain('−1.234,500 SOL'))
    // The digits of Arabic are those of addresses
    on.page({ type: 'tab.languageChosen', data: { language: 'ar' } })
    await waitFor(() => expect(rows()[0]).toContain('−1,234.500 SOL'))
  })

  test('say from whom to whom in this order, also where the page is written from right to left', async () => {
    const on = open()
    on.asked('s1', first)
    on.answered('s1', [transaction('a', { transfers: [], sentTo: usdcMint })])
    on.page({ type: 'tab.languageChosen', data: { language: 'ar' } })
    await waitFor(() => expect(rows()[0]).toContain('يناير'))
    const pair = [...screen.getByTestId('transaction').querySelectorAll('bdi')].find(one => one.dir === 'ltr')
    expect(pair?.textContent).toMatch(/^2xiX…8C3f → \S+…\S+$/)
  })

  test('of an unknown kind are named by the way that their tokens went', () => {
    const on = open()
    on.asked('s1', first)
    on.answered('s1', [
      transaction('a', { operation: '__proto__' }),
      transaction('b', { operation: 'x', transfers: [] }),
    ])
    expect(rows()).toEqual(['Sent15 Jan, final1.250 SOL', 'Transaction15 Jan, final'])
  })

  test('go on when the end comes into view, until there are no more', () => {
    const on = open()
    on.asked('s1', first)
    on.answered('s1', [transaction('a')], 'page 2')
    act(() => seen.at(-1)?.())
    const older = { ...first, cursor: 'page 2' }
    expect(asks(on).at(-1)).toEqual(older)
    on.asked('s2', older)
    on.answered('s2', [transaction('b', { minedAt: start - 1000 })])
    expect(rows()).toHaveLength(2)
    expect(screen.queryByTestId('activity-more')).toBeNull()
  })

  test('that are none are said to be none, with a way to receive tokens', () => {
    const on = open()
    on.asked('s1', first)
    on.answered('s1', [])
    expect(body()).toContain('No transactions yet')
    fireEvent.click(screen.getByText('Receive tokens'))
    expect(on.store.model().screen.history.at(-1)).toEqual({ name: 'WalletReceive' })
  })

  test('that cannot be read are asked for again by a press; those that were read stay', () => {
    const on = open()
    on.asked('s1', first)
    on.facts({ type: 'service.failed', data: { callId: 's1', failure } })
    expect(body()).toContain('Transactions could not be read')
    fireEvent.click(screen.getByTestId('activity-again'))
    expect(asks(on)).toEqual([first, first])
    on.asked('s2', first)
    on.answered('s2', [transaction('a')], 'page 2')
    const older = { ...first, cursor: 'page 2' }
    on.asked('s3', older)
    on.facts({ type: 'service.failed', data: { callId: 's3', failure } })
    expect(rows()).toHaveLength(1)
    expect(body()).toContain('Transactions could not be read')
  })

  test('that only an empty answer stands in for are not said to be none', () => {
    const on = open()
    const standsIn = (callId: string, code: 'unreachable' | 'unsupported') =>
      on.facts({
        type: 'service.answered',
        data: {
          callId,
          answer: { call: 'history', data: [], dropped: 0 },
          failure: { code, message: 'no list of networks' },
        },
      })
    on.asked('s1', first)
    standsIn('s1', 'unreachable')
    expect(body()).toContain('Transactions could not be read')
    on.asked('s2', first)
    standsIn('s2', 'unsupported')
    expect(body()).toContain('No list for this network')
    expect(screen.getByText('View on explorer').closest('a')?.href).toContain(account)
    on.asked('s3', first)
    on.answered('s3', [])
    expect(body()).toContain('No transactions yet')
  })

  test('wait for the network while the device is offline', () => {
    const on = onStage()
    on.facts(connected(), { type: 'network.identified', data: { genesisHash, caip2 } })
    on.facts({ type: 'network.offline', data: {} })
    on.show(<Transactions />)
    expect(body()).toContain('You are offline')
  })

  test('of a network without a service are left to the explorer', () => {
    const on = onStage()
    on.facts(connected(), { type: 'network.identified', data: { genesisHash: account, caip2: 'solana:local' } })
    on.show(<Transactions />)
    expect(body()).toContain('The explorer shows the transactions of this account.')
    expect(on.types()).not.toContain('service.ask')
  })
})

test('the newest transactions are asked for again when the account changed, not for its first amounts', () => {
  const on = open()
  on.asked('s1', first)
  on.answered('s1', [transaction('a')])
  const read = (SOL: string, slot: number) =>
    on.facts({ type: 'balance.read', data: { account, slot, amounts: { SOL } } })
  on.clock.now += 20_000
  read('5', 1)
  read('5', 2)
  expect(asks(on)).toEqual([first])
  read('4', 3)
  expect(asks(on)).toEqual([first, first])
})

describe('the tabs of the account', () => {
  test('show tokens, then the newest transactions; the choice is a fact', () => {
    const on = open(<Account />)
    fireEvent.click(screen.getByRole('tab', { name: 'Activity' }))
    expect(on.said.at(-1)).toEqual({ type: 'screen.tabChosen', data: { tab: 'activity' } })
    on.asked('s1', first)
    on.answered(
      's1',
      Array.from({ length: 9 }, (_, at) => transaction(`t${at}`, { minedAt: start - at })),
    )
    expect(rows()).toHaveLength(4)
    fireEvent.click(screen.getByTestId('activity'))
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'Transactions' } } })
  })

  test('list the tokens that the service knows, by value, and say when it knows none', () => {
    const on = open(<Account />)
    const ask = { call: 'balance', address: account, chainId: caip2 } as const
    const held = { chainId: caip2, price: '1', decimals: 6, iconUrl: '' }
    const usdc = {
      ...held,
      name: 'USD Coin',
      symbol: 'USDC',
      asset: { kind: 'token', address: usdcMint },
      value: '375',
      quantity: '375',
    } as const
    const sol = {
      ...held,
      name: 'Solana',
      symbol: 'SOL',
      asset: { kind: 'native' },
      value: '1996.96',
      quantity: '12.4819',
    } as const
    on.asked('s1', ask)
    on.facts({
      type: 'service.answered',
      data: { callId: 's1', answer: { call: 'balance', balances: [usdc, sol], dropped: 0 } },
    })
    const listed = () => [...screen.getByTestId('tokens').children].map(one => one.textContent)
    expect(listed()).toEqual(['Solana12.481 SOL$1,996.96', 'UUSD Coin375.000 USDC$375.00'])
    expect(screen.getByTestId('worth').textContent).toBe('$2,371.96')
    on.asked('s2', ask)
    on.facts({
      type: 'service.answered',
      data: { callId: 's2', answer: { call: 'balance', balances: [], dropped: 0 } },
    })
    expect(body()).toContain('No tokens yet')
  })

  test('give the picture of USDC to its own mint only; any other stands with its mint', async () => {
    const asked: string[] = []
    const picture = async (of: string, name: string) => {
      asked.push(`${of} ${name}`)
      return 'blob:usdc'
    }
    const on = open(<Account />, { picture })
    const ask = { call: 'balance', address: account, chainId: caip2 } as const
    const usdc = (address: string) => ({
      name: 'USD Coin',
      symbol: 'USDC',
      iconUrl: '',
      chainId: caip2,
      asset: { kind: 'token', address } as const,
      decimals: 6,
      price: '1',
      value: '1',
      quantity: '1',
    })
    const read = (callId: string, ...addresses: string[]) => {
      on.asked(callId, ask)
      const balances = addresses.map(usdc)
      on.facts({ type: 'service.answered', data: { callId, answer: { call: 'balance', balances, dropped: 0 } } })
    }
    read('s1', account)
    await settle()
    expect(screen.getByTestId('tokens').textContent).toContain('1.000 USDC · Mint 2xiX…8C3f')
    expect(screen.getByTestId('tokens').querySelector('img')).toBeNull()
    expect(asked.filter(one => one.startsWith('token'))).toEqual([])
    read('s2', usdcMint)
    await settle()
    expect(screen.getByTestId('tokens').textContent).not.toContain('Mint')
    expect(screen.getByTestId('tokens').querySelector('img')?.src).toBe('blob:usdc')
    expect(asked.filter(one => one.startsWith('token'))).toEqual(['token USDC'])
  })

  test('show amounts and dollars in the chosen language', async () => {
    const on = open(<Account />)
    const ask = { call: 'balance', address: account, chainId: caip2 } as const
    const asset = { kind: 'token', address: account } as const
    const named = { name: 'Twelve', symbol: 'TT', iconUrl: '', chainId: caip2, asset, decimals: 6 }
    const held = { ...named, price: '1.6', value: '1996.5', quantity: '1234.567' }
    on.asked('s1', ask)
    on.facts({
      type: 'service.answered',
      data: { callId: 's1', answer: { call: 'balance', balances: [held], dropped: 0 } },
    })
    // A no-break space stands before a currency sign
    const read = (testId: string) => screen.getByTestId(testId).textContent?.replaceAll('\u00a0', ' ')
    on.page({ type: 'tab.languageChosen', data: { language: 'de' } })
    await waitFor(() => expect(read('worth')).toBe('1.996,50 $'))
    expect(read('tokens')).toBe('TTwelve1.234,567 TT · Mint 2xiX…8C3f1.996,50 $')
    on.page({ type: 'tab.languageChosen', data: { language: 'ar' } })
    await waitFor(() => expect(read('worth')).toBe('$1,996.50'))
    expect(read('tokens')).toMatch(/^TTwelve1,234\.567 TT · .*2xiX…8C3f.*\$1,996\.50$/)
  })

  test.each([
    ['unreachable', true],
    ['unsupported', false],
  ] as const)('show what the chain itself tells when an answer stands in, %s', (code, isSaid) => {
    const on = open(<Account />)
    on.asked('s1', { call: 'balance', address: account, chainId: caip2 })
    on.facts(
      {
        type: 'service.answered',
        data: {
          callId: 's1',
          answer: { call: 'balance', balances: [], dropped: 0 },
          failure: { code, message: 'no list of networks' },
        },
      },
      { type: 'balance.read', data: { account, slot: 5, amounts: { SOL: '1000000000' } } },
    )
    expect(body()).not.toContain('No tokens yet')
    expect(body()?.includes('The list of tokens could not be read.')).toBe(isSaid)
    expect(body()).toContain('Solana1.000 SOL')
  })

  test('show what the chain itself tells when the service fails', () => {
    const on = open(<Account />)
    on.asked('s1', { call: 'balance', address: account, chainId: caip2 })
    on.facts(
      { type: 'service.failed', data: { callId: 's1', failure } },
      { type: 'balance.read', data: { account, slot: 5, amounts: { SOL: '1000000000' } } },
    )
    expect(body()).toContain('The list of tokens could not be read.')
    expect(body()).toContain('Solana1.000 SOL')
    const before = on.commands.length
    fireEvent.click(screen.getByTestId('tokens-again'))
    expect(on.commands.slice(before)).toEqual([
      { type: 'service.ask', data: { ask: { call: 'balance', address: account, chainId: caip2 } } },
      { type: 'balance.refresh', data: {} },
    ])
  })
})
