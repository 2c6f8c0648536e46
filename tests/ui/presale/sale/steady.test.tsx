// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import { fact, noon, saleAt, surroundings, terms } from '../story.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const hour = 3_600_000
const end = terms.end * 1000

/** A sale that ends in half an hour. */
function open(clock = { now: noon }) {
  const passed = { ms: 5000 }
  const around = surroundings(saleAt({ audited: 820_000n * 10n ** 12n, live: 0n, chainTime: end - hour / 2 }), clock)
  around.value.passed = () => passed.ms
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  /** Lets time pass, the clock being set by `setMs`. */
  const pass = (ms: number, setMs = 0) => {
    clock.now += ms + setMs
    passed.ms += ms
    act(() => void vi.advanceTimersByTime(ms))
  }
  return { ...around, clock, passed, pass }
}
const left = () => screen.queryByRole('timer')?.textContent
const status = () => screen.getByTestId('status').dataset.status

describe('a device whose clock is set', () => {
  test.each([
    ['forwards', hour],
    ['back', -hour],
  ])('%s counts down by the time that passes', (_way, setMs) => {
    const { pass } = open()
    expect(left()).toBe('0d0h30m0s')
    pass(1000)
    pass(10_000, setMs)
    expect(left()).toBe('0d0h29m49s')
    expect(status()).toBe('live')
    pass(hour / 2)
    expect(status()).toBe('ended')
  })

  test('follows the next reading', () => {
    const { pass, clock, tell } = open()
    pass(1000, hour)
    const balances = { SOL: '890880', USDC: '0' }
    act(() => tell(fact({ type: 'sale.read', at: clock.now, data: { slot: 9000, chainTime: end - 60_000, balances } })))
    expect(left()).toBe('0d0h1m0s')
    pass(5000, -hour)
    expect(left()).toBe('0d0h0m55s')
  })

  test('tells the age of numbers by the clock, as the time passed may stop in a sleep', () => {
    const { clock, tell } = open()
    clock.now += 120_000
    const failure = { code: 'unreachable', message: '' } as const
    act(() => tell(fact({ type: 'sale.unreachable', data: { failure, retryAt: clock.now + 8000 } })))
    expect(document.body.textContent).toContain('Numbers are 2 min old.')
  })
})
