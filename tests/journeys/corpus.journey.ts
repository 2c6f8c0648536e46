/** Stories that the corpus of recordings asks for and no other journey tells; see `tests/replay/corpus.ts`. */
import {
  confirmWindow,
  connectInstalled,
  fund,
  heldBack,
  order,
  orderCard,
  passMinute,
  payments,
  phase,
  prompts,
  readUntil,
  settle,
} from './buying.ts'
import { expect, test } from './fixtures.ts'
import { connectPocket } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

test('a pause while the wallet asks refuses the payment, and the sale goes on after it', async ({ visit, stack }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  stack.solana.control({ operator: { pause: true } })
  stack.solana.chain.advance(40)
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await phase(page, 'gateRefused')
  await expect(orderCard(page)).toContainText('The team paused the sale.')
  expect(payments(stack, account)).toEqual([])
  stack.solana.control({ operator: { resume: true } })
  stack.solana.chain.advance(40)
  await page.getByTestId('buy-button').click()
  await readUntil(page, () => expect(page.getByTestId('buy-button')).toHaveText(/Pay|Enter/, { timeout: 500 }))
  await order(page, { asset: 'SOL', amount: '1' })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  await saveRecording(page, 'paused-while-wallet-asks')
})

test('a page reloaded while a sending wallet asks proves that nothing was paid', async ({ visit, stack }, {
  testId,
}) => {
  const visitor = await visit({ wallets: [{ name: 'Quill', word: testId, features: 'sendOnly' }] })
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()
  await page.reload()
  await phase(page, 'unknown')
  stack.solana.chain.advance(200)
  await passMinute(page, stack)
  await phase(page, 'expired')
  expect(payments(stack, account)).toEqual([])
  expect(await prompts(page)).toMatchObject({ signAndSendTransaction: 0 })
  await saveRecording(page, 'sending-wallet-lost')
})

test('a sending wallet whose answer is lost with the page is found on the chain', async ({ visit, stack }, {
  testId,
}) => {
  const visitor = await visit({ wallets: [{ name: 'Quill', word: testId, features: 'sendOnly' }] })
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  stack.solana.control({ faults: { sendTransaction: { kind: 'hold' } } })
  await order(page, { asset: 'SOL', amount: '1' })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await heldBack(stack)
  await page.reload()
  stack.solana.control({ faults: {}, release: true })
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  await saveRecording(page, 'sent-then-reloaded')
})

test('a wallet that ends its session leaves the visitor disconnected', async ({ visit, openWallet }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  await connectPocket(page, wallet)
  await wallet.getByTestId('wallet-disconnect').click()
  await expect(page.getByTestId('connect-button')).toBeVisible()
  await saveRecording(page, 'walletconnect-ended-by-wallet')
})
