/** A payment by a code that any Solana wallet scans, without a connection. */
import { seededKeypair } from '../stack/solana/keys.ts'
import { payRequest } from '../stack/solana/payWallet.ts'
import { payments } from './buying.ts'
import { noteCopy, notedCopy } from './clipboard.ts'
import { expect, test } from './fixtures.ts'
import { saveRecording } from './saveRecording.ts'

test('a visitor without a wallet pays by code, sees it through a reload and final, and puts it away', async ({
  visit,
  stack,
}) => {
  const visitor = await visit({ context: { permissions: ['clipboard-write'] } })
  const page = await visitor.open()
  const phone = seededKeypair('journeys', 'a phone that scans')
  stack.solana.give(phone.address, { sol: '20', usdc: '1000' })
  stack.solana.chain.advance(2)

  // A press before the amount and the statements leads there
  await page.getByTestId('pay-by-code').click()
  await expect(page.getByTestId('pay-amount')).toBeFocused()
  await page.getByTestId('pay-amount').fill('2.5')
  for (const statement of ['terms', 'region', 'risk']) await page.getByTestId(`acknowledge-${statement}`).check()
  await page.getByTestId('pay-by-code').click()
  const card = page.getByTestId('invoice')
  await expect(card.getByTestId('qr')).toBeVisible()
  await noteCopy(page)
  await card.getByTestId('invoice-copy').click()
  const link = await notedCopy(page)

  const signature = payRequest(stack.solana.chain, link, phone)
  stack.solana.chain.advance(2)
  await expect(card.getByTestId('invoice-paid')).toHaveAttribute('data-signature', signature)
  await expect(card.locator('header output')).toHaveText('Confirmed')
  await page.reload()
  await expect(card.getByTestId('invoice-paid')).toHaveAttribute('data-signature', signature)
  stack.solana.chain.advance(40)
  await expect(card.locator('header output')).toHaveText('Final, no result yet')
  expect(payments(stack, phone.address)).toMatchObject([
    { asset: 'SOL', units: 2_500_000_000n, memoUnits: 2_500_000_000n },
  ])
  await card.getByTestId('invoice-close').click()
  await expect(card).toHaveCount(0)
  await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
  await saveRecording(page, 'pay-by-code')
})
