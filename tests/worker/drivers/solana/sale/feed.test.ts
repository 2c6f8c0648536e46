/** The newest payments as a node lists them: orders of the sale alone, and no list that contradicts itself. */
import { describe, expect, test } from 'vitest'
import { orderMemo } from '../../../../../src/events/sale/payments/memo.ts'
import { encodeBase58 } from '../../../../../src/events/values/solana/base58.ts'
import type { Rpc } from '../../../../../src/worker/drivers/solana/rpc.ts'
import { createFeedDriver } from '../../../../../src/worker/drivers/solana/sale/feed.ts'
import { exampleTerms } from '../../../../events/values/exampleTerms.ts'
import { answerOf, failureOf } from '../../harness.ts'

const terms = exampleTerms()
const presaleRef = '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'
const chainTime = terms.start + 86_400
const order = {
  terms: '0c1754de9a252f45',
  id: '5b0e9d7c31f4a826',
  asset: 'SOL',
  units: '2500000000',
  quoted: '416666666666667',
  min: '1',
}
const preview = (memo: string) => `[${memo.length}] ${memo}`
const signatureOf = (at: number) => encodeBase58(new Uint8Array(64).fill(at + 1))
const line = (at: number, more: object = {}) => ({
  signature: signatureOf(at),
  slot: 900 - at,
  err: null,
  memo: preview(orderMemo(order)),
  blockTime: chainTime - at,
  confirmationStatus: 'finalized',
  ...more,
})

function node(lines: unknown) {
  const calls: unknown[] = []
  const call = async (...asked: unknown[]) => {
    calls.push(asked)
    return lines
  }
  const drivers = createFeedDriver({ rpc: { call } as unknown as Rpc })
  const asked = { presaleRef, terms, now: chainTime * 1000 }
  return {
    calls,
    read: () => answerOf(drivers, 'chain.readFeed', asked, 'chain.feed'),
    fail: () => failureOf(drivers, 'chain.readFeed', asked),
  }
}

test('one call lists the sale’s orders, newest first', async () => {
  const { calls, read } = node([line(0), line(1, { blockTime: null })])
  const { asset, units, quoted } = order
  expect(await read()).toEqual({
    lines: [
      { signature: signatureOf(0), slot: 900, paidAt: chainTime * 1000, asset, units, quoted },
      { signature: signatureOf(1), slot: 899, asset, units, quoted },
    ],
    other: 0,
  })
  expect(calls).toEqual([['getSignaturesForAddress', [presaleRef, { limit: 20, commitment: 'confirmed' }]]])
})

const memo = orderMemo(order)
test.each<[string, object]>([
  ['a failed transaction', { err: { InstructionError: [0, { Custom: 1 }] } }],
  ['a line without a memo', { memo: null }],
  ['another text', { memo: preview('gm') }],
  ['a notice', { memo: preview('mai1n:4:pause:-') }],
  ['two memos', { memo: `${preview(memo)}; ${preview(memo)}` }],
  ['a preview of another length', { memo: `[${memo.length + 1}] ${memo}` }],
  ['a memo without its length', { memo }],
  ['an asset that the sale does not take', { memo: preview(orderMemo({ ...order, asset: 'DOGE' })) }],
  ['an amount of nothing', { memo: preview(orderMemo({ ...order, units: '0' })) }],
  ['more money than the sale takes', { memo: preview(orderMemo({ ...order, units: '9999999999999999999' })) }],
  ['more tokens than the sale has', { memo: preview(orderMemo({ ...order, quoted: '9999999999999999999' })) }],
])('%s is counted and not shown', async (_name, more) => {
  expect(await node([line(0, more), line(1)]).read()).toMatchObject({
    lines: [{ signature: signatureOf(1) }],
    other: 1,
  })
})

describe('a list', () => {
  test.each<[string, unknown[]]>([
    ['of more lines than were asked for', Array.from({ length: 21 }, (_, at) => line(at))],
    ['with a transaction twice', [line(0), line(0)]],
    ['that is not newest first', [line(1), line(0)]],
    ['with a block of the future', [line(0, { blockTime: chainTime + 601 })]],
  ])('%s is refused as a whole', async (_name, lines) => {
    expect(await node(lines).fail()).toMatchObject({ code: 'rpc_lying' })
  })

  test.each<[string, unknown]>([
    ['no list', { value: [] }],
    ['a line without its signature', [line(0, { signature: 'me' })]],
    ['a slot that is no number', [line(0, { slot: '900' })]],
    ['a memo that is no text', [line(0, { memo: 7 })]],
  ])('with %s is a bad answer', async (_name, lines) => {
    expect(await node(lines).fail()).toMatchObject({ code: 'bad_response' })
  })

  test('with one block for several payments, and times that are rounded, is taken', async () => {
    const lines = [line(0, { blockTime: chainTime + 30 }), line(1, { slot: 900 }), line(2, { slot: 900 })]
    expect((await node(lines).read()).lines).toHaveLength(3)
  })
})
