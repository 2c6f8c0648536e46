/** The installed package in the example hosts: a visitor connects by code, and the host shows the account. */
import type { Page } from '@playwright/test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Packing, packPackage } from './examples.ts'
import { expect, test } from './fixtures.ts'
import { approve, pair, takeCode } from './pocket.ts'

let packing: Packing
test.beforeAll(async ({ stack }) => {
  packing = await packPackage(stack.addresses)
})
test.afterAll(() => packing.remove())

/** Connects by code. @param name of the host's button. @returns the address that the wallet shows */
async function connect(page: Page, wallet: Page, name = 'Connect Wallet'): Promise<string> {
  await page.getByRole('button', { name }).click()
  const uri = await takeCode(page)
  await pair(wallet, uri)
  await approve(wallet, 'proposal')
  const address = (await wallet.getByTestId('wallet-address').getAttribute('data-address')) ?? ''
  await expect(page.locator('#account')).toHaveText(address)
  return address
}

test('the plain example loads the classic script, shows its buttons and hears how an opening ended', {
  tag: '@long',
}, async ({ visit, openWallet }) => {
  const example = await packing.start('plain')
  try {
    const visitor = await visit({ wallets: [] })
    const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet()])
    await page.goto(example.url)
    await expect(page.locator('#account')).toHaveText('none')
    await page.getByRole('button', { name: 'Open the modal' }).click()
    await page.getByTestId('modal-close').click()
    await expect(page.locator('#outcome')).toHaveText('dismissed')
    const buttonIn = (id: string) => page.locator(`#${id}`).getByRole('button')
    const title = page.getByTestId('modal-title')
    await buttonIn('wallet').press('Enter')
    await expect(title).toHaveText('Connect wallet')
    await page.getByTestId('modal-close').click()
    await expect(buttonIn('balance')).toHaveCount(0)
    await expect(buttonIn('network')).not.toHaveText('Select network')
    const address = await connect(page, wallet, 'Open the modal')
    await expect(page.locator('#outcome')).toHaveText('connected')
    await page.reload()
    await expect(page.locator('#account')).toHaveText(address)
    const short = `${address.slice(0, 4)}…${address.slice(-4)}`
    await expect(buttonIn('wallet')).toContainText(short)
    await expect(buttonIn('balance')).toHaveText(new RegExp(`^[\\d.,]+ SOL${short}$`))
    await buttonIn('network').click()
    await expect(title).toHaveText('Choose network')
    await page.getByTestId('modal-close').click()
    await buttonIn('balance').click()
    await expect(page.getByTestId('account-address')).toBeVisible()
    // It loads parts ahead, which its server must outlive
    await page.close()
  } finally {
    await example.close()
  }
})

test('the example of Vite and React checks its types, has one React and connects', { tag: '@long' }, async ({
  visit,
  openWallet,
}) => {
  const example = await packing.start('vite-react')
  try {
    const assets = join(example.folder, 'dist/assets')
    const withReact = readdirSync(assets).filter(name =>
      readFileSync(join(assets, name), 'utf8').includes('react.transitional.element'),
    )
    expect(withReact).toHaveLength(1)
    const visitor = await visit({ wallets: [] })
    const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet()])
    await page.goto(example.url)
    const address = await connect(page, wallet)
    await expect(page.getByRole('button', { name: `${address.slice(0, 4)}…${address.slice(-6)}` })).toBeVisible()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.locator('#account')).toHaveText('none')
    await page.close()
  } finally {
    await example.close()
  }
})

test('the server-rendered example has its button in the HTML, is taken over by React and connects', {
  tag: '@long',
}, async ({ visit, openWallet }) => {
  const example = await packing.start('server-rendered')
  try {
    const html = await (await fetch(example.url)).text()
    expect(html).toContain('Connect Wallet</button>')
    const visitor = await visit({ wallets: [] })
    const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet()])
    await page.goto(example.url)
    await connect(page, wallet)
    await page.close()
  } finally {
    await example.close()
  }
})

test('the webpack example builds without settings, and its workers come from its own origin', {
  tag: '@long',
}, async ({ visit, openWallet }) => {
  const example = await packing.start('webpack')
  try {
    const visitor = await visit({ wallets: [] })
    const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet()])
    await page.goto(example.url)
    const address = await connect(page, wallet, 'Open the modal')
    for (const worker of page.workers()) expect(worker.url()).toContain(`${example.url}dist/`)
    expect(page.workers()).not.toEqual([])
    await page.reload()
    await expect(page.locator('#account')).toHaveText(address)
    await page.close()
  } finally {
    await example.close()
  }
})
