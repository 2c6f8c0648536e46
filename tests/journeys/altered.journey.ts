/** A file of the build is altered on the server: its code never runs, and the visitor sees a notice. */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { JourneySite } from '../stack/site.ts'
import { expect, test as base, type Visit } from './fixtures.ts'

const test = base.extend<{ alter: (file: RegExp) => void }>({
  /** Appends a line that reports its execution, and restores the file after the test. */
  alter: async ({ site }, provide) => {
    const before: [string, Buffer][] = []
    await provide(pattern => {
      const names = readdirSync(site.dir, { recursive: true, encoding: 'utf8' }).filter(name => pattern.test(name))
      expect(names).toHaveLength(1)
      const path = join(site.dir, names[0] ?? '')
      before.push([path, readFileSync(path)])
      appendFileSync(path, path.endsWith('.css') ? '\nbody{color:red}' : '\nconsole.log("altered code runs")')
    })
    for (const [path, bytes] of before) writeFileSync(path, bytes)
  },
})

test.describe.configure({ timeout: 120_000 })

const trouble = [/integrity|Failed to load resource|preload|Failed to fetch/]
const started = 'A file of this page is missing or was altered, so nothing was started.'
const core = 'One of its files was altered.'
const gone = 'Reload needed.'

async function visitAltered(visitor: Visit, url: string): Promise<Page> {
  visitor.expectTrouble(...trouble)
  const page = await visitor.context.newPage()
  await page.goto(url)
  return page
}

const ran = (visitor: Visit) => visitor.console().filter(line => line.includes('altered code runs'))

/** Files whose alteration is noticed as that of another one here. */
const variants: readonly string[] = [
  'the part that works behind the page',
  'the entry of the worker',
  'the modal’s stylesheet',
  'the list of the worker’s parts',
  'what works behind the embed',
  'the entry of the embed’s worker',
]
const longOf = (what: string) => (variants.includes(what) ? ' @long' : '')

for (const [what, file, words] of [
  ['the entry', /^assets\/index-.*\.js$/, started],
  ['the page’s script', /^assets\/app-.*\.js$/, started],
  ['the stylesheet', /^assets\/index-.*\.css$/, started],
  ['the baseline script', /^baseline\.js$/, started],
  ['the part that works behind the page', /^assets\/runtime-.*\.js$/, gone],
  ['the entry of the worker', /^assets\/worker-.*\.js$/, core],
  ['the core of the worker', /^assets\/core-.*\.js$/, core],
] as const) {
  test(`${what} altered: the visitor reads a sentence, and no worker begins${longOf(what)}`, async ({
    visit,
    site,
    alter,
  }) => {
    alter(file)
    const visitor = await visit()
    const page = await visitAltered(visitor, site.url)
    await expect(page.locator('body')).toContainText(words)
    if (words === started) await expect(page.getByTestId('connect-button')).toBeHidden()
    expect(ran(visitor)).toEqual([])
    expect(page.workers()).toEqual([])
  })
}

test('the sale altered: the page says to reload, and that part is not drawn', async ({ visit, site, alter }) => {
  alter(/^assets\/SaleBody-.*\.js$/)
  const visitor = await visit()
  // React tells that the prerendered part is drawn anew
  visitor.expectTrouble(/React error #418/)
  const page = await visitAltered(visitor, site.url)
  await expect(page.locator('body')).toContainText(gone)
  await expect(page.getByTestId('pay-amount')).toHaveCount(0)
  expect(ran(visitor)).toEqual([])
})

test('the font altered: the page says to reload, and nothing is drawn in it', async ({ visit, site, alter }) => {
  alter(/^assets\/font-.*\.css$/)
  const visitor = await visit()
  const page = await visitAltered(visitor, site.url)
  await expect(page.locator('body')).toContainText(gone)
  expect(await page.evaluate(() => [...document.fonts].map(({ family }) => family))).toEqual([])
})

test('the font is drawn with when it is as published @long', async ({ visit, site }) => {
  const visitor = await visit()
  const page = await visitor.context.newPage()
  await page.goto(site.url)
  const states = () => page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`))
  await expect.poll(states).toEqual(['Inter Variable loaded'])
})

for (const [what, file] of [
  ['the modal', /^assets\/Modal-.*\.js$/],
  ['the modal’s stylesheet', /^assets\/Modal-.*\.css$/],
] as const) {
  test(`${what} altered: a press says to reload${longOf(what)}`, async ({ visit, site, alter }) => {
    alter(file)
    const visitor = await visit()
    const asked = () => visitor.console().filter(line => line.includes('integrity')).length
    const page = await visitAltered(visitor, site.url)
    // The idle page has tried it once
    await expect.poll(asked).toBeGreaterThan(0)
    await page.getByTestId('connect-button').click()
    await expect(page.getByTestId('toast')).toContainText('This page has changed. Reload it.')
    await expect(page.getByTestId('modal')).toHaveCount(0)
    expect(ran(visitor)).toEqual([])
  })
}

test('the modal’s stylesheet is lost once: the press asks for it again, and the modal has its styles @long', async ({
  visit,
  site,
}) => {
  const visitor = await visit()
  visitor.expectTrouble(/Failed to load resource/)
  const page = await visitor.context.newPage()
  let lost = 0
  await page.route(/assets\/Modal-.*\.css$/, route => {
    lost += 1
    return lost === 1 ? route.abort() : route.continue()
  })
  await page.goto(site.url)
  await expect.poll(() => lost).toBe(1)
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('modal-title')).toBeVisible()
  await expect(page.getByTestId('modal')).toHaveCSS('display', 'flex')
})

for (const [what, file] of [
  ['what every visit needs', /^assets\/visit-.*\.js$/],
  ['the list of the worker’s parts', /^assets\/parts-.*\.json$/],
] as const) {
  test(`${what} altered: nothing can be bought, and a sentence says so${longOf(what)}`, async ({
    visit,
    site,
    alter,
  }) => {
    alter(file)
    const visitor = await visit()
    const page = await visitAltered(visitor, site.url)
    await expect(page.locator('#buy')).toContainText('The published terms cannot be read. Buying is off. Do not pay.')
    expect(page.workers()).toHaveLength(1)
    expect(ran(visitor)).toEqual([])
  })
}

test('what reads recordings altered: the replayer says so, and it never runs', async ({ visit, site, alter }) => {
  alter(/^replayer\/replayReader-.*\.js$/)
  const visitor = await visit()
  const page = await visitAltered(visitor, `${site.url}replayer.html`)
  await page.locator('input[type=file]').setInputFiles({
    name: 'any.jsonl',
    mimeType: 'text/plain',
    buffer: Buffer.from('{}'),
  })
  await expect(page.locator('body')).toContainText('expected its published file, it is missing or was altered')
  expect(ran(visitor)).toEqual([])
  expect(page.workers()).toEqual([])
})

/** A host page on the origin of the build. */
async function openHost(visitor: Visit, { url, dir }: JourneySite, tag: string): Promise<Page> {
  visitor.expectTrouble(...trouble)
  const page = await visitor.context.newPage()
  await page.route(`${url}host.html`, route =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Host</title><base href="/embed/">${tag}` }),
  )
  expect(readdirSync(join(dir, 'embed'))).toContain('tag.txt')
  await page.goto(`${url}host.html`)
  return page
}

const open = (page: Page) =>
  page.evaluate(() => {
    const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
    void window.MaiModal?.createModal({ projectId: '00000000000000000000000000000001', metadata }).open()
    return window.MaiModal !== undefined
  })

/** The tag of the module, or of the classic script. */
const tagOf = ({ dir }: JourneySite, form: 'module' | 'classic' = 'module') =>
  readFileSync(join(dir, 'embed/tag.txt'), 'utf8').split('\n')[form === 'module' ? 0 : 1] ?? ''

test('the embed begins by its tag, with its hash', async ({ visit, site }) => {
  const visitor = await visit()
  const page = await openHost(visitor, site, tagOf(site))
  await expect.poll(() => page.evaluate(() => window.MaiModal !== undefined)).toBe(true)
  await open(page)
  await expect(page.locator('[data-testid="wallet-row"]').first()).toBeVisible()
})

test('the embed altered: its tag refuses it', async ({ visit, site, alter }) => {
  alter(/^embed\/embed\.js$/)
  const visitor = await visit()
  const page = await openHost(visitor, site, tagOf(site))
  await page.waitForLoadState('load')
  expect(await open(page)).toBe(false)
  expect(ran(visitor)).toEqual([])
})

test('the embed altered: the classic script, which is as published, never runs it and says so', async ({
  visit,
  site,
  alter,
}) => {
  alter(/^embed\/embed\.js$/)
  const visitor = await visit()
  visitor.expectTrouble(/Loading chunk embed\.js failed/)
  const page = await openHost(visitor, site, tagOf(site, 'classic'))
  const failure = await page.evaluate(async () => {
    const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
    const modal = window.MaiModal?.createModal({ projectId: '00000000000000000000000000000001', metadata })
    return modal?.open().then(String, ({ name, message }: Error) => `${name}: ${message}`)
  })
  expect(failure).toBe(
    'ChunkLoadError: Loading chunk embed.js failed: embed.js expected the bytes that were published, others came',
  )
  expect(ran(visitor)).toEqual([])
})

test('the embed’s modal altered: it never runs, and the opening says so', async ({ visit, site, alter }) => {
  alter(/^embed\/hosted\..*\.js$/)
  const visitor = await visit()
  visitor.expectTrouble(/Loading chunk hosted\..* failed/)
  const page = await openHost(visitor, site, tagOf(site))
  await expect.poll(() => page.evaluate(() => window.MaiModal !== undefined)).toBe(true)
  const failure = await page.evaluate(() => {
    const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
    const modal = window.MaiModal?.createModal({ projectId: '00000000000000000000000000000001', metadata })
    return modal?.open().then(String, ({ name, message }: Error) => `${name}: ${message}`)
  })
  expect(failure).toMatch(
    /^ChunkLoadError: Loading chunk hosted\..* expected the bytes that were published, others came$/,
  )
  expect(ran(visitor)).toEqual([])
  expect(page.workers()).toEqual([])
})

for (const [what, file] of [
  ['what works behind the embed', /^embed\/runtime\..*\.js$/],
  ['the entry of the embed’s worker', /^embed\/worker\..*\.js$/],
  ['the core of the embed’s worker', /^embed\/core\..*\.js$/],
] as const) {
  test(`${what} altered: it never runs, and no worker begins${longOf(what)}`, async ({ visit, site, alter }) => {
    alter(file)
    const visitor = await visit()
    const page = await openHost(visitor, site, tagOf(site))
    await expect.poll(() => page.evaluate(() => window.MaiModal !== undefined)).toBe(true)
    await open(page)
    await expect(page.getByTestId('toast')).toContainText('A file of this window is missing or was altered')
    expect(ran(visitor)).toEqual([])
    expect(page.workers()).toEqual([])
  })
}
