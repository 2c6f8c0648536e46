import type { Page } from '@playwright/test'
import {
  buyMore,
  confirmWindow,
  connectInstalled,
  fund,
  order,
  payAgain,
  orderCard,
  payments,
  phase,
  prompts,
  settle,
  expire,
} from './buying.ts'
import { expect, test } from './fixtures.ts'
import { holdCall, killWorker } from './killing.ts'
import { approve, connectPocket, question, timesAsked } from './pocket.ts'
import { untilStored } from './secrets.ts'
import { saveRecording } from './saveRecording.ts'

const approveHere = (page: Page) => confirmWindow(page).getByTestId('confirm-approve').click()

test.describe.configure({ mode: 'parallel' })

test('the worker dies while the wallet asks: one prompt, one payment', async ({ visit, stack }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '1' })
  await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()
  await phase(page, 'awaitingSignature')
  const reborn = page.waitForEvent('worker')
  await killWorker(page)
  await reborn
  await expect(confirmWindow(page)).toHaveCount(1)
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })
  await saveRecording(page, 'worker-killed-while-prompt-open')

  // Again: the person approves before the page has noticed.
  await buyMore(page)
  await order(page, { asset: 'USDC', amount: '20' })
  // The order shows its wait before the wallet's prompt, which follows the commit
  await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()
  await killWorker(page)
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL' }, { asset: 'USDC', units: 20_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 2 })
})

test('the worker dies before the wallet is asked: the person is asked for another press, pays once', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  const held = await holdCall(visitor.context, stack, 'simulateTransaction')
  await order(page, { asset: 'SOL', amount: '1' })
  await held.reached
  await untilStored(page, 'order.accepted')
  await killWorker(page)
  await held.release()
  await phase(page, 'pressAwaited')
  expect(await prompts(page)).toMatchObject({ signTransaction: 0 })
  await page.getByTestId('buy-button').click()
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })
  await saveRecording(page, 'worker-killed-before-asking')
})

test('the worker dies between the signature and the payment, and while it sends: paid once @long', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  const gate = await holdCall(visitor.context, stack, 'getMultipleAccounts')
  await approveHere(page)
  await gate.reached
  await phase(page, 'signed')
  expect(payments(stack, account)).toEqual([])
  await killWorker(page)
  await gate.release()
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })

  // The chain has accepted the payment, but the answer never arrives.
  await buyMore(page)
  await order(page, { asset: 'SOL', amount: '1.2' })
  await phase(page, 'awaitingSignature')
  const sending = await holdCall(visitor.context, stack, 'sendTransaction', 'after')
  await approveHere(page)
  await sending.reached
  await killWorker(page)
  await sending.release()
  await phase(page, 'seen')

  // Again, once it is confirmed.
  stack.solana.chain.advance(2)
  await phase(page, 'confirmed')
  await killWorker(page)
  stack.solana.chain.advance(40)
  await phase(page, 'finalised')
  expect(payments(stack, account)).toMatchObject([{ units: 1_000_000_000n }, { units: 1_200_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 2 })
  await saveRecording(page, 'worker-killed-around-sending')
})

test('the worker dies while a WalletConnect wallet asks, and the page is reloaded: one question, one payment', {
  tag: '@long',
}, async ({ visit, openWallet, stack }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '1' })
  await expect(question(wallet, 'request')).toBeVisible()
  await killWorker(page)
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  expect(await timesAsked(wallet)).toBe(1)
  await saveRecording(page, 'walletconnect-worker-killed')

  await buyMore(page)
  await order(page, { asset: 'USDC', amount: '20' })
  await expect(question(wallet, 'request')).toBeVisible()
  await page.reload()
  await phase(page, 'awaitingSignature')
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL' }, { asset: 'USDC' }])
  expect(await timesAsked(wallet)).toBe(2)
})

test('a page reloaded while its wallet asks proves that nothing was paid before it offers to pay again @long', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()
  await page.reload()
  await phase(page, 'unknown')
  await expect(orderCard(page)).toContainText('If you approved it, the payment will show up here.')
  stack.solana.chain.advance(200)
  await expire(page, stack)
  await expect(orderCard(page)).toContainText('No payment was seen.')
  await payAgain(page)
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  expect(await prompts(page)).toMatchObject({ connect: 0, signTransaction: 1 })
  await saveRecording(page, 'reloaded-while-prompt-open')
})
