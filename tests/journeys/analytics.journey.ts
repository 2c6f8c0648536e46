/** Analytics of the embed: what a host's consent lets leave, and what never does. */
import type { BrowserContext, Page } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { confirmWindow } from './buying.ts'
import { expect, test, type World } from './fixtures.ts'
import type { Stack } from '../stack/start.ts'
import type { ModalConfig } from '../../src/main/embed/config/hostConfig.ts'

test.describe.configure({ mode: 'default' })

type Sent = { url: string; props: { event: string; address?: string; properties?: Record<string, unknown> } }

/** Opens a page of a host whose modal knows the stack's analytics service. */
async function openHost(page: Page, { site, stack }: World, analytics: ModalConfig['analytics'] = {}): Promise<void> {
  // A file of the site, so that it comes with the production headers
  const text = '<!doctype html><title>Host</title><link rel="icon" href="/icon.svg"><h1>Host</h1>'
  writeFileSync(join(site.dir, 'host-analytics.html'), text)
  await page.goto(`${site.url}host-analytics.html?ref=secret#part`)
  await page.evaluate(
    async ({ projectId, analyticsUrl, analytics }) => {
      const embed = '/embed/embed.js'
      const { createModal } = (await import(embed)) as typeof import('../../src/main/embed.ts')
      const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
      const modal = createModal({ projectId, metadata, analytics, addresses: { analyticsUrl } })
      Object.assign(window, { modal })
    },
    { projectId: stack.addresses.VITE_PROJECT_ID, analyticsUrl: stack.services.url, analytics },
  )
}

const events = (stack: Stack): string[] => sent(stack).map(({ props }) => props.event)
const sent = (stack: Stack): Sent[] => stack.services.state().lastEvents as Sent[]
/** Paths of requests for analytics. */
function asked(context: BrowserContext): string[] {
  const paths: string[] = []
  context.on('request', request => {
    const { pathname } = new URL(request.url())
    if (/^\/(?:e|batch|getAnalyticsConfig)$/.test(pathname)) paths.push(pathname)
  })
  return paths
}
const openModal = (page: Page) => page.evaluate(() => void window.modal.open())
const closeModal = (page: Page) => page.evaluate(() => window.modal.close())
const consent = (page: Page, given: boolean) => page.evaluate(word => window.modal.consent(word), given)
const row = (page: Page, name: string) => page.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`)

test('nothing leaves before the visitor agrees, and after that each event once, without address and query @long', async ({
  visit,
  stack,
  site,
}) => {
  const { context } = await visit()
  const page = await context.newPage()
  const paths = asked(context)
  await openHost(page, { site, stack }, { consent: 'later' })
  await openModal(page)
  await expect(row(page, 'Quill')).toBeVisible()
  await closeModal(page)
  await page.waitForLoadState('networkidle')
  expect(paths).toEqual([])

  await consent(page, true)
  await expect.poll(() => events(stack)).toEqual(['INITIALIZE'])
  await openModal(page)
  await row(page, 'Quill').click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await expect.poll(() => events(stack)).toContain('CONNECT_SUCCESS')
  const { address = '' } = await page.evaluate(() => window.modal.getAccount())
  await page.evaluate(() => window.modal.disconnect())
  await expect.poll(() => events(stack)).toContain('DISCONNECT_SUCCESS')

  expect(new Set(events(stack))).toEqual(
    new Set(['INITIALIZE', 'MODAL_OPEN', 'SELECT_WALLET', 'CONNECT_SUCCESS', 'MODAL_CLOSE', 'DISCONNECT_SUCCESS']),
  )
  expect(new Set(events(stack)).size).toBe(events(stack).length)
  expect(paths.filter(path => path === '/getAnalyticsConfig')).toHaveLength(1)
  const text = JSON.stringify(sent(stack))
  expect(address).not.toBe('')
  for (const never of [address, 'secret', '?', 'part']) expect(text).not.toContain(never)
  expect(sent(stack)[0]).toMatchObject({
    url: `${site.url}host-analytics.html`,
    props: { properties: { recording: 'HIDE' } },
  })
  const selected = sent(stack).find(({ props }) => props.event === 'SELECT_WALLET')
  expect(selected?.props.properties).toMatchObject({ name: 'Quill', platform: 'browser', displayIndex: 1 })

  // The device remembers the word; refused, nothing leaves again
  await page.reload()
  stack.services.control({ reset: true })
  const before = events(stack).length
  await openHost(page, { site, stack }, { consent: 'later' })
  await expect.poll(() => events(stack).length).toBeGreaterThan(before)
  await consent(page, false)
  paths.splice(0)
  await openModal(page)
  await closeModal(page)
  await page.waitForLoadState('networkidle')
  expect(paths).toEqual([])
})

test('events wait while the device is offline, and a refused origin is told once', { tag: '@long' }, async ({
  visit,
  stack,
  site,
}) => {
  const visitor = await visit()
  visitor.expectTrouble(/ERR_INTERNET_DISCONNECTED/, /status of 403/, /APKT002: the analytics service/)
  const { context } = visitor
  const page = await context.newPage()
  const count = (name: string) => events(stack).filter(event => event === name).length
  const started = count('INITIALIZE')
  await openHost(page, { site, stack })
  await expect.poll(() => count('INITIALIZE')).toBe(started + 1)
  const opened = count('MODAL_OPEN')
  await context.setOffline(true)
  await openModal(page)
  await closeModal(page)
  await context.setOffline(false)
  await expect.poll(() => count('MODAL_OPEN')).toBe(opened + 1)

  stack.services.control({ fail: { '/e': { status: 403, times: 1 } } })
  await openModal(page)
  await expect(page.getByText('Invalid App Configuration')).toBeVisible()
})

test('as the page is hidden, what waits goes in one request', { tag: '@long' }, async ({ visit, stack, site }) => {
  const { context } = await visit()
  const page = await context.newPage()
  const count = (name: string) => events(stack).filter(event => event === name).length
  const opened = count('MODAL_OPEN')
  await openHost(page, { site, stack })
  await openModal(page)
  await expect(row(page, 'Quill')).toBeVisible()
  await expect.poll(() => count('MODAL_OPEN')).toBe(opened + 1)
  const batch = context.waitForEvent('request', request => request.url().includes('/batch?'))
  // In one task, so that the event cannot leave before the page is hidden
  await page.evaluate(() => {
    window.modal.close()
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  expect(JSON.parse((await batch).postData() ?? '')).toMatchObject([{ props: { event: 'MODAL_CLOSE' } }])
})
