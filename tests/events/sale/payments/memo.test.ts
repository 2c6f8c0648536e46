import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { type OrderMemo, orderMemo, parseOrderMemo } from '../../../../src/events/sale/payments/memo.ts'
import {
  type Notice,
  noticeMemo,
  parsePayMemo,
  payMemo,
  parseNotice,
} from '../../../../src/events/sale/payments/operatorMemos.ts'
import { emptyBoard, pinNotice } from '../../../../src/events/sale/notices/notices.ts'
import { exampleTermsHash } from '../../values/exampleTerms.ts'

const example: OrderMemo = {
  terms: '0c1754de9a252f45',
  id: '5b0e9d7c31f4a826',
  asset: 'SOL',
  units: '2500000000',
  quoted: '416666666666667',
  min: '416666666666666',
}
const exampleMemo = 'mai1:0c1754de9a252f45:5b0e9d7c31f4a826:SOL:2500000000:416666666666667:416666666666666'
const referrer = '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3'

describe('an order memo', () => {
  test('is written as published, in 85 characters', () => {
    expect(orderMemo(example)).toBe(exampleMemo)
    expect(exampleMemo).toHaveLength(85)
    expect(parseOrderMemo(exampleMemo)).toEqual(example)
  })

  test('may name a referrer', () => {
    expect(parseOrderMemo(orderMemo({ ...example, referrer }))).toEqual({ ...example, referrer })
  })

  test.each<[string, Partial<OrderMemo>]>([
    ['terms in upper case', { terms: '0C1754DE9A252F45' }],
    ['a short id', { id: '5b0e' }],
    ['a part that smuggles in another', { asset: 'SOL:1:1:1' }],
    ['an amount with a leading zero', { units: '01' }],
    ['more than 64 bits', { units: '18446744073709551616' }],
    ['a referrer that is no key', { referrer: 'z'.repeat(44) }],
  ])('%s is not written', (_name, change) => {
    expect(() => orderMemo({ ...example, ...change })).toThrow(Fault)
  })

  test.each([
    '',
    'mai1',
    ` ${exampleMemo}`,
    `${exampleMemo}\n`,
    `${exampleMemo}:`,
    exampleMemo.replace('mai1', 'mai2'),
    exampleMemo.replace('SOL', 'sol'),
    `${exampleMemo}:${referrer}:${referrer}`,
    `${exampleMemo}:${'1'.repeat(31)}`,
  ])('%j is not an order', memo => {
    expect(parseOrderMemo(memo)).toBeUndefined()
  })

  test('outside the grammar is refused, after any change', () => {
    fc.assert(
      fc.property(fc.nat(exampleMemo.length), fc.nat(3), fc.string({ maxLength: 3 }), (at, cut, put) => {
        const memo = exampleMemo.slice(0, at) + put + exampleMemo.slice(at + cut)
        const read = parseOrderMemo(memo)
        if (read) expect(['mai1', ...Object.values(read)].join(':')).toBe(memo)
      }),
      { numRuns: 1000 },
    )
  })

  test('that is far too long is refused by its length', () => {
    expect(parseOrderMemo(`${exampleMemo}:${'1'.repeat(1_000_000)}`)).toBeUndefined()
    expect(parseNotice(`mai1n:${'1'.repeat(1_000_000)}`)).toBeUndefined()
  })
})

describe('a notice', () => {
  const terms = `mai1n:1:terms:${exampleTermsHash}`

  test.each<[string, Notice]>([
    [terms, { seq: 1, verb: 'terms', hash: exampleTermsHash }],
    ['mai1n:2:pause:-', { seq: 2, verb: 'pause' }],
    ['mai1n:30:close:-', { seq: 30, verb: 'close' }],
    ['mai1n:4:result:failed', { seq: 4, verb: 'result', result: 'failed' }],
    [`mai1n:5:checkpoint:${exampleTermsHash}`, { seq: 5, verb: 'checkpoint', hash: exampleTermsHash }],
  ])('%s is read', (memo, notice) => {
    expect(parseNotice(memo)).toEqual(notice)
    expect(noticeMemo(notice)).toBe(memo)
  })

  test.each([
    'mai1n:0:pause:-',
    'mai1n:01:pause:-',
    'mai1n:1:pause:',
    'mai1n:1:terms:-',
    'mai1n:1:result:maybe',
    `${terms}0`,
    'mai1n:1:open:-',
    'mai1n:9999999999:pause:-',
  ])('%s is none', memo => {
    expect(parseNotice(memo)).toBeUndefined()
  })

  test('outside the grammar is not written', () => {
    expect(() => noticeMemo({ seq: 0, verb: 'pause' })).toThrow(Fault)
    expect(() => noticeMemo({ seq: 1, verb: 'terms', hash: 'a'.repeat(63) })).toThrow(Fault)
    expect(() => noticeMemo({ seq: 1, verb: 'plan', hash: `${'a'.repeat(64)}:` })).toThrow(Fault)
  })

  test('counts only with the next number', () => {
    const board = [
      { seq: 1, verb: 'terms', hash: 'a'.repeat(64) } as const,
      { seq: 3, verb: 'close' } as const,
      { seq: 2, verb: 'pause' } as const,
      { seq: 2, verb: 'resume' } as const,
      { seq: 3, verb: 'terms', hash: 'b'.repeat(64) } as const,
    ].reduce(pinNotice, emptyBoard())
    expect(board).toMatchObject({ seq: 3, paused: true, closed: false, terms: 'b'.repeat(64), ignored: 2 })
    expect(board.published).toEqual(['a'.repeat(64), 'b'.repeat(64)])
  })
})

describe('the memo of a batch of payouts', () => {
  const [presale, plan] = ['0f'.repeat(8), '9c'.repeat(8)]

  test('is written and read', () => {
    const memo = payMemo({ presale, plan, batch: 12 })
    expect(memo).toBe(`maid1:${presale}:${plan}:12`)
    expect(parsePayMemo(memo)).toEqual({ presale, plan, batch: 12 })
  })

  test.each([
    `maid1:${presale}:12`,
    `maid1:${presale}:${plan}:`,
    `maid1:${presale}:${plan}:01`,
    `maid1:${presale}:${plan}:1:`,
    `maid1:${presale}:${plan.toUpperCase()}:1`,
    `mai1:${presale}:${plan}:1`,
    `maid1:${presale}:${plan}:9999999999`,
  ])('%s is none', memo => {
    expect(parsePayMemo(memo)).toBeUndefined()
  })
})
