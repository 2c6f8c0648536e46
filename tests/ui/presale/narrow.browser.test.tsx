import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { AppFact } from '../../../src/events/app.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import kit from '../../../src/ui/styles/kit.css?inline'
import frame from '../../../src/ui/styles/page.css?inline'
import sale from '../../../src/ui/styles/sale.css?inline'
import tokens from '../../../src/ui/styles/tokens.css?inline'
import { connected, orderEnd, orderUntil, saleAt, saleAtPosition, surroundings } from './story.ts'

let root: Root | undefined
const sheets = [tokens, kit, frame, sale].map(text => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
})

async function show(width: number, facts: readonly AppFact[] = [...saleAt(), ...connected()]) {
  await page.viewport(width, 900)
  document.adoptedStyleSheets = sheets
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(
    <StoreProvider value={surroundings(facts).value}>
      <SaleBody />
    </StoreProvider>,
  )
  await expect.poll(() => document.querySelector('#buy')).not.toBeNull()
}

afterEach(() => {
  root?.unmount()
  document.documentElement.removeAttribute('dir')
  document.body.replaceChildren()
  document.adoptedStyleSheets = []
  localStorage.clear()
})

const field = (testid: string) => document.querySelector(`[data-testid="${testid}"]`) as HTMLInputElement
async function type(text: string) {
  await page.getByTestId('pay-amount').fill(text)
  await expect.poll(() => field('pay-amount').value).toBe(text)
}
const boxOf = (selector: string) => (document.querySelector(selector) as Element).getBoundingClientRect()

test.each([320, 390, 800, 1280])('calculator: its button covers no error at %i px', async width => {
  await show(width)
  await type('1000')
  await expect.poll(() => document.querySelector('.amount-field.is-bad')).not.toBeNull()
  const range = document.createRange()
  range.selectNodeContents(document.querySelector('.amount-field.is-bad .amount-field-foot .text-bad') as Element)
  const flip = boxOf('.calculator-flip')
  for (const line of range.getClientRects()) {
    const isApart =
      line.right <= flip.left || line.left >= flip.right || line.bottom <= flip.top || line.top >= flip.bottom
    expect(isApart, `${line.bottom} over ${flip.top}`).toBe(true)
  }
})

const amounts = ['0.123456', '1.2345678', '15.123456789', '155.123456789', '25000.123456789', '1234567890.123456789']
test.each(amounts.flatMap(text => [320, 390, 1280].map(width => [text, width] as const)))(
  'calculator: %s is shown whole at %i px',
  async (text, width) => {
    await show(width)
    await type(text)
    const { scrollWidth, clientWidth } = field('pay-amount')
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    expect(field('get-amount').scrollWidth).toBeLessThanOrEqual(field('get-amount').clientWidth)
  },
)

test('calculator: hundreds of thousands of tokens stand beside their name at 390 px', async () => {
  await show(390)
  await type('2')
  await expect.poll(() => field('get-amount').value).toMatch(/^\d{3},\d{3}\.\d{3}$/)
  const row = field('get-amount').closest('.amount-field-row') as HTMLElement
  const [figure, asset] = [...row.children].map(one => one.getBoundingClientRect())
  expect(figure?.bottom).toBeGreaterThan(asset?.top ?? Number.POSITIVE_INFINITY)
})

test.each([320, 390])('page: no amount breaks inside its number, and nothing overflows, at %i px', async width => {
  await show(width)
  await type('155.123456789')
  const figures = [...document.querySelectorAll('.value-list dd, .ladder td, .legend b, .raised')].filter(one =>
    one.checkVisibility(),
  )
  for (const figure of figures) {
    const [text] = [...figure.childNodes].filter(node => node.nodeType === Node.TEXT_NODE)
    const number = /[\d,.$]{4,}/.exec(text?.textContent ?? '')
    if (!text || !number) continue
    const range = document.createRange()
    range.setStart(text, number.index)
    range.setEnd(text, number.index + number[0].length)
    expect(range.getClientRects(), figure.textContent ?? '').toHaveLength(1)
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
})

test('price chart: no price reaches into the next stage at 320 px', async () => {
  await show(320)
  const [first, second] = [...document.querySelectorAll('.price-chart-price')].map(one => one.getBoundingClientRect())
  expect(first?.right).toBeLessThan(second?.left ?? 0)
})

test('new quote: the minimum has a line of its own, and a usual amount breaks nowhere', async () => {
  const moved = orderEnd('order.gateRefused', 'stale_quote')
  await show(1280, [...saleAtPosition(150_300n), ...connected(), ...orderUntil('signed'), moved])
  await expect.poll(() => document.querySelector('.order-quotes')).not.toBeNull()
  const [, price, least] = [...document.querySelectorAll('.order-quotes > div:first-child > *')]
    .filter(one => one.localName === 'span')
    .map(one => one.getBoundingClientRect())
  expect(least?.top).toBeGreaterThanOrEqual(price?.bottom ?? Infinity)
  const figure = document.querySelector('.order-quotes b') as Element
  expect(figure.getClientRects()).toHaveLength(1)
  expect(figure.getBoundingClientRect().height).toBeLessThan(32)
})

test('calculator: a field reached by the Tab key is replaced by what is typed', async () => {
  await show(1280)
  await type('1')
  await expect.poll(() => field('get-amount').value).not.toBe('')
  field('pay-amount').focus()
  while (document.activeElement !== field('get-amount')) await userEvent.keyboard('{Tab}')
  await userEvent.keyboard('5')
  await expect.poll(() => field('get-amount').value).toBe('5')
})

test('page from right to left: an amount keeps its unit behind it', async () => {
  document.documentElement.dir = 'rtl'
  await show(390)
  const amount = [...document.querySelectorAll('.value-list dd')].find(one => one.textContent?.endsWith(' SOL'))
  const text = amount?.firstChild as Text
  const leftOf = (at: number) => {
    const range = document.createRange()
    range.setStart(text, at)
    range.setEnd(text, at + 1)
    return range.getBoundingClientRect().left
  }
  expect(leftOf(0)).toBeLessThan(leftOf(text.length - 1))
})

test('page: a sheen at the end of its way widens no loading page at 390 px', async () => {
  await show(390, [])
  const sheens = document.getAnimations().filter(one => (one as CSSAnimation).animationName === 'sheen')
  expect(sheens.length).toBeGreaterThan(3)
  for (const sheen of sheens) {
    sheen.pause()
    sheen.currentTime = 1599
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})

test('page: at 390 px the foot leads to each section, which the top bar has no room for', async () => {
  await show(390)
  const links = [...document.querySelectorAll('.foot-sections a')].filter(one => one.checkVisibility())
  const targets = links.map(one => one.getAttribute('href') ?? '')
  expect(targets).toEqual(expect.arrayContaining(['#sale', '#purchases', '#trust']))
  for (const target of targets) expect(document.querySelector(target), target).not.toBeNull()
})
