import { failureOf } from '../../../src/events/subjects/order/order.ts'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quotePaying } from '../../../src/events/sale/quote.ts'
import { baseline, readSale } from '../../../src/events/sale/sale.ts'
import type { Model } from '../../../src/events/app.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { chainOf, configFor, openPage, type TestPage } from './page.ts'
import { createLocks } from './locks.ts'
import { freshKey } from './buying.ts'

let stack: Stack
let wallet: KitWallet

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'shell',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  const { secretKey } = seededKeypair('shell', 'visitor')
  wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey,
    rpcUrl: stack.solana.url,
  })
  stack.solana.give(wallet.address, { sol: '20', usdc: '1000' })
  stack.solana.chain.advance(40)
}, 60_000)

afterAll(async () => {
  await wallet?.close()
  await stack?.close()
})

function saleOf(model: Model) {
  const { terms, reading, notices } = model.sale
  if (terms.phase !== 'read' || !reading || !notices) return undefined
  const sale = readSale(terms.terms, notices.checkpoint ?? baseline({}), reading.balances, reading.chainTime, notices)
  return { terms, sale }
}

async function connect(page: TestPage): Promise<void> {
  await chainOf(page)
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
  })
  const topic = await page.until(
    'a pairing',
    model =>
      model.pairing.shown !== null &&
      model.pairing.open[model.pairing.shown]?.phase === 'proposed' &&
      model.pairing.shown,
  )
  const uri = await page.core.pairingUri(topic)
  expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  await wallet.pair(uri ?? '')
  await page.until('a connection', model => model.connection.active !== null)
}

async function buy(page: TestPage, asset: string, units: string): Promise<string> {
  const { terms, sale } = await page.until('the sale', saleOf)
  const quote = quotePaying(terms.terms, { pos: sale.pos, time: sale.time }, asset, units)
  await page.command({
    type: 'order.place',
    data: {
      orderKey: freshKey(),
      asset,
      units,
      quoted: quote.tokens,
      min: quote.min,
      termsHash: terms.termsHash,
      acknowledged: terms.terms.legal.acknowledge,
    },
  })
  const order = await page.until('the payment to be seen', model =>
    Object.values(model.order).find(one => !one.dismissed && (one.phase === 'seen' || failureOf(one))),
  )
  expect(failureOf(order)).toBeUndefined()
  stack.solana.chain.advance(2)
  await page.until('confirmation', model => model.order[order.orderId]?.phase === 'confirmed')
  stack.solana.chain.advance(40)
  await page.until('finality', model => model.order[order.orderId]?.phase === 'finalised')
  return order.orderId
}

test('a visitor connects the official wallet kit, buys with SOL and with USDC, and disconnects', async () => {
  const page = await openPage({ config: configFor(stack), locks: createLocks() })
  await connect(page)
  expect(page.model().connection.made[page.model().connection.active ?? '']?.accounts).toEqual([wallet.address])

  const first = await buy(page, 'SOL', '2500000000')
  const second = await buy(page, 'USDC', '375000000')
  for (const orderId of [first, second])
    expect(page.model().order[orderId]).toMatchObject({
      signed: { signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/) },
    })
  await page.until(
    'both purchases',
    model => model.purchase[wallet.address]?.purchases.filter(one => one.status === 'final').length === 2,
  )

  await page.command({ type: 'connection.disconnect', data: { connectionId: page.model().connection.active ?? '' } })
  await wallet.next('deleted')
  expect(page.model().connection.active).toBeNull()
  expect(wallet.sessions()).toEqual([])
}, 60_000)
