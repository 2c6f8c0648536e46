/** Wallets that open the page in their own browser on a phone: the drafted purchase goes along in the address. */
import { confirmWindow, connectedAddress, fund, payments, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { noteOpened } from './openedLinks.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

const phone = {
  hasTouch: true,
  isMobile: true,
  viewport: { width: 390, height: 844 },
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
}

test('a visitor on a phone goes on in Phantom’s browser with the amount, and buys there @long', async ({
  visit,
  stack,
}) => {
  const outside = await visit({ wallets: [], context: phone })
  const opened = await noteOpened(outside.context)
  const requested: string[] = []
  outside.context.on('request', request => requested.push(`${request.url()} ${request.postData() ?? ''}`))
  const page = await outside.open()
  await page.getByTestId('pay-amount').fill('2.5')
  for (const statement of ['terms', 'region', 'risk']) await page.getByTestId(`acknowledge-${statement}`).check()
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="Phantom"]').click()
  await expect(page.getByTestId('modal')).toContainText('Continue in Phantom')
  await expect.poll(() => opened).toHaveLength(1)
  const address = new URL(opened[0] ?? '')
  expect(`${address.origin}${address.pathname.slice(0, 11)}`).toBe('https://phantom.app/ul/browse/')
  const carried = decodeURIComponent(address.pathname.slice('/ul/browse/'.length))
  expect(carried).toMatch(/#asset=SOL&units=2500000000&min=[1-9]\d+$/)
  await page.getByTestId('modal-close').click()
  await saveRecording(page, 'phone-to-phantom')

  const inside = await visit({ wallets: [{ name: 'Phantom', word: 'inside' }], context: phone })
  await inside.context.addInitScript(() => void Object.assign(window, { phantom: {} }))
  inside.context.on('request', request => requested.push(`${request.url()} ${request.postData() ?? ''}`))
  const there = await inside.context.newPage()
  await there.goto(carried)
  await expect(there.getByTestId('carried')).toContainText('2.5 SOL for at least')
  expect(new URL(there.url()).hash).toBe('')
  await expect(there.getByTestId('pay-amount')).toHaveValue('2.5')
  await expect(there.getByTestId('acknowledge-terms')).not.toBeChecked()
  await there.getByTestId('connect-button').click()
  await there.locator('[data-testid="wallet-row"][data-wallet="Phantom"]').click()
  await confirmWindow(there).getByTestId('confirm-approve').click()
  const account = await connectedAddress(there)
  await fund(stack, there, account)
  for (const statement of ['terms', 'region', 'risk']) await there.getByTestId(`acknowledge-${statement}`).check()
  await there.getByTestId('buy-button').click()
  await confirmWindow(there).getByTestId('confirm-approve').click()
  await settle(stack, there)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_500_000_000n }])
  expect(requested.filter(text => text.includes('units=2500000000'))).toEqual([])
  await saveRecording(there, 'in-phantoms-browser')
})

test('two connected wallets leave at once @long', async ({ visit }, testInfo) => {
  const wallets = ['Quill', 'Heron'].map(name => ({ name, word: `${testInfo.testId} ${name}` }))
  const page = await (await visit({ wallets })).open()
  for (const name of ['Quill', 'Heron']) {
    if (name === 'Quill') await page.getByTestId('connect-button').click()
    else {
      await page.getByTestId('account-button').click()
      await page.getByTestId('wallets').click()
      await page.getByTestId('another-wallet').click()
    }
    await page.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`).click()
    await confirmWindow(page).getByTestId('confirm-approve').click()
    if (name === 'Quill') await expect(page.getByTestId('account-button')).toBeVisible()
  }
  await expect(page.getByRole('list', { name: 'Connected wallets' }).getByRole('listitem')).toHaveCount(2)
  await page.getByTestId('disconnect-all').click()
  await expect(page.getByTestId('connect-button')).toBeVisible()
})
