import type { Page } from '@playwright/test'
import {
  buyMore,
  confirmWindow,
  connectInstalled,
  fund,
  order,
  orderCard,
  payments,
  phase,
  prompts,
  settle,
} from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve, connectPocket, question, timesAsked } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'
import { storedText, untilStored } from './secrets.ts'
import { freezeTab, look, setClock, wish } from './steering.ts'

const hour = 3_600_000
const approveHere = (page: Page) => confirmWindow(page).getByTestId('confirm-approve').click()

test.describe.configure({ mode: 'parallel' })

test('the network goes while the wallet asks, and comes back: one prompt, one payment', { tag: '@long' }, async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  visitor.expectTrouble(/ERR_INTERNET_DISCONNECTED/)
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  await visitor.context.setOffline(true)
  await approveHere(page)
  await phase(page, 'signed')
  expect(payments(stack, account)).toEqual([])
  await visitor.context.setOffline(false)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ units: 1_000_000_000n }])

  // Again, while the payment is in flight
  await buyMore(page)
  await order(page, { asset: 'SOL', amount: '1.1' })
  await approveHere(page)
  await phase(page, 'seen')
  await visitor.context.setOffline(true)
  stack.solana.chain.advance(60)
  await visitor.context.setOffline(false)
  await phase(page, 'finalised')
  expect(payments(stack, account)).toHaveLength(2)
  expect(await prompts(page)).toMatchObject({ signTransaction: 2 })
  await saveRecording(page, 'offline-while-paying')
})

test('the tab is frozen while a wallet asks elsewhere, and wakes: the payment goes on', { tag: '@long' }, async ({
  visit,
  openWallet,
  stack,
}) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(question(wallet, 'request')).toBeVisible()
  const wake = await freezeTab(page)
  await approve(wallet, 'request')
  await expect(question(wallet, 'request')).toHaveCount(0)
  await wake()
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  expect(await timesAsked(wallet)).toBe(1)
  await saveRecording(page, 'tab-frozen-while-wallet-asks')
})

test('the clock is set two hours on, and then back: the session lasts, each press pays once', { tag: '@long' }, async ({
  visit,
  openWallet,
  stack,
}) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  for (const [index, offsetMs] of [2 * hour, -2 * hour].entries()) {
    await setClock(page, offsetMs)
    if (index > 0) await buyMore(page)
    await order(page, { asset: 'SOL', amount: `1.${index + 1}` })
    await approve(wallet, 'request')
    await settle(stack, page)
  }
  expect(payments(stack, account)).toMatchObject([{ units: 1_100_000_000n }, { units: 1_200_000_000n }])
  expect(await timesAsked(wallet)).toBe(2)
  await saveRecording(page, 'clock-set-during-a-session')
})

test('a relay that is there and says nothing is noticed and left for a new connection', { tag: '@long' }, async ({
  visit,
  openWallet,
  stack,
}) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  expect(await storedText(page)).not.toContain('relay.lost')
  stack.relay.control({ silent: true })
  await wish(page, { rate: 10 })
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  await untilStored(page, 'relay.lost')
  stack.relay.control({ silent: false })
  await wish(page, { rate: 1 })
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  expect(await timesAsked(wallet)).toBe(1)
})

test('the disk fills up while the wallet asks: nothing is paid from a page that cannot remember it @long', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  await wish(page, { roomBytes: 0 })
  await approveHere(page)
  await phase(page, /gateRefused|rejected|unknown/)
  await expect(page.locator('#buy')).toContainText('This browser cannot keep a record')
  expect(payments(stack, account)).toEqual([])
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })
  await expect(orderCard(page)).toBeVisible()
  await saveRecording(page, 'disk-full-while-wallet-asks')
})

test('a page that was out of sight for hours knows the sale again as soon as somebody looks, and sells', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await look(page, false)
  await wish(page, { rate: 3600 })
  await expect
    .poll(() =>
      page
        .workers()
        .at(-1)
        ?.evaluate(() => globalThis.door.clock.now() - Date.now()),
    )
    .toBeGreaterThan(3 * hour)
  await wish(page, { rate: 1 })
  await setClock(page, 3 * hour)
  await look(page, true)
  await order(page, { asset: 'SOL', amount: '1' })
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
})
