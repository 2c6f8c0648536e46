import type { Page } from '@playwright/test'
import { formatAmount } from '../../src/events/values/amount.ts'
import type { Stack } from '../stack/start.ts'
import {
  confirmWindow,
  connectedAddress,
  connectInstalled,
  fund,
  heldBack,
  order,
  orderCard,
  payAgain,
  expire,
  payments,
  phase,
  prompts,
  settle,
} from './buying.ts'
import { expect, test, type Visit } from './fixtures.ts'
import { holdCall } from './killing.ts'
import { saveRecording } from './saveRecording.ts'
import { setClock } from './steering.ts'

test.describe.configure({ mode: 'parallel' })

const approveHere = (page: Page) => confirmWindow(page).getByTestId('confirm-approve').click()

async function arrive(visit: () => Promise<Visit>, stack: Stack) {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  return { visitor, page, account }
}

/** Left by draining an account, lamports. */
const drained = 100_000_000n

/** Drains the account while its payment is in flight. */
function drain({ solana: { chain } }: Stack, address: string): void {
  const held = chain.accounts.now(address)
  if (!held) throw new Error(`${address} expected to hold something`)
  chain.accounts.place(address, { ...held, lamports: drained })
}

test('a payment that never lands is proved to have expired, and one press pays it again @long', async ({
  visit,
  stack,
}) => {
  const { page, account } = await arrive(visit, stack)
  stack.solana.control({ faults: { sendTransaction: { kind: 'dropTransaction' } } })
  await order(page, { asset: 'SOL', amount: '1' })
  await approveHere(page)
  await phase(page, 'sending')
  // Half way the payment may still land: no new order is offered, and the same bytes are resent
  stack.solana.chain.advance(80)
  await expect(orderCard(page)).toHaveAttribute('data-phase', 'sending')
  stack.solana.chain.advance(120)
  await expire(page, stack)
  await expect(orderCard(page)).toContainText('No payment was seen.')
  expect(payments(stack, account)).toEqual([])
  stack.solana.control({ faults: {} })
  await payAgain(page)
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 2 })
  await saveRecording(page, 'payment-expired-then-paid')
})

test('a payment that the network holds back lands late and is paid once', { tag: '@long' }, async ({
  visit,
  stack,
}) => {
  const { page, account } = await arrive(visit, stack)
  stack.solana.control({ faults: { sendTransaction: { kind: 'hold' } } })
  await order(page, { asset: 'USDC', amount: '50' })
  await approveHere(page)
  await heldBack(stack)
  await phase(page, 'sending')
  stack.solana.chain.advance(60)
  stack.solana.control({ faults: {}, release: true })
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'USDC', units: 50_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })
  await saveRecording(page, 'payment-landed-late')
})

test('a payment that fails on the chain is told as that, with what it cost', { tag: '@long' }, async ({
  visit,
  stack,
}) => {
  const { page, account } = await arrive(visit, stack)
  stack.solana.control({ faults: { sendTransaction: { kind: 'hold' } } })
  await order(page, { asset: 'SOL', amount: '5' })
  await approveHere(page)
  await heldBack(stack)
  drain(stack, account)
  stack.solana.control({ faults: {}, release: true })
  stack.solana.chain.advance(40)
  await phase(page, 'failedOnChain')
  const fee = drained - (stack.solana.chain.accounts.now(account)?.lamports ?? 0n)
  await expect(orderCard(page)).toContainText(
    `Only the network fee of about ${formatAmount(fee.toString(), 9)} SOL was charged. Not enough SOL.`,
  )
  expect(payments(stack, account)).toEqual([])
  await saveRecording(page, 'payment-failed-on-chain')
})

test('a payment that cannot work is tried first, and the wallet is never asked', { tag: '@long' }, async ({
  visit,
  stack,
}) => {
  const { page, account } = await arrive(visit, stack)
  drain(stack, account)
  await order(page, { asset: 'SOL', amount: '5' })
  await phase(page, 'simulationFailed')
  await expect(orderCard(page)).toContainText(/Not enough SOL: 4\.9\d* SOL short, fee included\./)
  expect(await prompts(page)).toMatchObject({ signTransaction: 0 })
  expect(payments(stack, account)).toEqual([])
  await saveRecording(page, 'payment-cannot-work')
})

test('a payment that took too long to prepare waits for another press; the person may leave it', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const { visitor, page, account } = await arrive(visit, stack)
  const slow = await holdCall(visitor.context, stack, 'simulateTransaction')
  await order(page, { asset: 'SOL', amount: '1' })
  await slow.reached
  // A prompt may open for three seconds after its press
  await setClock(page, 4000)
  await slow.release()
  await phase(page, 'pressAwaited')
  expect(await prompts(page)).toMatchObject({ signTransaction: 0 })
  await page.getByTestId('order-abandon').click()
  await phase(page, 'abandoned')
  expect(payments(stack, account)).toEqual([])
  await saveRecording(page, 'payment-left-before-asking')
})

test('a wallet that left its account meanwhile is not asked for it; a press that names the other one buys with that', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const { visitor, page, account } = await arrive(visit, stack)
  const slow = await holdCall(visitor.context, stack, 'simulateTransaction')
  await order(page, { asset: 'SOL', amount: '1' })
  await slow.reached
  await page.evaluate(() => window.__wallets['Quill']?.changeAccount())
  await expect(page.getByTestId('account-button')).not.toHaveAttribute('data-address', account)
  const other = await connectedAddress(page)
  await slow.release()
  await phase(page, 'abandoned')
  expect(await prompts(page)).toMatchObject({ signTransaction: 0 })
  stack.solana.give(other, { sol: '20' })
  stack.solana.chain.advance(40)
  const pay = page.getByTestId('buy-button').first()
  await expect(pay).toHaveText(`Pay from ${other.slice(0, 4)}…${other.slice(-4)} instead`)
  await pay.click()
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toEqual([])
  expect(payments(stack, other)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  await saveRecording(page, 'payment-of-the-other-account')
})
