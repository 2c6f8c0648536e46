// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../src/events/app.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import { connected, fact, noon, orderUntil, saleAt, surroundings, terms } from '../story.ts'

afterEach(cleanup)

function open(facts: readonly AppFact[], clock = { now: noon }) {
  const around = surroundings(facts, clock)
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  return around
}

describe('the sale’s status', () => {
  const over = (terms.end + 60) * 1000
  const day = 86_400_000
  const [first, last] = [terms.vesting.tgeAt * 1000, (terms.vesting.tgeAt + 3 * terms.vesting.periodSeconds) * 1000]
  const refunded = terms.end * 1000 + terms.refund.withinDays * day
  test.each([
    [
      'a time that is over, with no result yet',
      { chainTime: over },
      'EndedThe team is counting and will publish the result.',
    ],
    [
      'the result of a success',
      { chainTime: over, result: 'success' },
      'SuccessSoft cap reached. First delivery on 7 Feb 2027.',
    ],
    [
      'the result of a failure',
      { chainTime: over, result: 'failed' },
      'FailedSoft cap missed. Every payment is returned.',
    ],
    ...(
      [
        [
          'a plan before the first part is due',
          first - day,
          'success',
          'SuccessSoft cap reached. First delivery on 7 Feb 2027.',
        ],
        [
          'a plan, once the first part is due',
          first + day,
          'success',
          'Payouts announcedThe next part is due on 9 Mar 2027.',
        ],
        [
          'a plan, once the last part is due',
          last + day,
          'success',
          'Payouts announcedThe last part was due on 8 May 2027.',
        ],
        ['a plan for refunds', over, 'failed', 'RefundingSoft cap missed. Every payment is returned.'],
        [
          'a plan for refunds, once they are due',
          refunded + day,
          'failed',
          'RefundingSoft cap missed. Refunds were due by 14 Feb 2027.',
        ],
      ] as const
    ).map(([name, chainTime, result, words]) => [name, { chainTime, result, plans: ['5'.repeat(64)] }, words] as const),
    [
      'parts that are due without a plan',
      { chainTime: last + day, result: 'success' },
      'SuccessSoft cap reached. First delivery on 7 Feb 2027.',
    ],
    [
      'refunds that are due without a plan',
      { chainTime: refunded + day, result: 'failed' },
      'FailedSoft cap missed. Refunds were due by 14 Feb 2027.',
    ],
    [
      'a result before the time is over',
      { result: 'success' },
      'SuccessSoft cap reached. First delivery on 7 Feb 2027.',
    ],
  ] as const)('after %s says so, without a countdown and without a way to pay', (_name, given, words) => {
    open([...saleAt(given), ...connected()])
    expect(screen.getByTestId('status').textContent).toBe(words)
    expect(screen.queryByRole('timer')).toBeNull()
    expect(screen.getByTestId('buy-button').textContent).toBe('Sale ended')
  })

  const plans = ['5'.repeat(64)]
  test.each([
    ['success', first + day, 'SuccessSoft cap reached. First delivery on 9 Mar 2027.'],
    ['distributing', first + 31 * day, 'Payouts announcedThe next part is due on 8 Apr 2027.'],
  ])('without tokens at the start is %s until and from the first part', (status, chainTime, words) => {
    const later = { ...terms, vesting: { ...terms.vesting, tgeBps: 0 } }
    open([...saleAt({ chainTime, result: 'success', plans, terms: later }), ...connected()])
    expect(document.body.textContent).not.toContain('7 Feb 2027')
    expect(screen.getByTestId('status').dataset.status).toBe(status)
    expect(screen.getByTestId('status').textContent).toBe(words)
  })

  test.each([
    ['in parts', { tgeBps: 0 }, 'in 3 parts until 8 May 2027, from 9 Mar 2027'],
    ['in one part later', { tgeBps: 0, periods: 1 }, 'all of it on 9 Mar 2027'],
    ['after a cliff', { cliffSeconds: 86_400 }, '25% on 8 Feb 2027, the rest in 3 parts until 9 May 2027'],
  ])('beside it the delivery %s has its own days', (_name, changes, words) => {
    open([
      ...saleAt({ terms: { ...terms, vesting: { ...terms.vesting, ...changes } } }),
      ...connected(),
      ...orderUntil('finalised'),
    ])
    expect(document.body.textContent).toContain(words)
  })

  test('after a failure no longer tells how much the soft cap needs', () => {
    const given = { audited: 123_749n * 10n ** 12n, live: 0n }
    open(saleAt(given))
    expect(document.body.textContent).toContain('to the soft cap. If it is missed')
    cleanup()
    open(saleAt({ ...given, result: 'failed' }))
    expect(document.body.textContent).not.toContain('to the soft cap')
  })

  test.each([
    ['all that is left', 562_160n, 'May be sold outWhat came in may take all that is left. It is not checked yet.'],
    ['a little less', 562_159n, 'LiveStage 2 of 3, ends '],
  ])('says what unchecked payments may have taken, when they are worth %s', (_worth, dollars, words) => {
    open([...saleAt({ live: dollars * 10n ** 12n }), ...connected()])
    expect(screen.getByTestId('status').textContent).toContain(words)
    expect(screen.getByRole('timer')).toBeTruthy()
  })

  const stages = () => [...document.querySelectorAll('.ladder tbody tr td:last-child')].map(cell => cell.textContent)

  test('in the table of stages tells where the price rises, as long as it can', () => {
    open(saleAt({ live: 0n }))
    expect(stages()).toEqual(['Sold out', '37.6%', 'In $187,160'])
  })

  test.each([
    ['time', { chainTime: over }],
    ['a notice', { closed: true }],
    ['a success', { result: 'success' }],
    ['a failure', { result: 'failed' }],
  ] as const)('in the table of stages promises no further price once the sale is ended by %s', (_name, given) => {
    open(saleAt({ live: 0n, ...given }))
    expect(stages()).toEqual(['Sold out', 'Over', 'Over'])
    expect(document.querySelectorAll('.ladder tr:not(.is-off) td')).toHaveLength(0)
    expect(document.body.textContent).not.toContain('not started')
  })

  test('has the checkpoint’s number of sold tokens', () => {
    open(saleAt({ live: 0n, tokens: '300000000000000000' }))
    expect(screen.getByText('of $825,000, for 300,000,000 MAI. Soft cap reached.')).toBeTruthy()
  })
})

test.each([
  ['the note about old numbers', 1000, 'Numbers from 1 s ago. Retrying in 7 s. Try now'],
  ['the status, once buying is off', 61_000, 'Solana isn’t responding. Numbers are 1 min old. Try now'],
])('a network that does not answer: %s has the one button to read at once', (_, age, words) => {
  const failure = { code: 'unreachable', message: '' } as const
  const silent = fact({ type: 'sale.unreachable', data: { failure, retryAt: noon + 8000 } })
  const { commands } = open([...saleAt(), silent], { now: noon + age })
  const now = screen.getByRole('button', { name: 'Try now' })
  expect(now.parentElement?.textContent).toBe(words)
  fireEvent.click(now)
  expect(commands).toEqual([{ type: 'sale.refresh', data: {} }])
})
