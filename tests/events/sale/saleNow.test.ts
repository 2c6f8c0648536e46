import { describe, expect, test } from 'vitest'
import type { AppFact } from '../../../src/events/app.ts'
import { fold } from '../../../src/events/coreFolds.ts'
import { emptyModel } from '../../../src/events/emptyModel.ts'
import { committedCredits, refusedPayments, saleNow } from '../../../src/events/sale/saleNow.ts'
import type { Purchase } from '../../../src/events/subjects/sale/purchase.ts'
import { accessOf } from '../../../src/events/subjects/sale/sale.ts'
import type { Terms } from '../../../src/events/sale/terms/termsShape.ts'
import { exampleTerms } from '../values/exampleTerms.ts'
import { buyer, fact, noon, orderUntil, saleAt, signature, terms, termsHash } from '../../ui/presale/story.ts'

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
  test('is unknown without a checkpoint: earlier money in the treasury is not raised', () => {
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

  test('moves by this device’s payments since the checkpoint, once each', () => {
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

describe('another sale on the same device', () => {
  const list = { mode: 'allowlist', sha256: 'a'.repeat(64), url: 'https://sale.example/list.txt' } as const
  const first = exampleTerms({ access: list })
  const known = [
    ...saleAt({ terms: first, content: { questions: [], links: [] } }),
    fact({ type: 'sale.accessRead', data: { account: buyer, allowed: true } }),
    read(paid()),
  ]
  const next = (data: { terms: Terms; presaleRef?: string }) =>
    fact({ type: 'sale.termsRead', data: { termsHash: 'b'.repeat(64), presaleRef: 'other-ref', ...data } })

  test('takes over neither payments nor announcements, content or list of the one before', () => {
    const before = told(...known)
    expect(accessOf(before.sale, buyer)).toBe('yes')
    expect(before.purchase).toHaveProperty(buyer)
    const after = told(...known, next({ terms: exampleTerms({ access: { ...list, sha256: 'c'.repeat(64) } }) }))
    expect(accessOf(after.sale, buyer)).toBe('unread')
    expect(after.sale).toMatchObject({ notices: null, reading: null })
    expect(after.sale).not.toHaveProperty('content')
    expect(after.purchase).toEqual({})
  })

  test('is separate from other terms of the same sale', () => {
    const presaleRef = '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'
    const after = told(...known, next({ terms: exampleTerms({ access: list, version: 2 }), presaleRef }))
    expect(accessOf(after.sale, buyer)).toBe('yes')
    expect(after.purchase).toHaveProperty(buyer)
    expect(after.sale).toHaveProperty('content')
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

  test('counts a payment once that both the chain and this device know', () => {
    const own = paid({ signature, orderId: '5b0e9d7c31f4a826', asset: 'SOL', units: '2500000000' })
    expect(committedCredits(told(...saleAt(audited), ...orderUntil('finalised')), buyer)).toBe(sol)
    expect(committedCredits(told(...saleAt(audited), ...orderUntil('finalised'), read(own)), buyer)).toBe(sol)
  })

  test('does not count what was paid to another sale', () => {
    const [, , termsRead] = saleAt()
    const built = fact({
      type: 'order.built',
      data: {
        orderId: 'o1',
        bytesRef: 'bytes',
        blockhash: 'hash',
        validUntilHeight: 150,
        slot: 1400,
        orderRef: 'order-ref',
        memo: 'mai1:',
        fee: '6000',
        transfer: { kind: 'transfer', from: buyer, to: 'other', lamports: '1', references: ['other-ref'] },
      },
    })
    const [drafted, quoted, accepted, , simulated, ...after] = orderUntil('sending')
    const order = [drafted, quoted, accepted, built, simulated, ...after].flatMap(one => one ?? [])
    const earlier = { termsHash: 'b'.repeat(64), presaleRef: 'other-ref' }
    const agreed = order.map(one =>
      one.type === 'order.accepted' ? { ...one, data: { ...one.data, termsHash: earlier.termsHash } } : one,
    )
    const ofOther = fact({ type: 'sale.termsRead', data: { ...termsRead?.data, ...earlier } } as never)
    const before = [ofOther, read(paid({ terms: 'b'.repeat(16) })), ...agreed]
    expect(committedCredits(told(...before), buyer)).toBe(usd(1400n))
    expect(committedCredits(told(...before, ...saleAt(audited)), buyer)).toBe(0n)
  })

  test('counts refunds that only an unread notice could have announced', () => {
    const pause = [{ slot: 1400, verb: 'pause' as const }]
    const facts = [...saleAt({ ...audited, changes: pause }), read(paid())]
    expect(committedCredits(told(...facts), buyer)).toBe(0n)
    const inPart = facts.map(one =>
      one.type === 'sale.noticesRead' ? { ...one, data: { ...one.data, partial: true, asOf: noon - 1000 } } : one,
    )
    expect(committedCredits(told(...(inPart as AppFact[])), buyer)).toBe(usd(1000n))
  })

  test('does not count refunded payments', () => {
    const late = paid({ paidAt: terms.end * 1000 })
    const model = told(...saleAt(audited), read(late, paid({ signature: 's2', status: 'failed' })))
    expect(committedCredits(model, buyer)).toBe(0n)
    expect(refusedPayments(model, buyer)).toEqual(new Map([['s1', 'late']]))
  })
})

describe('the limit per wallet after the rate of an asset has changed', () => {
  /** SOL was worth 160 dollars until slot 1400, and is worth 100 since. */
  const cheaper = exampleTerms({
    version: 2,
    assets: terms.assets.map(one => (one.symbol === 'SOL' ? { ...one, creditsPerUnit: '100000' } : one)),
  })
  const earlier = 'a'.repeat(64)
  const changes = [
    { slot: 1, verb: 'terms' as const, hash: earlier },
    { slot: 1400, verb: 'terms' as const, hash: termsHash },
  ]
  const sale = (dollars: bigint) => saleAt({ terms: cheaper, audited: usd(dollars), live: 0n, changes })
  /** 100 SOL, which were 16,000 dollars, at the price of the first stage. */
  const tokens = '26666666666666666'
  const sol = { asset: 'SOL', units: '100000000000' }
  const early = paid({ ...sol, slot: 1200, quoted: tokens, terms: earlier.slice(0, 16) })
  const audit = (rates?: string[]) => {
    const { signature: of, slot, paidAt, asset, units } = early
    const row = { signature: of, slot, paidAt, asset, units, accepted: units, tokens, status: 'accepted' as const }
    const data = { account: buyer, slot: 1300, time: noon, bonus: '0', rows: [row], ...(rates && { rates }) }
    return fact({ type: 'purchase.accounted', data })
  }
  const counted = (dollars: bigint, ...facts: AppFact[]) => committedCredits(told(...sale(dollars), ...facts), buyer)

  test('counts a payment of audited books by the rate they used', () => {
    expect(counted(449_000n, read(early), audit(['160000']))).toBe(usd(16_000n))
    expect(counted(449_000n, read(early), audit(['90000']))).toBe(usd(9_000n))
  })

  test('moves the position of the sale by that rate, too', () => {
    const known = told(...sale(100_000n), read(early), audit(['160000']))
    expect(saleNow(known, noon)?.pos).toBe(`${usd(116_000n)}`)
  })

  test.each([
    ['read only', []],
    ['in books of an earlier build', [audit()]],
  ])('counts an earlier payment %s by its tokens, at the highest price that was reached', (_, books) => {
    expect(counted(149_000n, read(early), ...books)).toBe(usd(16_000n))
    // Stage 2 is twice as dear, and the payment may have come in it
    expect(counted(449_000n, read(early), ...books) / usd(1n)).toBe(32_000n)
  })

  test('counts it by the new rate where that gives more', () => {
    expect(counted(149_000n, read({ ...early, quoted: '1' }))).toBe(usd(10_000n))
  })

  test('counts a payment that came after the change by the new rate, one in its slot as if it came before', () => {
    expect(counted(449_000n, read({ ...early, slot: 1401 }))).toBe(usd(10_000n))
    expect(counted(449_000n, read({ ...early, slot: 1400 })) / usd(1n)).toBe(32_000n)
  })

  test('counts an order under way by the terms that it accepted', () => {
    const under = (hash: string) =>
      orderUntil('sending').map(one =>
        one.type === 'order.accepted' ? { ...one, data: { ...one.data, termsHash: hash } } : one,
      )
    expect(counted(449_000n, ...under(termsHash))).toBe(usd(250n))
    // 333,333.333333333 tokens at 0.0012 dollars
    expect(counted(449_000n, ...under(earlier)) / usd(1n)).toBe(400n)
  })
})
