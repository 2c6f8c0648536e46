import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Connect } from '../../../../src/ui/connect/Connect.tsx'
import { Sheet } from '../../../../src/ui/kit/surface/Sheet.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import kit from '../../../../src/ui/styles/kit.css?inline'
import modal from '../../../../src/ui/styles/modal.css?inline'
import tokens from '../../../../src/ui/styles/tokens.css?inline'
import { announced, listed, read, stage } from '../../modalStage.ts'

let end: () => void
afterEach(() => end())

test('at 320 px with text of twice the size no name or mark in the list of wallets is cut', async () => {
  await page.viewport(320, 800)
  document.documentElement.style.fontSize = '200%'
  document.adoptedStyleSheets = [tokens, kit, modal].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  const on = stage()
  on.page(announced('Phantom'))
  on.facts(...read([listed('Solflare'), listed('Backpack')], 480))
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  end = () => {
    root.unmount()
    host.remove()
    document.adoptedStyleSheets = []
    document.documentElement.removeAttribute('style')
  }
  root.render(
    <StoreProvider value={on.surroundings}>
      <Sheet title="Connect wallet" viewKey="Connect" onClose={() => undefined}>
        <Connect />
      </Sheet>
    </StoreProvider>,
  )
  await expect.element(page.getByTestId('all-wallets-row')).toBeVisible()
  const cut = [...document.querySelectorAll('.row-name, .row .tag, .row-end')].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  )
  expect(document.querySelectorAll('.row-name').length).toBeGreaterThan(2)
  expect(cut.map(({ textContent }) => textContent)).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
})
