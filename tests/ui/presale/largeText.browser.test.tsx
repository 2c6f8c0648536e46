import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { AppFact } from '../../../src/events/app.ts'
import { PresalePage } from '../../../src/ui/presale/PresalePage.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import kit from '../../../src/ui/styles/kit.css?inline'
import frame from '../../../src/ui/styles/page.css?inline'
import sale from '../../../src/ui/styles/sale.css?inline'
import tokens from '../../../src/ui/styles/tokens.css?inline'
import { connected, orderUntil, purchases, saleAt, surroundings } from './story.ts'

let root: Root | undefined
const sheets = [tokens, kit, frame, sale].map(text => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
})

/** Shows the page at twice the usual size of text. */
async function show(width: number, facts: readonly AppFact[]) {
  await page.viewport(width, 900)
  document.adoptedStyleSheets = sheets
  document.documentElement.style.fontSize = '200%'
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(
    <StoreProvider value={surroundings(facts).value}>
      <PresalePage />
    </StoreProvider>,
  )
  await expect.poll(() => document.querySelector('#buy')).not.toBeNull()
  for (const one of document.querySelectorAll('details')) one.open = true
}

afterEach(() => {
  root?.unmount()
  document.documentElement.removeAttribute('style')
  document.body.replaceChildren()
  document.adoptedStyleSheets = []
  localStorage.clear()
})

type Written = { text: string; parent: Element; box: DOMRect }

/** @returns the lines of text that are seen */
function written(): Written[] {
  const found: Written[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    const parent = node.parentElement
    if (!parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || !node.textContent?.trim())
      continue
    // The bars lie over what is scrolled below them
    if (parent.closest('.text-hidden, .skip-link, .dock, .top-bar, svg, option')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) if (box.width > 1) found.push({ text: node.textContent, parent, box })
  }
  return found
}

/** @returns texts that leave the window or are cut by the box they are in */
function cut(lines: readonly Written[], width: number): string[] {
  return lines.flatMap(({ text, parent, box }) => {
    if (box.left < -1 || box.right > width + 1) return [`${text}: ${box.left}–${box.right} px of ${width}`]
    for (let at: Element | null = parent; at; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at)
      // A box that scrolls shows the rest
      if (overflowX === 'visible' || overflowX === 'auto') continue
      const around = at.getBoundingClientRect()
      if (box.left < around.left - 1 || box.right > around.right + 1) return [`${text}: cut by .${at.className}`]
    }
    return []
  })
}

/** @returns texts that are printed over each other */
function overprinted(lines: readonly Written[]): string[] {
  return lines.flatMap(({ text, box }, at) =>
    lines.slice(at + 1).flatMap(({ text: other, box: over }) => {
      const wide = Math.min(box.right, over.right) - Math.max(box.left, over.left)
      const high = Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top)
      // Lines of one text may share a few pixels
      return wide > 2 && high > Math.min(box.height, over.height) / 3 ? [`${text} over ${other}`] : []
    }),
  )
}

const states: [string, AppFact[]][] = [
  ['loading', []],
  ['a visitor', saleAt()],
  ['a connected buyer', [...saleAt(), ...connected(), purchases]],
  ['an order on its way', [...saleAt(), ...connected(), ...orderUntil('seen')]],
]

for (const [state, facts] of states)
  test.each([320, 390])(
    `page with text of twice the size: ${state} has nothing cut or overprinted at %i px`,
    async width => {
      await show(width, facts)
      expect(written().length).toBeGreaterThan(40)
      expect([...cut(written(), width), ...overprinted(written())]).toEqual([])
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    },
  )

test.each(['0.12345', '1.23456789', '155.123456789', '25000.123456789', '1234567890.123456789'])(
  'page with text of twice the size: the amount %s and its terms are shown whole at 320 px',
  async text => {
    await show(320, [...saleAt(), ...connected()])
    await page.getByTestId('pay-amount').fill(text)
    const fields = [...document.querySelectorAll<HTMLInputElement>('.amount-field input')]
    await expect.poll(() => fields.map(({ value }) => value !== '')).toEqual([true, true])
    for (const { value, scrollWidth, clientWidth } of fields)
      expect(scrollWidth, value).toBeLessThanOrEqual(clientWidth)
    expect([...cut(written(), 320), ...overprinted(written())]).toEqual([])
  },
)
