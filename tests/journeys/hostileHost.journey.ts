/** A host that serves foreign terms, to a returning visitor and to a new one. */
import { expect, test } from './fixtures.ts'
import { untilStored } from './secrets.ts'

test.describe.configure({ mode: 'default', timeout: 120_000 })

test('terms of another authority sell nothing, on a first visit and on a later one', async ({ visit, stack }) => {
  const known = await (await visit()).open()
  await expect(known.getByTestId('buy-button')).toHaveText('Connect wallet')
  stack.solana.control({ operator: { termsFile: 'foreign' } })
  await known.reload()
  const fresh = await (await visit()).open()
  for (const page of [known, fresh]) {
    await expect(page.locator('#buy')).toContainText('These terms belong to another sale. Buying is off. Do not pay.')
    await expect(page.getByTestId('buy-button')).toHaveText('Buying is off')
  }
})

test('another treasury is shown beside the known one, and sells nothing until a person takes it @long', async ({
  visit,
  stack,
}) => {
  const page = await (await visit()).open()
  const button = page.getByTestId('buy-button')
  await expect(button).toHaveText('Connect wallet')
  await untilStored(page, 'sale.pinned')
  try {
    stack.solana.control({ operator: { termsFile: 'treasury', announce: true }, advance: 40 })
    const served = (await (await fetch(stack.addresses.VITE_TERMS_URL)).json()) as { treasury: string }
    await page.reload()
    const changed = page.getByTestId('sale-changed')
    await expect(changed.locator('del')).toContainText(stack.solana.info.treasury)
    await expect(changed.locator('ins')).toContainText(served.treasury)
    await expect(button).toHaveText('Buying is off')
    await page.getByTestId('confirm-change').click()
    await expect(changed).toHaveCount(0)
    await expect(button).toHaveText('Connect wallet')
  } finally {
    stack.solana.control({ operator: { termsFile: 'normal', announce: true }, advance: 40 })
  }
})
