/** Transfers out of the account: SOL and tokens of both programs, and each way in which one does not happen. */
import { associatedTokenAddress } from '../../src/worker/chains/solana/ata.ts'
import { giveToken, plainMint } from '../stack/solana/anyToken.ts'
import { seededKeypair } from '../stack/solana/keys.ts'
import { TOKEN_2022 } from '../stack/solana/programs.ts'
import { confirmWindow, connectInstalled, fund, heldBack, order, phase, prompts, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve as approveInPocket, connectPocket, timesAsked } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'
import {
  alike,
  approve,
  choose,
  heldBy,
  lamportsOf,
  openForm,
  review,
  settleTransfer,
  transfer,
  transferIs,
  write,
} from './sending.ts'

test.describe.configure({ mode: 'parallel' })

/** An address that no other test pays. */
const somebody = (word: string) => seededKeypair('send journeys', word)

test('a visitor sends SOL, a token and a token of the newer program, and the accounts for them are made @long', async ({
  visit,
  stack,
}, { testId }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  const to = somebody(testId).address
  const { usdcMint: usdc } = stack.solana.info
  const newer = plainMint(stack.solana.chain, somebody(`${testId} mint`), TOKEN_2022)
  giveToken(stack.solana.chain, account, newer, TOKEN_2022, 7_000_000n)

  await openForm(page)
  await expect(page.getByTestId('send-amount')).toBeDisabled()
  await expect(page.getByTestId('send-review')).toHaveText('Select a token')
  await write(page, { asset: 'SOL', amount: '1.5', to })
  await review(page)
  await expect(page.getByTestId('send-figure')).toHaveText('1.5 SOL')
  await expect(page.getByTestId('send-to')).toHaveText(to)
  await expect(page.getByTestId('send-stays')).toContainText('18.49')
  expect(await prompts(page)).toMatchObject({ signTransaction: 0 })
  await approve(page)
  await expect(page.getByTestId('toast')).toContainText('Transaction started')
  await settleTransfer(stack, page)
  expect(lamportsOf(stack, to)).toBe(1_500_000_000n)
  await page.getByTestId('send-done').click()

  // The next one begins anew
  await page.getByTestId('send').click()
  await expect(page.getByTestId('send-recipient')).toHaveValue('')
  await write(page, { asset: usdc, amount: '20', to })
  await review(page)
  await expect(page.getByTestId('send-rent')).toHaveText('0.00203928 SOL')
  await approve(page)
  await settleTransfer(stack, page)
  expect(heldBy(stack, to, usdc)).toBe(20_000_000n)
  await page.getByTestId('send-done').click()

  await page.getByTestId('send').click()
  await write(page, { asset: newer, amount: '7', to })
  await review(page)
  await approve(page)
  await settleTransfer(stack, page)
  expect(heldBy(stack, to, newer, TOKEN_2022)).toBe(7_000_000n)
  await page.getByTestId('send-done').click()
  await page.keyboard.press('Escape')
  const { text } = await saveRecording(page, 'transfers')
  expect(text).not.toContain(to)
})

test('a wallet over the relay signs a transfer', { tag: '@long' }, async ({ visit, stack, openWallet }, { testId }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  const to = somebody(testId).address
  await openForm(page)
  await write(page, { asset: 'SOL', amount: '0.25', to })
  await review(page)
  await page.getByTestId('send-press').click()
  await transferIs(page, 'awaitingSignature')
  await approveInPocket(wallet, 'request')
  await settleTransfer(stack, page)
  expect(lamportsOf(stack, to)).toBe(250_000_000n)
  expect(await timesAsked(wallet)).toBe(1)
  await page.getByTestId('send-done').click()
  await page.keyboard.press('Escape')
  await saveRecording(page, 'transfer-by-walletconnect')
})

test(
  'a declined transfer moves nothing, and what was written is still there',
  { tag: '@long' },
  async ({ visit, stack }, { testId }) => {
    const visitor = await visit()
    const page = await visitor.open()
    const account = await connectInstalled(page)
    await fund(stack, page, account)
    const to = somebody(testId).address
    await openForm(page)
    await write(page, { asset: 'SOL', amount: '2', to })
    await review(page)
    await page.getByTestId('send-cancel').click()
    await expect(page.getByTestId('send-amount')).toHaveValue('2')
    await review(page)
    await page.getByTestId('send-press').click()
    await confirmWindow(page).getByTestId('confirm-decline').click()
    await transferIs(page, 'rejected')
    await expect(transfer(page)).toContainText('You declined')
    await page.getByTestId('send-again').click()
    await expect(page.getByTestId('send-amount')).toHaveValue('2')
    await expect(page.getByTestId('send-recipient')).toHaveValue(to)
    expect(lamportsOf(stack, to)).toBe(0n)
    await page.keyboard.press('Escape')
    await saveRecording(page, 'transfer-declined')
  },
)

test(
  'a transfer that cannot be is refused in words before the wallet is asked',
  { tag: '@long' },
  async ({ visit, stack }, { testId }) => {
    const visitor = await visit()
    const page = await visitor.open()
    const account = await connectInstalled(page)
    const { usdcMint: usdc } = stack.solana.info
    stack.solana.give(account, { usdc: '50' })
    stack.solana.chain.advance(40)
    const to = somebody(testId).address
    const button = page.getByTestId('send-review')
    const refused = page.getByTestId('send-refused')

    // Tokens, and no SOL for the fee
    await openForm(page)
    await write(page, { asset: usdc, amount: '5', to })
    await button.click()
    await expect(refused).toContainText('This wallet holds no SOL for the network fee.')

    await page.keyboard.press('Escape')
    await fund(stack, page, account)
    await openForm(page)
    await choose(page, 'SOL')
    const amount = page.getByTestId('send-amount')
    for (const wrong of ['1e9', '00', '٣', `0.${'1'.repeat(30)}`]) {
      await amount.fill(wrong)
      await expect(button).toHaveText('Incorrect value')
    }
    await amount.fill('0')
    await expect(button).toHaveText('Add an amount')
    await amount.fill('21')
    await expect(button).toHaveText('Insufficient funds')
    await amount.fill('1')
    const recipient = page.getByTestId('send-recipient')
    await recipient.fill('0OIl')
    await expect(button).toHaveText('Invalid address')
    await recipient.fill(account)
    await expect(page.getByTestId('modal')).toContainText('This is your own address.')

    for (const [address, why] of [
      [associatedTokenAddress(account, usdc), 'This is the address of a token account.'],
      [usdc, 'This address belongs to a token, not to a wallet.'],
    ] as const) {
      await recipient.fill(address)
      await button.click()
      await expect(refused).toContainText(why)
    }

    // Less than an account may hold, to one that was never used
    await recipient.fill(to)
    await amount.fill('0.0001')
    await button.click()
    await expect(refused).toContainText('This address was never used.')
    expect(await prompts(page)).toMatchObject({ signTransaction: 0 })
    await page.keyboard.press('Escape')
    await saveRecording(page, 'transfers-refused')
  },
)

test(
  'a recipient that looks like a recent one is paid once the visitor has checked it',
  { tag: '@long' },
  async ({ visit, stack }, { testId }) => {
    const visitor = await visit()
    const page = await visitor.open()
    const account = await connectInstalled(page)
    await fund(stack, page, account)
    const known = somebody(testId).address
    await openForm(page)
    await write(page, { asset: 'SOL', amount: '1', to: known })
    await review(page)
    await approve(page)
    await settleTransfer(stack, page)
    await page.getByTestId('send-done').click()

    const to = alike(known)
    await page.getByTestId('send').click()
    await write(page, { asset: 'SOL', amount: '2', to })
    await expect(page.getByTestId('modal')).toContainText('It begins and ends like')
    await page.getByTestId('send-review').click()
    await expect(page.getByTestId('send-refused')).toContainText('begins and ends like')
    expect(await prompts(page)).toMatchObject({ signTransaction: 1 })
    await page.getByTestId('send-anyway').click()
    await expect(page.getByTestId('send-preview')).toBeVisible()
    await expect(page.getByTestId('send-to')).toHaveText(to)
    await approve(page)
    await settleTransfer(stack, page)
    expect(lamportsOf(stack, to)).toBe(2_000_000_000n)
    expect(lamportsOf(stack, known)).toBe(1_000_000_000n)
    await page.getByTestId('send-done').click()
    await page.keyboard.press('Escape')
    await saveRecording(page, 'send-look-alike')
  },
)

test(
  'a transfer on its way outlives a reload, is seen in a second tab, and a purchase waits for it',
  { tag: '@long' },
  async ({ visit, stack }, { testId }) => {
    const visitor = await visit()
    const page = await visitor.open()
    const account = await connectInstalled(page)
    await fund(stack, page, account)
    const to = somebody(testId).address
    stack.solana.control({ faults: { sendTransaction: { kind: 'hold' } } })
    await openForm(page)
    await write(page, { asset: 'SOL', amount: '1', to })
    await review(page)
    await approve(page)
    await heldBack(stack)
    await page.reload()
    await expect(page.getByTestId('buy-waits')).toContainText('A transfer is on its way.')
    const second = await visitor.open()
    await openForm(second)
    await expect(second.getByTestId('send-on-way')).toContainText('A transfer is on its way.')
    await second.getByTestId('send-show').click()
    await transferIs(second, 'sending')

    await page.getByTestId('buy-button').click()
    await transferIs(page, 'sending')
    stack.solana.control({ faults: {}, release: true })
    stack.solana.chain.advance(1)
    await settleTransfer(stack, page)
    await transferIs(second, 'finalised')
    expect(lamportsOf(stack, to)).toBe(1_000_000_000n)
    expect(await prompts(page)).toMatchObject({ signTransaction: 0 })
    await page.getByTestId('send-done').click()
    await page.keyboard.press('Escape')
    await saveRecording(page, 'transfer-reloaded')
  },
)

test('a transfer waits for a purchase that is on its way', { tag: '@long' }, async ({ visit, stack }, { testId }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '1' })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await phase(page, /seen|confirmed/)
  await openForm(page)
  await expect(page.getByTestId('send-on-way')).toContainText('A purchase is on its way.')
  await write(page, { asset: 'SOL', amount: '1', to: somebody(testId).address })
  await expect(page.getByTestId('send-review')).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('link', { name: 'Show the purchase' }).click()
  await settle(stack, page)
  await openForm(page)
  await review(page)
  await approve(page)
  await settleTransfer(stack, page)
  await page.getByTestId('send-done').click()
  await page.keyboard.press('Escape')
  await saveRecording(page, 'transfer-after-a-purchase')
})
