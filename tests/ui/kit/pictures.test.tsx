// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { Address } from '../../../src/ui/kit/identity/Address.tsx'
import { Avatar, tintsOf } from '../../../src/ui/kit/identity/Avatar.tsx'
import { Logo, tintOf } from '../../../src/ui/kit/identity/Logo.tsx'
import { Meter } from '../../../src/ui/kit/figures/Meter.tsx'
import { PriceChart, type PriceChartProps } from '../../../src/ui/kit/figures/PriceChart.tsx'

afterEach(cleanup)

describe('a logo', () => {
  const picture = 'blob:https://page.example/1'
  const image = (container: HTMLElement) => container.querySelector('img') as HTMLImageElement

  test('is the first letter of the name on one of six tints', () => {
    const { container } = render(<Logo name=" phantom" tint={1} />)
    expect(container.textContent).toBe('p')
    for (const name of ['', 'Phantom', '1inch', '🦊 Fox', 'x'.repeat(500)])
      expect([1, 2, 3, 4, 5, 6]).toContain(tintOf(name))
  })

  test('shows its picture once it has loaded, decoded off the page’s thread', () => {
    const { container } = render(<Logo name="Phantom" src={picture} />)
    expect(image(container).decoding).toBe('async')
    expect(image(container).classList.contains('is-here')).toBe(false)
    fireEvent.load(image(container))
    expect(image(container).classList.contains('is-here')).toBe(true)
  })

  test('keeps the letter when the picture fails, also after a loaded picture is replaced by a failing one', () => {
    const { container, rerender } = render(<Logo name="Phantom" src={picture} />)
    fireEvent.load(image(container))
    rerender(<Logo name="Phantom" src="blob:https://page.example/2" />)
    fireEvent.error(image(container))
    expect(image(container).classList.contains('is-here')).toBe(false)
    expect(container.textContent).toBe('P')
  })
})

describe('an avatar', () => {
  test('has five tints of the first six hex characters of the address, 15 % apart', () => {
    expect(tintsOf('2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f')).toEqual([
      '#2cb316',
      '#4cbe39',
      '#6bca5c',
      '#8bd57f',
      '#abe1a2',
    ])
  })

  test('of an address with too few of them still has a colour', () => {
    for (const tint of tintsOf('zz1')) expect(tint).toMatch(/^#[0-9a-f]{6}$/)
  })

  test('of two addresses in one root have separate gradients', () => {
    const { container } = render(
      <>
        <Avatar address="2xiX" size={20} />
        <Avatar address="6NHB" size={20} />
      </>,
    )
    const ids = [...container.querySelectorAll('radialGradient')].map(light => light.id)
    expect(new Set(ids).size).toBe(2)
    expect([...container.querySelectorAll('circle')].map(circle => circle.getAttribute('fill'))).toEqual(
      ids.map(id => `url(#${id})`),
    )
  })
})

describe('the staircase', () => {
  const sale: PriceChartProps = {
    title: 'Price staircase.',
    now: 'Now',
    zero: '$0',
    steps: [
      { name: 'Stage 1', price: '$0.0006', spoken: '0.0006 dollars, sold out', width: 18.1818, height: 0.4 },
      { name: 'Stage 2', price: '$0.0012', spoken: '0.0012 dollars, 45 percent sold', width: 36.3636, height: 0.8 },
      { name: 'Stage 3', price: '$0.0015', spoken: '0.0015 dollars, not started', width: 45.4545, height: 1 },
    ],
    filled: { audited: 31.86, live: 2.86 },
    softCap: { at: 24.24, label: 'Soft cap', amount: '$200k' },
    end: 'Hard cap $825k',
    summary: 'Raised 286,412 of 825,000 dollars; soft cap 200,000 reached.',
  }
  const widths = (container: HTMLElement, of: string) =>
    [...container.querySelectorAll(of)].map(rect => [rect.getAttribute('x'), rect.getAttribute('width')])

  test('has all its content in one sentence', () => {
    render(<PriceChart {...sale} />)
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      'Price staircase. Stage 1, 0.0006 dollars, sold out. Stage 2, 0.0012 dollars, 45 percent sold. ' +
        'Stage 3, 0.0015 dollars, not started. Raised 286,412 of 825,000 dollars; soft cap 200,000 reached.',
    )
  })

  test('is solid for the audited part and hatched for the live part', () => {
    const { container } = render(<PriceChart {...sale} />)
    expect(widths(container, '.price-chart-audited')).toEqual([
      ['0%', '18.182%'],
      ['18.182%', '13.678%'],
    ])
    expect(widths(container, '.price-chart-live')).toEqual([['31.86%', '2.86%']])
    expect(container.querySelector('.price-chart-now-line')?.getAttribute('x1')).toBe('34.72%')
    expect(container.querySelector('[style]')).toBeNull()
  })

  test('hatches two steps when the live part begins in one and ends in the next', () => {
    const { container } = render(<PriceChart {...sale} filled={{ audited: 10, live: 20 }} />)
    expect(widths(container, '.price-chart-live')).toEqual([
      ['10%', '8.182%'],
      ['18.182%', '11.818%'],
    ])
  })

  test('has only open steps, and no Now, while the chain is being read', () => {
    const { container } = render(<PriceChart {...sale} filled={undefined} summary="Reading the chain." />)
    expect(container.querySelectorAll('.price-chart-step')).toHaveLength(3)
    expect(container.querySelector('.price-chart-audited, .price-chart-live, .price-chart-now-line')).toBeNull()
    expect(container.textContent).not.toContain('Now')
  })
})

test.each([
  [45.47, '45.47%'],
  [-3, '0%'],
  [250, '100%'],
  [Number.NaN, '0%'],
])('meter: %s percent is filled to %s', (percent, width) => {
  const { container } = render(<Meter percent={percent} />)
  expect(container.querySelector('.meter-fill')?.getAttribute('width')).toBe(width)
})

test('address: a whole one breaks in the middle, a hash at its quarters, a short one is 4…4', () => {
  const { container, rerender } = render(<Address value="2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f" />)
  expect(container.querySelector('.address')?.innerHTML).toBe('2xiXgcbXRt31ToWT6KSudL<wbr>TgjCPMeem8DFY64xM88C3f')
  rerender(<Address value={'0123456789abcdef'.repeat(4)} />)
  expect(container.querySelector('.address')?.innerHTML).toBe(
    Array.from({ length: 4 }, () => '0123456789abcdef').join('<wbr>'),
  )
  rerender(<Address value="2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f" short />)
  expect(container.textContent).toBe('2xiX…8C3f')
})
