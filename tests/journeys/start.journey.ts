/** The page as `npm start` serves it. */
import { startPage } from '../../scripts/devPage.ts'
import { installedWalletScript } from '../stack/installed/bundle.ts'
import { tokenNames } from '../stack/start.ts'
import { connectInstalled } from './buying.ts'
import { expect, test } from './fixtures.ts'

test('the development server shows the sale and connects a wallet, also after a build in its process', async ({
  page,
  stack,
}) => {
  const wallets = [{ name: 'Quill', word: 'development' }]
  const script = await installedWalletScript({ rpcUrl: stack.solana.url, wallets, tokens: tokenNames(stack.solana) })
  process.env.NODE_ENV = 'production'
  const server = await startPage(stack.addresses, script)
  try {
    await page.goto(server.url)
    await expect(page.getByTestId('pay-amount')).toBeEnabled()
    await expect(page.getByText('View only')).toHaveCount(0)
    await connectInstalled(page)
  } finally {
    await server.close()
  }
})
