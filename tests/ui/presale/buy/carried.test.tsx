// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { carriedIn } from '../../../../src/ui/carriedFragment.ts'
import { carriedFragment, readCarried } from '../../../../src/ui/presale/buy/carriedPurchase.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import { noon, saleAt, surroundings } from '../story.ts'

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

function open(fragment = '') {
  history.replaceState(null, '', `/sale?ref=A1${fragment && `#${fragment}`}`)
  const around = surroundings([], { now: noon })
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  act(() => around.tell(...saleAt()))
  return around
}
const pay = () => screen.getByTestId('pay-amount') as HTMLInputElement
const type = (text: string) => fireEvent.change(pay(), { target: { value: text } })
const note = () => screen.queryByTestId('carried')?.textContent

describe('a carried purchase', () => {
  test('is read as it was written', () => {
    const purchase = { asset: 'SOL', units: '2500000000', min: '416666666666667' }
    expect(carriedFragment(purchase)).toBe('asset=SOL&units=2500000000&min=416666666666667')
    expect(readCarried(`#${carriedFragment(purchase)}`)).toEqual(purchase)
  })

  test.each(['', '#', '#buy', '#x&asset=SOL'])('is not in the fragment %s', fragment => {
    expect(readCarried(fragment)).toBeUndefined()
  })

  test.each([
    '#asset=',
    '#asset=SOL&units=1',
    '#asset=SOL&units=-1&min=1',
    '#asset=SOL&units=1e9&min=1',
    '#asset=SOL&units=00&min=1',
    '#asset=SOL&units=1.5&min=1',
    `#asset=SOL&units=${'9'.repeat(40)}&min=1`,
    '#asset=<b>&units=1&min=1',
    `#asset=${'S'.repeat(10_000)}&units=1&min=1`,
  ])('in %.40s cannot be read', fragment => {
    expect(readCarried(fragment)).toBe('unreadable')
  })

  test('is what the calculator shows, and leaves with it', () => {
    const { value } = open()
    expect(carriedIn(value.store)).toBeUndefined()
    type('2.5')
    expect(carriedIn(value.store)).toMatch(/^asset=SOL&units=2500000000&min=\d+$/)
    cleanup()
    expect(carriedIn(value.store)).toBeUndefined()
  })

  test('fills the calculator, is told with what was seen, and leaves the address', () => {
    const { value } = open()
    type('2.5')
    const fragment = carriedIn(value.store) ?? ''
    cleanup()
    open(fragment)
    expect(location.href).toMatch(/\/sale\?ref=A1$/)
    expect(pay().value).toBe('2.5')
    expect(note()).toMatch(/^From your other browser: 2\.5 SOL for at least [\d,.]+ MAI\.$/)
    for (const box of screen.getAllByRole('checkbox')) expect((box as HTMLInputElement).checked).toBe(false)
    type('3')
    expect(note()).toBeUndefined()
  })

  test('says so when it would get less now', () => {
    open(`asset=SOL&units=2500000000&min=${'9'.repeat(18)}`)
    expect(note()).toMatch(/for at least 999,999,999\.999 MAI\. Now you get at least [\d,.]+ MAI\.$/)
  })

  test.each(['asset=SOL&units=x&min=1', 'asset=DOGE&units=1&min=1'])('%s is named as unreadable', fragment => {
    open(fragment)
    expect(note()).toMatch(/^Your amount did not come along\./)
    expect(pay().value).toBe('')
    expect(location.hash).toBe('')
  })
})
