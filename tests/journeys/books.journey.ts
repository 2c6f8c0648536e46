/**
 * A sale from a purchase to its payouts, as one visitor sees it, while the operator runs the sale with `npm run presale`. The chain's
 * clock cannot go back, so this file has its own stack.
 */
import type { Page } from '@playwright/test'
import {
  buyMore,
  confirmWindow,
  connectAndBuy,
  heldBack,
  order,
  orderCard,
  payments,
  readUntil,
  settle,
} from './buying.ts'
import { expect, testWithOwnStack } from './fixtures.ts'
import { openOffice } from './office.ts'
import { saveRecording } from './saveRecording.ts'

const test = testWithOwnStack('a sale and its books')

const approve = (page: Page) => confirmWindow(page).getByTestId('confirm-approve').click()
const row = (page: Page, signature: string) =>
  page.locator(`[data-testid="purchase-row"][data-signature="${signature}"]`)

async function verify(page: Page, name: 'Verify' | 'Again'): Promise<void> {
  const part = page.getByTestId('verification')
  await part.getByRole('button', { name, exact: true }).click()
  await expect(part).toContainText('It matches')
}

test('a visitor buys, pays once too late, recomputes the books, and is paid out: each figure is shown where it belongs', async ({
  visit,
  stack,
}) => {
  const { chain } = stack.solana
  const office = await openOffice(stack)
  const page = await (await visit()).open()
  const { account, signature: bought } = await connectAndBuy(stack, page)
  await expect(orderCard(page).locator('header output')).toHaveText('Final, no result yet')

  // The feed has it before any book does
  await page.getByRole('button', { name: 'Show the newest 20' }).click()
  await expect(page.locator(`[data-testid="feed-line"][data-signature="${bought}"]`)).toContainText('Unverified')

  // The signed figures stand there before this device has computed them
  await office.presale('authority', 'checkpoint')
  const { orders, buyers } = stack.solana.operator.evaluate()
  const told = page.getByTestId('published')
  const count = (value: number) => value.toLocaleString('en')
  await readUntil(page, () => expect(told).toContainText(`Orders${count(orders)}`, { timeout: 500 }))
  await expect(told).toContainText(`Buyers${count(buyers)}`)
  await verify(page, 'Verify')
  await expect(told).toHaveCount(0)
  await expect(orderCard(page).locator('header output')).toHaveText('Accepted')
  await expect(row(page, bought)).toContainText('Counted in the team’s books')
  await expect(page.locator('#allocation')).not.toContainText('Not yet counted')
  await buyMore(page)

  // The end comes while a second payment is on its way
  stack.solana.control({ faults: { sendTransaction: { kind: 'hold' } } })
  await order(page, { asset: 'SOL', amount: '3' })
  await approve(page)
  await heldBack(stack)
  const terms = (await (await fetch(stack.solana.info.termsUrl)).json()) as { end: number; vesting: { tgeAt: number } }
  chain.setTime(terms.end + 60)
  chain.advance(2)
  stack.solana.control({ faults: {}, release: true })
  await settle(stack, page)
  const late = payments(stack, account).find(({ signature }) => signature !== bought)?.signature ?? ''
  await expect(row(page, late)).toContainText('Not accepted')

  await office.presale('authority', 'result', 'success')
  await readUntil(page, () => expect(page.getByTestId('status')).toContainText('Success', { timeout: 500 }))
  await office.presale('authority', 'checkpoint')
  await office.presale('authority', 'plan', '--kind', 'refunds')
  await readUntil(page, () => expect(page.locator('#payouts')).toContainText('No payment found yet', { timeout: 500 }))
  await expect(page.locator('#payouts')).toContainText(/RefundDue by \d+ \w+ \d{4}3 SOL/)
  await verify(page, 'Again')
  await expect(row(page, late)).toHaveAttribute('data-code', 'LATE')
  await expect(row(page, late)).toContainText(/3 SOL come back by/)
  await expect(page.getByTestId('refund-proof')).toHaveCount(0)

  const before = chain.accounts.now(account)?.lamports ?? 0n
  await office.presale('treasury', 'refund')
  chain.setTime(terms.vesting.tgeAt + 60)
  chain.advance(2)
  await office.presale(
    'authority',
    'plan',
    '--kind',
    'tokens',
    '--tranche',
    '0',
    '--reserve',
    stack.solana.accounts.reserveTokens,
  )
  await office.presale('reserve', 'distribute')
  expect((chain.accounts.now(account)?.lamports ?? 0n) - before).toBe(3_000_000_000n)
  await page.reload()
  await expect(row(page, late)).toContainText(/3 SOL came back on \d+ \w+ \d{4}\./)
  await expect(row(page, late).getByTestId('refund-proof')).toHaveAttribute('href', /\/tx\//)
  const payouts = page.locator('#payouts')
  await expect(payouts.getByRole('link', { name: 'Payout proof' })).toHaveCount(2)
  await expect(page.locator('#allocation li').first()).toContainText('Arrived')
  await expect(page.locator('#allocation li').nth(1)).not.toContainText('Arrived')
  await saveRecording(page, 'sale-judged-and-paid-out')
  office.close()
})
