import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { AllWallets } from '../../../../src/ui/connect/list/AllWallets.tsx'
import { Sheet } from '../../../../src/ui/kit/surface/Sheet.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import kit from '../../../../src/ui/styles/kit.css?inline'
import modal from '../../../../src/ui/styles/modal.css?inline'
import tokens from '../../../../src/ui/styles/tokens.css?inline'
import { listed, read, stage } from '../../modalStage.ts'

let end: () => void
afterEach(() => end())

/** The list of 40 wallets in its sheet, at a width in px. */
async function open(width: number) {
  await page.viewport(width, 700)
  const on = stage()
  const wallets = Array.from({ length: 40 }, (_, at) => listed(`Wallet ${at}`))
  on.facts(...read(wallets))
  document.adoptedStyleSheets = [tokens, kit, modal].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  end = () => {
    root.unmount()
    host.remove()
    document.adoptedStyleSheets = []
  }
  root.render(
    <StoreProvider value={on.surroundings}>
      <Sheet title="All wallets" viewKey="AllWallets" onClose={() => undefined}>
        <AllWallets />
      </Sheet>
    </StoreProvider>,
  )
  await expect.element(page.getByTestId('wallet-search')).toBeVisible()
  return { ...on, wallets }
}

const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()

/** @returns where the search field has come to rest */
async function restOf(): Promise<number> {
  let [top, still] = [Number.NaN, 0]
  while (still < 15) {
    await new Promise(requestAnimationFrame)
    const now = boxOf('[data-testid="wallet-search"]').top
    still = now === top ? still + 1 : 0
    top = now
  }
  return top
}

test.each([1280, 390])('the search field stays where it is while somebody types, at %i px', async width => {
  const { facts, wallets } = await open(width)
  await expect.element(page.getByText('Wallet 0')).toBeVisible()
  const rest = await restOf()
  const field = page.getByTestId('wallet-search')
  await field.fill('wa')
  await expect.element(page.getByText('Searching')).toBeInTheDocument()
  expect(await restOf()).toBe(rest)
  facts(...read(wallets.slice(0, 2), 2, 1, 'wa'))
  await expect.poll(() => document.querySelectorAll('[data-testid="wallet-row"]').length).toBe(2)
  expect(await restOf()).toBe(rest)
  await field.fill('wax')
  await expect.element(page.getByText('Searching')).toBeInTheDocument()
  facts(...read([], 0, 1, 'wax'))
  await expect.element(page.getByText('No wallet named “wax”')).toBeVisible()
  expect(await restOf()).toBe(rest)
})

test.each([
  ['a desk', false],
  ['a phone', true],
])(
  'at 320 px of %s the button for certified wallets has room for a finger, and the field for its text',
  async (_, coarse) => {
    const media = vi.spyOn(window, 'matchMedia').mockImplementation(() => ({ matches: coarse }) as MediaQueryList)
    await open(320)
    media.mockRestore()
    expect(document.querySelector('[data-testid="other-device-code"]') !== null).toBe(coarse)
    const { width, height, right } = boxOf('.all-wallets-certified')
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    expect(right).toBeLessThanOrEqual(320)
    expect(boxOf('[data-testid="wallet-search"]').width).toBeGreaterThan(100)
  },
)
