import type { Page } from '@playwright/test'
import {
  buyMore,
  confirmWindow,
  connectedAddress,
  connectInstalled,
  fund,
  order,
  payments,
  phase,
  prompts,
  settle,
} from './buying.ts'
import { expect, test } from './fixtures.ts'
import { killWorker } from './killing.ts'
import { saveRecording } from './saveRecording.ts'
import { freezeWorker, makeDeadly } from './steering.ts'

const approveHere = (page: Page) => confirmWindow(page).getByTestId('confirm-approve').click()
const rows = (page: Page) => page.locator('[data-testid="wallet-row"][data-wallet="Quill"]')

test.describe.configure({ mode: 'parallel', timeout: 120_000 })

test('a worker that freezes while the wallet asks is replaced within 7 s: one prompt, one payment', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()

  const reborn = page.waitForEvent('worker', { timeout: 7500 })
  freezeWorker(page)
  await reborn
  await expect(confirmWindow(page)).toHaveCount(1)
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })

  // And once more: the answer is given while the worker is frozen
  await buyMore(page)
  await order(page, { asset: 'SOL', amount: '1.1' })
  await phase(page, 'awaitingSignature')
  freezeWorker(page)
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{}, { units: 1_100_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 2 })
  await saveRecording(page, 'worker-frozen-while-prompt-open')
})

test('a press that freezes the worker in its step is left out, said in words, and the next press works', async ({
  visit,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  await expect(page.getByTestId('connect-button')).toBeEnabled()
  await makeDeadly(page, 'connection.connectInstalled')
  const careful = page.waitForEvent('worker')
  await killWorker(page)
  await careful
  await page.getByTestId('connect-button').click()
  const next = page.waitForEvent('worker', { timeout: 20_000 })
  await rows(page).click()
  await next
  await expect(page.getByTestId('toast')).toContainText(/could not be done|did not get through/)
  await makeDeadly(page, '')
  await rows(page).click()
  await approveHere(page)
  expect(await connectedAddress(page)).not.toBe('')
  expect(await prompts(page)).toMatchObject({ connect: 1 })
  await saveRecording(page, 'press-set-aside')
})

test('a worker that takes all the memory there is ends alone: the page, its prompt and its order go on', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  const reborn = page.waitForEvent('worker', { timeout: 60_000 })
  page
    .workers()
    .at(-1)
    ?.evaluate(() => globalThis.door.devour())
    .catch(() => undefined)
  await reborn
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })
})

test('a worker whose script does not come at first is asked for again', async ({ visit }) => {
  const visitor = await visit()
  visitor.expectTrouble(/ERR_FAILED|Failed to load resource/)
  let refused = 0
  await visitor.context.route(/\/worker-[^/]*\.js$/, async route => {
    refused += 1
    await (refused === 1
      ? route.abort()
      : refused === 2
        ? route.fulfill({ body: 'throw new Error("no")' })
        : route.continue())
  })
  const page = await visitor.open()
  await expect(page.getByTestId('buy-button')).toHaveText(/Connect|Enter/, { timeout: 20_000 })
  expect(refused).toBeGreaterThanOrEqual(3)
  await connectInstalled(page)
})
