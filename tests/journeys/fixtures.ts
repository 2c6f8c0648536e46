/**
 * Fixtures of every journey: one local stack and its site per Playwright worker, a fresh browser profile per test.
 * An unannounced page error, policy violation or console error fails the journey.
 */
import {
  test as base,
  type Browser,
  type BrowserContext,
  expect,
  type Page,
  type TestInfo,
  type WorkerInfo,
} from '@playwright/test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { installedWalletScript } from '../stack/installed/bundle.ts'
import type { InstallOptions } from '../stack/installed/install.ts'
import { type JourneySite, startSite } from '../stack/site.ts'
import type { Fill } from '../stack/solana/presale/fill/fill.ts'
import { type Stack, startStack, tokenNames } from '../stack/start.ts'
import { notePhases } from './phases.ts'
import { storedText } from './secrets.ts'
import { behaving } from '../stack/relay/switches.ts'
import { witnessing } from '../stack/verify/switches.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Browser profile of one visitor, with its errors so far. */
export type Visit = {
  context: BrowserContext
  /** Opens the presale page in a new tab. */
  open(): Promise<Page>
  /** Allows matching console lines, for journeys that break something on purpose. */
  expectTrouble(...lines: RegExp[]): void
  /** Console output of all pages and workers of this profile, oldest first. */
  console(): readonly string[]
}

type VisitOptions = {
  wallets?: InstallOptions['wallets']
  announce?: InstallOptions['announce']
  context?: Parameters<import('@playwright/test').Browser['newContext']>[0]
}

/** A visitor without reduced motion, the common case. */
export const inMotion = { reducedMotion: 'no-preference' } as const

type TestFixtures = {
  /** Creates a visitor; by default with the wallet Quill installed, which prompts in its own window. */
  visit(options?: VisitOptions): Promise<Visit>
  /** Opens the wallet page in a profile of its own. `query` holds its switches. */
  openWallet(query?: string): Promise<Page>
  /** Resets chain, relay, services and verify service after each test. */
  order: void
}

/** A stack and the site built for it. */
export type World = { stack: Stack; site: JourneySite }

export const test = base.extend<TestFixtures, World>({
  stack: stackOf(workerIndex => `journeys ${workerIndex}`),

  site: [
    async ({ stack }, provide) => {
      const site = await startSite({ addresses: stack.addresses })
      await provide(site)
      await site.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  order: [
    async ({ stack }, provide) => {
      await provide()
      stack.solana.control({
        faults: {},
        release: true,
        advanceOnSend: 0,
        operator: { termsFile: 'normal', noticesFile: 'normal', replace: {} },
      })
      stack.relay.control(behaving)
      stack.services.control({ reset: true })
      stack.verify.control(witnessing)
    },
    { auto: true },
  ],

  visit: ({ browser, stack, site }, provide, testInfo) => receiveVisits({ browser, stack, site }, provide, testInfo),

  openWallet: async ({ browser, stack }, provide, testInfo) => {
    const contexts: BrowserContext[] = []
    await provide(async (query = '') => {
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await page.goto(`${stack.wallet.url}/?seed=${wordOf(testInfo.testId)}&${query}`)
      await expect(page.locator('#wallet[data-ready="true"]')).toBeVisible()
      return page
    })
    for (const context of contexts) await context.close()
  },
})

/**
 * A test whose file has a stack of its own, as it moves the chain's clock, which cannot go back.
 *
 * @param fill other orders than those of a day
 */
export function testWithOwnStack(seed: string, fill?: Fill): typeof test {
  return test.extend<object, World>({ stack: stackOf(() => seed, fill) })
}

/** A stack whose clock stands still until advanced. */
function stackOf(seedOf: (workerIndex: number) => string, fill?: Fill): StackFixture {
  return [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what is wanted from this pattern
    async ({}, provide, { workerIndex }) => {
      const cacheDir = join(root, 'node_modules/.cache')
      const baseUnix = Math.floor(Date.now() / 1000)
      const own = { clock: 'manual', seed: seedOf(workerIndex), baseUnix, cacheDir } as const
      const stack = await startStack({ ...own, ...(fill && { fill }) })
      await provide(stack)
      await stack.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ]
}
type StackFixture = [
  (given: object, provide: (stack: Stack) => Promise<void>, worker: WorkerInfo) => Promise<void>,
  { scope: 'worker'; timeout: number },
]

/** The fixture `visit` with a stack and its site: keeps the logs of a failed journey, and fails one with unannounced errors. */
async function receiveVisits(
  { browser, stack, site }: World & { browser: Browser },
  provide: (visit: TestFixtures['visit']) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  const visits: { context: BrowserContext; wrong(): string[] }[] = []
  await provide(async ({ wallets, announce, context: settings } = {}) => {
    const context = await browser.newContext({ acceptDownloads: true, ...settings })
    const chosen = wallets ?? [{ name: 'Quill', word: wordOf(testInfo.testId) }]
    await context.addInitScript(notePhases)
    await context.addInitScript({
      content: await installedWalletScript({
        rpcUrl: stack.solana.url,
        wallets: chosen,
        tokens: tokenNames(stack.solana),
        ...(announce ? { announce } : {}),
      }),
    })
    const { wrong, expectTrouble, lines } = await watchTrouble(context)
    visits.push({ context, wrong })
    return {
      context,
      expectTrouble,
      console: () => lines,
      async open() {
        const page = await context.newPage()
        await page.goto(site.url)
        return page
      },
    }
  })
  const pages = visits.flatMap(({ context }) => context.pages())
  if (testInfo.status !== testInfo.expectedStatus)
    await Promise.all(pages.map((page, at) => keepLog(page, testInfo.outputPath(`log-${at + 1}.txt`))))
  const problems = visits.flatMap(({ wrong }) => wrong())
  for (const { context } of visits) await context.close()
  expect(problems, 'what went wrong in the browser').toEqual([])
}

export { expect }

/** Seed word of a test's wallets: no two tests share an account. */
function wordOf(testId: string): string {
  return `journey-${testId}`
}

/** Writes the log of a failed journey's visitor beside the report. A hanging or closed page has none. */
async function keepLog(page: Page, path: string): Promise<void> {
  const text = await Promise.race([storedText(page), setTimeout(10_000)]).catch(() => undefined)
  if (text !== undefined) await writeFile(path, text)
}

async function watchTrouble(context: BrowserContext) {
  const lines: string[] = []
  const problems: string[] = []
  const allowed: RegExp[] = []
  const wrong = (line: string) => void problems.push(line)
  await context.exposeBinding('__violation', (_, text: string) => wrong(`policy violation: ${text}`))
  await context.addInitScript(() => {
    const tell = (window as unknown as { __violation(text: string): void }).__violation
    addEventListener('securitypolicyviolation', event =>
      tell(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    )
  })
  context.on('weberror', error => wrong(`page error: ${error.error().message}`))
  context.on('console', message => {
    const line = `${message.type()}: ${message.text()} ${message.location().url}`
    lines.push(line)
    if (message.type() === 'error') wrong(line)
  })
  return {
    lines,
    wrong: () => problems.filter(line => !allowed.some(pattern => pattern.test(line))),
    expectTrouble: (...patterns: RegExp[]) => void allowed.push(...patterns),
  }
}
