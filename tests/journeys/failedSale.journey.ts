/** A sale that misses its soft cap, as one visitor sees it: ended, failed, refunding, paid back. */
import { LEAST_ORDERS } from '../stack/solana/presale/fill/fill.ts'
import { connectAndBuy, readUntil } from './buying.ts'
import { expect, testWithOwnStack } from './fixtures.ts'
import { openOffice } from './office.ts'
import { saveRecording } from './saveRecording.ts'

const test = testWithOwnStack('a sale that fails', { orders: LEAST_ORDERS, part: 15n })

test('a sale misses its soft cap: the page says so, lists the refund by itself, and names the payment that arrived @long', async ({
  visit,
  stack,
}) => {
  const { chain } = stack.solana
  const office = await openOffice(stack)
  const page = await (await visit()).open()
  const { account, signature } = await connectAndBuy(stack, page)

  const status = page.getByTestId('status')
  const says = (words: string) => readUntil(page, () => expect(status).toContainText(words, { timeout: 500 }))
  const terms = (await (await fetch(stack.solana.info.termsUrl)).json()) as { end: number }
  chain.setTime(terms.end + 60)
  chain.advance(40)
  await says('Ended')
  await office.presale('authority', 'result', 'failed')
  await says('Failed')
  const row = page.locator(`[data-testid="purchase-row"][data-signature="${signature}"]`)
  await expect(row).toHaveAttribute('data-code', 'SALE_FAILED')
  await expect(row).toContainText(/2\.5 SOL come back by \d+ \w+ \d{4}\./)
  await expect(page.getByTestId('referral')).toHaveCount(0)

  await office.presale('authority', 'plan', '--kind', 'refunds')
  await says('Refunding')
  const before = chain.accounts.now(account)?.lamports ?? 0n
  await office.presale('treasury', 'refund')
  expect((chain.accounts.now(account)?.lamports ?? 0n) - before).toBe(2_500_000_000n)
  await page.reload()
  await expect(row).toContainText(/2\.5 SOL came back on \d+ \w+ \d{4}\./)
  await expect(row.getByTestId('refund-proof')).toHaveAttribute('href', /\/tx\//)
  await expect(page.locator('#payouts').getByRole('link', { name: 'Payout proof' })).toHaveCount(1)
  await saveRecording(page, 'sale-failed-and-refunded')
  office.close()
})
