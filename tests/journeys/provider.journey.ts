import type { Page } from '@playwright/test'
import { encodeBase58 } from '../../src/events/values/solana/base58.ts'
import type { Provider } from '../../src/main/provider/provider.ts'
import { expect, test } from './fixtures.ts'
import { approve, decline, pair } from './pocket.ts'

test.describe.configure({ mode: 'parallel' })

const chain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** The Clock sysvar, an account of every chain. */
const clock = 'SysvarC1ock11111111111111111111111111111111'
type Host = { provider: Provider; connecting: Promise<unknown> }

/** A host page with the embed and a provider. */
async function openHost(page: Page, { url, rpcUrl }: { url: string; rpcUrl: string }): Promise<void> {
  await page.route(`${url}host.html`, route =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Host</title><h1>Host</h1>' }),
  )
  await page.goto(`${url}host.html`)
  await page.evaluate(
    async ([caip2, rpc]) => {
      const embed = '/embed/embed.js'
      const { createModal } = (await import(embed)) as typeof import('../../src/main/embed.ts')
      const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
      const modal = createModal({ projectId: '00000000000000000000000000000001', metadata })
      const provider = await modal.provider({ rpcMap: { [caip2 ?? '']: rpc ?? '' } })
      Object.assign(window, { provider })
    },
    [chain, rpcUrl],
  )
}

const ask = (page: Page, method: string, params: unknown): Promise<unknown> =>
  page.evaluate(
    async ([name, given]) => {
      const { provider } = window as unknown as Host
      return provider.request({ method: name as string, params: given }).catch((cause: unknown) => {
        const { code, message } = cause as { code: number; message: string }
        return { code, message }
      })
    },
    [method, params] as const,
  )

test('a host page connects a wallet by the provider, signs, reads the chain, and finds its session again @long', async ({
  visit,
  openWallet,
  stack,
  site,
}) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet()])
  const host = { url: site.url, rpcUrl: stack.solana.url }
  await openHost(page, host)
  const uri = await page.evaluate(
    caip2 =>
      new Promise<string>(resolve => {
        const { provider } = window as unknown as Host
        provider.once('display_uri', resolve)
        const solana = { chains: [caip2], methods: ['solana_signMessage'], events: [] }
        Object.assign(window, { connecting: provider.connect({ optionalNamespaces: { solana } }) })
      }),
    chain,
  )
  await pair(wallet, uri)
  await approve(wallet, 'proposal')
  const [account] = await page.evaluate(async () => {
    const { provider, connecting } = window as unknown as Host
    await connecting
    return provider.enable()
  })
  await expect(wallet.getByTestId('wallet-address')).toHaveAttribute('data-address', account ?? '')

  const params = { message: encodeBase58(new TextEncoder().encode('hello host')), pubkey: account }
  const signing = ask(page, 'solana_signMessage', params)
  await expect(wallet.getByTestId('wallet-words')).toContainText('hello host')
  await approve(wallet, 'request')
  expect(await signing).toMatchObject({ signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/) })
  expect(await ask(page, 'getHealth', [])).toBe('ok')
  // An integer beyond 2^53, from the node through the worker to the host
  expect(await ask(page, 'getAccountInfo', [clock, { encoding: 'base64' }])).toMatchObject({
    value: { rentEpoch: 18_446_744_073_709_551_615n },
  })

  await openHost(page, host)
  const declining = ask(page, 'solana_signMessage', params)
  await decline(wallet, 'request')
  expect(await declining).toMatchObject({ code: 5000 })
  expect(await page.evaluate(async () => (await (window as unknown as Host).provider.answers()).length)).toBe(1)

  await page.evaluate(() => (window as unknown as Host).provider.disconnect())
  expect(await ask(page, 'solana_signMessage', params)).toMatchObject({
    message: 'Please call connect() before request()',
  })
})
