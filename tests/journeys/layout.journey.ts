/** Where things are on the page: nothing moves while it loads, and a press shows its result, on narrow and wide screens. */
import type { Page } from '@playwright/test'
import { confirmWindow, connectInstalled, fund, orderCard, phase } from './buying.ts'
import { expect, test } from './fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const phone = { viewport: { width: 390, height: 844 } }
const desk = { viewport: { width: 1280, height: 900 } }

type Shift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}
type Shifts = { sum: number; moved: string[] }

/** Sums what moves by itself, as a browser scores it. Runs in the page. */
function noteShifts(): void {
  const shifts: Shifts = { sum: 0, moved: [] }
  Object.assign(window, { shifts })
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue
      shifts.sum += value
      for (const { node, previousRect: from, currentRect: to } of sources) {
        const name = node instanceof Element ? node.outerHTML.slice(0, 60) : node?.textContent
        shifts.moved.push(`${value.toFixed(3)} ${name}: y ${from.y} → ${to.y}, h ${from.height} → ${to.height}`)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts)

for (const [name, screen] of [
  ['390 px', phone],
  ['1280 px', desk],
] as const) {
  test(`layout: nothing moves while the page loads at ${name}`, async ({ visit }) => {
    const visitor = await visit({ context: screen })
    await visitor.context.addInitScript(noteShifts)
    let release = () => {}
    const held = new Promise<void>(resolve => (release = resolve))
    await visitor.context.route(/terms\.json/, async route => {
      await held
      await route.continue()
    })
    const page = await visitor.open()
    await expect(page.locator('.ladder .skeleton').first()).toBeAttached()
    release()
    await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
    await page.evaluate(() => document.fonts.ready)
    const { moved, sum } = await shiftsOf(page)
    expect(sum, moved.join('\n')).toBeLessThanOrEqual(0.02)
  })
}

test('layout: on a phone the dock leads to what is missing, and a press shows the order', async ({ visit, stack }) => {
  const visitor = await visit({ context: phone })
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await page.evaluate(() => scrollTo(0, 0))
  const dock = page.getByTestId('dock-button')
  await dock.click()
  const amount = page.getByTestId('pay-amount')
  await expect(amount).toBeFocused()
  await expect(amount).toBeInViewport({ ratio: 1 })
  await amount.fill('1')
  await amount.blur()
  await page.evaluate(() => scrollTo(0, 0))
  await expect(dock).toHaveText('Tick the three boxes')
  await dock.click()
  const first = page.getByTestId('acknowledge-terms')
  await expect(first).toBeFocused()
  await expect(first).toBeInViewport({ ratio: 1 })
  for (const statement of ['terms', 'region', 'risk']) await page.getByTestId(`acknowledge-${statement}`).check()
  await page.getByTestId('buy-button').click()
  await phase(page, 'awaitingSignature')
  const heading = page.getByRole('heading', { name: 'Your order' })
  await expect(heading).toBeInViewport({ ratio: 1 })
  await expect(page.locator('body')).not.toContainText('No purchases yet')
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await phase(page, /seen|sending|confirmed/)
  await expect(page.getByTestId('purchase-row').first()).toContainText(/On its way|Confirmed/)
  await expect(orderCard(page)).toContainText('You can close this page.')
})
