import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ModalView } from '../../../src/ui/modal/ModalView.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import kit from '../../../src/ui/styles/kit.css?inline'
import modal from '../../../src/ui/styles/modal.css?inline'
import tokens from '../../../src/ui/styles/tokens.css?inline'
import { connected, genesis, opened, stage } from '../modalStage.ts'

let root: Root

afterEach(() => {
  root.unmount()
  document.body.replaceChildren()
  document.adoptedStyleSheets = []
})

/** Shows the modal with a toast. @returns the toast */
async function withToast(width: number, on: ReturnType<typeof stage>, message: string): Promise<Element> {
  await page.viewport(width, 844)
  document.adoptedStyleSheets = [tokens, kit, modal].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  on.page({ type: 'toast.shown', data: { toastId: 't1', variant: 'error', message, autoClose: false } })
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(
    <StoreProvider value={on.surroundings}>
      <ModalView />
    </StoreProvider>,
  )
  await expect.poll(() => document.querySelector('.toast')).not.toBeNull()
  return document.querySelector('.toast') as Element
}

function expectApart(toast: Element, ...selectors: string[]): void {
  for (const selector of selectors) {
    const box = (document.querySelector(selector) as Element).getBoundingClientRect()
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    const isApart = right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom
    expect(isApart, selector).toBe(true)
  }
}

test.each([320, 390, 1280])('account: a toast covers neither the network nor Close at %i px', async width => {
  const on = stage()
  on.facts({ type: 'network.identified', data: { genesisHash: genesis, caip2: 'solana:x' } }, connected())
  on.page(opened('Account'))
  const toast = await withToast(width, on, 'The address was not copied')
  expectApart(toast, '.network-chip', '[data-testid="modal-close"]')
})

// A toast stays while the pointer rests on it: one over Back would keep a visitor from going back
test.each([320, 390, 1280])('a long toast covers neither Back nor Close at %i px', async width => {
  const on = stage()
  on.page(opened(), { type: 'screen.shown', data: { screen: { name: 'WhatIsAWallet' } } })
  const toast = await withToast(
    width,
    on,
    'The wallet still cannot be reached. Check your connection and try it again.',
  )
  expectApart(toast, '[data-testid="modal-back"]', '[data-testid="modal-close"]')
})
