// @vitest-environment happy-dom
/** The list of newest payments: read at a press, marked unverified, and refused in words. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { AppFact } from '../../../../../src/events/app.ts'
import { SaleBody } from '../../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../../src/ui/react.tsx'
import { fact, noon, saleAt, signature, surroundings } from '../../story.ts'

afterEach(cleanup)

function open(more: readonly AppFact[] = []) {
  const around = surroundings([...saleAt(), ...more])
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  return around
}
const button = () => screen.getByRole('button', { name: /newest 20|Read again|Reading the list/ })
const line = {
  signature,
  slot: 900,
  paidAt: noon - 60_000,
  asset: 'SOL',
  units: '2500000000',
  quoted: '416666666666667',
}
const read = (lines: (typeof line)[], other = 0) => fact({ type: 'sale.feedRead', data: { lines, other } })
const failed = (code: 'rpc_lying' | 'unreachable') =>
  fact({ type: 'sale.feedFailed', data: { failure: { code, message: '' } } })
const section = () => document.getElementById('feed')?.textContent ?? ''

test('nothing is read or shown before a press, which says that it is reading until the answer', () => {
  const { commands, tell } = open()
  expect(screen.queryAllByTestId('feed-line')).toEqual([])
  expect(commands).toEqual([])
  fireEvent.click(button())
  expect(commands).toEqual([{ type: 'sale.readFeed', data: {} }])
  expect(button().textContent).toBe('Reading the list')
  fireEvent.click(button())
  expect(commands).toHaveLength(1)
  act(() => tell(read([line])))
  expect(button().textContent).toBe('Read again')
})

test('each line has its time, amount and link, and says that it is unverified', () => {
  open([read([line, { ...line, signature: 's2', asset: 'DOGE' }], 3)])
  const [row, ...more] = screen.getAllByTestId('feed-line')
  expect(more).toEqual([])
  expect(row?.textContent).toBe('14 Jan 2027 09:402.5 SOL for 416,666.666 MAIUnverified')
  expect(row?.querySelector('a')?.href).toContain(signature)
  expect(section()).toContain('Listed 14 Jan 2027, 09:41 UTC, unverified. 3 more lines are no orders of this sale.')
})

test('an empty list is said, and a node that contradicts itself is refused in words', () => {
  open([read([])])
  expect(section()).toContain('No purchase is listed.')
  cleanup()
  open([failed('rpc_lying')])
  expect(section()).toContain('contradicts itself, so it is not shown')
  expect(button().textContent).toBe('Show the newest 20')
  cleanup()
  open([read([line]), failed('unreachable')])
  expect(section()).toContain('The list could not be read.')
  expect(screen.getAllByTestId('feed-line')).toHaveLength(1)
})
