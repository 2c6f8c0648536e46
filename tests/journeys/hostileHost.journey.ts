/** A host that serves foreign terms, alone and together with a node that denies a payment and a wallet that poses as another. */
import { confirmWindow, connectInstalled, fund, order, orderCard, payments, phase } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { untilStored } from './secrets.ts'
import { spoof, spoofed, type SpoofOptions } from './spoof.ts'
import { setClock } from './steering.ts'
import { iconOf } from '../stack/installed/icon.ts'

test.describe.configure({ mode: 'default', timeout: 120_000 })

test('terms of another authority sell nothing, on a first visit and on a later one @long', async ({ visit, stack }) => {
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

test('another treasury, signed and announced, is shown beside the known one and sells nothing, also on a first visit @long', async ({
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
    await expect(page.getByTestId('confirm-change')).toHaveCount(0)
    const fresh = await (await visit()).open()
    for (const one of [page, fresh]) {
      await expect(one.locator('#buy')).toContainText('Payments by changed ones do not count. Do not pay.')
      await expect(one.getByTestId('buy-button')).toHaveText('Read the terms again')
    }
    stack.solana.control({ operator: { termsFile: 'normal', announce: true }, advance: 40 })
    await page.getByTestId('buy-button').click()
    await expect(button).toHaveText('Connect wallet')
    await expect(changed).toHaveCount(0)
  } finally {
    stack.solana.control({ operator: { termsFile: 'normal', announce: true }, advance: 40 })
  }
})

test('a node that denies the payment, a spoof and foreign terms at once: one payment, and no word of its loss', async ({
  visit,
  stack,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  const address = await connectInstalled(page)
  await fund(stack, page, address)
  const posing: SpoofOptions = { when: 'first', names: ['Quill'], icon: iconOf('another'), address }
  await visitor.context.addInitScript(spoof, posing)
  await page.reload()
  await page.getByTestId('account-button').click()
  await page.getByRole('button', { name: 'Connect again' }).click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await expect(page.getByTestId('modal')).toBeHidden()

  await order(page, { asset: 'SOL', amount: '1' })
  await expect(confirmWindow(page).getByTestId('confirm-approve')).toBeVisible()
  // Statuses and histories are those of a node far behind, heights those of one at the tip
  const behind = { kind: 'lag', slots: 100_000 } as const
  stack.solana.control({ faults: { getSignatureStatuses: behind, getSignaturesForAddress: behind } })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await phase(page, 'sending')
  const callsOf = async (method: string) => {
    const { calls } = (await (await fetch(`${stack.solana.url}/state`)).json()) as { calls: Record<string, number> }
    return calls[method] ?? 0
  }
  const looks = () => callsOf('getSignatureStatuses')
  await expect.poll(() => callsOf('sendTransaction')).toBeGreaterThan(0)
  stack.solana.chain.advance(400)
  expect(payments(stack, address)).toHaveLength(1)
  for (const passed of [40_000, 80_000, 120_000]) {
    const before = await looks()
    await setClock(page, passed, passed)
    await expect.poll(looks).toBeGreaterThan(before + 1)
    await expect(orderCard(page)).toHaveAttribute('data-phase', /sending|unknown/)
    await expect(orderCard(page)).not.toContainText('no longer arrive')
  }
  await expect(page.getByTestId('pay-amount')).toHaveCount(0)

  stack.solana.control({ operator: { termsFile: 'foreign' } })
  await page.reload()
  await expect(page.locator('#buy')).toContainText('These terms belong to another sale. Buying is off. Do not pay.')
  stack.solana.control({ faults: {}, operator: { termsFile: 'normal' } })
  await page.reload()
  await phase(page, /confirmed|finalised/)
  stack.solana.chain.advance(40)
  await phase(page, 'finalised')
  expect(payments(stack, address)).toHaveLength(1)
  expect(await spoofed(page)).toEqual([])
})
