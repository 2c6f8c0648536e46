// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { AppFact } from '../../../src/events/app.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import { connected, saleAt, surroundings } from './story.ts'

afterEach(cleanup)

const started = (storage: 'durable' | 'memory', obstacle?: 'newer' | 'blocked'): AppFact => ({
  type: 'core.started',
  at: 2,
  data: { life: 99, build: '', cause: 'start', storage, ...(obstacle && { obstacle }) },
})

function open(...facts: AppFact[]): void {
  const { value } = surroundings([...saleAt(), ...connected(), ...facts])
  render(
    <StoreProvider value={value}>
      <SaleBody />
    </StoreProvider>,
  )
}

test('storage notice: none on a device with durable storage', () => {
  open(started('durable'))
  expect(screen.queryByTestId('kept')).toBeNull()
})

test.each([
  [undefined, /This browser cannot keep a record/],
  ['newer', /A newer version of this page keeps the record here/],
  ['blocked', /A tab with an older version of this page holds the record/],
] as const)(
  'storage notice: without storage (%s) there is a badge, a sentence, and no way to pay',
  (obstacle, sentence) => {
    open(started('memory', obstacle))
    expect(screen.getByTestId('kept').textContent).toBe('Nothing is saved on this device')
    expect(screen.getAllByText(sentence).length).toBeGreaterThan(0)
    expect(screen.getByTestId('buy-button').textContent).toBe('Buying is off here')
  },
)

test('storage notice: a cut log is reported with the number of lost records', () => {
  open(started('durable'), { type: 'core.logCut', at: 3, data: { records: 12 } })
  expect(screen.getByTestId('kept').textContent).toBe(
    'Part of this device’s record was damaged: its last 12 entries are gone. Your payments stand on the chain.',
  )
})
