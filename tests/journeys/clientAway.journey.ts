import { buyMore, confirmWindow, connectedAddress, fund, order, payments, phase, prompts, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve, connectPocket, timesAsked } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

/** The WalletConnect client, in a file of its own. */
const client = /\/assets\/walletConnectClient-[^/]*\.js$/

test('a visitor whose WalletConnect client is gone has the page and other wallets; the session comes back on a press', {
  tag: '@long',
}, async ({ visit, openWallet, stack }) => {
  const visitor = await visit()
  visitor.expectTrouble(/Failed to load resource/)
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  let refused = 0
  await visitor.context.route(client, route => {
    refused += 1
    return route.abort()
  })
  await page.reload()

  await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', account)
  await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
  expect(refused).toBeGreaterThan(0)
  await page.getByTestId('account-button').click()
  await expect(page.getByTestId('modal')).toContainText('cannot be reached: a part of this page could not be loaded.')
  await page.getByTestId('reach-again').click()
  await expect(page.getByTestId('toast')).toContainText('The wallet still cannot be reached.')
  await page.getByTestId('modal-close').click()

  // An installed wallet does not need it
  await page.getByTestId('buy-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="Quill"]').click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await expect(page.getByTestId('modal')).toContainText('New wallet added')
  await page.getByTestId('modal-close').click()
  const installed = await connectedAddress(page)
  expect(installed).not.toBe(account)
  await fund(stack, page, installed)
  await order(page, { asset: 'SOL', amount: '1' })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await settle(stack, page)
  expect(payments(stack, installed)).toMatchObject([{ units: 1_000_000_000n }])
  expect(await prompts(page)).toMatchObject({ signTransaction: 1 })

  await page.getByTestId('account-button').click()
  await page.getByTestId('wallets').click()
  await page.getByTestId('switch-wallet').click()
  await page.getByTestId('modal-back').click()
  // There again with the press and not before: the page asks for it now and then by itself, too
  await page.exposeFunction('mend', () => visitor.context.unroute(client))
  await page.getByTestId('reach-again').evaluate(async (button: HTMLElement) => {
    await (window as unknown as { mend(): Promise<void> }).mend()
    button.click()
  })
  await expect(page.getByTestId('reach-again')).toHaveCount(0)
  await page.getByTestId('modal-close').click()
  await buyMore(page)
  await order(page, { asset: 'SOL', amount: '2' })
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ units: 2_000_000_000n }])
  await saveRecording(page, 'walletconnect-client-gone')
})

test('an order that waits in the wallet is told while the client is gone, and paid once when it is back', {
  tag: '@long',
}, async ({ visit, openWallet, stack }) => {
  const visitor = await visit()
  visitor.expectTrouble(/Failed to load resource/)
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(page.locator('#buy')).toContainText('Waiting in your wallet.')
  await visitor.context.route(client, route => route.abort())
  await page.reload()

  await expect(page.locator('#buy')).toContainText('this page cannot receive its answer now')
  await approve(wallet, 'request')
  await phase(page, 'awaitingSignature')
  await visitor.context.unroute(client)
  // Back online it is asked for at once
  await visitor.context.setOffline(true)
  await visitor.context.setOffline(false)
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ units: 1_000_000_000n }])
  expect(await timesAsked(wallet)).toBe(1)
  await saveRecording(page, 'client-gone-while-wallet-asks')
})
