/** Steps of a visitor's purchase, and reads of it from the chain. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { InstalledPolicy } from '../stack/installed/wallet.ts'
import { readOrderMemo } from '../stack/solana/presale/marks.ts'
import type { Stack } from '../stack/start.ts'
import { setClock } from './steering.ts'

/** The confirm window of the installed wallet. */
export const confirmWindow = (page: Page): Locator => page.locator('#installed-wallet-confirm')

export const orderCard = (page: Page): Locator => page.getByTestId('order-status')

/** Waits until the order shows a phase. */
export async function phase(page: Page, wanted: string | RegExp): Promise<void> {
  await expect(orderCard(page)).toHaveAttribute('data-phase', wanted)
}

/**
 * Advances this device's clock until the order has expired.
 *
 * @param from offset of the clock before, ms
 */
export async function expire(page: Page, { solana }: Pick<Stack, 'solana'>, from = 0): Promise<void> {
  const advance = (passed: number) => setClock(page, from + passed, passed)
  await expireBy(solana.url, advance, () => isExpired(page))
  await phase(page, 'expired')
}

/**
 * Advances clocks, in steps too small to count as jumps, until an order has expired. Waits for two looks at the chain after each
 * step: the first one counted may have begun before it, the second one has not. Two steps make the minute; with a new worker, as on
 * a busy machine, it begins again.
 *
 * @param advance sets the clocks this far ahead, ms
 */
export async function expireBy(
  rpcUrl: string,
  advance: (passed: number) => Promise<void>,
  isOver: () => Promise<boolean>,
): Promise<void> {
  const looks = async () => {
    const { calls } = (await (await fetch(`${rpcUrl}/state`)).json()) as { calls: Record<string, number> }
    return calls.getSignatureStatuses ?? 0
  }
  for (const passed of [40_000, 80_000, 120_000, 160_000]) {
    const before = await looks()
    await advance(passed)
    if (passed === 40_000) await expect.poll(looks).toBeGreaterThan(before + 1)
    else await expect.poll(async () => (await isOver()) || (await looks()) > before + 1).toBe(true)
    if (await isOver()) return
  }
}

const isExpired = async (page: Page): Promise<boolean> =>
  (await orderCard(page).getAttribute('data-phase')) === 'expired'

/** Connects an installed wallet by its name and approves in its window. @returns the account's address */
export async function connectInstalled(page: Page, name = 'Quill'): Promise<string> {
  await page.getByTestId('connect-button').click()
  await page.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`).click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  return connectedAddress(page)
}

/** Waits for the connected account in the top bar. */
export async function connectedAddress(page: Page): Promise<string> {
  const button = page.getByTestId('account-button')
  await expect(button).toBeVisible()
  await expect(page.getByTestId('modal')).toBeHidden()
  return (await button.getAttribute('data-address')) ?? ''
}

/** Funds a connected account with 20 SOL and 1000 USDC, final at once, and waits until the page shows it. */
export async function fund(stack: Stack, page: Page, address: string): Promise<void> {
  stack.solana.give(address, { sol: '20', usdc: '1000' })
  stack.solana.chain.advance(40)
  await readUntil(page, () => expect(page.locator('#buy')).toContainText('Balance 20', { timeout: 500 }))
}

/** Fills the calculator, ticks the statements and presses the button; a request to the wallet follows. */
export async function order(page: Page, { asset, amount }: { asset: 'SOL' | 'USDC'; amount: string }): Promise<void> {
  await page.getByTestId('asset-select').selectOption(asset)
  await page.getByTestId('pay-amount').fill(amount)
  for (const statement of ['terms', 'region', 'risk']) await page.getByTestId(`acknowledge-${statement}`).check()
  const button = page.getByTestId('buy-button')
  await expect(button).toContainText(`Pay ${amount} ${asset}`)
  await button.click()
}

/** Places an expired purchase again, by one press. */
export async function payAgain(page: Page): Promise<void> {
  const button = page.getByTestId('buy-button')
  await expect(button).toHaveText('Pay again')
  await button.click()
}

/** Dismisses a finished order. */
export async function buyMore(page: Page): Promise<void> {
  const button = page.getByTestId('buy-button')
  await expect(button).toHaveText('Buy more')
  await button.click()
  await expect(orderCard(page)).toHaveCount(0)
}

/** A payment that reached the treasury: base units of its asset. */
export type Landed = { signature: string; asset: string; units: bigint; memoUnits: bigint; orderKey: string }

/** All landed orders of a buyer, oldest first, by the treasury's balance. */
export function payments({ solana }: Stack, buyer: string): Landed[] {
  const { treasury, treasuryUsdc } = solana.info
  const found: Landed[] = []
  for (const record of solana.chain.ledger.all()) {
    if (record.err !== null || record.addresses[0] !== buyer) continue
    const inSol = change(record.addresses.indexOf(treasury), record.before, record.after)
    const place = record.addresses.indexOf(treasuryUsdc)
    const tokens = (list: typeof record.tokensAfter) => list.find(held => held.accountIndex === place)?.amount ?? '0'
    const inUsdc = place < 0 ? 0n : BigInt(tokens(record.tokensAfter)) - BigInt(tokens(record.tokensBefore))
    if (inSol === 0n && inUsdc === 0n) continue
    const memo = readOrderMemo((record.memo ?? '').replace(/^\[\d+\] /, ''))
    found.push({
      signature: record.signature,
      asset: inSol > 0n ? 'SOL' : 'USDC',
      units: inSol > 0n ? inSol : inUsdc,
      memoUnits: memo?.units ?? 0n,
      orderKey: memo?.id ?? '',
    })
  }
  return found
}

function change(place: number, before: string[], after: string[]): bigint {
  return place < 0 ? 0n : BigInt(after[place] ?? 0) - BigInt(before[place] ?? 0)
}

/** Advances the chain until a sent order is final. */
export async function settle(stack: Stack, page: Page): Promise<void> {
  await phase(page, /seen|confirmed/)
  stack.solana.chain.advance(2)
  await phase(page, 'confirmed')
  stack.solana.chain.advance(40)
  await phase(page, 'finalised')
}

/** Connects Quill, gives it money, and buys for 2.5 SOL. @returns its account, and the signature of the final payment */
export async function connectAndBuy(stack: Stack, page: Page): Promise<{ account: string; signature: string }> {
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '2.5' })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await settle(stack, page)
  return { account, signature: payments(stack, account)[0]?.signature ?? '' }
}

/** Prompts of an installed wallet, by kind. */
export function prompts(page: Page, name = 'Quill'): Promise<Record<string, number>> {
  return page.evaluate(key => ({ ...window.__wallets[key]?.prompts }) as Record<string, number>, name)
}

/** Sets the policy of the installed wallet in this page. */
export function decide(page: Page, policy: Partial<InstalledPolicy>): Promise<void> {
  return page.evaluate(change => {
    const wallet = window.__wallets['Quill']
    if (wallet) Object.assign(wallet.policy, change)
  }, policy)
}

/** Makes the page read the sale now: it does so when the browser comes online, else every 28 s. */
export async function readSaleNow(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('online')))
}

/** Makes the page read the sale until an assertion passes; a reading includes the notices. */
export async function readUntil(page: Page, shown: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await readSaleNow(page)
    await shown()
  }).toPass({ intervals: [200] })
}

/** Presses a button until its result shows; the button may disappear on its own when the result is there. */
export async function pressUntil(button: Locator, shown: Locator): Promise<void> {
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 500 })
    await expect(shown).toBeVisible({ timeout: 500 })
  }).toPass()
}

/** Makes the operator judge and publish all final payments, and waits until the page shows a new sum raised. */
export async function checkpointRead(stack: Stack, page: Page): Promise<void> {
  const before = (await page.getByTestId('raised').textContent()) ?? ''
  stack.solana.control({ operator: { checkpoint: true } })
  stack.solana.chain.advance(40)
  await readUntil(page, () => expect(page.getByTestId('raised')).not.toHaveText(before, { timeout: 500 }))
}

/** Waits until the node has accepted a payment and holds it back. */
export async function heldBack({ solana }: Stack): Promise<void> {
  const held = async () => ((await (await fetch(`${solana.url}/state`)).json()) as { held: number }).held
  await expect.poll(held).toBeGreaterThan(0)
}
