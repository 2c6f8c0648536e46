import type { Page } from '@playwright/test'
import { pressUntil } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve, copyUri, pair } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'
import { setClock } from './steering.ts'

test.describe.configure({ mode: 'parallel' })

const sheet = (page: Page) => page.getByTestId('modal')

async function openCode(page: Page): Promise<void> {
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]').click()
}

/** The page may retry before the press: then the button is gone. */
function tryAgain(page: Page): Promise<void> {
  return pressUntil(sheet(page).getByText('Try again'), page.getByTestId('qr'))
}

test('beside the code a visitor reads that the relay is away or they are offline, until it is not so any more @long', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  visitor.expectTrouble(/WebSocket connection to .* failed/, /Failed to load resource/)
  const page = await visitor.open()
  stack.relay.control({ down: true })
  await openCode(page)
  await expect(sheet(page)).toContainText('The connection for phone wallets is down. This page keeps trying.')
  stack.relay.control({ down: false })
  await tryAgain(page)
  await expect(sheet(page)).not.toContainText('connection for phone wallets')
  await page.context().setOffline(true)
  await expect(sheet(page)).toContainText('You are offline. A wallet can answer once you are back online.')
  await page.context().setOffline(false)
  await expect(sheet(page)).not.toContainText('offline')
  await expect(sheet(page)).not.toContainText('connection for phone wallets')
  await page.getByTestId('modal-close').click()
  await saveRecording(page, 'relay-unreachable-then-offline')
})

test('a visitor who asks for a code offline gets it once the network is back @long', async ({ visit }) => {
  const visitor = await visit()
  visitor.expectTrouble(/WebSocket connection to .* failed/, /Failed to load resource/)
  const page = await visitor.open()
  await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
  // The screen of the code and the client have their files
  await openCode(page)
  await expect(page.getByTestId('qr')).toBeVisible()
  await page.getByTestId('modal-close').click()
  await page.context().setOffline(true)
  await openCode(page)
  await expect(sheet(page)).toContainText('You are offline. A wallet can answer once you are back online.')
  await page.context().setOffline(false)
  await expect(sheet(page)).not.toContainText('offline')
  await expect(page.getByTestId('qr')).toBeVisible()
  await page.getByTestId('modal-close').click()
  await saveRecording(page, 'code-asked-offline')
})

/** Grouped by visit: a page opens at most twelve sockets a minute. */
const refusals = [
  ['401', '', 'Phone wallets cannot connect right now. Check that the clock of this device is right.'],
  ['403', '', 'Phone wallets cannot connect right now. Use an installed wallet.'],
  ['3000', 'Project not found', 'Phone wallets cannot connect right now. Use an installed wallet.'],
  ['1008', '', 'Phone wallets cannot connect right now. Use an installed wallet.'],
  ['1013', '', 'The connection for phone wallets is busy. This page tries again by itself.'],
  ['4010', '', 'The connection for phone wallets moves to another server. This page keeps trying.'],
] as const

for (const group of [refusals.slice(0, 3), refusals.slice(3)]) {
  const codes = group.map(([code]) => code).join(', ')
  test(`a relay that answers with ${codes} is told as that, and a press tries it again`, { tag: '@long' }, async ({
    visit,
    stack,
  }) => {
    const visitor = await visit()
    visitor.expectTrouble(
      /WebSocket connection to .* failed/,
      /Failed to load resource/,
      /the relay refused this page/i,
    )
    const page = await visitor.open()
    for (const [refuseAuth, refusal, words] of group) {
      stack.relay.control({ refuseAuth, refusal, dropSockets: true })
      await openCode(page)
      await expect(sheet(page)).toContainText(words)
      stack.relay.control({ refuseAuth: 'off' })
      await tryAgain(page)
      await expect(sheet(page)).not.toContainText(/connection for phone wallets|cannot connect right now/)
      await page.getByTestId('modal-close').click()
      if (refuseAuth === '401') await saveRecording(page, 'relay-refuses-401')
    }
    await saveRecording(page, codes.includes('1013') ? 'relay-busy-then-moving' : undefined)
  })
}

test('a code gives way to the next one, and a wallet that took the old one shortly before is connected all the same', {
  tag: '@long',
}, async ({ visit, openWallet }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const uri = await copyUri(page)
  const dots = page.getByTestId('qr').locator('.qr-dots')
  const before = (await dots.getAttribute('d')) ?? ''
  await setClock(page, 3 * 60_000 + 45_000)
  await expect(dots).not.toHaveAttribute('d', before)
  await expect(sheet(page).getByRole('timer')).toContainText('New code in 3:')
  await pair(wallet, uri)
  await approve(wallet, 'proposal')
  await expect(page.getByTestId('account-button')).toBeVisible()
  await saveRecording(page, 'walletconnect-code-renewed')
})
