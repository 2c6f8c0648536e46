/** Networks beside the page's own: chosen, refused, kept over a reload, and left where a wallet or a node does not serve them. */
import type { Page } from '@playwright/test'
import { Connection, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { localNetwork, networks } from '../../src/events/values/networks.ts'
import { confirmWindow } from './buying.ts'
import { expect, test, type World } from './fixtures.ts'
import { openHost } from './hosting.ts'
import { approve, decline, pair, question, takeCode } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

const devnet = networks.find(({ cluster }) => cluster === 'devnet') as (typeof networks)[number]

/** A host page that offers devnet beside the local chain. */
async function openChoice(page: Page, { site }: Pick<World, 'site'>): Promise<void> {
  await openHost(page, site.url, { networks: [{ caip2: devnet.caip2 }] })
  // Before, a code asks for the public networks alone
  await expect.poll(() => page.evaluate(() => window.modal.getState().network)).toBeDefined()
}

/** The platform's node of devnet is the local chain, which says that it is devnet, or another chain. */
async function serveDevnet(
  page: Page,
  { stack }: Pick<World, 'stack'>,
  genesisHash: string = devnet.genesisHash,
): Promise<void> {
  await page.context().route(`${stack.services.url}/v1/?chainId=*`, async route => {
    const answer = await fetch(stack.solana.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: route.request().postData() ?? '',
    })
    const body = (await answer.text()).replaceAll(stack.solana.chain.genesisHash, genesisHash)
    await route.fulfill({
      status: answer.status,
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
      body,
    })
  })
}

const openModal = (page: Page) => page.evaluate(() => void window.modal.open())
const chip = (page: Page) => page.locator('button[data-testid="network"]')
const networkRow = (page: Page, caip2: string) => page.locator(`[data-testid="network-row"][data-network="${caip2}"]`)
const title = (page: Page) => page.getByTestId('modal-title')

/** Connects the installed wallet and opens the account. @returns its address */
async function connectQuill(page: Page): Promise<string> {
  await openModal(page)
  await page.locator('[data-testid="wallet-row"][data-wallet="Quill"]').click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await expect.poll(() => page.evaluate(() => window.modal.getAccount().status)).toBe('connected')
  await openModal(page)
  return (await page.getByTestId('account-address').getAttribute('data-address')) ?? ''
}

/** Connects Pocket by the code and opens the account. */
async function connectPocket(page: Page, wallet: Page): Promise<void> {
  await openModal(page)
  await pair(wallet, await takeCode(page))
  await approve(wallet, 'proposal')
  await expect.poll(() => page.evaluate(() => window.modal.getAccount().status)).toBe('connected')
  await openModal(page)
}

test('a visitor searches the networks, goes to another with the wallet, reloads there, and comes back @long', async ({
  visit,
  stack,
  site,
}) => {
  const visitor = await visit()
  const page = await visitor.context.newPage()
  await serveDevnet(page, { stack })
  await openChoice(page, { site })
  const address = await connectQuill(page)
  const home = localNetwork(stack.solana.chain.genesisHash)

  await expect(chip(page)).toHaveText('Solana Localnet')
  await chip(page).click()
  await expect(title(page)).toHaveText('Choose network')
  await page.getByTestId('network-help').click()
  await expect(title(page)).toHaveText('What is a network?')
  await page.getByTestId('modal-back').click()
  await page.getByTestId('network-search').fill('near')
  await expect(page.getByTestId('modal')).toContainText('No network named “near”')
  await page.getByTestId('network-search').fill('dev')
  await networkRow(page, devnet.caip2).click()

  await expect(chip(page)).toHaveText('Solana Devnet')
  await expect(page.getByTestId('account-address')).toHaveAttribute('data-address', address)
  await expect.poll(() => page.evaluate(() => window.modal.getState().network?.caipNetworkId)).toBe(devnet.caip2)

  await page.reload()
  await openChoice(page, { site })
  await expect.poll(() => page.evaluate(() => window.modal.getAccount().status)).toBe('connected')
  await openModal(page)
  await expect(chip(page)).toHaveText('Solana Devnet')
  await saveRecording(page, 'network-away')
  await chip(page).click()
  await networkRow(page, home.caip2).click()
  await expect(chip(page)).toHaveText('Solana Localnet')
  await expect(page.getByTestId('account-address')).toHaveAttribute('data-address', address)
  await saveRecording(page, 'network-home')
})

test('a payment that waits in a wallet keeps the page where it is; declined there, it lets go', {
  tag: '@long',
}, async ({ visit, openWallet, stack, site }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet()])
  await serveDevnet(page, { stack })
  await openChoice(page, { site })
  await connectPocket(page, wallet)
  const account = await page.evaluate(() => window.modal.getAccount().address ?? '')
  const payer = new PublicKey(account)
  const { blockhash } = await new Connection(stack.solana.url).getLatestBlockhash()
  const payment = new Transaction({ feePayer: payer, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: payer, lamports: 1 }),
  )
  const transaction = payment.serialize({ requireAllSignatures: false }).toString('base64')
  await page.evaluate(
    async ([chainId, params]) => {
      const provider = await window.modal.provider()
      void provider.request({ method: 'solana_signTransaction', params }, chainId).catch(() => undefined)
    },
    [localNetwork(stack.solana.chain.genesisHash).caip2, { transaction, pubkey: account }] as const,
  )
  await expect(question(wallet, 'request')).toBeVisible()

  await chip(page).click()
  await networkRow(page, devnet.caip2).click()
  await expect(page.getByTestId('modal')).toContainText('A request is on its way')
  await expect(page.getByTestId('modal')).toContainText('You are still on Solana Localnet. Nothing changed.')
  await decline(wallet, 'request')
  await expect(question(wallet, 'request')).toBeHidden()
  await page.getByTestId('try-again').click()
  await expect(chip(page)).toHaveText('Solana Devnet')
  await saveRecording(page, 'network-busy')
})

test('a wallet that approved the page’s network alone: the others are off, and say why', { tag: '@long' }, async ({
  visit,
  openWallet,
  stack,
  site,
}) => {
  const visitor = await visit()
  const home = localNetwork(stack.solana.chain.genesisHash)
  const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet(`chains=${home.caip2}`)])
  await openChoice(page, { site })
  await connectPocket(page, wallet)
  await chip(page).click()
  const row = networkRow(page, devnet.caip2)
  await expect(row).toHaveAttribute('aria-disabled', 'true')
  await expect(row).toContainText('Not approved by Pocket')
  await row.click({ force: true })
  await expect(title(page)).toHaveText('Choose network')
  const refused = await page.evaluate(
    caip2 => window.modal.switchNetwork(caip2).catch(({ code }: { code: string }) => code),
    devnet.caip2,
  )
  expect(refused).toBe('unsupported')
  await page.getByTestId('modal-back').click()
  await saveRecording(page, 'network-unapproved')
})

test('a network whose node serves another chain: the account says so, and leads back', { tag: '@long' }, async ({
  visit,
  stack,
  site,
}) => {
  const visitor = await visit()
  const page = await visitor.context.newPage()
  await serveDevnet(page, { stack }, stack.solana.chain.genesisHash)
  await openChoice(page, { site })
  const address = await connectQuill(page)
  await chip(page).click()
  await networkRow(page, devnet.caip2).click()
  await expect(chip(page)).toHaveText('Switch network')
  await chip(page).click()
  await expect(page.getByTestId('modal')).toContainText('Solana Devnet cannot be used on this page now.')
  await networkRow(page, localNetwork(stack.solana.chain.genesisHash).caip2).click()
  await expect(chip(page)).toHaveText('Solana Localnet')
  await expect(page.getByTestId('account-address')).toHaveAttribute('data-address', address)
  await expect.poll(() => page.evaluate(() => window.modal.getState().network?.name)).toBe('Solana Localnet')
  await saveRecording(page, 'network-elsewhere')
})

test('a wallet that approved another network alone: the modal says so by itself, stays, and disconnecting leads out', {
  tag: '@long',
}, async ({ visit, openWallet, stack, site }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet(`chains=${devnet.caip2}`)])
  await serveDevnet(page, { stack })
  await openChoice(page, { site })
  await openModal(page)
  await pair(wallet, await takeCode(page))
  await approve(wallet, 'proposal')
  await expect(title(page)).toHaveText('Switch network')
  const modal = page.getByTestId('modal')
  await expect(modal).toContainText('Pocket did not approve Solana Localnet')
  await expect(networkRow(page, devnet.caip2)).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await expect(title(page)).toHaveText('Switch network')
  await page.getByTestId('disconnect').click()
  await expect(modal).toBeHidden()
  await openModal(page)
  await expect(title(page)).toHaveText('Connect wallet')
  await saveRecording(page, 'network-lacking')
})
