import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { encodeBase58 } from '../../../../src/events/values/solana/base58.ts'
import {
  mostListed,
  mostPlans,
  noticeListText,
  readNoticeList,
} from '../../../../src/events/sale/notices/noticeList.ts'

const signatureOf = (seed: number) => encodeBase58(new Uint8Array(64).fill(seed))
const hashOf = (seed: number) => seed.toString(16).padStart(64, '0')
const body = {
  format: 'mai-presale-notices/1' as const,
  presale: '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr',
  seq: 3,
  time: 1_798_848_000,
  signatures: [signatureOf(1), signatureOf(2)],
}
const list = { ...body, sig: signatureOf(9) }

describe('a list of notices', () => {
  test('is read with its signed text, in one order of keys', () => {
    const shuffled = JSON.stringify(Object.fromEntries(Object.entries(list).reverse()))
    expect(readNoticeList(shuffled)).toEqual({ list, signedText: noticeListText(body) })
    expect(noticeListText(body)).toBe(
      `mai1/notices\0{"format":"mai-presale-notices/1","presale":"${body.presale}","seq":3,"signatures":["${signatureOf(1)}","${signatureOf(2)}"],"time":1798848000}`,
    )
  })

  test('may name plans, which are signed with the rest', () => {
    const plans = ['2b'.repeat(32), '1a'.repeat(32)]
    const long = Array.from({ length: mostPlans }, (_, at) => hashOf(at))
    for (const all of [plans, long]) {
      const named = { ...list, plans: all }
      const { list: read, signedText } = readNoticeList(JSON.stringify(named))
      expect(read).toEqual(named)
      expect(signedText).toBe(noticeListText({ ...body, plans: all }))
      expect(signedText).toContain(`,"plans":${JSON.stringify(all)},"presale":`)
    }
  })

  test.each([
    ['another format', { format: 'mai-presale-notices/2' }],
    ['no presale', { presale: 'x' }],
    ['the number 0', { seq: 0 }],
    ['a time in ms', { time: 1_798_848_000_000 }],
    ['no notice', { signatures: [] }],
    ['one notice twice', { signatures: [signatureOf(1), signatureOf(1)] }],
    [
      'more notices than a visitor reads',
      { signatures: Array.from({ length: mostListed + 1 }, (_, at) => signatureOf(at)) },
    ],
    ['no plans', { plans: [] }],
    ['a plan that is no hash', { plans: ['1A'.repeat(32)] }],
    ['more plans than a sale has', { plans: Array.from({ length: mostPlans + 1 }, (_, at) => hashOf(at)) }],
    ['no signature', { sig: '' }],
    ['another key', { more: 1 }],
  ])('with %s is refused', (_name, change) => {
    expect(() => readNoticeList(JSON.stringify({ ...list, ...change }))).toThrow(Fault)
  })

  test('with any text is read or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        try {
          readNoticeList(text)
          return false
        } catch (cause) {
          return cause instanceof Fault && cause.code === 'bad_response'
        }
      }),
      { seed: 11 },
    )
  })
})
