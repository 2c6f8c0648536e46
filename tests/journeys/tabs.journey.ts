import type { Page } from '@playwright/test'
import {
  confirmWindow,
  connectedAddress,
  connectInstalled,
  fund,
  order,
  orderCard,
  payments,
  phase,
  prompts,
  settle,
} from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve, connectPocket } from './pocket.ts'
import { openModalHost } from './hosting.ts'
import { killWorker } from './killing.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

const approveHere = (page: Page) => confirmWindow(page).getByTestId('confirm-approve').click()

/** Client that holds the origin's lock, and the number of workers waiting for it. */
const lead = (page: Page) =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query()
    const of = (locks: LockInfo[]) => locks.filter(({ name }) => name === 'mai-core').map(({ clientId }) => clientId)
    return { held: of(held), waiting: of(pending).length }
  })

test('a second tab has the same core: what is done in one is seen in both, and either can buy @long', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const first = await visitor.open()
  await expect(first.getByTestId('buy-button')).toHaveText('Connect wallet')
  const second = await visitor.open()
  const account = await connectInstalled(second)
  expect(await connectedAddress(first)).toBe(account)
  await fund(stack, second, account)

  await order(second, { asset: 'SOL', amount: '1' })
  await phase(first, 'awaitingSignature')
  // The prompt opens in the tab of the press
  await expect(confirmWindow(second)).toHaveCount(1)
  await expect(confirmWindow(first)).toHaveCount(0)
  await approveHere(second)
  await settle(stack, second)
  await phase(first, 'finalised')
  expect(await prompts(first)).toMatchObject({ signTransaction: 0 })
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  await saveRecording(first, 'bought-in-a-second-tab')
})

test('the leading tab closes while a prompt is open in another: one prompt, one payment', async ({ visit, stack }) => {
  const visitor = await visit()
  const first = await visitor.open()
  await expect(first.getByTestId('buy-button')).toHaveText('Connect wallet')
  const second = await visitor.open()
  const account = await connectInstalled(second)
  await fund(stack, second, account)
  await order(second, { asset: 'SOL', amount: '1' })
  await expect(confirmWindow(second).getByTestId('confirm-approve')).toBeVisible()
  await phase(second, 'awaitingSignature')
  await first.close()
  await expect.poll(async () => (await lead(second)).waiting).toBe(0)
  await approveHere(second)
  await settle(stack, second)
  expect(await prompts(second)).toMatchObject({ signTransaction: 1 })
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  await saveRecording(second, 'leading-tab-closed-while-prompt-open')
})

test('eight tabs: one socket, one writer, the same purchase in each, and the leading one may close in the middle', {
  tag: '@long',
}, async ({ visit, stack, openWallet }) => {
  const visitor = await visit()
  const wallet = await openWallet()
  const leader = await visitor.open()
  await expect(leader.getByTestId('buy-button')).toHaveText('Connect wallet')
  // A follower tab shows the code
  const tabs = [leader, await visitor.open()]
  const { account } = await connectPocket(tabs[1] as Page, wallet)
  await fund(stack, leader, account)
  while (tabs.length < 8) tabs.push(await visitor.open())
  for (const tab of tabs) expect(await connectedAddress(tab)).toBe(account)
  expect(await lead(leader)).toMatchObject({ held: [expect.any(String)], waiting: 7 })
  // One of the wallet, one of this page
  expect(stack.relay.state().sockets).toBe(2)

  const buyer = tabs[3] as Page
  await order(buyer, { asset: 'SOL', amount: '1' })
  for (const tab of tabs) await phase(tab, 'awaitingSignature')
  await leader.close()
  const others = tabs.slice(1)
  await expect.poll(async () => (await lead(buyer)).waiting).toBe(6)
  await approve(wallet, 'request')
  await settle(stack, buyer)
  for (const tab of others) await phase(tab, 'finalised')
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  await expect.poll(() => stack.relay.state().sockets).toBe(2)
  for (const tab of others) await expect(orderCard(tab)).toHaveCount(1)
  await saveRecording(tabs[7] as Page, 'eight-tabs')
})

test('a tab whose worker dies follows again, and a recording saved in any tab has what each of them showed', {
  tag: '@long',
}, async ({ visit }) => {
  const visitor = await visit()
  const first = await visitor.open()
  await expect(first.getByTestId('buy-button')).toHaveText('Connect wallet')
  const second = await visitor.open()
  await connectInstalled(second)
  const reborn = first.waitForEvent('worker')
  await killWorker(first)
  await reborn
  await expect.poll(async () => (await lead(second)).waiting).toBe(1)
  await first.getByTestId('account-button').click()
  await expect(first.getByTestId('modal')).toBeVisible()
  const showed = (text: string) =>
    new Set(text.match(/"tab":"t-[0-9a-f]{8}","at":\d+,"type":"screen\.opened"/g)?.map(found => found.slice(7, 17)))
  await expect(async () => expect(showed((await saveRecording(second)).text).size).toBe(2)).toPass()
})

test('beside a tab of another build a wallet connects once this tab has taken over @long', async ({
  visit,
  site,
  stack,
}) => {
  const visitor = await visit()
  const first = await visitor.open()
  await expect(first.getByTestId('buy-button')).toHaveText('Connect wallet')
  const second = await visitor.context.newPage()
  // Another address of the node counts as another build: the two share no core
  const addresses = { solanaRpcUrl: `${stack.solana.url}/?another` }
  await openModalHost(second, site.url, { projectId: stack.addresses.VITE_PROJECT_ID, addresses })
  await second.locator('[data-testid="wallet-row"][data-wallet="Quill"]').click()
  const modal = second.getByTestId('modal')
  await expect(modal).toContainText('This page is open elsewhere')
  await expect(modal).toContainText('Another version of this page is open in another tab.')
  await second.getByRole('button', { name: 'Continue here' }).click()
  await confirmWindow(second).getByTestId('confirm-approve').click()
  await expect.poll(() => second.evaluate(() => window.modal.getAccount().isConnected)).toBe(true)
  await second.evaluate(() => void window.modal.open())
  await saveRecording(second, 'connect-beside-another-build')
})
