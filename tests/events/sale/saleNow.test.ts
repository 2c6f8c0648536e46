import { describe, expect, test } from 'vitest'
import { type AppFact, emptyModel, fold } from '../../../src/events/app.ts'
import { committedCredits, refusedPayments, saleNow } from '../../../src/events/sale/saleNow.ts'
import type { Purchase } from '../../../src/events/subjects/purchase.ts'
import { buyer, fact, noon, orderUntil, saleAt, signature, terms } from '../../ui/presale/story.ts'

const usd = (dollars: bigint) => dollars * 10n ** 12n
function told(...facts: AppFact[]) {
  const model = emptyModel()
  for (const one of facts) fold(model, one)
  return model
}
const paid = (change: Partial<Purchase> = {}): Purchase => ({
  signature: 's1',
  orderId: 'k1',
  slot: 1500,
  paidAt: noon,
  asset: 'USDC',
  units: '1000000000',
  quoted: '1',
  status: 'final',
  ...change,
})
const read = (...purchases: Purchase[]) => fact({ type: 'purchase.read', data: { account: buyer, purchases } })
const audited = { audited: usd(149_000n), live: usd(400_000n) }

describe('the sale as it is known now', () => {
  test('is unknown without a checkpoint: what the treasury held before is not raised', () => {
    const facts = saleAt()
    const without = facts.map(one =>
      one.type === 'sale.noticesRead' ? { ...one, data: { ...one.data, checkpoint: undefined } } : one,
    )
    expect(saleNow(told(...facts), noon)).toBeDefined()
    expect(saleNow(told(...(without as AppFact[])), noon)).toBeUndefined()
  })

  test('keeps stage and price while money that may be returned comes in', () => {
    const sale = saleNow(told(...saleAt(audited)), noon)
    expect(sale).toMatchObject({ stage: { index: 0 }, pos: `${usd(149_000n)}`, received: `${usd(400_000n)}` })
  })

  test('moves by this device’s own payments since the checkpoint, once each', () => {
    const sale = saleNow(
      told(...saleAt(audited), read(paid(), paid({ signature: 's0', slot: 900, orderId: 'k0' }))),
      noon,
    )
    expect(sale).toMatchObject({ stage: { index: 1 }, pos: `${usd(150_000n)}` })
  })

  test.each<[string, Partial<Purchase>]>([
    ['failed', { status: 'failed' }],
    ['came after the end', { paidAt: terms.end * 1000 }],
    ['names no order', { fault: 'no_memo' }],
  ])('does not move by a payment that %s', (_, change) => {
    const sale = saleNow(told(...saleAt(audited), read(paid(change))), noon)
    expect(sale?.pos).toBe(`${usd(149_000n)}`)
  })
})

describe('the limit per wallet', () => {
  const sol = usd(400n)

  test('counts final payments and an order under way together', () => {
    const model = told(...saleAt(audited), read(paid()), ...orderUntil('sending'))
    expect(committedCredits(model, buyer)).toBe(usd(1000n) + sol)
    expect(committedCredits(model, buyer, 'o1')).toBe(usd(1000n))
    expect(committedCredits(model, 'somebody else')).toBe(0n)
  })

  test('counts a payment once that the chain and this device know', () => {
    const own = paid({ signature, orderId: '5b0e9d7c31f4a826', asset: 'SOL', units: '2500000000' })
    expect(committedCredits(told(...saleAt(audited), ...orderUntil('finalised')), buyer)).toBe(sol)
    expect(committedCredits(told(...saleAt(audited), ...orderUntil('finalised'), read(own)), buyer)).toBe(sol)
  })

  test('does not count what is returned', () => {
    const late = paid({ paidAt: terms.end * 1000 })
    const model = told(...saleAt(audited), read(late, paid({ signature: 's2', status: 'failed' })))
    expect(committedCredits(model, buyer)).toBe(0n)
    expect(refusedPayments(model, buyer)).toEqual(new Map([['s1', 'late']]))
  })
})
