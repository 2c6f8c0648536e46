/** Stories of the recording corpus that no other journey covers; see `tests/replay/corpus.ts`. */
import {
  confirmWindow,
  connectedAddress,
  connectInstalled,
  decide,
  fund,
  heldBack,
  order,
  orderCard,
  expire,
  payments,
  phase,
  prompts,
  readUntil,
  settle,
} from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve, connectPocket, copyUri, pair } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'
import { setClock } from './steering.ts'

test.describe.configure({ mode: 'parallel' })

test('a pause while the wallet asks refuses the payment, and the sale goes on after it', { tag: '@long' }, async ({
  visit,
  stack,
}) => {
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

test(
  'a page reloaded while a sending wallet asks proves that nothing was paid',
  { tag: '@long' },
  async ({ visit, stack }, { testId }) => {
    const visitor = await visit({ wallets: [{ name: 'Quill', word: testId, features: 'sendOnly' }] })
    const page = await visitor.open()
    const account = await connectInstalled(page)
    await fund(stack, page, account)
    await order(page, { asset: 'SOL', amount: '1' })
    await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()
    await page.reload()
    await phase(page, 'unknown')
    stack.solana.chain.advance(200)
    await expire(page, stack)
    expect(payments(stack, account)).toEqual([])
    expect(await prompts(page)).toMatchObject({ signAndSendTransaction: 0 })
    await saveRecording(page, 'sending-wallet-lost')
  },
)

test(
  'a sending wallet whose answer is lost with the page is found on the chain',
  { tag: '@long' },
  async ({ visit, stack }, { testId }) => {
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
  },
)

test('a wallet that approves nothing to pay with is refused; one that ends its session leaves the visitor disconnected', {
  tag: '@long',
}, async ({ visit, openWallet }) => {
  const visitor = await visit()
  const [page, poor, wallet] = await Promise.all([
    visitor.open(),
    openWallet('methods=solana_signMessage'),
    openWallet(),
  ])
  await pair(poor, await copyUri(page))
  await approve(poor, 'proposal')
  await expect(page.getByTestId('modal')).toContainText('It approved nothing this page can pay with.')
  await page.getByTestId('modal-close').click()
  await connectPocket(page, wallet)
  await wallet.getByTestId('wallet-disconnect').click()
  await expect(page.getByTestId('connect-button')).toBeVisible()
  await saveRecording(page, 'walletconnect-ended-by-wallet')
})

test('the price moves, and then the sale sells out, while the wallet asks: neither order is paid', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  // Payments since the checkpoint may count first, even without an order
  stack.solana.give(stack.solana.info.treasury, { usdc: '200000' })
  stack.solana.chain.advance(40)
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await phase(page, 'gateRefused')
  await expect(orderCard(page)).toContainText(
    'The price moved while you were signing. You would have got less than your minimum.',
  )

  await page.getByRole('button', { name: 'Accept the new quote' }).click()
  await phase(page, 'awaitingSignature')
  stack.solana.control({ operator: { sellOut: true } })
  stack.solana.chain.advance(40)
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await phase(page, 'gateRefused')
  await expect(orderCard(page)).toContainText('The sale sold out while you were signing.')
  expect(payments(stack, account)).toEqual([])
  await saveRecording(page, 'price-moved-then-sold-out')
  stack.solana.control({ operator: { checkpoint: true } })
  stack.solana.chain.advance(40)
})

test(
  'a sending wallet that sends another payment than was agreed is told as an alarm',
  { tag: '@long' },
  async ({ visit, stack }, { testId }) => {
    const visitor = await visit({ wallets: [{ name: 'Quill', word: testId, features: 'sendOnly' }] })
    const page = await visitor.open()
    const account = await connectInstalled(page)
    await fund(stack, page, account)
    await decide(page, { sign: 'alter' })
    await order(page, { asset: 'SOL', amount: '1' })
    await expect.poll(() => payments(stack, account)).toHaveLength(1)
    stack.solana.chain.advance(40)
    await expect(orderCard(page)).toContainText('This is not the payment you agreed to.')
    await saveRecording(page, 'wallet-sent-another-payment')
  },
)

test('an installed wallet that is silent, switches, locks, fails, is busy, shares nothing or never answers is told as that', {
  tag: '@long',
}, async ({ visit }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await page.evaluate(() => window.__wallets['Quill']?.changeAccount())
  const button = page.getByTestId('account-button')
  await expect(button).not.toHaveAttribute('data-address', account)

  await visitor.context.addInitScript(() => {
    const wallet = window.__wallets?.['Quill']
    if (wallet) wallet.policy.connect = 'silent'
  })
  await page.reload()
  await button.click()
  const modal = page.getByTestId('modal')
  await expect(modal).toContainText('Waiting for Quill.')
  await expect(modal).toContainText('Quill did not give access again.')
  await decide(page, { connect: 'approve' })
  await page.getByRole('button', { name: 'Connect again' }).click()
  await expect(modal).toBeHidden()
  await page.evaluate(() => window.__wallets['Quill']?.lock())
  await expect(page.getByTestId('connect-button')).toBeVisible()

  await decide(page, { connect: 'locked' })
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="Quill"]').click()
  await expect(modal).toContainText('Quill is locked')
  await decide(page, { connect: 'broken' })
  await page.getByTestId('try-again').click()
  await expect(modal).toContainText('Could not reach Quill')
  await decide(page, { connect: 'busy' })
  await page.getByTestId('try-again').click()
  await expect(modal).toContainText('Quill is asking already')
  await decide(page, { connect: 'empty' })
  await page.getByTestId('try-again').click()
  await expect(modal).toContainText('Quill shared no account')
  await decide(page, { connect: 'silent' })
  await page.getByTestId('try-again').click()
  await expect(modal).toContainText('Continue in Quill')
  await setClock(page, 241_000)
  await expect(modal).toContainText('Quill has not answered')
  await decide(page, { connect: 'approve' })
  await page.getByTestId('try-again').click()
  await connectedAddress(page)
  await saveRecording(page, 'installed-wallet-fails')
})
