/** The wallet page Pocket, which runs the official wallet kit, and the way a visitor connects to it. */
import { expect, type Locator, type Page } from '@playwright/test'
import { connectedAddress } from './buying.ts'
import { noteCopy, notedCopy } from './clipboard.ts'

/** Pocket's prompt: a connection proposal, or a request to sign. */
export const question = (wallet: Page, kind: 'proposal' | 'request'): Locator =>
  wallet.locator(`[data-testid="wallet-request"][data-kind="${kind}"]`)

/** Pocket's log, newest first. */
export const pocketLog = (wallet: Page): Locator => wallet.getByTestId('wallet-log')

export async function approve(wallet: Page, kind: 'proposal' | 'request'): Promise<void> {
  await expect(question(wallet, kind)).toBeVisible()
  await wallet.getByTestId('wallet-approve').click()
}

export async function decline(wallet: Page, kind: 'proposal' | 'request'): Promise<void> {
  await expect(question(wallet, kind)).toBeVisible()
  await wallet.getByTestId('wallet-decline').click()
}

/** Opens the QR code and copies its link. @returns the `wc:` URI that was copied */
export async function copyUri(page: Page): Promise<string> {
  await page.getByTestId('connect-button').click()
  return takeCode(page)
}

/** From the list of wallets: opens the plain code and copies its link. @returns the copied `wc:` URI */
export async function takeCode(page: Page): Promise<string> {
  await showCode(page)
  return copyShown(page)
}

/** From the list of wallets: opens the plain code. */
export async function showCode(page: Page): Promise<void> {
  await page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]').click()
  await expect(page.getByTestId('qr')).toBeVisible()
}

/** Copies the link of the code that is shown. @returns the `wc:` URI that was copied */
export async function copyShown(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-write'])
  await noteCopy(page)
  await page.getByTestId('copy-uri').click()
  await expect(page.getByTestId('modal').getByTestId('toast')).toContainText('Link copied')
  const uri = await notedCopy(page)
  expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  return uri
}

/** Gives Pocket a link. */
export async function pair(wallet: Page, uri: string): Promise<void> {
  await wallet.getByTestId('wallet-uri').fill(uri)
  await wallet.getByTestId('wallet-pair').click()
}

/** Pairs, approves in Pocket, and waits until the page shows the account. @returns its address and the link used */
export async function connectPocket(page: Page, wallet: Page): Promise<{ account: string; uri: string }> {
  const uri = await copyUri(page)
  await pair(wallet, uri)
  await approve(wallet, 'proposal')
  const account = await connectedAddress(page)
  await expect(wallet.getByTestId('wallet-address')).toHaveAttribute('data-address', account)
  return { account, uri }
}

/** Number of requests Pocket has shown. */
export async function timesAsked(wallet: Page): Promise<number> {
  return pocketLog(wallet).locator('p', { hasText: ' asks: ' }).count()
}

/** All secrets the kit stores in this browser: symmetric and private keys as hex. */
export function pocketKeys(wallet: Page): Promise<string[]> {
  return wallet.evaluate(async () => {
    const found: string[] = []
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name ?? '')
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of db.objectStoreNames) {
        const rows = await new Promise<[IDBValidKey, unknown][]>((resolve, reject) => {
          const read = db.transaction(store).objectStore(store)
          const keys = read.getAllKeys()
          const values = read.getAll()
          values.onsuccess = () => resolve(keys.result.map((key, at) => [key, values.result[at]]))
          values.onerror = () => reject(values.error)
        })
        for (const [key, value] of rows) {
          if (!String(key).includes('keychain')) continue
          const keychain = typeof value === 'string' ? (JSON.parse(value) as unknown) : value
          for (const secret of Object.values(keychain as Record<string, unknown>))
            if (typeof secret === 'string') found.push(secret)
        }
      }
      db.close()
    }
    return found
  })
}
