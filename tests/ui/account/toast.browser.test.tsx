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

test.each([320, 390, 1280])('account: a toast covers neither the network nor Close at %i px', async width => {
  await page.viewport(width, 844)
  document.adoptedStyleSheets = [tokens, kit, modal].map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  const on = stage()
  on.facts({ type: 'network.identified', data: { genesisHash: genesis, caip2: 'solana:x' } }, connected())
  on.page(opened('Account'))
  on.page({
    type: 'toast.shown',
    data: { toastId: 't1', variant: 'error', message: 'The address was not copied', autoClose: false },
  })
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(
    <StoreProvider value={on.surroundings}>
      <ModalView />
    </StoreProvider>,
  )
  await expect.poll(() => document.querySelector('.toast')).not.toBeNull()
  const toast = document.querySelector('.toast') as Element
  for (const selector of ['.network-chip', '[data-testid="modal-close"]']) {
    const box = (document.querySelector(selector) as Element).getBoundingClientRect()
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    const isApart = right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom
    expect(isApart, selector).toBe(true)
  }
})
