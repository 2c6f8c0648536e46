import type { Page } from '@playwright/test'
import { leaks } from '../events/spellings.ts'
import { buyMore, fund, order, payments, phase, settle } from './buying.ts'
import { expect, inMotion, test } from './fixtures.ts'
import {
  approve,
  connectPocket,
  copyUri,
  decline,
  pair,
  pocketKeys,
  pocketLog,
  timesAsked,
  question,
} from './pocket.ts'
import { saveRecording } from './saveRecording.ts'
import { notePosted, postedText, storedText } from './secrets.ts'

test.describe.configure({ mode: 'parallel' })

test('a visitor scans, buys with SOL and USDC through the official wallet kit, and leaves no key behind', async ({
  visit,
  openWallet,
  stack,
}) => {
  const visitor = await visit({ context: inMotion })
  await visitor.context.addInitScript(notePosted)
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account, uri } = await connectPocket(page, wallet)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '2.5' })
  await expect(wallet.getByTestId('wallet-words')).toContainText('2.5 SOL')
  await phase(page, 'awaitingSignature')
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_500_000_000n, memoUnits: 2_500_000_000n }])
  const saved = await saveRecording(page, 'walletconnect-buy-sol')

  await buyMore(page)
  await order(page, { asset: 'USDC', amount: '375' })
  await expect(wallet.getByTestId('wallet-words')).toContainText('375 USDC')
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL' }, { asset: 'USDC', units: 375_000_000n }])
  expect(await timesAsked(wallet)).toBe(2)

  const symKey = new URLSearchParams(uri.split('?')[1]).get('symKey') ?? ''
  const keys = [symKey, ...(await pocketKeys(wallet))].filter(key => /^[0-9a-f]{64}$/.test(key))
  expect(keys.length).toBeGreaterThanOrEqual(3)
  const places = {
    recording: saved.text,
    storage: await storedText(page),
    console: visitor.console().join('\n'),
    page: await page.content(),
    messages: await postedText(page),
  }
  expect(places.storage.includes('order.finalised'), 'the log is among what is stored').toBe(true)
  expect(places.messages.includes('order.place'), 'commands are among what is posted').toBe(true)
  const secrets = { uri, ...Object.fromEntries(keys.map((key, at) => [`key ${at}`, key])) }
  expect(leaks(secrets, places)).toEqual([])

  await wallet.getByTestId('wallet-disconnect').click()
  await expect(page.getByTestId('connect-button')).toBeVisible()
})

/** Emulates a worker of Chromium 136 or Firefox 129 and earlier, whose Web Crypto lacks both curves. */
function loseCurves(): void {
  const importKey = crypto.subtle.importKey.bind(crypto.subtle) as (...key: unknown[]) => Promise<CryptoKey>
  SubtleCrypto.prototype.importKey = (format: string, key: unknown, algorithm: unknown, ...rest: unknown[]) =>
    algorithm === 'Ed25519' || algorithm === 'X25519'
      ? Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'))
      : importKey(format, key, algorithm, ...rest)
}

test('a visitor whose browser lacks the curves connects and buys by ours, also after a reload', {
  tag: '@long',
}, async ({ visit, openWallet, stack }) => {
  const visitor = await visit()
  const own: string[] = []
  visitor.context.on('request', request => {
    if (/\/curvesNoble-[^/]*\.js$/.test(request.url())) own.push(request.url())
  })
  visitor.context.on('page', page => page.on('worker', worker => void worker.evaluate(loseCurves)))
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  expect(own).not.toEqual([])
  await page.reload()
  await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', account)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
})

test('a declined code says so; a session outlives a reload, a cut line and garbage @long', async ({
  visit,
  openWallet,
  stack,
}) => {
  const visitor = await visit()
  visitor.expectTrouble(/WebSocket connection to .* failed/)
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])

  await pair(wallet, await copyUri(page))
  await decline(wallet, 'proposal')
  await expect(page.getByTestId('modal')).toContainText('You declined')
  await page.getByTestId('modal-close').click()

  const { account } = await connectPocket(page, wallet)
  await page.reload()
  await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', account)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '2' })
  await phase(page, 'awaitingSignature')
  await decline(wallet, 'request')
  await phase(page, 'rejected')
  await expect(page.getByTestId('order-status')).toContainText('You declined. Nothing was paid.')
  await saveRecording(page, 'declined')
  await page.getByTestId('buy-button').click()

  // The connection is cut while the wallet answers: the answer waits in the mailbox.
  await order(page, { asset: 'SOL', amount: '2' })
  await phase(page, 'awaitingSignature')
  // It goes to the wallet only once it is persisted and attested
  await expect(question(wallet, 'request')).toBeVisible()
  stack.relay.control({ garbage: true })
  await cutLineOf(page, async () => approve(wallet, 'request'))
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_000_000_000n }])
  expect(await timesAsked(wallet)).toBe(2)
  await expect(pocketLog(wallet)).toContainText('Answered solana_signTransaction')

  // The page ends the session.
  await page.getByTestId('account-button').click()
  await page.getByTestId('disconnect').click()
  await expect(page.getByTestId('connect-button')).toBeVisible()
  await expect(wallet.getByTestId('wallet-session')).toHaveCount(0)
})

/** Takes the page offline while `meanwhile` runs. */
async function cutLineOf(page: Page, meanwhile: () => Promise<void>): Promise<void> {
  await page.context().setOffline(true)
  await meanwhile()
  await page.context().setOffline(false)
}
