/** How far a ledger is an announced one, and the accounts' rows up to there. */
import { describe, expect, test } from 'vitest'
import { accountedParts, type Audit, auditRows, emptyAudit } from '../../../src/worker/ledger/audit.ts'
import type { LedgerRow } from '../../../src/worker/ledger/ledger.ts'
import type { LedgerState } from '../../../src/worker/ledger/ledgerState.ts'

const hashOf = (i: number) => String(i).padStart(64, '0')
const nothing = { pos: null, order: null, terms: null, min: null, ref: null }

/** Row `i` is in slot 10 × i. */
function row(i: number, status: string, buyer: string | null = 'A', accepted = '0'): LedgerRow {
  const place = { i, slot: 10 * i, index: 0, time: 1000 + i, sig: `s${i}`, h: hashOf(i) }
  const paid = { asset: 'SOL', units: '5', accepted, refund: String(5 - Number(accepted)), tokens: accepted }
  return { ...nothing, ...place, ...paid, status, buyer }
}
const announcing = (i: number, hash: string): LedgerRow => {
  const empty = { asset: null, units: null, accepted: null, refund: null, tokens: null }
  return { ...row(i, 'notice', null), ...empty, order: `3:ledger:${hash}` }
}
const stateWith = (bonus: bigint, credits: ReadonlyMap<string, bigint>) =>
  ({ bonuses: new Map([['A', bonus]]), credits }) as unknown as LedgerState

/** An audit of rows, each a transaction of its own. The sale is over from row `over` on; a unit of row `i` is worth `i` credits. */
function auditOf(rows: readonly LedgerRow[], { over = 1, bonus = 7n }: { over?: number; bonus?: bigint } = {}): Audit {
  const audit = emptyAudit(['A', 'B'])
  const credits = new Map<string, bigint>()
  for (const one of rows) {
    const { buyer, i, accepted } = one
    if (buyer !== null) credits.set(buyer, (credits.get(buyer) ?? 0n) + BigInt(accepted ?? 0) * BigInt(i))
    auditRows(audit, [one], stateWith(bonus, credits), seconds => seconds >= 1000 + over)
  }
  return audit
}
const signaturesIn = (parts: ReturnType<typeof accountedParts>) =>
  parts.map(({ account, slot, bonus, rows }) => [account, slot, bonus, rows.map(({ signature }) => signature).join()])

const bought = [row(1, 'accepted', 'A', '5'), row(2, 'partial', 'B', '2'), row(3, 'late'), row(4, 'late', 'C')]

describe('an audit', () => {
  test('without an announcement tells nothing', () => {
    expect(accountedParts(auditOf(bought), undefined)).toEqual([])
  })

  test('ends with the slot of the checkpoint', () => {
    const checkpoint = { slot: 20, time: 1500, bonuses: new Map([['B', 3n]]) }
    const parts = accountedParts(auditOf(bought), checkpoint)
    expect(signaturesIn(parts)).toEqual([
      ['A', 20, '0', 's1'],
      ['B', 20, '3', 's2'],
    ])
    expect(parts.map(({ places }) => places)).toEqual([['1'], ['2']])
    expect(parts[1]).toMatchObject({ time: 1_500_000, rows: [{ paidAt: 1_002_000, accepted: '2', tokens: '2' }] })
  })

  test('ends with the row whose hash a notice announces, also when others came between', () => {
    const rows = [...bought.slice(0, 3), { ...row(4, 'late'), slot: 30 }, announcing(5, hashOf(3)), row(6, 'late')]
    expect(signaturesIn(accountedParts(auditOf(rows), undefined))).toEqual([
      ['A', 30, '7', 's1,s3'],
      ['B', 30, '0', 's2'],
    ])
  })

  test.each([
    ['the checkpoint, when that is farther', 50, ['A', 50, '0', 's1,s3']],
    ['the notice, when that is farther', 20, ['A', 40, '7', 's1,s3']],
  ])('ends with %s', (_, slot, first) => {
    const audit = auditOf([...bought, announcing(5, hashOf(4))])
    expect(signaturesIn(accountedParts(audit, { slot, time: 1500, bonuses: new Map() }))[0]).toEqual(first)
  })

  test('tells the rate at which each row was counted', () => {
    const more = [...bought, row(5, 'partial', 'A', '3'), row(6, 'accepted', 'A', '5')]
    const [ofA, ofB] = accountedParts(auditOf(more), { slot: 60, time: 1500, bonuses: new Map() })
    expect(ofA?.rows.map(({ accepted }) => accepted)).toEqual(['5', '0', '3', '5'])
    expect([ofA?.rates, ofB?.rates]).toEqual([['1', '0', '5', '6'], ['2']])
  })

  test('takes no announcement of a sale that is not over', () => {
    expect(auditOf([...bought, announcing(5, hashOf(4))], { over: 9 }).announced).toBeUndefined()
  })

  test('knows an announced hash that no row has, and that of a row before the last accepted one', () => {
    expect(auditOf([...bought, announcing(5, 'ab'.repeat(32))]).announced).toEqual({
      hash: 'ab'.repeat(32),
      time: 1005,
    })
    expect(auditOf([...bought, announcing(5, hashOf(1))]).announced?.end).toBeUndefined()
    expect(auditOf([...bought, announcing(5, hashOf(2))]).announced?.end?.i).toBe(2)
  })

  test('keeps no hashes from before the last accepted row', () => {
    expect(auditOf(bought).tail.map(({ i }) => i)).toEqual([2, 3, 4])
  })
})
