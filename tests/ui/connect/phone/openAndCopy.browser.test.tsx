import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ByLink } from '../../../../src/ui/connect/walletConnect/ByLink.tsx'
import { Sheet } from '../../../../src/ui/kit/surface/Sheet.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import kit from '../../../../src/ui/styles/kit.css?inline'
import modal from '../../../../src/ui/styles/modal.css?inline'
import tokens from '../../../../src/ui/styles/tokens.css?inline'
import { listed, stage } from '../../modalStage.ts'

let end: () => void
afterEach(() => end())

const boxOf = (testid: string) => document.querySelector(`[data-testid="${testid}"]`)?.getBoundingClientRect()

test.each([
  [320, 'wc:topic1@2?symKey=00'],
  [390, 'wc:topic1@2?symKey=00'],
  [390, undefined],
])('a wallet on this device: at %i px “Open” and “Copy link” are apart, with the code %s', async (width, uri) => {
  await page.viewport(width, 700)
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
  const wallet = { walletId: 'id-Torch', name: 'Torch' }
  const none = () => undefined
  root.render(
    <StoreProvider value={stage().surroundings}>
      <Sheet title="Torch" viewKey="WalletConnect" onClose={none} pad>
        <ByLink
          wallet={wallet}
          listed={listed('Torch')}
          platform="mobile"
          link="torch://"
          pairing={undefined}
          uri={uri}
          onAgain={none}
        />
      </Sheet>
    </StoreProvider>,
  )
  await expect.element(page.getByTestId('copy-uri')).toBeVisible()
  const [open, copy] = [boxOf('open-app'), boxOf('copy-uri')]
  expect((copy?.top ?? 0) - (open?.bottom ?? 0)).toBeGreaterThanOrEqual(12)
  expect([copy?.left, copy?.right]).toEqual([open?.left, open?.right])
})
