/** The modal's ways: by the keyboard alone, behind a box to tick, collapsed, and with WalletConnect alone. */
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Page } from '@playwright/test'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import { messageBytes, readTransaction } from '../../src/worker/chains/solana/wire.ts'
import { legacyBytes } from '../worker/chains/solana/exampleOrder.ts'
import { confirmWindow, connectInstalled, fund } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { openModalHost } from './hosting.ts'
import { approve, copyShown, pair } from './pocket.ts'
import { faultsOf, tabTo } from './reach.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

const title = (page: Page) => page.getByTestId('modal-title')
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.textContent)
const press = async (page: Page, selector: string) => {
  await tabTo(page, selector)
  await page.keyboard.press('Enter')
}

test('the whole modal works by the keyboard: search, choose, switch the way, go back, close, and the focus returns', async ({
  visit,
}) => {
  const page = await (await visit()).open()
  const opener = page.getByTestId('connect-button')
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('wallet-row').nth(3)).toBeVisible()
  expect(await focused(page)).toBe('modal')
  await page.keyboard.press('Shift+Tab')
  expect(await page.getByTestId('modal').evaluate(sheet => sheet.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Tab')
  expect(await page.getByTestId('modal').evaluate(sheet => sheet.contains(document.activeElement))).toBe(true)

  await press(page, '[aria-label="What is a wallet?"]')
  await expect(title(page)).toHaveText('What is a wallet?')
  await press(page, 'text=Get a wallet')
  await expect(title(page)).toHaveText('Get a wallet')
  await press(page, '[data-testid="modal-back"]')
  await press(page, '[data-testid="modal-back"]')
  await expect(title(page)).toHaveText('Connect wallet')

  await press(page, '[data-testid="all-wallets-row"]')
  await tabTo(page, '[data-testid="wallet-search"]')
  await page.keyboard.type('okx')
  const found = page.locator('[data-testid="wallet-row"][data-wallet="OKX Wallet"]')
  await expect(found).toBeVisible()
  await press(page, '[data-testid="wallet-row"][data-wallet="OKX Wallet"]')
  await expect(title(page)).toHaveText('OKX Wallet')
  const ways = page.getByRole('group', { name: 'Ways to connect' }).getByRole('button')
  await expect(ways.first()).toHaveAttribute('aria-pressed', 'true')
  await press(page, '[role="group"][aria-label="Ways to connect"] button:last-child')
  await expect(ways.last()).toHaveAttribute('aria-pressed', 'true')
  await press(page, '[role="group"][aria-label="Ways to connect"] button:first-child')
  await expect(page.getByTestId('qr')).toBeVisible()
  await press(page, '[data-testid="modal-back"]')
  await expect(title(page)).toHaveText('All wallets')
  await press(page, '[data-testid="modal-close"]')
  await expect(page.getByTestId('modal')).toBeHidden()
  await expect(opener).toBeFocused()

  await page.keyboard.press('Enter')
  await press(page, '[data-testid="wallet-row"][data-wallet="Quill"]')
  await expect(page.getByTestId('modal').locator('h3')).toHaveText('Continue in Quill')
  await confirmWindow(page).getByTestId('confirm-approve').press('Enter')
  await expect(page.getByTestId('account-button')).toBeVisible()
  await saveRecording(page, 'modal-by-keyboard')
})

const account = (page: Page) => page.evaluate(() => window.modal.getAccount())

/** @returns an unsigned transfer of an account to itself */
function transferOf(payer: string, lamports: number): Uint8Array {
  const key = new PublicKey(payer)
  return legacyBytes([SystemProgram.transfer({ fromPubkey: key, toPubkey: key, lamports })], key)
}

/** Has the host's modal sign transactions. */
async function signAll(page: Page, transactions: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const signed = await page.evaluate(
    async all => (await window.modal.signAllTransactions(all.map(one => Uint8Array.from(one)))).map(one => [...one]),
    transactions.map(one => [...one]),
  )
  return signed.map(one => Uint8Array.from(one))
}

/** Whether a transaction has the payer's valid signature over what it was given. */
function isSignedFor(signed: Uint8Array, given: Uint8Array, payer: string): boolean {
  const [signature = new Uint8Array()] = readTransaction(signed).signatures
  const message = messageBytes(signed)
  return (
    Buffer.from(message).equals(messageBytes(given)) &&
    ed25519.verify(signature, message, new PublicKey(payer).toBytes())
  )
}

test('a host whose visitors agree first: nothing can be chosen before the tick; then Quill connects and signs', {
  tag: '@long',
}, async ({ visit, site, stack }) => {
  const visitor = await visit()
  const page = await visitor.context.newPage()
  const documents = { termsUrl: 'https://host.example/terms', privacyUrl: 'https://host.example/privacy' }
  const projectId = stack.addresses.VITE_PROJECT_ID
  await openModalHost(page, site.url, {
    projectId,
    ...documents,
    features: { legalCheckbox: true, collapseWallets: true },
  })
  await expect(page.getByTestId('agreement')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await expect(page.locator('.agreement-waits')).toHaveAttribute('inert', '')
  await tabTo(page, '[data-testid="agreement"]')
  await page.keyboard.press('Space')
  await page.getByTestId('collapsed-row').click()
  await expect(page.getByTestId('agreement')).toBeChecked()
  expect(await faultsOf(page)).toEqual([])
  await page.locator('[data-testid="wallet-row"][data-wallet="Quill"]').click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await expect.poll(async () => (await account(page)).isConnected).toBe(true)

  const signed = page.evaluate(() => window.modal.signMessage('hello').then(({ length }) => length))
  await confirmWindow(page).getByTestId('confirm-approve').click()
  expect(await signed).toBe(64)
  const refused = page.evaluate(() => window.modal.signMessage('again').catch(({ code }) => code as string))
  await confirmWindow(page).getByTestId('confirm-decline').click()
  expect(await refused).toBe('user_rejected')

  const payer = (await account(page)).address ?? ''
  const given = transferOf(payer, 1)
  const sealed = signAll(page, [given])
  await confirmWindow(page).getByTestId('confirm-approve').click()
  expect((await sealed).map(bytes => isSignedFor(bytes, given, payer))).toEqual([true])
  const signedIn = page.evaluate(async () => {
    const { account: by, signedMessage, signature } = await window.modal.signInWithSolana({ nonce: 'n0nce123' })
    return { by, message: [...signedMessage], signature: [...signature] }
  })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  const { by, message, signature } = await signedIn
  expect(by).toBe(payer)
  expect(new TextDecoder().decode(Uint8Array.from(message))).toContain(
    `${new URL(site.url).host} wants you to sign in with your Solana account:\n${payer}`,
  )
  expect(ed25519.verify(Uint8Array.from(signature), Uint8Array.from(message), new PublicKey(payer).toBytes())).toBe(
    true,
  )

  await page.evaluate(() => void window.modal.open())
  await saveRecording(page, 'modal-agreed')
  await page.evaluate(() => void window.modal.open({ view: 'WalletReceive' }))
  await expect(title(page)).toHaveText('Receive')
  expect(
    await page.evaluate(() => window.modal.open('Swap' as 'Connect').catch(({ message }) => message as string)),
  ).toContain('open: view expected Connect or')
  await page.evaluate(() => window.modal.disconnect())
  await expect(page.getByTestId('modal')).toBeHidden()
})

test('a host with WalletConnect alone begins with the code, lists no installed wallet, and a phone’s wallet connects', {
  tag: '@long',
}, async ({ visit, site, stack, openWallet }) => {
  const visitor = await visit()
  const page = await visitor.context.newPage()
  await openModalHost(page, site.url, { projectId: stack.addresses.VITE_PROJECT_ID, basic: true })
  await expect(page.getByTestId('qr')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByTestId('all-wallets-row').click()
  await expect(title(page)).toHaveText('All wallets')
  await expect(page.getByTestId('wallet-row').nth(5)).toBeVisible()
  await expect(page.locator('[data-wallet="Quill"]')).toHaveCount(0)
  await page.getByTestId('modal-back').click()
  const wallet = await openWallet()
  await pair(wallet, await copyShown(page))
  await approve(wallet, 'proposal')
  await expect.poll(async () => (await account(page)).isConnected).toBe(true)
  await page.evaluate(() => void window.modal.open())
  await saveRecording(page, 'modal-basic')

  const payer = (await account(page)).address ?? ''
  const two = [1, 2].map(lamports => transferOf(payer, lamports))
  const sealed = signAll(page, two)
  await approve(wallet, 'request')
  expect((await sealed).map((bytes, at) => isSignedFor(bytes, two[at] as Uint8Array, payer))).toEqual([true, true])
})

test('a visitor walks the account: activity, receive and its networks, another wallet and where to get it', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const page = await (await visit()).open()
  await fund(stack, page, await connectInstalled(page))
  await page.getByTestId('account-button').click()
  await page.getByTestId('activity').click()
  await expect(title(page)).toHaveText('Activity')
  await page.getByTestId('modal-back').click()
  await page.getByTestId('receive').click()
  await expect(title(page)).toHaveText('Receive')
  await page.getByTestId('receive-networks').click()
  await expect(title(page)).toHaveText('Compatible networks')
  await expect(page.getByTestId('modal')).toContainText('Solana Localnet')
  await page.getByTestId('modal-back').click()
  await page.getByTestId('modal-back').click()
  await page.getByTestId('wallets').click()
  await page.getByTestId('another-wallet').click()
  await page.getByTestId('all-wallets-row').click()
  await page.getByTestId('wallet-search').fill('okx')
  await page.locator('[data-testid="wallet-row"][data-wallet="OKX Wallet"]').click()
  await page.getByTestId('get-wallet').click()
  await expect(title(page)).toHaveText('OKX Wallet')
  await expect(page.getByTestId('get-place').first()).toBeVisible()
  await page.getByTestId('modal-close').click()
  await saveRecording(page, 'account-walk')
})
