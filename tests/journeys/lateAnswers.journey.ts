import type { Page } from '@playwright/test'
import { expire, fund, order, orderCard, payAgain, payments, phase, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve, connectPocket, decline, timesAsked } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'
import { setClock } from './steering.ts'

test.describe.configure({ mode: 'parallel' })

/** Time without an answer after which the page says so, ms; the wallet may still answer. */
const silenceMs = 130_000
/** Time after which the request has expired, ms. */
const overMs = 20 * 60_000

/** The order stays, and the page requests no other payment. */
async function asksNothingNew(page: Page): Promise<void> {
  await expect(page.getByTestId('buy-button')).toHaveText('Looking for the payment')
  await expect(page.getByTestId('buy-button')).toHaveAttribute('aria-disabled', 'true')
  await page.getByTestId('buy-button').click({ force: true })
  await expect(page.getByTestId('pay-amount')).toHaveCount(0)
  await page.reload()
  await phase(page, 'unknown')
  await expect(page.getByTestId('pay-amount')).toHaveCount(0)
}

test('a question is on its way, then waits in the wallet; a signature that comes late is sent while it can land', {
  tag: '@long',
}, async ({ visit, openWallet, stack }) => {
  const visitor = await visit()
  visitor.expectTrouble(/WebSocket connection to .* failed/, /Failed to load resource/)
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  stack.relay.control({ down: true, dropSockets: true })
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(orderCard(page)).toContainText('The connection for phone wallets is down. This page keeps trying.')
  stack.relay.control({ down: false })
  await expect(orderCard(page)).toContainText('Waiting in your wallet. Open it to approve.')
  await setClock(page, silenceMs)
  await expect(orderCard(page)).toContainText('Pocket has not answered. If you approved it, the payment will show up')
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ units: 1_000_000_000n }])
  expect(await timesAsked(wallet)).toBe(1)
  await saveRecording(page, 'signature-late-in-time')
})

test('a signature that comes too late to be sent is told as that; the next is asked only once it is sure', {
  tag: '@long',
}, async ({ visit, openWallet, stack }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(orderCard(page)).toContainText('Waiting in your wallet.')
  await setClock(page, silenceMs)
  await phase(page, 'unknown')
  // Too few of the 150 blocks in which it can land are left
  stack.solana.chain.advance(140)
  await approve(wallet, 'request')
  await expect(orderCard(page)).toContainText('Pocket answered too late. We did not send the payment.')
  await expect(orderCard(page)).toContainText('Not sent')
  await asksNothingNew(page)
  expect(await timesAsked(wallet)).toBe(1)
  stack.solana.chain.advance(220)
  await expire(page, stack, silenceMs)
  await expect(orderCard(page)).toContainText('No payment was seen.')
  await payAgain(page)
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  expect(await timesAsked(wallet)).toBe(2)
  await saveRecording(page, 'signature-too-late')
})

for (const [word, answer] of [
  ['signs', approve],
  ['declines', decline],
] as const) {
  test(`a wallet that ${word} when the time of its question is over is told as late, and that changes nothing`, {
    tag: '@long',
  }, async ({ visit, openWallet, stack }) => {
    const visitor = await visit()
    const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
    const { account } = await connectPocket(page, wallet)
    await fund(stack, page, account)
    await order(page, { asset: 'SOL', amount: '1' })
    await expect(orderCard(page)).toContainText('Waiting in your wallet.')
    await setClock(page, overMs)
    await phase(page, 'unknown')
    await answer(wallet, 'request')
    await expect(page.getByTestId('toast')).toContainText('Your wallet answered too late.')
    const tooLate = 'Pocket answered too late. Its answer is not used and nothing was sent.'
    await expect(orderCard(page)).toContainText(tooLate)
    await asksNothingNew(page)
    await expect(orderCard(page)).toContainText(tooLate)
    stack.solana.chain.advance(220)
    await expire(page, stack, overMs)
    await expect(orderCard(page)).toContainText('Pocket answered too late, as far as one network provider can see.')
    expect(payments(stack, account)).toEqual([])
    expect(await timesAsked(wallet)).toBe(1)
    await saveRecording(page, `wallet-${word}-after-its-time`)
  })
}
