/** The replayer with committed recordings: playback, search, causes, re-execution with the current code. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { writeRecording } from '../../src/runtime/recording/recording.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { redactRecording } from '../../src/worker/replay/redactRecording.ts'
import { noteCopy, notedCopy } from './clipboard.ts'
import { expect, test } from './fixtures.ts'

const recordings = fileURLToPath(new URL('../replay/recordings/', import.meta.url))
const bought = `${recordings}worker-killed-around-sending.jsonl`

/** Opens the replayer in a fresh profile; collects its errors. */
async function openReplayer(browser: Browser, url: string, look: { width: number; height: number; dark?: boolean }) {
  const { width, height, dark = false } = look
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    permissions: ['clipboard-write'],
  })
  const wrong: string[] = []
  const calls: string[] = []
  const page = await context.newPage()
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', error => wrong.push(error.message))
  page.on('request', request => calls.push(request.url()))
  await page.goto(`${url}replayer.html`)
  return { page, wrong, calls, close: () => context.close() }
}

const choose = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[type=file]').setInputFiles(files)
const shown = (page: Page) => page.frameLocator('iframe[title="The page at this point"]')
const where = (page: Page) => page.locator('.timeline-where')
/** @param rule of axe; absent: all of them */
async function violations(page: Page, rule?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const found = await (rule === undefined ? axe : axe.withRules([rule])).analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`)
}

test('a recording is played, searched, and followed from a fact to its command; nothing is called', async ({
  browser,
  site,
}) => {
  const { records } = await readRecordingFile(new Blob([await readFile(bought)]))
  const inputs = records.filter(({ record }) => record.k === 'i').length
  const { page, wrong, calls, close } = await openReplayer(browser, site.url, { width: 1280, height: 860 })
  expect(await violations(page)).toEqual([])
  await choose(page, bought)
  await expect(page.getByText(`${inputs} inputs re-run, every byte equal`)).toBeVisible()
  const loaded = calls.length

  await page.keyboard.press('Home')
  await expect(where(page)).toContainText('Page fact 1')
  await page.getByLabel('Pace').selectOption('64')
  await page.keyboard.press('Space')
  await expect(where(page)).toContainText(`Input ${inputs}`)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()

  await page.keyboard.press('/')
  await page.keyboard.type('order.finalised')
  await page.keyboard.press('Enter')
  await expect(page.locator('.find-hits')).toHaveText(/^1 of /)
  await page.getByRole('button', { name: 'Cause', exact: true }).click()
  await expect(shown(page).getByTestId('order-status')).toHaveAttribute('data-phase', 'finalised')
  expect(await violations(page)).toEqual([])

  const chain = page.getByRole('region', { name: 'Cause' }).getByRole('listitem')
  await expect(chain.first()).toContainText(/input\s*order\.place.*command from tab/)
  const n = Number(/n (\d+)/.exec((await chain.first().textContent()) ?? '')?.[1])
  await chain.first().getByRole('button').click()
  await expect(where(page)).toContainText(`Input ${n}`)
  await expect(page.getByRole('slider')).toHaveAttribute('aria-valuetext', new RegExp(`^input ${n}, 00:`))
  await expect(shown(page).getByTestId('order-status')).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(shown(page).getByTestId('order-status')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Model' })).toContainText(`since input ${n - 1}`)

  await noteCopy(page)
  await page.getByRole('button', { name: 'Copy as test' }).click()
  const command = await notedCopy(page)
  expect(command).toBe('npm run replay -- to-test worker-killed-around-sending.jsonl')
  // The chunks of screens load when first shown, and a browser with a window loads the icon; no other request is made
  const own = (url: string) => url.startsWith(`${site.url}replayer/`) || url === `${site.url}icon.svg`
  expect(calls.slice(loaded).filter(url => !own(url))).toEqual([])
  expect(wrong).toEqual([])
  await close()
})

test('the sample of the build is tried, its calls are listed, and a second recording is compared', {
  tag: '@long',
}, async ({ browser, site }) => {
  const { page, wrong, calls, close } = await openReplayer(browser, site.url, { width: 1280, height: 860 })
  await page.getByRole('button', { name: 'Try a sample' }).click()
  await expect(page.getByText('connect-installed-buy-sol.jsonl')).toBeVisible()
  await expect(page.getByText('every byte equal')).toBeVisible()
  await page.getByRole('button', { name: 'Calls', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Calls' }).getByRole('listitem').first()).toContainText('chain.identify')
  await page.getByRole('button', { name: 'Watch order', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Watched' })).toContainText('order')
  expect(await violations(page)).toEqual([])
  await choose(page, bought)
  await expect(page.locator('iframe[title="The page at this point"]')).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'Model, first to second' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(calls.filter(url => !url.startsWith(site.url))).toEqual([])
  expect(wrong).toEqual([])
  await close()
})

test('a recording in which one fact was changed shows the first difference @long', async ({ browser, site }) => {
  const { header, records } = await readRecordingFile(new Blob([await readFile(bought)]))
  const lines = records.map(({ line }) =>
    line.includes('"type":"order.quoted"') ? line.replace(/"min":"\d+"/, '"min":"1"') : line,
  )
  const quoted = records.find(({ record }) => record.k === 'f' && record.type === 'order.quoted')?.record
  const n = quoted?.k === 'f' ? quoted.n : 0
  const tampered = await writeRecording({ header, lines }, sha256Hex)
  const { page, wrong, close } = await openReplayer(browser, site.url, { width: 1280, height: 860, dark: true })
  await choose(page, { name: 'tampered.jsonl', mimeType: 'text/plain', buffer: Buffer.from(tampered) })
  await expect(page.getByText(`First difference at input ${n}`)).toBeVisible()
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: `First difference at input ${n}` })).toBeVisible()
  await expect(page.getByText(`${n - 1} inputs before it agree`)).toBeVisible()
  await expect(page.locator('mark.difference-old')).toHaveText(/"min": "1"/)
  await expect(page.getByText('data.min', { exact: true })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await noteCopy(page)
  await page.getByRole('button', { name: 'Copy report' }).click()
  const report = await notedCopy(page)
  expect(report).toContain(`First difference at input ${n}, order.place`)
  expect(report).toContain('npm run replay -- check tampered.jsonl')
  expect(wrong).toEqual([])
  await close()
})

test('a recording says what became of its personal values: with tokens it is held to the code, for looking only it is shown', {
  tag: '@long',
}, async ({ browser, site }) => {
  const recording = await readRecordingFile(new Blob([await readFile(bought)]))
  const redacted = async (policy: 'tokens' | 'view') => {
    const settings = { policy, key: 'a key', build: recording.header.coreBuild, deciders }
    const { text } = await redactRecording(recording, settings, sha256Hex)
    return { name: `${policy}.replay.jsonl`, mimeType: 'text/plain', buffer: Buffer.from(text) }
  }
  const { page, wrong, close } = await openReplayer(browser, site.url, { width: 1280, height: 860 })
  await choose(page, await redacted('tokens'))
  await expect(page.getByText('Personal values replaced')).toBeVisible()
  await expect(page.getByText('every byte equal')).toBeVisible()
  await page.keyboard.press('End')
  await expect(shown(page).getByTestId('order-status')).toHaveAttribute('data-phase', 'finalised')

  await page.getByRole('button', { name: 'Open another' }).click()
  await choose(page, await redacted('view'))
  await expect(page.getByText('Amounts blanked, for looking only')).toBeVisible()
  await expect(page.getByText('Not re-executed.')).toBeVisible()
  await expect(page.getByText(/cannot be re-executed: its amounts are blanked/)).toBeVisible()
  await expect(page.getByText('Not re-run')).toBeVisible()
  await page.keyboard.press('End')
  await expect(shown(page).getByTestId('order-status')).toHaveAttribute('data-phase', 'finalised')
  expect(await violations(page)).toEqual([])
  expect(wrong).toEqual([])
  await close()
})

test('a narrow window and large text hold everything, in both themes', { tag: '@long' }, async ({ browser, site }) => {
  const { page, wrong, close } = await openReplayer(browser, site.url, { width: 390, height: 844 })
  await choose(page, bought)
  await expect(page.getByText('every byte equal')).toBeVisible()
  await page.getByLabel('Find').fill('order.finalised')
  await expect(page.locator('.find-hits')).toHaveText(/^\d/)
  await page.getByText('Keys').click()
  for (const [width, size] of [
    [320, '100%'],
    [390, '100%'],
    [390, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate(fontSize => document.documentElement.style.setProperty('font-size', fontSize), size)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `px beyond a window of ${width} px at ${size}`).toBeLessThanOrEqual(0)
  }
  expect(await violations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page, 'color-contrast')).toEqual([])
  expect(wrong).toEqual([])
  await close()
})
