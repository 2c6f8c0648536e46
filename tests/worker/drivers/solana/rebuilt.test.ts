/** An order that a node's trial refuses, and that the driver then builds another way, on the local chain. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decodeTransaction } from '../../../../src/worker/chains/solana/decode.ts'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { createSolanaDriver } from '../../../../src/worker/drivers/solana/solana.ts'
import { maxComputeLimit } from '../../../../src/worker/rpc/fees.ts'
import type { InputOf } from '../../../../src/worker/drivers/drive.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { answerOf, failureOf } from '../harness.ts'

const buyer = seededKeypair('rebuilt orders', 'buyer')
let stack: SolanaStack
let read: InputOf<'chain.terms'>
/** URL and method of every call, in order */
const calls: string[] = []
const counting: typeof fetch = (input, init) => {
  for (const [, method = ''] of String(init?.body ?? '').matchAll(/"method":"(\w+)"/g)) calls.push(`${input} ${method}`)
  return fetch(input, init)
}

const drivers = (...more: string[]) => driversBy(counting, ...more)
function driversBy(call: typeof fetch, ...more: string[]) {
  return createSolanaDriver({
    rpcUrls: [stack.url, ...more],
    termsUrl: `${stack.url}/terms.json`,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {}, fetch: call }),
    bytes: memoryBytes(),
    now: () => 0,
  })
}

const ask = () => ({
  orderId: 'order1',
  terms: read.terms,
  order: {
    orderKey: '5b0e9d7c31f4a826',
    account: buyer.address,
    asset: 'SOL',
    units: '250000000',
    quoted: '33333333333333',
    min: '33333333333332',
    termsHash: read.termsHash,
    presaleRef: read.presaleRef,
  },
})
const prepared = (on = drivers()) => answerOf(on, 'chain.prepareOrder', ask(), 'chain.orderPrepared')
const count = (method: string, at = '') =>
  calls.filter(call => call.startsWith(at) && call.endsWith(` ${method}`)).length

beforeAll(async () => {
  stack = await startSolana({ seed: 'rebuilt orders', clock: 'manual' })
  read = await answerOf(drivers(), 'chain.readTerms', {}, 'chain.terms')
  stack.give(buyer.address, { sol: '2', usdc: '0' })
  stack.chain.advance(2)
})
afterAll(() => stack?.close())
beforeEach(() => {
  stack.control({ faults: {}, callUnits: 100 })
  calls.length = 0
})

describe('an order whose trial runs out of compute units', () => {
  test('is tried once more with the chain’s own limit, and gets the limit that it needs', async () => {
    stack.control({ callUnits: 300_000 })
    const { decoded, unitsConsumed } = await prepared()
    expect(count('simulateTransaction')).toBe(2)
    expect(unitsConsumed).toBeGreaterThan(maxComputeLimit)
    const [limit] = decoded.instructions
    expect(limit).toEqual({ kind: 'computeLimit', units: Math.ceil(unitsConsumed * 1.15) + 2000 })
    expect(decoded.instructions.map(({ kind }) => kind)).toEqual(['computeLimit', 'computePrice', 'memo', 'transfer'])
  })

  test('is refused when that is too little, too, and tried no more', async () => {
    stack.control({ callUnits: 1_400_000 })
    expect(await failureOf(drivers(), 'chain.prepareOrder', ask())).toMatchObject({ code: 'compute' })
    expect(count('simulateTransaction')).toBe(2)
  })

  test('is tried once where the first limit is enough', async () => {
    const { decoded } = await prepared()
    expect(count('simulateTransaction')).toBe(1)
    expect(decoded.instructions[0]).toEqual({ kind: 'computeLimit', units: 20_000 })
  })
})

test.each([
  ['tells no units', {}],
  ['tells null in their place', { unitsConsumed: null }],
  ['tells none', { unitsConsumed: 0 }],
])('an order whose trial %s has the usual limit', async (_name, units) => {
  const unmeasured: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    if (!String(init?.body ?? '').includes('simulateTransaction')) return response
    const answer = await response.json()
    const { unitsConsumed: _, ...value } = answer.result.value
    const result = { ...answer.result, value: { ...value, ...units } }
    return new Response(JSON.stringify({ ...answer, result }), { headers: { 'content-type': 'application/json' } })
  }
  const { decoded, unitsConsumed } = await prepared(driversBy(unmeasured))
  expect([decoded.instructions[0], unitsConsumed]).toEqual([{ kind: 'computeLimit', units: 120_000 }, 0])
})

describe('an order whose node does not know its blockhash', () => {
  const lagging = (times: number) =>
    stack.control({ faults: { simulateTransaction: { kind: 'lag', slots: 20, times } } })

  test('is tried at the other endpoint, with the same blockhash', async () => {
    const other = stack.url.replace('127.0.0.1', 'localhost')
    lagging(2)
    const { blockhash } = await prepared(drivers(other))
    expect([count('simulateTransaction'), count('simulateTransaction', other)]).toEqual([3, 1])
    expect(count('getLatestBlockhash')).toBe(1)
    expect(stack.chain.blocks.tip().slot).toBeGreaterThan(0)
    expect(blockhash).not.toBe('')
  })

  test('is built anew with a newer blockhash where no endpoint knows it', async () => {
    lagging(2)
    const { blockhash, decoded } = await prepared()
    expect([count('simulateTransaction'), count('getLatestBlockhash')]).toEqual([3, 2])
    expect(decoded.blockhash).toBe(blockhash)
  })

  test('is refused after that, with the code', async () => {
    lagging(100)
    expect(await failureOf(drivers(), 'chain.prepareOrder', ask())).toMatchObject({ code: 'blockhash_not_found' })
    expect([count('simulateTransaction'), count('getLatestBlockhash')]).toEqual([4, 2])
  })
})

test('rebuilt: the bytes are the order that was read', async () => {
  const bytes = memoryBytes()
  const on = createSolanaDriver({
    rpcUrls: [stack.url],
    termsUrl: `${stack.url}/terms.json`,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {}, fetch: counting }),
    bytes,
    now: () => 0,
  })
  stack.control({ callUnits: 300_000 })
  const { bytesRef, decoded } = await prepared(on)
  expect(decodeTransaction((await bytes.get(bytesRef)) ?? new Uint8Array())).toEqual(decoded)
})
