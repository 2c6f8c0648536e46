import { confirmWindow, connectInstalled } from './buying.ts'
import { expect, inMotion, test } from './fixtures.ts'
import { approve, pair, takeCode } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

test('a visitor connects a second wallet, sees both, switches, and leaves one after the other @long', async ({
  visit,
  openWallet,
}) => {
  const visitor = await visit({ context: inMotion })
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const quill = await connectInstalled(page)

  await page.getByTestId('account-button').click()
  await page.getByTestId('wallets').click()
  await page.getByTestId('another-wallet').click()
  await pair(wallet, await takeCode(page))
  await approve(wallet, 'proposal')

  const wallets = page.getByRole('list', { name: 'Connected wallets' }).getByRole('listitem')
  await expect(wallets).toHaveCount(2)
  await expect(page.getByTestId('modal')).toContainText('New wallet added')
  const address = page.getByTestId('account-button')
  const pocket = await address.getAttribute('data-address')
  expect(pocket).not.toBe(quill)

  // A wallet already connected becomes the active one, and is not asked again
  await page.getByTestId('another-wallet').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="Quill"]').click()
  await expect(address).toHaveAttribute('data-address', quill)
  await expect(confirmWindow(page)).toHaveCount(0)
  await expect(wallets).toHaveCount(2)
  await page.getByTestId('switch-wallet').click()
  await expect(address).toHaveAttribute('data-address', pocket ?? '')

  await page.getByTestId('switch-wallet').click()
  await expect(address).toHaveAttribute('data-address', quill)
  await page.reload()
  await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', quill)

  await page.getByTestId('account-button').click()
  await page.getByTestId('wallets').click()
  await expect(wallets).toHaveCount(2)
  await wallets.last().getByTestId('leave-wallet').click()
  await expect(wallets).toHaveCount(1)
  await expect(address).toHaveAttribute('data-address', quill)
  await expect(wallet.getByTestId('wallet-disconnect')).toHaveCount(0)
  await page.getByTestId('modal-back').click()
  await page.getByTestId('disconnect').click()
  await expect(page.getByTestId('connect-button')).toBeVisible()
  await saveRecording(page, 'several-wallets')
})

test('a second wallet that declines leaves the first one connected, and the way back leads to another one @long', async ({
  visit,
}, { testId }) => {
  const wallets = ['Quill', 'Heron', 'Wren'].map(name => ({ name, word: `${testId} ${name}` }))
  const page = await (await visit({ wallets })).open()
  const quill = await connectInstalled(page)
  await page.getByTestId('account-button').click()
  await page.getByTestId('wallets').click()
  await page.getByTestId('another-wallet').click()
  const row = (name: string) => page.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`)
  await row('Heron').click()
  await confirmWindow(page).getByTestId('confirm-decline').click()
  await expect(page.getByTestId('modal')).toContainText('You declined')
  await page.getByTestId('modal-back').click()
  await expect(page.getByTestId('modal-title')).toHaveText('Connect wallet')
  await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', quill)
  await row('Wren').click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  const names = page.getByRole('list', { name: 'Connected wallets' }).getByRole('listitem')
  await expect(names).toHaveText([/Wren/, /Quill/])
  await page.getByTestId('modal-close').click()
  await saveRecording(page, 'second-wallet-declined')
})
