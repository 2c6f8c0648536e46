/** Parts that mean something by their colour keep it where the system sets all others. */
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { AmountField } from '../../../src/ui/kit/controls/AmountField.tsx'
import { TabBar } from '../../../src/ui/kit/controls/Tabs.tsx'
import { Qr } from '../../../src/ui/kit/figures/Qr.tsx'
import kit from '../../../src/ui/styles/kit.css?inline'
import modal from '../../../src/ui/styles/modal.css?inline'
import sale from '../../../src/ui/styles/sale.css?inline'
import tokens from '../../../src/ui/styles/tokens.css?inline'

let root: Root

const force = (value: 'active' | 'none') =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value }] })

beforeEach(async () => {
  await force('active')
  document.adoptedStyleSheets = [tokens, kit, modal, sale].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  root = createRoot(document.body.appendChild(document.createElement('div')))
})

afterEach(async () => {
  root.unmount()
  document.body.replaceChildren()
  document.adoptedStyleSheets = []
  await force('none')
})

const styleOf = async (selector: string) => {
  await expect.poll(() => document.querySelector(selector)).not.toBeNull()
  return getComputedStyle(document.querySelector(selector) as Element)
}

test('forced colors: a code stays black on white', async () => {
  document.documentElement.style.colorScheme = 'dark'
  root.render(<Qr text="wc:1@2" label="Code" />)
  expect((await styleOf('.qr')).backgroundColor).toBe('rgb(255, 255, 255)')
  document.documentElement.style.removeProperty('color-scheme')
})

test('forced colors: the steps of an order differ by their marks', async () => {
  root.render(
    <ol className="steps">
      {['is-done', 'is-now', 'is-next'].map(look => (
        <li key={look} className={look}>
          <span className="steps-mark" />
        </li>
      ))}
    </ol>,
  )
  const done = await styleOf('.is-done .steps-mark')
  expect(done.backgroundColor).not.toBe((await styleOf('.is-next .steps-mark')).backgroundColor)
  expect((await styleOf('.is-next .steps-mark')).boxShadow).not.toBe('none')
})

test('forced colors: the chosen tab and the chosen segment differ from the others', async () => {
  const items = [
    { id: 'one', label: 'One' },
    { id: 'two', label: 'Two' },
  ]
  root.render(
    <>
      <TabBar label="Tabs" items={items} value="one" onChange={() => {}} />
      <TabBar label="Ways" look="seg" items={items} value="two" onChange={() => {}} />
    </>,
  )
  const line = await styleOf('[role="tab"][aria-selected="true"]')
  expect(line.borderBottomColor).not.toBe((await styleOf('[role="tab"][aria-selected="false"]')).borderBottomColor)
  const segment = await styleOf('[aria-pressed="true"]')
  expect(segment.backgroundColor).not.toBe((await styleOf('[aria-pressed="false"]')).backgroundColor)
})

test('forced colors: an amount’s field has a border', async () => {
  root.render(<AmountField label="You pay" value="1.5" asset={null} onChange={() => {}} />)
  const { borderStyle, borderWidth, borderColor, backgroundColor } = await styleOf('.amount-field')
  expect([borderStyle, borderWidth]).toEqual(['solid', '1px'])
  expect(borderColor).not.toBe(backgroundColor)
  await force('none')
  expect((await styleOf('.amount-field')).borderStyle).toBe('none')
})
