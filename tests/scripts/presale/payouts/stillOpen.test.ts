import { expect, test } from 'vitest'
import { stillOpen } from '../../../../scripts/presale/payouts/stillOpen.ts'
import type { JournalLine } from '../../../../scripts/presale/state.ts'

const signed = (signature: string, nonceValue: string): JournalLine => {
  return { kind: 'signed', about: 'batch', signature, bytes: '', life: { nonceAccount: 'lane', nonceValue } }
}
const reserved = (batch: number, nonce: string): JournalLine => ({ kind: 'reserve', plan: 'plan', batch, nonce })
const openIn = (...lines: JournalLine[]) => stillOpen(lines).map(({ signature }) => signature)

test('a signed payment may land until its batch is paid or it has an end', () => {
  const lines = [reserved(0, 'first'), signed('a', 'first'), reserved(0, 'first'), signed('b', 'first')]
  const later = [reserved(1, 'second'), signed('c', 'second')]
  expect(openIn(...lines, ...later)).toEqual(['a', 'b', 'c'])
  // A journal of an earlier version has no end of the bytes that lost
  expect(openIn(...lines, { kind: 'paid', plan: 'plan', batch: 0 }, ...later)).toEqual(['c'])
  expect(openIn(...lines, { kind: 'paid', plan: 'another plan', batch: 0 })).toEqual(['a', 'b'])
  expect(openIn(...lines, { kind: 'ended', signature: 'b' })).toEqual(['a'])
})

test('a notice may land until it has an end, whatever is paid', () => {
  const notice = { kind: 'signed', about: 'notice 1', signature: 'n', bytes: '', life: { height: 9 } }
  expect(openIn(notice, reserved(0, 'first'), { kind: 'paid', plan: 'plan', batch: 0 })).toEqual(['n'])
})
