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
import { killWorker, workerOf } from './killing.ts'
import { saveRecording } from './saveRecording.ts'
import { freezeWorker, look, makeDeadly } from './steering.ts'

const approveHere = (page: Page) => confirmWindow(page).getByTestId('confirm-approve').click()
const rows = (page: Page) => page.locator('[data-testid="wallet-row"][data-wallet="Quill"]')

test.describe.configure({ mode: 'parallel' })

test('a worker that freezes while the wallet asks is replaced: one prompt, one payment', async ({ visit, stack }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()

  const reborn = page.waitForEvent('worker')
  freezeWorker(page)
  await reborn
  await expect(confirmWindow(page)).toHaveCount(1)
  await approveHere(page)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })

  // Again: the wallet answers while the worker is frozen
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

test('a press that freezes the worker in its step is left out, said in words, and the next press works', {
  tag: '@long',
}, async ({ visit }) => {
  const visitor = await visit()
  const page = await visitor.open()
  await expect(page.getByTestId('connect-button')).toBeEnabled()
  await makeDeadly(page, 'connection.connectInstalled')
  await workerOf(page)
  const careful = page.waitForEvent('worker')
  await killWorker(page)
  await careful
  await page.getByTestId('connect-button').click()
  const next = page.waitForEvent('worker')
  await rows(page).click()
  await next
  await expect(page.getByTestId('toast')).toContainText(/could not be done|did not get through/)
  await makeDeadly(page, '')
  await rows(page).click()
  await approveHere(page)
  expect(await connectedAddress(page)).not.toBe('')
  expect(await prompts(page)).toMatchObject({ connect: 1 })
  await saveRecording(page)
})

test('a wallet’s answer that freezes two workers in its step is set aside, said in words, and the next try works', {
  tag: '@long',
}, async ({ visit }) => {
  const visitor = await visit()
  const page = await visitor.open()
  await expect(page.getByTestId('connect-button')).toBeEnabled()
  await makeDeadly(page, 'wallet.connected')
  await workerOf(page)
  const careful = page.waitForEvent('worker')
  await killWorker(page)
  await careful
  await page.getByTestId('connect-button').click()
  await rows(page).click()
  const second = page.waitForEvent('worker')
  await approveHere(page)
  await second
  await page.waitForEvent('worker')
  await expect(page.getByTestId('toast')).toContainText('Your wallet’s answer could not be used.')
  await makeDeadly(page, '')
  await page.getByRole('button', { name: 'Try again' }).click()
  await approveHere(page)
  expect(await connectedAddress(page)).not.toBe('')
  const { recording } = await saveRecording(page, 'answer-set-aside')
  const inputs = recording.records.flatMap(({ record }) => (record.k === 'i' ? [record] : []))
  expect(inputs.filter(({ type }) => type === 'core.setAside').map(({ data }) => data.input)).toContain(
    'wallet.connected',
  )
})

test('a worker that takes all the memory there is ends alone: the page, its prompt and its order go on', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  const reborn = page.waitForEvent('worker')
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

test('a worker whose script does not come at first is asked for again @long', async ({ visit }) => {
  const visitor = await visit()
  visitor.expectTrouble(/ERR_FAILED|Failed to load resource/)
  let refused = 0
  await visitor.context.route(/\/worker-[^/]*\.js$/, async route => {
    refused += 1
    await (refused === 1
      ? route.abort()
      : refused === 2
        ? route.fulfill({ status: 503, body: 'busy' })
        : route.continue())
  })
  const page = await visitor.open()
  await expect(page.getByTestId('buy-button')).toHaveText(/Connect|Enter/)
  expect(refused).toBeGreaterThanOrEqual(3)
  await connectInstalled(page)
})

test('a worker that dies again and again at its start ends in a sentence; the page comes back when somebody looks again, or reloads it', {
  tag: '@long',
}, async ({ visit }) => {
  const visitor = await visit()
  visitor.expectTrouble(/ERR_FAILED|Failed to load resource/)
  const hold = { broken: true, asked: 0 }
  await visitor.context.route(/\/worker-[^/]*\.js$/, async route => {
    hold.asked += 1
    await (hold.broken ? route.abort() : route.continue())
  })
  await visitor.context.clock.install()
  const [looked, reloaded] = [await visitor.open(), await visitor.open()]
  for (const page of [looked, reloaded]) {
    await untilGivenUp(page)
    await expect(page.getByTestId('buy-button')).toHaveText('Reload this page')
  }
  // Only the ten starts per tab named by the sentence were tried
  expect(hold.asked).toBe(20)

  hold.broken = false
  await look(looked, false)
  await look(looked, true)
  await reloaded.getByTestId('buy-button').click()
  for (const page of [looked, reloaded]) await expect(page.getByTestId('buy-button')).toHaveText(/Connect|Enter/)
  await connectInstalled(looked)
})

/** Waits until the page starts no worker any more. Its clock runs faster, so that the waits between the starts pass. */
async function untilGivenUp(page: Page): Promise<void> {
  const shown = async () => {
    await page.clock.fastForward(1000)
    return page.locator('#buy').textContent()
  }
  await expect.poll(shown, { intervals: [400], timeout: 150_000 }).toContain('This page keeps failing.')
}

test('where every core ends at its beginning the record can still be saved, and erased once its open order was told', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const visitor = await visit()
  visitor.expectTrouble(/the door ended this worker/)
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'awaitingSignature')
  await makeDeadly(page, 'core.boot')
  await page.clock.install()
  await page.reload()
  await untilGivenUp(page)

  const { recording } = await saveRecording(page)
  expect(recording.records.map(({ record }) => record.k === 'f' && record.type)).toContain('order.asked')
  const erase = page.getByTestId('erase-record')
  const confirm = page.getByTestId('erase-confirm')
  await erase.click()
  await confirm.click()
  const foot = page.locator('footer')
  await expect(foot).toContainText('An order or a wallet request is under way that this page cannot follow.')
  await makeDeadly(page, '')
  await expect(confirm).toHaveText('Erase it all the same')
  await confirm.click()
  await expect(foot).toContainText('The record is erased.')
  await expect(page.getByTestId('buy-button')).toHaveText(/Connect|Enter/)
  await connectInstalled(page)
  expect(payments(stack, account)).toEqual([])
})
