import {
  confirmWindow,
  connectInstalled,
  decide,
  fund,
  order,
  orderCard,
  payments,
  phase,
  prompts,
  readSaleNow,
  readUntil,
  settle,
} from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve, connectPocket, copyShown, copyUri, pair, question } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'
import { untilStored } from './secrets.ts'
import { look, setClock } from './steering.ts'

test.describe.configure({ mode: 'parallel' })

test('a visitor who declines, and a wallet that alters or mixes up, cost nothing and are told apart', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  await page.getByTestId('connect-button').click()
  const row = page.locator('[data-testid="wallet-row"][data-wallet="Quill"]')
  await row.click()
  await confirmWindow(page).getByTestId('confirm-decline').click()
  await expect(page.getByTestId('modal')).toContainText('You declined')
  await expect(page.getByTestId('modal')).toContainText('Nothing was shared.')

  // A wallet that never answers: the visitor goes back and chooses again.
  await decide(page, { connect: 'silent' })
  await page.getByTestId('try-again').click()
  await expect(page.getByTestId('modal')).toContainText('Continue in Quill')
  await page.getByTestId('modal-back').click()
  await decide(page, { connect: 'approve' })
  await row.click()
  const account = (await page.getByTestId('account-button').getAttribute('data-address')) ?? ''
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '2' })
  await confirmWindow(page).getByTestId('confirm-decline').click()
  await phase(page, 'rejected')
  await expect(orderCard(page)).toContainText('You declined. Nothing was paid.')
  await page.getByTestId('buy-button').click()

  await decide(page, { sign: 'broken' })
  await order(page, { asset: 'SOL', amount: '2' })
  await phase(page, 'rejected')
  await expect(orderCard(page)).toContainText('Nothing was paid. The payment could not be made.')
  await page.getByTestId('buy-button').click()

  await decide(page, { sign: 'alter' })
  await order(page, { asset: 'SOL', amount: '2' })
  await phase(page, 'gateRefused')
  await expect(orderCard(page)).toContainText('Quill changed the payment. We did not send it.')
  await page.getByTestId('buy-button').click()

  await decide(page, { sign: 'other' })
  await order(page, { asset: 'SOL', amount: '2' })
  await phase(page, 'gateRefused')
  await expect(orderCard(page)).toContainText('Your wallet switched to another account.')
  expect(payments(stack, account)).toEqual([])
  await saveRecording(page, 'wallet-altered-the-payment')
})

test('a WalletConnect wallet that alters is refused; a silent relay, a garbled one and a dead one are named @long', async ({
  visit,
  openWallet,
  stack,
}) => {
  const visitor = await visit()
  // A refused socket gives no reason, so one plain request checks whether the relay is there
  visitor.expectTrouble(/WebSocket connection to |Failed to load resource: net::ERR_/)
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  stack.relay.control({ down: true })
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]').click()
  await expect(page.getByTestId('modal')).toContainText('The connection for phone wallets is down.')
  stack.relay.control({ down: false })
  await page.getByTestId('modal-close').click()

  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  stack.relay.control({ garbage: true, duplicate: true, reorder: true })
  await wallet.getByTestId('wallet-switch-alter').check()
  await order(page, { asset: 'SOL', amount: '1' })
  await approve(wallet, 'request')
  await phase(page, 'gateRefused')
  await expect(orderCard(page)).toContainText('changed the payment. We did not send it.')
  await page.getByTestId('buy-button').click()
  await wallet.getByTestId('wallet-switch-alter').uncheck()
  await wallet.getByTestId('wallet-switch-other').check()
  await order(page, { asset: 'SOL', amount: '1' })
  await approve(wallet, 'request')
  await phase(page, 'gateRefused')
  expect(payments(stack, account)).toEqual([])
  await page.getByTestId('buy-button').click()
  await wallet.getByTestId('wallet-switch-other').uncheck()

  stack.relay.control({ garbage: true })
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(question(wallet, 'request')).toBeVisible()
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toHaveLength(1)
  await saveRecording(page, 'walletconnect-altered-relay-garbled')
})

test('terms that cannot be trusted turn buying off until the published ones are back @long', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  const button = page.getByTestId('buy-button')
  await expect(button).toHaveText('Connect wallet')
  await untilStored(page, 'sale.pinned')
  stack.solana.control({ operator: { termsFile: 'corrupt' } })
  await page.reload()
  await expect(page.locator('#buy')).toContainText('Buying is off. Do not pay.')
  await expect(button).toHaveText('Buying is off')
  await untilStored(page, 'sale.distrusted')
  stack.solana.control({ operator: { termsFile: 'changed' } })
  await page.reload()
  await expect(page.locator('#buy')).toContainText(
    'We cannot confirm these terms. Buying is off until the team signs them.',
  )
  await expect(button).toHaveText('Read the terms again')
  stack.solana.control({ operator: { termsFile: 'normal' } })
  await button.click()
  await expect(button).toHaveText('Connect wallet')
  await saveRecording(page, 'terms-distrusted-and-back')
})

const networkFaults = [
  { answer: 'answers with a web page', fault: { kind: 'html' } },
  { answer: 'answers with 429', fault: { kind: 'status', status: 429, retryAfter: 1 } },
  { answer: 'does not answer', fault: { kind: 'drop' } },
] as const
for (const { answer, fault } of networkFaults) {
  const tag = fault.kind === 'drop' ? [] : '@long'
  test(`a network that ${answer} leaves the page reading, and comes back with the wallet that was connected meanwhile`, {
    tag,
  }, async ({ visit, stack }) => {
    const visitor = await visit()
    visitor.expectTrouble(/Failed to load resource: .*(429|ERR_)/)
    stack.solana.control({ faults: { '*': fault } })
    const page = await visitor.open()
    await expect(page.getByTestId('status')).toContainText('Solana isn’t responding.')
    await expect(page.getByTestId('buy-button')).toHaveText('View only')
    const account = await connectInstalled(page)
    stack.solana.control({ faults: {} })
    await readUntil(page, () => expect(page.getByTestId('buy-button')).toHaveText('Enter an amount', { timeout: 500 }))
    await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', account)
    expect(await prompts(page)).toMatchObject({ connect: 1 })
    stack.solana.control({ faults: { '*': fault } })
    // In other words after a minute, within which a busy machine may not look
    const old = page.getByText(/Numbers (?:from .+ ago|are .+ old)\./)
    await readUntil(page, () => expect(old).toBeVisible({ timeout: 500 }))
    stack.solana.control({ faults: {} })
    await readUntil(page, () => expect(old).toHaveCount(0, { timeout: 500 }))
    await saveRecording(page, `network-${fault.kind}`)
  })
}

test('an RPC of another chain turns buying off, also for somebody who was here before', { tag: '@long' }, async ({
  visit,
  stack,
  site,
}) => {
  for (const known of [false, true]) {
    const page = await (await visit()).context.newPage()
    if (known) {
      await page.goto(site.url)
      await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
      await untilStored(page, 'sale.pinned')
    }
    stack.solana.control({ faults: { getGenesisHash: { kind: 'wrongGenesis' } } })
    await page.goto(site.url)
    await expect(page.locator('#buy')).toContainText('This is another network than the terms name. Buying is off.')
    await expect(page.getByTestId('buy-button')).toHaveText('Buying is off')
    if (known) await untilStored(page, 'network.mismatched')
    stack.solana.control({ faults: {} })
    await page.reload()
    await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
    await saveRecording(page, known ? 'another-chain-and-back' : undefined)
  }
})

test('without storage a visitor may connect and look, and buying is off, with a sentence', async ({ visit }) => {
  const visitor = await visit()
  await visitor.context.addInitScript(() => {
    // The empty document before the page has no storage
    if (location.protocol.startsWith('http')) sessionStorage.setItem('door', 'denied=1')
  })
  const page = await visitor.open()
  await expect(page.locator('#buy')).toContainText('This browser cannot keep a record. Buying is off here.')
  await expect(page.getByTestId('buy-button')).toHaveText('Buying is off here')
  await connectInstalled(page)
  await expect(page.getByTestId('buy-button')).toHaveText('Buying is off here')
  await saveRecording(page, 'storage-denied')
})

test('a part of the page that is gone after a deployment is missed before the wallet is asked', {
  tag: '@long',
}, async ({ visit, stack }) => {
  const visitor = await visit()
  visitor.expectTrouble(/Failed to load resource/)
  await visitor.context.route(/\/assets\/(?:build|prepare)[^/]*\.js$/, route => route.abort())
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(page.locator('#buy')).toContainText('Reload needed.')
  await expect(page.locator('#buy')).toContainText('Nothing was sent.')
  await expect(page.getByTestId('buy-button')).toHaveText('Reload this page')
  expect(await prompts(page)).toMatchObject({ signTransaction: 0 })
  expect(payments(stack, account)).toEqual([])
  await visitor.context.unroute(/\/assets\/(?:build|prepare)[^/]*\.js$/)
  await page.getByTestId('buy-button').click()
  await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', account)
  await order(page, { asset: 'SOL', amount: '1' })
  await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()
})

test('offline says so and comes back', async ({ visit }) => {
  const visitor = await visit()
  visitor.expectTrouble(/Failed to load resource: net::ERR_INTERNET_DISCONNECTED/)
  const page = await visitor.open()
  await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
  await visitor.context.setOffline(true)
  await expect(page.getByTestId('status')).toContainText('You are offline.')
  await visitor.context.setOffline(false)
  await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
  await saveRecording(page, 'offline-and-back')
})

test(
  'wallets that throw, change or announce nonsense leave the list usable, also when they come late',
  { tag: '@long' },
  async ({ visit }, { testId }) => {
    const visitor = await visit({
      announce: 'late',
      wallets: [
        { name: 'Thorn', hostile: 'throwing' },
        { name: 'Quill', hostile: 'changing' },
        { name: 'Chaff', hostile: 'nonsense' },
        { name: 'Quill', word: testId },
        { name: 'Heron', word: testId, features: 'sendOnly' },
      ],
    })
    const page = await visitor.open()
    await page.getByTestId('connect-button').click()
    await expect(page.locator('[data-testid="wallet-row"][data-wallet="Heron"]')).toBeVisible()
    await expect(page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]')).toBeVisible()
    await expect(page.locator('[data-testid="wallet-row"][data-wallet="Thorn"]')).toHaveCount(0)
    await page.locator('[data-testid="wallet-row"][data-wallet="Heron"]').click()
    await confirmWindow(page).getByTestId('confirm-approve').click()
    await expect(page.getByTestId('account-button')).toBeVisible()
    await saveRecording(page, 'hostile-wallets-announced')
  },
)

test('a code that ran out while nobody looked is told, and one that was left is not shown again', {
  tag: '@long',
}, async ({ visit, openWallet }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  await copyUri(page)
  await look(page, false)
  await setClock(page, 301_000)
  await readSaleNow(page)
  await expect(page.getByTestId('modal')).toContainText('The code expired')
  await look(page, true)
  await page.getByTestId('try-again').click()
  const first = await copyShown(page)
  await page.getByTestId('modal-close').click()
  const second = await copyUri(page)
  expect(second).not.toBe(first)
  await pair(wallet, second)
  await approve(wallet, 'proposal')
  await expect(page.getByTestId('account-button')).toBeVisible()
  await saveRecording(page, 'walletconnect-second-code')
})
