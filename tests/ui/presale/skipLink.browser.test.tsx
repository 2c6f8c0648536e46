import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import html from '../../../src/main/index.html?raw'
import type { AppFact } from '../../../src/events/app.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import { connected, invoiceUntil, orderUntil, saleAt, surroundings } from './story.ts'

let root: Root | undefined

afterEach(() => {
  root?.unmount()
  document.body.replaceChildren()
  history.replaceState(null, '', location.pathname + location.search)
})

const ready = [...saleAt(), ...connected()]
const cards: [string, AppFact[], string][] = [
  ['the calculator', ready, 'Buy MAI'],
  ['an order', [...ready, ...orderUntil('confirmed')], 'Your order'],
  ['a code', [...saleAt(), ...invoiceUntil('named')], 'Pay by code'],
]

test.each(cards)('the first Tab is a link that leads to %s, and the next Tab is in it', async (_, facts, name) => {
  const body = new DOMParser().parseFromString(html, 'text/html').body
  // Scripts apart, the page as it is served
  for (const element of body.querySelectorAll('script')) element.remove()
  document.body.replaceChildren(...body.children)
  const host = document.body.querySelector('#root') as HTMLElement
  const top = host.appendChild(document.createElement('button'))
  top.textContent = 'Top bar'
  root = createRoot(host.appendChild(document.createElement('div')))
  root.render(
    <StoreProvider value={surroundings(facts).value}>
      <SaleBody />
    </StoreProvider>,
  )
  await expect.poll(() => document.querySelector('#buy')?.getAttribute('aria-label')).toBe(name)
  // The code's body comes later than its card
  await expect.poll(() => document.querySelector('#buy button')).not.toBeNull()
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('Skip to buying')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => location.hash).toBe('#buy')
  await userEvent.tab()
  expect(document.querySelector('#buy')?.contains(document.activeElement)).toBe(true)
})
