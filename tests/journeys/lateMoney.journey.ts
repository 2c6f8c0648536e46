/** A sale that ends while a payment is in flight. The chain's clock cannot go back, so this file has its own stack. */
import { confirmWindow, connectInstalled, fund, order, orderCard, payments, phase, settle } from './buying.ts'
import { expect, testWithOwnStack } from './fixtures.ts'
import { saveRecording } from './saveRecording.ts'

const test = testWithOwnStack('a sale that ends')

test('the end comes: a payment on its way is not accepted and comes back, one that the wallet still asks is not sent @long', async ({
  visit,
  stack,
}, { testId }) => {
  const { chain } = stack.solana
  const page = await (await visit()).open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  const slow = await (await visit({ wallets: [{ name: 'Quill', word: `slow ${testId}` }] })).open()
  const late = await connectInstalled(slow)
  await fund(stack, slow, late)
  await order(slow, { asset: 'SOL', amount: '1' })
  await phase(slow, 'awaitingSignature')
  stack.solana.control({ faults: { sendTransaction: { kind: 'hold' } } })
  await order(page, { asset: 'SOL', amount: '3' })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  const held = async () => ((await (await fetch(`${stack.solana.url}/state`)).json()) as { held: number }).held
  await expect.poll(held).toBeGreaterThan(0)
  await phase(page, 'sending')

  const terms = (await (await fetch(stack.solana.info.termsUrl)).json()) as { end: number }
  chain.setTime(terms.end + 60)
  chain.advance(2)
  await confirmWindow(slow).getByTestId('confirm-approve').click()
  await phase(slow, 'gateRefused')
  await expect(orderCard(slow)).toContainText('Nothing was sent. The sale has ended.')
  expect(payments(stack, late)).toEqual([])
  await saveRecording(slow, 'ended-while-wallet-asks')
  stack.solana.control({ faults: {}, release: true })
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 3_000_000_000n }])

  await expect(orderCard(page).locator('header output')).toHaveText('Not accepted')
  await expect(orderCard(page)).toContainText(
    /It arrived after the sale had ended\. 3 SOL come back by \d+ \w+ \d{4}\./,
  )
  const row = page.getByTestId('purchase-row')
  await expect(row).toContainText('Not accepted')
  await expect(row.locator('.swatch')).toHaveClass('swatch is-open')
  const owed = BigInt(stack.solana.operator.evaluate().refundsOwed.SOL ?? 0n)
  expect(owed).toBeGreaterThanOrEqual(3_000_000_000n)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const csv = await (await download).createReadStream()
  let text = ''
  for await (const piece of csv) text += String(piece)
  expect(text).toMatch(/,3,SOL,0,,,Not accepted,LATE,3,\d{4}-\d\d-\d\d,,,"It arrived after the sale had ended\./)
  await saveRecording(page, 'payment-landed-after-the-end')
})
