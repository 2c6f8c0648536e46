import {
  buyMore,
  checkpointRead,
  confirmWindow,
  connectInstalled,
  fund,
  order,
  orderCard,
  payments,
  phase,
  prompts,
  settle,
} from './buying.ts'
import { expect, inMotion, test } from './fixtures.ts'
import { shownPhases } from './phases.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

test('a visitor connects Quill, buys with SOL, sees it final and not judged, comes back, and leaves', async ({
  visit,
  stack,
}) => {
  const visitor = await visit({ context: inMotion })
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '2.5' })
  await expect(confirmWindow(page).getByTestId('confirm-lines')).toContainText('2.5 SOL')
  await phase(page, 'awaitingSignature')
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await settle(stack, page)
  const [bought, ...more] = payments(stack, account)
  expect(more).toEqual([])
  expect(bought).toMatchObject({ asset: 'SOL', units: 2_500_000_000n, memoUnits: 2_500_000_000n })
  await expect(page.getByTestId('order-signature')).toHaveAttribute('data-signature', bought?.signature ?? '')
  await checkpointRead(stack, page)
  await expect(orderCard(page).locator('header output')).toHaveText('Final, no result yet')
  const seen = await shownPhases(page)
  for (const one of ['awaitingSignature', 'seen', 'confirmed', 'finalised']) expect(seen).toContain(one)
  expect(await prompts(page)).toMatchObject({ connect: 1, signTransaction: 1, signAndSendTransaction: 0 })
  const row = page.getByTestId('purchase-row')
  await expect(row).toHaveAttribute('data-signature', bought?.signature ?? '')
  await expect(row).toContainText('2.5 SOL')
  await saveRecording(page, 'connect-installed-buy-sol')

  await page.reload()
  await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', account)
  await expect(row).toHaveAttribute('data-signature', bought?.signature ?? '')
  expect(await prompts(page)).toMatchObject({ connect: 0 })

  // Other scripts of the page reach its modal as in a host's page
  const reached = await page.evaluate(async () => {
    const modal = window.MaiModal?.createModal({ projectId: 'other', metadata: {} } as never)
    const views: string[] = []
    modal?.on('view', ({ view }) => views.push(view))
    await modal?.ready()
    // The reload restores the connection
    await new Promise<void>(resolve => {
      const look = () => void (modal?.getAccount().isConnected && resolve())
      modal?.subscribe(look)
      look()
    })
    const { address } = modal?.getAccount() ?? {}
    const dismissed = modal?.open()
    modal?.close()
    const outcome = await dismissed
    const refused = await modal?.provider().catch(({ message }: Error) => message)
    void modal?.open()
    modal?.destroy()
    return { address, outcome, views, refused }
  })
  expect(reached).toEqual({
    address: account,
    outcome: { outcome: 'dismissed' },
    views: ['Account', 'Account'],
    refused: 'modal.provider expected a host’s page, the presale page does not have it',
  })
  await expect(page.getByTestId('account-address')).toHaveAttribute('data-address', account)
  await expect(page.getByTestId('balance')).toContainText('17.4')
  await page.getByTestId('disconnect').click()
  await expect(page.getByTestId('connect-button')).toBeVisible()
  await page.reload()
  await buyMore(page)
  await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
  await expect(page.getByTestId('account-button')).toHaveCount(0)
  expect(await prompts(page)).toMatchObject({ connect: 0 })
  await saveRecording(page, 'reconnect-and-disconnect')
})

test('the list of wallets is there before network and worker are, and Quill buys with USDC', { tag: '@long' }, async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  let letWorkerCome = () => {}
  const workerMayCome = new Promise<void>(resolve => {
    letWorkerCome = resolve
  })
  await visitor.context.route(/\/assets\/worker[^/]*\.js$/, async route => {
    await workerMayCome
    await route.continue()
  })
  // The service never answers.
  await visitor.context.route(/\/getWallets/, () => {})
  const page = await visitor.open()
  await page.getByTestId('connect-button').click()
  for (const name of ['WalletConnect', 'Quill'])
    await expect(page.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`)).toBeVisible()
  await expect(page.getByTestId('all-wallets-row')).toBeVisible()
  letWorkerCome()
  await page.getByTestId('modal-close').click()

  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'USDC', amount: '375' })
  await expect(confirmWindow(page).getByTestId('confirm-lines')).toContainText('375 USDC')
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'USDC', units: 375_000_000n, memoUnits: 375_000_000n }])
  await expect(page.getByTestId('purchase-row')).toContainText('375 USDC')
  await saveRecording(page, 'connect-installed-buy-usdc')

  await buyMore(page)
  await order(page, { asset: 'SOL', amount: '1' })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await settle(stack, page)
  await expect(page.getByTestId('purchase-row')).toHaveCount(2)
})
