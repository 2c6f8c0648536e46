// @vitest-environment happy-dom
/** Ways on from an obstacle or a failed purchase: the exact cause, and the press that continues. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../src/events/app.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import {
  connected,
  fact,
  noon,
  orderEnd,
  orderUntil,
  saleAt,
  saleAtPosition,
  surroundings,
  terms,
  termsHash,
} from '../story.ts'

afterEach(cleanup)

function open(facts: readonly AppFact[]) {
  const around = surroundings(facts, { now: noon })
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  return { ...around, tell: (...more: AppFact[]) => act(() => around.tell(...more)) }
}
const friend = '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3'
const ready = [...saleAt(), ...connected()]
const button = () => screen.getByTestId('buy-button')
const card = () => screen.getByTestId('order-status').textContent
const valueOf = (testid: string) => (screen.getByTestId(testid) as HTMLInputElement).value
const settled = () => act(async () => {})
const dismissed = fact({ type: 'order.dismissed', data: { orderId: 'o1' } })
/** The same purchase, paid in USDC. */
const inUsdc = (facts: AppFact[]) =>
  facts.map(one =>
    one.type === 'order.drafted' ? { ...one, data: { ...one.data, asset: 'USDC', units: '375000000' } } : one,
  )
const onlyUsdc = { ...terms, assets: terms.assets.filter(({ symbol }) => symbol === 'USDC') }

describe('an order that the chain refused', () => {
  const failedWith = (facts: Record<string, string | number>, before = orderUntil('sending')) => {
    const failure = { code: 'on_chain_error', message: '', facts } as const
    open([...ready, ...before, fact({ type: 'order.failedOnChain', data: { orderId: 'o1', slot: 1, failure } })])
    return card()
  }

  test.each([
    [{ name: 'Custom', custom: 1, instruction: 3 }, 'Not enough SOL.'],
    [{ name: 'InsufficientFundsForFee' }, 'Not enough SOL.'],
    [{ name: 'InsufficientFundsForRent', account: 0 }, 'Leave 0 or at least 0.00089088 SOL in your wallet.'],
    [{ name: 'InsufficientFundsForRent', account: 1 }, 'The treasury is not ready for payments. Tell the team.'],
    [{ name: 'ComputationalBudgetExceeded', instruction: 2 }, 'It needed more computing than it was allowed.'],
    [{ name: 'Custom', custom: 17, instruction: 3 }, 'The network’s error is Custom 17.'],
    [{ name: 'InvalidAccountData', instruction: 3 }, 'The network’s error is InvalidAccountData.'],
    [{ name: 'Do not <b>believe</b>' }, 'The network’s error is Unreadable.'],
  ])('with %j says what it cost and why', (facts, why) => {
    expect(failedWith(facts)).toContain(
      `The network refused the payment. Only the network fee of about 0.000006 SOL was charged. ${why}`,
    )
  })

  test.each([
    [1, 'Not enough USDC.'],
    [17, 'The wallet’s USDC account, or the treasury’s, is frozen.'],
    [18, 'The sale on the chain does not match its terms. Do not pay.'],
    [4, 'The network’s error is Custom 4.'],
  ])('with the token program’s error %i says what it means', (custom, why) => {
    expect(failedWith({ name: 'Custom', custom, instruction: 3 }, inUsdc(orderUntil('sending')))).toContain(why)
  })
})

test.each([
  ['insufficient_sol', orderUntil('simulated'), '250006000', 'Not enough SOL: 0.250006 SOL short, fee included.'],
  ['insufficient_token', inUsdc(orderUntil('simulated')), '75500000', 'Not enough USDC: 75.5 USDC short.'],
] as const)('an order refused with %s names the exact shortfall', (code, before, short, words) => {
  open([...ready, ...before, orderEnd('order.simulationFailed', code, { short })])
  expect(card()).toContain(`${words} Nothing was paid.`)
})

test.each([
  ['simulation_failed', { name: 'Custom', custom: 17 }, ' The wallet’s USDC account, or the treasury’s, is frozen.'],
  ['simulation_failed', { name: 'Custom', custom: 4 }, ' The network’s error is Custom 4.'],
  ['compute', { name: 'ComputationalBudgetExceeded' }, ' It needed more computing than it was allowed.'],
  ['simulation_failed', undefined, ''],
] as const)('a payment whose trial ended with %s and %j says why', (code, facts, why) => {
  open([...ready, ...inUsdc(orderUntil('simulated')), orderEnd('order.simulationFailed', code, facts)])
  const words = document.querySelector('.note')?.textContent
  expect(words).toBe(`Nothing was paid. The payment could not be made.${why}`)
})

test.each([
  [0, 'Leave 0 or at least 0.00089088 SOL in your wallet.', 'Leave 0 or at least'],
  [2, 'The payment could not be made.', 'The network’s error is InsufficientFundsForRent.'],
])(
  'a payment in tokens that fails for the rent of account %i does not blame the treasury',
  (account, trial, landed) => {
    const facts = { name: 'InsufficientFundsForRent', account }
    open([...ready, ...inUsdc(orderUntil('simulated')), orderEnd('order.simulationFailed', 'rent', facts)])
    expect(card()).toContain(trial)
    cleanup()
    const failure = { code: 'on_chain_error', message: '', facts } as const
    const end = fact({ type: 'order.failedOnChain', data: { orderId: 'o1', slot: 1, failure } })
    open([...ready, ...inUsdc(orderUntil('sending')), end])
    expect(card()).toContain(landed)
  },
)

describe('a wallet without USDC', () => {
  const refused = [...inUsdc(orderUntil('simulated')), orderEnd('order.simulationFailed', 'no_token_account')]
  const choose = (asset: string) => fireEvent.change(screen.getByTestId('asset-select'), { target: { value: asset } })

  test('is offered SOL of the same worth by the order’s button', () => {
    const { commands, tell } = open([...ready, ...refused])
    expect(card()).toContain('This wallet holds no USDC. Nothing was paid.')
    expect(button().textContent).toBe('Pay with SOL instead')
    fireEvent.click(button())
    expect(commands).toEqual([{ type: 'order.dismiss', data: { orderId: 'o1' } }])
    tell(dismissed)
    expect(valueOf('pay-amount')).toBe('2.34375')
    expect(button().textContent).toBe('Tick the three boxes')
  })

  test('is offered nothing else where the terms list no SOL', () => {
    open([...saleAt({ terms: onlyUsdc }), ...connected(), ...refused])
    expect(button().textContent).toBe('Try again')
    expect(document.body.textContent).not.toContain('SOL instead')
  })

  test('is offered SOL of the same worth by the calculator', () => {
    open([...saleAt(), ...connected({ SOL: '12481000000' })])
    choose('USDC')
    fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '375' } })
    expect(document.body.textContent).toContain('This wallet holds no USDC.')
    expect(button().textContent).toBe('Pay with SOL instead')
    fireEvent.click(button())
    expect(valueOf('pay-amount')).toBe('2.34375')
    expect(button().textContent).toBe('Tick the three boxes')
  })

  test('is told what is missing where the terms list no SOL', () => {
    open([...saleAt({ terms: onlyUsdc }), ...connected({ SOL: '12481000000' })])
    fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '375' } })
    expect(button().textContent).toBe('Add 375 USDC to your wallet')
  })
})

describe('a payment that did not land', () => {
  const expired = fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } })
  const agree = () => localStorage.setItem(`mai.acknowledged.${termsHash}`, terms.legal.acknowledge.join(','))

  test('is placed again by one press, as it was agreed', async () => {
    agree()
    const { commands } = open([...ready, ...orderUntil('sending'), expired])
    expect(button().textContent).toBe('Pay again')
    fireEvent.click(button())
    fireEvent.click(button())
    await settled()
    expect(commands).toMatchObject([
      {
        type: 'order.place',
        data: { asset: 'SOL', units: '2500000000', quoted: '333333333333333', min: '333333333333332' },
      },
    ])
  })

  test('shows the new quote first where it gives less', async () => {
    agree()
    const { commands } = open([...saleAtPosition(450_000n), ...connected(), ...orderUntil('sending'), expired])
    expect(button().textContent).toBe('Accept the new quote')
    expect(card()).toContain('You saw333,333.333 MAI')
    expect(card()).toContain('Now266,666.666 MAI')
    expect(commands).toEqual([])
    fireEvent.click(button())
    await settled()
    expect(commands).toMatchObject([{ type: 'order.place', data: { quoted: '266666666666666' } }])
  })

  test.each([
    ['as it was agreed', ready, 'sending', expired, 'Pay again'],
    ['at the new quote', [...saleAtPosition(450_000n), ...connected()], 'sending', expired, 'Accept the new quote'],
    [
      'where its quote is too old',
      ready,
      'signed',
      orderEnd('order.gateRefused', 'stale_quote'),
      'Accept the new quote',
    ],
  ] as const)('keeps its referrer on a page without the link, %s', async (_name, before, last, end, label) => {
    agree()
    const through = orderUntil(last).map(one =>
      one.type === 'order.accepted' ? { ...one, data: { ...one.data, referrer: friend } } : one,
    )
    const { commands } = open([...before, ...through, end])
    expect(button().textContent).toBe(label)
    fireEvent.click(button())
    await settled()
    expect(commands).toMatchObject([{ type: 'order.place', data: { referrer: friend } }])
  })

  test.each([
    ['the statements are not ticked', ready, false],
    ['the wallet holds too little', [...saleAt(), ...connected({ SOL: '1000000000', USDC: '0' })], true],
    ['the sale is paused', [...saleAt({ paused: true }), ...connected()], true],
    ['no wallet is connected', saleAt(), true],
  ] as const)('leads to the calculator while %s', (_name, before, isAgreed) => {
    if (isAgreed) agree()
    const { commands } = open([...before, ...orderUntil('sending'), expired])
    expect(button().textContent).toBe('Try again')
    fireEvent.click(button())
    expect(commands).toEqual([{ type: 'order.dismiss', data: { orderId: 'o1' } }])
  })
})

describe('the terms’ boxes', () => {
  const agree = () => localStorage.setItem(`mai.acknowledged.${termsHash}`, terms.legal.acknowledge.join(','))
  const stale = orderEnd('order.gateRefused', 'stale_quote')
  /** The same order, accepted before other terms came into force. */
  const underEarlier = (facts: readonly AppFact[]) =>
    facts.map(one =>
      one.type === 'order.accepted' ? { ...one, data: { ...one.data, termsHash: 'ab'.repeat(32) } } : one,
    )
  const switched = [
    fact({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [friend] } }),
    fact({ type: 'balance.read', data: { account: friend, slot: 2000, amounts: { SOL: '12481000000' } } }),
  ]
  const left = [...switched, orderEnd('order.abandoned', 'account_changed')]

  test.each([
    ['under earlier terms whose quote is too old', underEarlier(orderUntil('signed')), [stale], true],
    ['under earlier terms whose account is another', underEarlier(orderUntil('simulated')), left, true],
    ['that was refused at the press, with no box ticked', orderUntil('drafted'), [stale], false],
  ] as const)('are shown again for an order %s', async (_, order, end, isAgreed) => {
    if (isAgreed) agree()
    const { commands, tell } = open([...ready, ...order, ...end])
    expect(button().textContent).toBe('Back')
    fireEvent.click(button())
    await settled()
    expect(commands).toEqual([{ type: 'order.dismiss', data: { orderId: 'o1' } }])
    tell(dismissed)
    expect(valueOf('pay-amount')).toBe('2.5')
    expect(screen.getAllByRole('checkbox')).toHaveLength(terms.legal.acknowledge.length)
  })

  test.each([
    ['of the order under the same terms', orderUntil('signed'), [stale], false],
    ['of the order that another account takes over', orderUntil('simulated'), left, false],
    ['ticked on this device', orderUntil('drafted'), [stale], true],
  ] as const)('%s are sent with the next one', async (_, order, end, isAgreed) => {
    if (isAgreed) agree()
    const { commands } = open([...ready, ...order, ...end])
    fireEvent.click(button())
    await settled()
    expect(commands).toMatchObject([
      { type: 'order.place', data: { termsHash, acknowledged: terms.legal.acknowledge } },
    ])
  })
})
