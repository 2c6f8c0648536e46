/** The page of the proof's stack, built as published, in a real browser: its worker computes the ledger when a visitor asks for it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import type { Addresses } from '../../../../../scripts/addresses.ts'
import { serveSite } from '../../../../../scripts/preview.ts'
import { savedBrowser } from '../../../../../scripts/savedBrowser.ts'
import { buildPublished } from '../../../../bench/builds.ts'
import type { OnDone } from '../report.ts'

/** The page's verdict. `hash`: of the last row; processor time and memory are those of the renderer, above the idle page's. */
export type PageLedger = {
  hash: string
  differs: boolean
  seconds: number
  cpuSeconds: number
  peakMB: number | undefined
}

const lookMs = 1000

/** Opens the page, presses “Verify this sale” and waits for the verdict. */
export async function pageLedger(addresses: Addresses, onDone: OnDone): Promise<PageLedger> {
  const outDir = await mkdtemp(join(tmpdir(), 'presale-page-'))
  await buildPublished({ outDir, addresses })
  const site = await serveSite({ dir: outDir, port: 0 })
  const executablePath = savedBrowser()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ locale: 'en-US' })
    await page.goto(site.url)
    return await verdictOn(browser, page, onDone)
  } finally {
    await browser.close()
    await site.close()
    await rm(outDir, { recursive: true })
  }
}

async function verdictOn(browser: Browser, page: Page, onDone: OnDone): Promise<PageLedger> {
  const card = page.getByTestId('verification')
  const start = card.getByRole('button', { name: 'Verify', exact: true })
  await start.waitFor({ timeout: 60_000 })
  const before = await costOf(browser)
  const began = performance.now()
  await start.click()
  // The team's own figures, which stand there before, are no verdict
  const verdict = card.locator('table:not([data-testid="published"]) caption')
  let peak = before.megabytes
  while ((await verdict.count()) === 0) {
    const said = await card.innerText()
    if (/Not verified|Stopped before/.test(said))
      throw new Error(`the page’s worker expected a verdict, the page says: ${said}`)
    const [, done, all] = /([\d,]+) of ([\d,]+)/.exec(said) ?? []
    if (done && all) onDone(numberOf(done), numberOf(all))
    const { megabytes } = await costOf(browser)
    if (megabytes !== undefined) peak = Math.max(peak ?? 0, megabytes)
    await page.waitForTimeout(lookMs)
  }
  const after = await costOf(browser)
  const hash = await card.locator('table').last().locator('.address').last().innerText()
  const title = await card.locator('b').first().innerText()
  return {
    hash,
    differs: (await card.locator('.text-bad').count()) > 0 || title === '',
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    peakMB: peak === undefined || before.megabytes === undefined ? undefined : peak - before.megabytes,
  }
}

const numberOf = (text: string) => Number(text.replaceAll(',', ''))

/** Processor time of the renderers so far, and their memory where the system tells it. */
async function costOf(browser: Browser): Promise<{ cpuSeconds: number; megabytes: number | undefined }> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const held = renderers.flatMap(({ id }) => residentMB(id) ?? [])
  return {
    cpuSeconds: renderers.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
    megabytes: held.length === 0 ? undefined : held.reduce((sum, one) => sum + one, 0),
  }
}

function residentMB(id: number): number | undefined {
  const file = `/proc/${id}/status`
  const told = existsSync(file) ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) : null
  return told ? (Number(told[1]) * 1024) / 1e6 : undefined
}
