/** One real WalletConnect purchase on the published page, with the official wallet kit as the wallet. */
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright'
import { mark, startTrace, stopTrace, type Task } from './trace.ts'
import { noteCopy, notedCopy } from '../journeys/clipboard.ts'
import { seededKeypair } from '../stack/solana/keys.ts'
import type { Stack } from '../stack/start.ts'
import { type KitWallet, startKitWallet } from '../stack/wallet/kit.ts'

export const stretches = ['pairing', 'settlement', 'signing'] as const
export type Stretch = (typeof stretches)[number]

export type Purchase = {
  /** The page's tasks by stretch. */
  tasks: Record<Stretch, Task[]>
  /** The recording's text, as a visitor saves it. */
  recording: string
}

type Options = {
  browser: Browser
  stack: Stack
  url: string
  /** Wait until the payment is final, about 13 s longer; then the recording ends at rest. */
  toTheEnd?: boolean
}

/**
 * Connects, buys for 1 SOL, waits until the payment is confirmed and saves the recording.
 *
 * @param options.url of the published page, built for this stack
 */
export async function purchaseOnce({ browser, stack, url, toTheEnd = false }: Options): Promise<Purchase> {
  const { secretKey } = seededKeypair('bench', 'visitor')
  const wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey,
    rpcUrl: stack.solana.url,
  })
  const origin = new URL(url).origin
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true })
  try {
    stack.solana.give(wallet.address, { sol: '20', usdc: '0' })
    await context.grantPermissions(['clipboard-write'], { origin })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(url)
    return await buy(browser, page, wallet, toTheEnd)
  } catch (problem) {
    // An unfinished trace would block the next one
    await browser.stopTracing().catch(() => undefined)
    throw problem
  } finally {
    await context.close()
    await wallet.close()
  }
}

async function buy(browser: Browser, page: Page, wallet: KitWallet, toTheEnd: boolean): Promise<Purchase> {
  const at = (testid: string) => page.getByTestId(testid)
  await page.getByText('Live').first().waitFor()
  await startTrace(browser, page)
  await mark(page, 'begun')
  await at('connect-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]').click()
  await at('qr').waitFor()
  await noteCopy(page)
  await at('copy-uri').click()
  const uri = await notedCopy(page)
  await wallet.pair(uri)
  await wallet.next('proposal')
  await mark(page, 'proposed')
  await at('account-button').waitFor()
  await mark(page, 'connected')
  await page.keyboard.press('Escape')

  await at('pay-amount').fill('1')
  for (const box of await page.locator('[data-testid^="acknowledge-"]').all()) await box.check()
  await payable(page)
    .waitFor()
    .catch(async () => {
      const label = await at('buy-button').first().textContent()
      throw new Error(`the button expected to say Pay, it says “${label}”`)
    })
  await mark(page, 'paying')
  await payable(page).click()
  await page.locator('[data-testid="order-status"]').waitFor()
  const ended = page.locator('[data-testid="order-status"]:is([data-phase="confirmed"], [data-phase="finalised"])')
  await ended.waitFor()
  await mark(page, 'confirmed')
  const tasks = await stopTrace(browser)
  if (toTheEnd) await page.locator('[data-testid="order-status"][data-phase="finalised"]').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), at('download-recording').click()])
  return {
    tasks: {
      pairing: tasks('begun', 'proposed'),
      settlement: tasks('proposed', 'connected'),
      signing: tasks('paying', 'confirmed'),
    },
    recording: await readFile(await download.path(), 'utf8'),
  }
}

/** The buy button once it can pay; until then its label gives the reason. */
function payable(page: Page): Locator {
  return page.locator('[data-testid="buy-button"]:not([aria-disabled])', { hasText: /^Pay/ })
}
