/** The embed in the pages of others: strict and loose policies, their globals, styles and folders, and where it cannot start. */
import type { Page } from '@playwright/test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { confirmWindow } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { liveInStrangeHost, serveStrangeHost } from './strangeHost.ts'
import type { Tab } from '../engines/tab.ts'
import { installedWalletScript } from '../stack/installed/bundle.ts'
import { tokenNames } from '../stack/start.ts'

test.describe.configure({ mode: 'parallel' })

/** Imports the embed and creates a modal. @returns the error's sentence, or '' */
function start(page: Page, embed: string): Promise<string> {
  return page.evaluate(async address => {
    const { createModal } = (await import(address)) as typeof import('../../src/main/embed.ts')
    try {
      const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
      Object.assign(window, { modal: createModal({ projectId: '00000000000000000000000000000001', metadata }) })
      return ''
    } catch (cause) {
      return (cause as Error).message
    }
  }, embed)
}
const account = (page: Page) => page.evaluate(() => window.modal.getAccount())
const walletRow = (page: Page) => page.locator('[data-testid="wallet-row"][data-wallet="Quill"]')

test('a host with a strict policy and Trusted Types: connect, reload, back and forward, disconnect', async ({
  visit,
  site,
}) => {
  // A file of the site, so that it comes with the production headers
  writeFileSync(
    join(site.dir, 'host-strict.html'),
    '<!doctype html><title>Host</title><link rel="icon" href="/icon.svg"><h1>Host</h1><p id="wallet"></p>',
  )
  const page = await (await visit()).context.newPage()
  const response = await page.goto(`${site.url}host-strict.html`)
  expect(response?.headers()['content-security-policy']).toContain('trusted-types')
  const restored = () => expect.poll(async () => (await account(page)).status).toBe('connected')

  expect(await start(page, '/embed/embed.js')).toBe('')
  await page.evaluate(() => void window.modal.showButton(document.querySelector('#wallet') as HTMLElement))
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await walletRow(page).click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await restored()
  const { address = '' } = await account(page)
  await expect(page.locator('#wallet').getByRole('button')).toContainText(`${address.slice(0, 4)}…${address.slice(-4)}`)

  await page.reload()
  await start(page, '/embed/embed.js')
  await restored()
  await page.goto('about:blank')
  await page.goBack()
  // The browser may have kept the page as it was
  if (!(await page.evaluate(() => 'modal' in window))) await start(page, '/embed/embed.js')
  await restored()
  expect((await account(page)).address).toBe(address)
  await page.evaluate(() => window.modal.disconnect())
  expect((await account(page)).status).toBe('disconnected')
})

test('a host draws its own page and keeps a press while the modal’s code is on its way; a refused config rejects', async ({
  visit,
  site,
}) => {
  const visitor = await visit()
  visitor.expectTrouble(/createModal expected metadata/)
  const page = await visitor.context.newPage()
  const host = `${site.url}host-slow.html`
  await page.route(host, route =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Host</title><script type="module" src="/embed/embed.js"></script><h1>Host</h1>',
    }),
  )
  let release = () => undefined as void
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/\/embed\/(?!embed\.js).*\.js$/, async route => {
    await released
    await route.continue()
  })
  await page.goto(host)
  expect(await start(page, '/embed/embed.js')).toBe('')
  await expect(page.getByRole('heading', { name: 'Host' })).toBeVisible()
  await page.evaluate(() => void window.modal.open())
  expect(await page.evaluate(() => document.querySelector('mai-modal'))).toBe(null)
  release()
  await expect(walletRow(page)).toBeVisible()

  const refused = await page.evaluate(async address => {
    const { createModal } = (await import(address)) as typeof import('../../src/main/embed.ts')
    const metadata = { name: '', description: '', url: 'nowhere', icons: [] }
    const modal = createModal({ projectId: '00000000000000000000000000000001', metadata })
    return modal.ready().then(String, ({ code, message }: { code: string; message: string }) => `${code}: ${message}`)
  }, '/embed/embed.js')
  expect(refused).toMatch(/^bad_input: .*metadata/)
})

test('a host with React 18 in strict mode, its own globals, styles, direction and folder keeps them, and the modal works', async ({
  visit,
  site,
  stack,
}, { testId }) => {
  const wallets = [{ name: 'Quill', word: testId }]
  const script = await installedWalletScript({ rpcUrl: stack.solana.url, wallets, tokens: tokenNames(stack.solana) })
  const host = await serveStrangeHost(join(site.dir, 'embed'), script)
  const page = await (await visit({ wallets: [] })).context.newPage()
  const tab: Pick<Tab, 'open' | 'run' | 'click'> = {
    open: async url => void (await page.goto(url)),
    run: async (work, ...args) => {
      const call = `(${work.toString()})(...${JSON.stringify(args)})`
      return (await page.evaluate(call)) as ReturnType<typeof work>
    },
    click: css => page.click(css),
  }
  await liveInStrangeHost(tab, `${host.url}/`).finally(host.close)
})

test('from a CDN or out of a bundler it says where its folder belongs; a page without JavaScript says so, too', async ({
  visit,
  site,
  browser,
}) => {
  const visitor = await visit()
  const page = await visitor.context.newPage()
  const embed = readFileSync(join(site.dir, 'embed/embed.js'), 'utf8')
  const headers = { 'access-control-allow-origin': '*' }
  const script = { contentType: 'text/javascript', body: embed, headers }
  await page.route(`${site.url}shop/`, route =>
    route.fulfill({ contentType: 'text/html', body: '<title>Host</title>' }),
  )
  await page.route('https://cdn.example/mai/embed.js', route => route.fulfill(script))
  await page.route(`${site.url}assets/index-abc.js`, route => route.fulfill(script))
  await page.goto(`${site.url}shop/`)
  expect(await start(page, 'https://cdn.example/mai/embed.js')).toContain('it came from https://cdn.example: copy the')
  expect(await start(page, '/assets/index-abc.js')).toContain('a bundler moved it into another file: serve the folder')
  expect(await page.locator('mai-modal').count()).toBe(0)

  const plain = await browser.newContext({ javaScriptEnabled: false })
  const silent = await plain.newPage()
  await silent.goto(site.url)
  await expect(silent.locator('noscript p')).toHaveText(/^This page needs JavaScript\./)
  await plain.close()
})
