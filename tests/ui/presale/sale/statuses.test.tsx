// @vitest-environment happy-dom
/** The closed list of statuses beside the gallery, whose pictures show each of them. */
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { saleStatuses } from '../../../../src/ui/presale/sale/status.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import { situationOf } from '../situations.ts'
import { surroundings } from '../story.ts'

afterEach(cleanup)

function statusIn(name: string) {
  const { facts, now } = situationOf(name)
  render(
    <StoreProvider value={surroundings(facts, { now }).value}>
      <SaleBody />
    </StoreProvider>,
  )
  const line = screen.getByTestId('status')
  return { status: line.dataset.status, word: line.querySelector('.status-word')?.textContent }
}

/** The reference's words, "Presale" §12; of payouts a notice does not tell whether they are deliveries. */
const words: Record<(typeof saleStatuses)[number], string> = {
  soon: 'Soon',
  live: 'Live',
  paused: 'Paused',
  soldOut: 'Sold out',
  ended: 'Ended',
  success: 'Success',
  failed: 'Failed',
  refunding: 'Refunding',
  distributing: 'Payouts announced',
  done: 'Payouts announced',
}

test.each(saleStatuses)('the gallery shows the status %s under its name', name => {
  expect(statusIn(name)).toEqual({ status: name, word: words[name] })
})

test('refunds whose day is over have no tick: the day alone proves no payment', () => {
  expect(statusIn('refundsDue')).toEqual({ status: 'refunding', word: 'Refunding' })
  const shown = document.querySelector('.status-word')?.innerHTML
  expect(shown).toContain('<svg')
  cleanup()
  statusIn('refunding')
  expect(document.querySelector('.status-word')?.innerHTML).toBe(shown)
})

test('a page that reads nothing has no status of a sale', () => {
  expect(statusIn('reading').status).toBeUndefined()
  cleanup()
  expect(statusIn('refused').status).toBeUndefined()
})
