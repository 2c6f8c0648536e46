/** Nodes that contradict the terms or themselves, one of them or all, on the local chain. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { createSolanaDriver } from '../../../../src/worker/drivers/solana/solana.ts'
import type { InputOf } from '../../../../src/worker/drivers/drive.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { answerOf, failureOf } from '../harness.ts'

type Account = { data: [string, string]; owner: string }
type Answer = { result?: { value?: (Account | null)[] } }

const buyer = seededKeypair('contradicting nodes', 'buyer')
let stack: SolanaStack
let read: InputOf<'chain.terms'>
/** answers of `getMultipleAccounts` still to be altered at the first endpoint, and how */
let lies = 0
let lie: (accounts: (Account | null)[]) => void = () => undefined
let asked = 0

/** Alters what the first endpoint tells about accounts. */
const lying: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const isAsked = String(init?.body ?? '').includes('getMultipleAccounts')
  if (isAsked) asked += 1
  if (!isAsked || !String(input).startsWith(stack.url) || lies === 0) return response
  lies -= 1
  const body = (await response.json()) as Answer | Answer[]
  for (const { result } of [body].flat()) if (Array.isArray(result?.value)) lie(result.value)
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}

function drivers({ alone = false } = {}) {
  return createSolanaDriver({
    rpcUrls: alone ? [stack.url] : [stack.url, stack.url.replace('127.0.0.1', 'localhost')],
    termsUrl: `${stack.url}/terms.json`,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {}, fetch: lying }),
    bytes: memoryBytes(),
    now: () => 0,
  })
}

/** Writes these bytes over each token account, or mint, of that length. */
const overwrite = (length: number, at: number, bytes: Uint8Array) => (accounts: (Account | null)[]) => {
  for (const account of accounts) {
    const data = Buffer.from(account?.data[0] ?? '', 'base64')
    if (!account || data.length !== length) continue
    data.set(bytes, at)
    account.data = [data.toString('base64'), 'base64']
  }
}
const otherOwner = overwrite(165, 32, new Uint8Array(32).fill(7))
const otherDecimals = overwrite(82, 44, Uint8Array.of(9))
const noClock = (accounts: (Account | null)[]) => {
  accounts[0] = null
}

const sale = () => ({ treasury: read.terms.treasury, assets: read.terms.assets })
const order = () => ({
  orderId: 'order1',
  terms: read.terms,
  order: {
    orderKey: '5b0e9d7c31f4a826',
    account: buyer.address,
    asset: 'USDC',
    units: '40000000',
    quoted: '33333333333333',
    min: '33333333333332',
    termsHash: read.termsHash,
    presaleRef: read.presaleRef,
  },
})

beforeAll(async () => {
  stack = await startSolana({ seed: 'contradicting nodes', clock: 'manual' })
  read = await answerOf(drivers(), 'chain.readTerms', {}, 'chain.terms')
  stack.give(buyer.address, { sol: '2', usdc: '100' })
  stack.chain.advance(2)
})
afterAll(() => stack?.close())
beforeEach(() => {
  lies = 0
  asked = 0
})

describe('one endpoint that contradicts the terms', () => {
  test.each([
    ['another owner of the treasury’s account', otherOwner],
    ['no clock', noClock],
  ])('with %s stops no reading while another one is honest', async (_name, told) => {
    ;[lie, lies] = [told, 100]
    const found = await answerOf(drivers(), 'chain.readSale', sale(), 'chain.sale')
    expect(found.chainTime).toBeGreaterThan(0)
    expect(asked).toBe(3)
  })

  test.each([
    ['another owner of the treasury’s account', otherOwner],
    ['other decimals of the mint', otherDecimals],
  ])('with %s stops no order while another one is honest', async (_name, told) => {
    ;[lie, lies] = [told, 100]
    expect(await answerOf(drivers(), 'chain.prepareOrder', order(), 'chain.orderPrepared')).toMatchObject({
      orderId: 'order1',
    })
  })

  test('once stops nothing, though it is alone', async () => {
    ;[lie, lies] = [otherOwner, 1]
    const found = await answerOf(drivers({ alone: true }), 'chain.readSale', sale(), 'chain.sale')
    expect(found.balances).toHaveProperty('USDC')
    expect(asked).toBe(2)
  })
})

describe('a contradiction that every endpoint repeats', () => {
  test.each([
    ['treasury_mismatch', otherOwner],
    ['rpc_lying', noClock],
  ])('of a reading is told as %s', async (code, told) => {
    ;[lie, lies] = [told, 100]
    expect(await failureOf(drivers({ alone: true }), 'chain.readSale', sale())).toMatchObject({ code })
    expect(asked).toBe(2)
  })

  test.each([
    ['treasury_mismatch', otherOwner],
    ['decimals', otherDecimals],
  ])('of an order is told as %s', async (code, told) => {
    ;[lie, lies] = [told, 100]
    expect(await failureOf(drivers({ alone: true }), 'chain.prepareOrder', order())).toMatchObject({ code })
  })
})
