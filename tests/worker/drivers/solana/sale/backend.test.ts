/** The drivers ask the backend that the terms name. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Terms } from '../../../../../src/events/sale/terms/terms.ts'
import { buyerRef, invoiceRef, presaleRef } from '../../../../../src/worker/chains/solana/references.ts'
import { purchaseBuilders } from '../../../../../src/worker/drivers/solana/order/prepare.ts'
import { buyerReaders } from '../../../../../src/worker/drivers/solana/sale/purchases.ts'
import { totalsReaders } from '../../../../../src/worker/drivers/solana/sale/sale.ts'
import { createSolanaDriver } from '../../../../../src/worker/drivers/solana/solana.ts'
import { createHttp } from '../../../../../src/worker/host/aloneTransport.ts'
import { memoryBytes } from '../../../../../src/worker/drivers/bytes.ts'
import { paymentParsers } from '../../../../../src/worker/services/purchases.ts'
import { seededKeypair } from '../../../../stack/solana/keys.ts'
import { transfer } from '../../../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../../../stack/solana/server.ts'
import { legacyBytes, orderInstructions } from '../../../chains/solana/exampleOrder.ts'
import { register, trial } from '../../../trialBackend.ts'
import { answerOf, failureOf, serve } from '../../harness.ts'

let stack: SolanaStack
let terms: Terms
let presale: string
let bytes: ReturnType<typeof memoryBytes>
let drivers: ReturnType<typeof createSolanaDriver>

const driversOf = (termsUrl: string) =>
  createSolanaDriver({
    rpcUrls: [stack.url],
    termsUrl,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {}, fetch }),
    bytes,
    now: () => 0,
  })

beforeAll(async () => {
  stack = await startSolana({ seed: 'backend drivers', clock: 'manual' })
})
afterAll(() => stack?.close())
beforeEach(async () => {
  bytes = memoryBytes()
  drivers = driversOf(`${stack.url}/terms.json`)
  const read = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
  terms = { ...read.terms, backend: trial }
  presale = presaleRef(terms.authority, terms.id)
})

const orderOf = (account: string) => ({
  orderKey: '5b0e9d7c31f4a826',
  account,
  asset: 'SOL',
  units: '2000000000',
  quoted: '1',
  min: '1',
  termsHash: '0'.repeat(64),
  presaleRef: presale,
})
const buyer = seededKeypair('backend drivers', 'buyer')
const readings = () => ({
  totals: { treasury: terms.treasury, assets: [{ symbol: 'SOL' }], backend: trial },
  buyer: { account: buyer.address, presaleRef: presale, terms, known: [] },
  order: { orderId: 'order1', order: orderOf(buyer.address), terms },
})

test('totals are read by the backend of the terms', async () => {
  const read = { slot: 77, chainTime: 1_799_000_000_000, balances: { SOL: '5' } }
  register(totalsReaders, { readTotals: async () => read })
  expect(await answerOf(drivers, 'chain.readSale', readings().totals, 'chain.sale')).toEqual(read)
})

test('an account is read by the backend of the terms, with one reader for all readings', async () => {
  let opened = 0
  register(buyerReaders, {
    readBuyer() {
      opened += 1
      return async ({ account }) => ({ account, purchases: [], more: 'older' })
    },
  })
  const read = () => answerOf(drivers, 'chain.readPurchases', readings().buyer, 'chain.purchases')
  expect(await read()).toEqual({ account: buyer.address, purchases: [], more: 'older' })
  await read()
  expect(opened).toBe(1)
})

test('a purchase is built by the backend of the terms', async () => {
  register(purchaseBuilders, {
    async buildPurchase({ bytes: store }, { orderId }) {
      const bytesRef = await store.put(legacyBytes(orderInstructions()), orderId)
      const words = { orderRef: 'o', buyerRef: 'b', memo: 'escrow' }
      const decoded = { feePayer: '', blockhash: '', instructions: [] }
      const built = { blockhash: presale, validUntilHeight: 1, slot: 2, fee: '5000', unitsConsumed: 3, decoded }
      return { orderId, bytesRef, ...built, ...words }
    },
  })
  const built = await answerOf(drivers, 'chain.prepareOrder', readings().order, 'chain.orderPrepared')
  expect(built).toMatchObject({ memo: 'escrow', slot: 2 })
  expect(built.decoded.instructions).toHaveLength(4)
})

test('payments are found by the backend of the terms, of accounts and of codes', async () => {
  register(buyerReaders, buyerReaders.direct)
  register(paymentParsers, { parse: () => ({ asset: 'SOL', units: '42', fault: 'no_memo' }) })
  stack.give(buyer.address, { sol: '20' })
  const key = '00112233445566ff'
  const references = [buyerRef(presale, buyer.address), invoiceRef(presale, key)]
  const signature = stack.chain.run([transfer(buyer.address, terms.treasury, 2_000_000_000n, references)], [buyer])
  stack.chain.advance(40)
  const read = await answerOf(drivers, 'chain.readPurchases', readings().buyer, 'chain.purchases')
  expect(read.purchases).toMatchObject([{ signature, units: '42', fault: 'no_memo' }])
  const code = { invoiceId: 'invoice1', asset: 'SOL', units: '42', quoted: '1', termsHash: '0'.repeat(64) }
  const look = { presaleRef: presale, orderKey: key, terms, codes: [code] }
  const found = await answerOf(drivers, 'chain.watchInvoice', look, 'chain.invoice')
  expect(found).toMatchObject({ buyer: buyer.address, payment: { signature, units: '42' } })
})

test.each(['chain.readSale', 'chain.readPurchases', 'chain.prepareOrder'] as const)(
  '%s fails by name for a backend that this build has not',
  async type => {
    const { totals, buyer: account, order } = readings()
    const data = { 'chain.readSale': totals, 'chain.readPurchases': account, 'chain.prepareOrder': order }[type]
    expect(await failureOf(drivers, type, data)).toMatchObject({
      code: 'terms_invalid',
      message: 'a sale expected the backend direct, got trial',
    })
  },
)

test('terms of an unknown backend are refused as they are read, and say what was expected and what came', async () => {
  const { terms: read } = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
  const server = await serve((_, response) => response.end(JSON.stringify({ ...read, backend: 'meteora' })))
  expect(await failureOf(driversOf(`${server.url}/terms.json`), 'chain.readTerms', {})).toEqual({
    code: 'terms_invalid',
    message: 'presale terms: backend expected direct, got meteora',
    facts: { rule: 'TERMS_BACKEND', expected: 'direct', got: 'meteora' },
  })
  await server.close()
})
