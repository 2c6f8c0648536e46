/** Sign-in on a host page with the official wallet kit: all outcomes. */
import type { Page } from '@playwright/test'
import { type AuthPolicy, type AuthWallet, startAuthWallet } from '../stack/wallet/authWallet.ts'
import { noteCopy, notedCopy } from './clipboard.ts'
import { expect, test as base } from './fixtures.ts'
import { openHost, signIns } from './hosting.ts'
import { saveRecording } from './saveRecording.ts'
import { setClock } from './steering.ts'

const test = base.extend<{ knowing: AuthWallet; old: AuthWallet }>({
  /** Supports one-click auth. */
  knowing: async ({ stack }, provide) => {
    const wallet = await startAuthWallet({ ...relayOf(stack.addresses), secretKey: new Uint8Array(32).fill(31) })
    await provide(wallet)
    await wallet.close()
  },
  /** Lacks one-click auth, so it receives the fallback proposal. */
  old: async ({ stack }, provide) => {
    const wallet = await startAuthWallet({
      ...relayOf(stack.addresses),
      secretKey: new Uint8Array(32).fill(32),
      knows: false,
    })
    await provide(wallet)
    await wallet.close()
  },
})

/** The stack's settings for a wallet. */
function relayOf({ VITE_RELAY_URL, VITE_PROJECT_ID }: { VITE_RELAY_URL: string; VITE_PROJECT_ID: string }) {
  return { relayUrl: VITE_RELAY_URL, projectId: VITE_PROJECT_ID }
}

const shown = (page: Page) => page.getByTestId('sign-in-state')

/** Presses the host's button and copies the resulting code. */
async function press(page: Page): Promise<string> {
  await page.locator('#sign-in').click()
  await expect(page.getByTestId('copy-sign-in')).toBeEnabled()
  await noteCopy(page)
  await page.getByTestId('copy-sign-in').click()
  return notedCopy(page)
}

test('a sign-in on a host page: declined, altered, signed, approved instead, left and run out @long', async ({
  visit,
  site,
  knowing,
  old,
}) => {
  const visitor = await visit()
  await visitor.context.grantPermissions(['clipboard-write'])
  const page = await visitor.context.newPage()
  await openHost(page, site.url)
  const asks = async (auth: AuthPolicy['auth'], wallet = knowing) => {
    wallet.policy.auth = auth
    await wallet.pair(await press(page))
  }

  await asks('decline')
  await expect(shown(page)).toContainText('You declined')
  await page.getByTestId('leave-sign-in').click()
  await asks('alter')
  await expect(shown(page)).toContainText('This signature does not fit')
  await page.getByTestId('leave-sign-in').click()

  await asks('sign')
  await expect(shown(page)).toHaveCount(0)
  await asks('sign', old)
  await expect(shown(page)).toHaveCount(0)

  await press(page)
  await page.getByTestId('leave-sign-in').click()
  await press(page)
  await setClock(page, 61 * 60_000)
  await expect(shown(page)).toContainText('The wallet has not answered')
  await page.getByTestId('leave-sign-in').click()

  // A wallet that connected instead has signed nothing
  expect(await signIns(page)).toEqual([
    'user_rejected',
    'bad_response',
    `eip155:1:${knowing.address}`,
    '',
    'user_rejected',
    'expired',
  ])
  await page.evaluate(() => void window.modal.open('Connect'))
  await saveRecording(page, 'sign-in')
})
