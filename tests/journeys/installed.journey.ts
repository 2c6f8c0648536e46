import { checkpoint, confirmWindow, connectInstalled, fund, order, orderCard, payments, phase, prompts, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { shownPhases } from './phases.ts'

test('a visitor connects an installed wallet, buys with SOL and with USDC, comes back, and leaves', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '2.5' })
  await expect(confirmWindow(page).getByTestId('confirm-lines')).toContainText('2.5 SOL')
  await phase(page, 'awaitingSignature')
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await settle(stack, page)
  const [bought] = payments(stack, account)
  await expect(page.getByTestId('order-signature')).toHaveAttribute('data-signature', bought?.signature ?? '')
  expect(bought).toMatchObject({ asset: 'SOL', units: 2_500_000_000n, memoUnits: 2_500_000_000n })
  await checkpoint(stack, page)
  await phase(page, 'accounted')
  const seen = await shownPhases(page)
  for (const one of ['awaitingSignature', 'seen', 'confirmed', 'finalised', 'accounted']) expect(seen).toContain(one)
  expect(await prompts(page)).toMatchObject({ connect: 1, signTransaction: 1, signAndSendTransaction: 0 })
  await expect(orderCard(page)).toBeVisible()
})
