/**
 * The flagged assertion that the treasury stays below the cap: its bytes are those of lighthouse-sdk 2.1.0, and where the chain lacks
 * the program, or the payment exceeds the cap by itself, there is none.
 */
import { describe, expect, test } from 'vitest'
import { orderKeys } from '../../../../../src/worker/chains/solana/orderKeys.ts'
import { programs } from '../../../../../src/worker/chains/solana/programs.ts'
import { isWritable, readTransaction } from '../../../../../src/worker/chains/solana/wire.ts'
import { memoryBytes } from '../../../../../src/worker/drivers/bytes.ts'
import type { Http } from '../../../../../src/worker/drivers/http.ts'
import { createPrepareDriver } from '../../../../../src/worker/drivers/solana/order/prepare.ts'
import type { Rpc } from '../../../../../src/worker/drivers/solana/rpc.ts'
import { createTermsDriver } from '../../../../../src/worker/drivers/solana/sale/terms.ts'
import { createVerify } from '../../../../../src/worker/drivers/walletconnect/verify.ts'
import { exampleTerms, exampleTermsHash, exampleTermsText } from '../../../../events/values/exampleTerms.ts'
import { answerOf, failureOf } from '../../harness.ts'

const terms = exampleTerms()
const { treasury, cluster } = terms
const account = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
const presaleRef = '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'
const order = {
  orderKey: '5b0e9d7c31f4a826',
  account,
  asset: 'SOL',
  units: '2500000000',
  quoted: '416666666666667',
  min: '416666666666666',
  termsHash: exampleTermsHash,
  presaleRef,
}
/** So far below the cap the sale is, in credits; the order takes 400 USD. */
const usd = 10n ** 12n
const cap = 825_000n * usd
const guard = (below: bigint, sol = '7000000000') => ({ mostPos: String(cap - below), balances: { SOL: sol } })

/** A node that shows a buyer with 50 SOL and a treasury, and simulates as told. */
function node(err: unknown = null) {
  const held = (lamports: number) => ({ lamports, owner: programs.system, data: ['', 'base64'] })
  const results = [
    cluster.genesisHash,
    { context: { slot: 9 }, value: { blockhash: cluster.genesisHash, lastValidBlockHeight: 150 } },
    [],
    { context: { slot: 9 }, value: [held(50_000_000_000), held(7_000_000_000)] },
  ]
  const rpc = {
    together: async () => results.map(result => ({ result })),
    result: (outcome: { result: unknown }) => outcome.result,
    call: async () => ({ context: { slot: 9 }, value: { err, unitsConsumed: 900 } }),
  } as unknown as Rpc
  const bytes = memoryBytes()
  return { drivers: createPrepareDriver({ rpc, bytes }), bytes }
}

/** @returns program and data of each instruction, in hex */
async function built(wanted?: ReturnType<typeof guard>) {
  const { drivers, bytes } = node()
  const ask = { orderId: 'o1', order, terms, ...(wanted && { guard: wanted }) }
  const { bytesRef, decoded } = await answerOf(drivers, 'chain.prepareOrder', ask, 'chain.orderPrepared')
  const { instructions, accountKeys } = readTransaction((await bytes.get(bytesRef)) as Uint8Array)
  return {
    decoded,
    instructions: instructions.map(({ program, accounts, data }) => ({
      program: accountKeys[program],
      accounts: accounts.map(at => accountKeys[at]),
      data: Buffer.from(data).toString('hex'),
    })),
  }
}

describe('the guard', () => {
  test('asserts before the memo and the transfer that the payment still fits below the cap', async () => {
    const { instructions, decoded } = await built(guard(1_000n * usd))
    const ofGuard = instructions.filter(({ program }) => program === programs.assertion)
    // 7 SOL, and 1,000 USD at 160 USD a SOL, without the payment itself: 10.75 SOL
    const most = Buffer.alloc(8)
    most.writeBigUInt64LE(10_750_000_000n)
    expect(ofGuard).toEqual([
      { program: programs.assertion, accounts: [treasury], data: `050000${most.toString('hex')}05` },
    ])
    expect(decoded.instructions.map(({ kind }) => kind)).toEqual([
      'computeLimit',
      'computePrice',
      'other',
      'memo',
      'transfer',
    ])
    expect(decoded.instructions[2]).toEqual({ kind: 'other', program: programs.assertion, name: 'assert' })
  })

  test.each([
    ['is not there without the flag', undefined],
    ['is not there for a payment that exceeds the cap by itself', guard(399n * usd)],
  ])('%s', async (_name, wanted) => {
    const { decoded } = await built(wanted)
    expect(decoded.instructions.map(({ kind }) => kind)).toEqual(['computeLimit', 'computePrice', 'memo', 'transfer'])
  })

  test('that does not hold in the trial tells that the sale is sold out; another error keeps its name', async () => {
    const fail = (custom: number, wanted?: ReturnType<typeof guard>) =>
      failureOf(node({ InstructionError: [2, { Custom: custom }] }).drivers, 'chain.prepareOrder', {
        orderId: 'o1',
        order,
        terms,
        ...(wanted && { guard: wanted }),
      })
    expect(await fail(6001, guard(1_000n * usd))).toMatchObject({ code: 'sold_out' })
    expect(await fail(6001)).toMatchObject({ code: 'simulation_failed' })
    expect(await fail(1, guard(1_000n * usd))).toMatchObject({ code: 'insufficient_sol' })
  })
})

describe('the chain', () => {
  const read = async (answer: unknown, flag: { guard?: true } = { guard: true }) => {
    const calls: unknown[] = []
    const call = async (...asked: unknown[]) => {
      calls.push(asked)
      return answer
    }
    const drivers = createTermsDriver({
      termsUrl: 'https://sale.example/terms.json',
      sale: { authority: terms.authority, id: terms.id, ...flag },
      http: { text: async () => exampleTermsText } as unknown as Http,
      rpc: { call } as unknown as Rpc,
      verify: createVerify(),
    })
    const { guard: found } = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
    return { found, calls }
  }
  const shown = (value: unknown) => ({ context: { slot: 1 }, value })

  test('is asked for the program once the flag is set, and a program that runs turns the guard on', async () => {
    expect((await read(shown({ executable: true }))).found).toBe(true)
    expect(await read(shown({ executable: true }), {})).toEqual({ found: undefined, calls: [] })
  })

  test.each([
    ['has no such account', shown(null)],
    ['has an account that does not run', shown({ executable: false })],
    ['answers badly', 7],
  ])('that %s has no guard', async (_name, answer) => {
    expect((await read(answer)).found).toBeUndefined()
  })
})

test.each([
  ['a guard', guard(1_000n * usd)],
  ['none', undefined],
])('a payment in SOL with %s changes the buyer’s account, then the treasury’s, and no other', async (_, wanted) => {
  const { drivers, bytes } = node()
  const ask = { orderId: 'o1', order, terms, ...(wanted && { guard: wanted }) }
  const { bytesRef } = await answerOf(drivers, 'chain.prepareOrder', ask, 'chain.orderPrepared')
  const transaction = readTransaction((await bytes.get(bytesRef)) as Uint8Array)
  // The page tells a rent error of the second place as the treasury's
  expect(transaction.accountKeys.filter((_key, at) => isWritable(transaction, at))).toEqual([account, treasury])
  expect(transaction.accountKeys.slice(0, 2)).toEqual([account, treasury])
})

test('an asset in tokens is asserted in the treasury’s own account of it', async () => {
  const { destination } = orderKeys({ ...order, asset: 'USDC' }, terms)
  const { buildOrder } = await import('../../../../../src/worker/drivers/solana/order/build.ts')
  const bytes = buildOrder({
    account,
    blockhash: cluster.genesisHash,
    limit: 1,
    price: 0n,
    memo: 'm',
    payment: { kind: 'native', to: treasury, units: 1n },
    references: [],
    guard: { account: destination ?? '', of: 'token', most: 123_456_789_012n },
  })
  const { instructions, accountKeys } = readTransaction(bytes)
  const found = instructions.find(({ program }) => accountKeys[program] === programs.assertion)
  expect(Buffer.from(found?.data ?? []).toString('hex')).toBe('090002141a99be1c00000005')
  expect(found?.accounts.map(at => accountKeys[at])).toEqual([destination])
})
