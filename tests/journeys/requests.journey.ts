/** Requests of a visit in which nothing happens: an open tab must not wear out a visitor's data or a node's patience. */
import type { BrowserContext, Page } from '@playwright/test'
import { connectInstalled, fund } from './buying.ts'
import { expect, test, type Visit } from './fixtures.ts'
import { openHost } from './hosting.ts'
import { connectPocket } from './pocket.ts'
import { look, wish } from './steering.ts'

const minuteMs = 60_000
const perMinute = 4
const minutes = 5

/** Counts requests of every kind, those of workers too. @returns those since the last call, without their queries */
function countRequests(context: BrowserContext): () => string[] {
  const urls: string[] = []
  context.on('request', request => void urls.push(request.url().replace(/\?.*/, '')))
  return () => urls.splice(0)
}

/** @returns how many requests are under way */
function countOpen(context: BrowserContext): () => number {
  const open = new Set<unknown>()
  context.on('request', request => void open.add(request))
  context.on('requestfinished', request => void open.delete(request))
  context.on('requestfailed', request => void open.delete(request))
  return () => open.size
}

const workerNow = (page: Page): Promise<number> =>
  page
    .workers()
    .at(-1)
    ?.evaluate(() => globalThis.door.clock.now()) ?? Promise.reject(new Error('the page has no worker'))

/** Loads the page anew with a worker whose time runs fast, and waits until everything has been read once. */
async function hurry(page: Page): Promise<void> {
  await wish(page, { rate: 200 })
  let isNew = false
  page.once('framenavigated', () => {
    isNew = true
  })
  const reading = page.waitForResponse(answer => isNew && answer.url().includes('/notices.json'))
  await page.reload()
  await reading
  await pass(page, 1)
}

/** Lets minutes of the worker's time pass. @returns how many did: its time runs fast, so a busy machine looks late */
async function pass(page: Page, count: number): Promise<number> {
  const from = await workerNow(page)
  let now = from
  const passed = async () => {
    now = await workerNow(page)
    return now - from
  }
  await expect.poll(passed, { intervals: [100] }).toBeGreaterThan(count * minuteMs)
  return (now - from) / minuteMs
}

test('an idle page sends at most four requests a minute, connected or not, and none while nobody looks', async ({
  visit,
  stack,
}) => {
  const { context, open } = await visit()
  const taken = countRequests(context)
  const page = await open()
  await hurry(page)
  taken()
  const aloneFor = await pass(page, minutes)
  const alone = taken()
  expect(alone.filter(url => url.startsWith(stack.solana.url)).length).toBeGreaterThan(minutes)
  expect(alone.length).toBeLessThanOrEqual(aloneFor * perMinute)

  await wish(page, { rate: 1 })
  await page.reload()
  await fund(stack, page, await connectInstalled(page))
  await hurry(page)
  taken()
  const connectedFor = await pass(page, minutes)
  const connected = taken()
  expect(connected.length).toBeGreaterThan(minutes)
  expect(connected.length).toBeLessThanOrEqual(connectedFor * perMinute)

  await look(page, false)
  await pass(page, 1)
  taken()
  await pass(page, minutes)
  expect(taken()).toEqual([])
})

/** Counts the frames that the page's worker sends, from now on. @returns those since the last call */
async function countFrames(page: Page): Promise<() => Promise<number>> {
  const worker = page.workers().at(-1)
  if (!worker) throw new Error('the page has no worker')
  await worker.evaluate(() => {
    const { send } = WebSocket.prototype
    Object.assign(globalThis, { frames: 0 })
    WebSocket.prototype.send = function (this: WebSocket, data) {
      ;(globalThis as unknown as { frames: number }).frames += 1
      send.call(this, data)
    }
  })
  return () =>
    worker.evaluate(() => {
      const counts = globalThis as unknown as { frames: number }
      const { frames } = counts
      counts.frames = 0
      return frames
    })
}

test('a page connected over the relay stays within that, frames included, and sends none while nobody looks', {
  tag: '@long',
}, async ({ visit, openWallet }) => {
  const { context, open } = await visit()
  const taken = countRequests(context)
  const page = await open()
  await connectPocket(page, await openWallet())
  await hurry(page)
  const frames = await countFrames(page)
  await pass(page, 1)
  taken()
  await frames()
  const passed = await pass(page, minutes)
  const sent = { passed, requests: taken(), frames: await frames() }
  expect(sent.requests.length + sent.frames, JSON.stringify(sent)).toBeLessThanOrEqual(passed * perMinute)

  await look(page, false)
  await pass(page, 1)
  taken()
  await frames()
  await pass(page, minutes)
  expect([taken(), await frames()]).toEqual([[], 0])
})

test('a second opening of the modal asks for nothing, and one of the account for its balance alone', async ({
  visit,
  stack,
}) => {
  const { context, open } = await visit()
  const taken = countRequests(context)
  const underWay = countOpen(context)
  const page = await open()
  await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
  await page.waitForLoadState('networkidle')
  // The list is read at the first opening alone
  expect(taken().filter(url => /\/get(?:Wallets|WalletImage)/.test(url))).toEqual([])
  const openModal = async () => {
    await page.getByTestId('connect-button').click()
    await expect(page.getByTestId('modal').locator('img.is-here').first()).toBeVisible()
  }
  await openModal()
  // The worker reads the list, and the rows of the list read their pictures
  const first: string[] = []
  const isRead = () => {
    first.push(...taken())
    return ['/getWallets', '/getWalletImage'].every(path => first.some(url => url.includes(path))) && underWay() === 0
  }
  await expect.poll(isRead).toBe(true)
  await page.getByTestId('modal-close').click()
  await expect(page.getByTestId('modal')).toBeHidden()
  taken()
  await openModal()
  await page.waitForLoadState('networkidle')
  expect(taken().filter(url => !url.startsWith('blob:'))).toEqual([])

  await page.getByTestId('modal-close').click()
  await connectInstalled(page)
  const openAccount = async () => {
    await page.getByTestId('account-button').click()
    await expect(page.getByTestId('account-address')).toBeVisible()
    await expect.poll(underWay).toBe(0)
  }
  await openAccount()
  await page.getByTestId('modal-close').click()
  await expect(page.getByTestId('modal')).toBeHidden()
  taken()
  await openAccount()
  const isOfNode = (url: string) => url.startsWith(stack.solana.url)
  expect(taken().filter(url => !url.startsWith('blob:') && !isOfNode(url))).toEqual([])
})

/** @returns names of the scripts and styles that a visitor's first opening of the modal needed, each once */
async function filesUntilOpen({ context }: Visit, siteUrl: string, open: () => Promise<Page>): Promise<string[]> {
  const taken = countRequests(context)
  const page = await open()
  await expect(page.getByTestId('modal').locator('img.is-here').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  const files = taken().filter(url => url.startsWith(siteUrl) && /\.(?:js|css|json)$/.test(url))
  return [...new Set(files.map(url => url.slice(siteUrl.length)))]
}

test('the page and its opened modal are few files', async ({ visit, site }) => {
  const visitor = await visit()
  const files = await filesUntilOpen(visitor, site.url, async () => {
    const page = await visitor.open()
    await page.getByTestId('connect-button').click()
    return page
  })
  // The entry is a file of its own, so that the first paint waits for no other script
  expect(files.length, files.join(' ')).toBeLessThanOrEqual(29)
})

test('the embed and its opened modal are few files', async ({ visit, site }) => {
  const visitor = await visit()
  const files = await filesUntilOpen(visitor, site.url, async () => {
    const page = await visitor.context.newPage()
    await openHost(page, site.url)
    await page.evaluate(() => void window.modal.open())
    return page
  })
  expect(files.length, files.join(' ')).toBeLessThanOrEqual(16)
})
