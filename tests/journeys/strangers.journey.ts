/** Hostile content in the page: wallets that impersonate others, images that hang a browser, texts that hide or execute. */
import { iconOf } from '../stack/installed/icon.ts'
import { hostilePictures, useBomb } from '../main/drivers/pictures/hostile.ts'
import { confirmWindow, connectInstalled, fund, order, payments, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { hostileStrings, listenForRuns, tracesIn } from './hostileStrings.ts'
import { approve, copyUri, pair } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'
import { honestlyAsked, spoof, spoofed, type SpoofOptions } from './spoof.ts'

test.describe.configure({ mode: 'parallel', timeout: 120_000 })

for (const when of ['first', 'second'] as const) {
  const name = `a spoof that announces itself ${when} is asked for nothing; a press asks the recorded wallet`
  test(name, { tag: '@long' }, async ({ visit, stack }) => {
    const visitor = await visit()
    const page = await visitor.open()
    const address = await connectInstalled(page)
    await fund(stack, page, address)

    const posing: SpoofOptions = { when, names: ['Quill'], icon: iconOf('another'), address }
    await visitor.context.addInitScript(spoof, posing)
    await page.reload()
    const button = page.getByTestId('account-button')
    await expect(button).toHaveAttribute('data-address', address)
    await button.click()
    await expect(page.getByTestId('modal')).toContainText('Another wallet here is named like Quill.')
    expect([await spoofed(page), await honestlyAsked(page)]).toEqual([[], []])

    await page.getByTestId('wallets').click()
    await page.getByTestId('another-wallet').click()
    const rows = page.locator('[data-testid="wallet-row"][data-wallet="Quill"]')
    await expect(rows).toHaveCount(2)
    for (const row of await rows.all()) await expect(row).toContainText('Same name as another wallet here')
    await expect(rows.filter({ hasText: 'Looks like the one you used' })).toHaveCount(1)
    await page.getByTestId('modal-back').click()
    await expect(page.getByTestId('modal-title')).toHaveText('Wallets')
    await page.getByTestId('modal-back').click()

    await page.getByRole('button', { name: 'Connect again' }).click()
    await confirmWindow(page).getByTestId('confirm-approve').click()
    await expect(page.getByTestId('modal')).toBeHidden()
    await order(page, { asset: 'SOL', amount: '1' })
    await confirmWindow(page).getByTestId('confirm-approve').click()
    await settle(stack, page)
    expect(payments(stack, address)).toHaveLength(1)
    expect(await honestlyAsked(page)).toEqual(['connect', 'signTransaction'])
    expect(await spoofed(page)).toEqual([])
  })
}

test('a perfect copy leaves the choice to the person: both are marked and nobody is asked @long', async ({ visit }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const address = await connectInstalled(page)
  await visitor.context.addInitScript(spoof, {
    when: 'first',
    names: ['Quill', 'Qu\u0456ll'],
    icon: iconOf('Quill'),
    address,
  } satisfies SpoofOptions)
  await page.reload()
  await page.getByTestId('account-button').click()
  await page.getByRole('button', { name: 'Connect again' }).click()
  const rows = page.locator('[data-testid="wallet-row"]').filter({ hasText: 'Same name as another wallet here' })
  await expect(rows).toHaveCount(3)
  expect([await spoofed(page), await honestlyAsked(page)]).toEqual([[], []])
  await page.getByTestId('modal-close').click()
  await saveRecording(page, 'twins-announced')
})

test('pictures that hang a browser never become an image, and the page goes on @long', async ({ visit }) => {
  const visitor = await visit()
  const icon = `data:image/svg+xml;base64,${Buffer.from(useBomb).toString('base64')}`
  await visitor.context.addInitScript(spoof, { when: 'first', names: ['Bomb'], icon } satisfies SpoofOptions)
  const pictures = Object.values(hostilePictures)
  let served = 0
  await visitor.context.route(/\/getWalletImage\//, route => {
    const body = Buffer.from(pictures[served % pictures.length] ?? [])
    served += 1
    return route.fulfill({ body, contentType: 'image/svg+xml', headers: { 'access-control-allow-origin': '*' } })
  })
  const page = await visitor.open()
  await page.getByTestId('connect-button').click()
  await expect(page.locator('[data-testid="wallet-row"][data-wallet="Bomb"]')).toBeVisible()
  await page.getByTestId('all-wallets-row').click()
  await expect.poll(() => served).toBeGreaterThan(10)
  // Only Quill's own image may be drawn
  await expect(page.locator('img[src^="blob:"], img[src*="svg"]')).toHaveCount(0)
  await page.getByTestId('modal-back').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]').click()
  await expect(page.getByTestId('qr')).toBeVisible()
})

test('hostile names of wallets, listed ones and peers are text, and nothing in them hides or runs', {
  tag: '@long',
}, async ({ visit, openWallet, site }) => {
  const visitor = await visit()
  await visitor.context.addInitScript(listenForRuns)
  const perPage = 60
  for (let from = 0; from < hostileStrings.length; from += perPage) {
    const names = hostileStrings.slice(from, from + perPage)
    const page = await visitor.context.newPage()
    await page.addInitScript(spoof, { when: 'first', names, icon: iconOf('x') } satisfies SpoofOptions)
    await page.route(/\/getWallets/, route => {
      const data = names.slice(0, 40).map((name, n) => ({
        id: `listed-${from + n}`,
        name: `Listed ${name}`,
        image_id: name,
        homepage: `https://x.example/${name}`,
        mobile_link: name,
        badge_type: name,
        chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
      }))
      return route.fulfill({ json: { count: 40, data }, headers: { 'access-control-allow-origin': '*' } })
    })
    await page.goto(site.url)
    await page.getByTestId('connect-button').click()
    await expect.poll(() => page.getByTestId('wallet-row').count()).toBeGreaterThan(20)
    expect(await tracesIn(page)).toEqual([])
    await page.getByTestId('all-wallets-row').click()
    await expect.poll(() => page.getByTestId('wallet-row').count()).toBeGreaterThan(20)
    expect(await tracesIn(page)).toEqual([])
    await page.close()
  }

  const name = encodeURIComponent(`\u202e<img src=x onerror=__run()>\u2028${'\u0301'.repeat(99)}\u200bPocket\u0000`)
  const [page, wallet] = await Promise.all([visitor.open(), openWallet(`name=${name}`)])
  const uri = await copyUri(page)
  await pair(wallet, uri)
  await approve(wallet, 'proposal')
  await page.getByTestId('account-button').click()
  await expect(page.getByTestId('wallets')).toContainText('<img src=x onerror=__run()>')
  await expect(page.getByTestId('wallets')).toContainText('Pocket')
  expect(await tracesIn(page)).toEqual([])
})
