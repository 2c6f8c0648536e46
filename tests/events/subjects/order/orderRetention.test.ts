import { describe, expect, test } from 'vitest'
import type { CoreModel } from '../../../../src/events/app.ts'
import { foldCoreFact } from '../../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../../src/events/emptyModel.ts'
import type { OrderFact } from '../../../../src/events/subjects/order/orderFacts.ts'
import type { Purchase } from '../../../../src/events/subjects/sale/purchase.ts'
import { endedKept } from '../../../../src/events/subjects/order/orderRetention.ts'
import { refusal as failure } from '../given.ts'

const dayMs = 86_400_000
const account = 'a'
type Said = { type: string; data: unknown }

const drafted = (orderId: string): OrderFact => ({
  type: 'order.drafted',
  data: { orderId, account, connectionId: 'c', walletName: 'Lantern', asset: 'SOL', units: '1' },
})
/** An order with a request to sign at the wallet. */
function asked(orderId: string, orderKey = `key of ${orderId}`): Said[] {
  const transfer = { kind: 'transfer', from: account, to: 't', lamports: '1', references: [] }
  const built = { bytesRef: 'b', blockhash: 'h', validUntilHeight: 150, slot: 1, orderRef: 'r', memo: 'm', fee: '1' }
  return [
    drafted(orderId),
    { type: 'order.quoted', data: { orderId, quoted: '2', min: '1' } },
    { type: 'order.accepted', data: { orderId, termsHash: 't', orderKey } },
    { type: 'order.built', data: { orderId, ...built, transfer } },
    { type: 'order.simulated', data: { orderId, unitsConsumed: 9 } },
    { type: 'order.asked', data: { orderId, askId: `e ${orderId}`, means: 'sign' } },
  ]
}
const signed = (orderId: string) => ({
  type: 'order.signed',
  data: { orderId, signature: `s ${orderId}`, bytesRef: 'b2' },
})
const sent = (orderId: string, orderKey?: string) => [
  ...asked(orderId, orderKey),
  signed(orderId),
  { type: 'order.sending', data: { orderId } },
]
const expired = (orderId: string, orderKey?: string) => [
  ...sent(orderId, orderKey),
  { type: 'order.expired', data: { orderId, height: 151 } },
]
const paid = (orderId: string, orderKey?: string) => [
  ...sent(orderId, orderKey),
  { type: 'order.finalised', data: { orderId, slot: 5 } },
]
const rejected = (orderId: string, orderKey?: string) => [
  ...asked(orderId, orderKey),
  { type: 'order.rejected', data: { orderId, failure } },
]
const abandoned = (orderId: string, orderKey?: string) => [
  ...asked(orderId, orderKey),
  { type: 'order.pressAwaited', data: { orderId } },
  { type: 'order.abandoned', data: { orderId, failure } },
]
const mismatched = { signature: 's9', slot: 5, failure, differences: [] }
function read(orderId: string, changes: Partial<Purchase> = {}): Said {
  const known = { signature: `s ${orderId}`, orderId: `key of ${orderId}`, slot: 5, paidAt: 1, asset: 'SOL' }
  const purchase = { ...known, units: '1', quoted: '2', status: 'final', ...changes }
  return { type: 'purchase.read', data: { account, purchases: [purchase] } }
}
/** Orders refused before their request. */
const refused = (count: number, from = 0): Said[] =>
  Array.from({ length: count }, (_, index) => `refused ${from + index}`).flatMap(orderId => [
    drafted(orderId),
    { type: 'order.gateRefused', data: { orderId, failure } },
  ])

function fold(model: CoreModel, facts: readonly Said[], at: number): CoreModel {
  for (const fact of facts) foldCoreFact(model, { ...fact, at })
  return model
}
/** Remaining orders after enough newer ones, `later` ms on. */
function left(facts: readonly Said[], later = 2 * dayMs): string[] {
  const model = fold(emptyCoreModel(), facts, 1)
  fold(model, refused(endedKept + 1), 1 + later)
  return Object.keys(model.order).filter(orderId => !orderId.startsWith('refused'))
}

describe('retention of orders', () => {
  test('keeps the newest that ended, however many are drafted', () => {
    const model = fold(emptyCoreModel(), refused(3 * endedKept), 1)
    const newest = Array.from({ length: endedKept + 1 }, (_, index) => `refused ${2 * endedKept - 1 + index}`)
    expect(Object.keys(model.order)).toEqual(newest)
  })

  test.each<[string, Said[]]>([
    ['that was refused before the wallet was asked', refused(1, 999).map(rename)],
    ['whose payment the purchases hold as final', [...paid('x'), read('x')]],
    ['that expired, once a newer order has its key', [...expired('x', 'k'), ...expired('y', 'k')]],
    [
      'that the wallet refused, once it is proved and a newer order has its key',
      [...rejected('x', 'k'), ...expired('x').slice(-1), ...expired('y', 'k')],
    ],
    [
      'of a used key, with its namesakes',
      [...expired('x'), ...paid('y', 'key of x'), read('y', { orderId: 'key of x' })],
    ],
  ])('evicts an old order %s', (_, facts) => {
    expect(left(facts)).not.toContain('x')
  })

  test.each<[string, Said[], number?]>([
    ['that is open', sent('x')],
    ['that the wallet refused, without a proof that it cannot land', [...rejected('x', 'k'), ...expired('y', 'k')]],
    [
      'that was given up after the wallet was asked, without a proof that it cannot land',
      [...abandoned('x', 'k'), ...expired('y', 'k')],
    ],
    ['whose key may be out', expired('x')],
    [
      'that another transaction landed under',
      [
        ...sent('x'),
        { type: 'order.mismatched', data: { orderId: 'x', ...mismatched } },
        { type: 'order.dismissed', data: { orderId: 'x' } },
        read('x', { signature: 's9' }),
      ],
    ],
    ['whose payment the purchases lack', paid('x')],
    ['whose payment is not final in the purchases', [...paid('x'), read('x', { status: 'confirmed' })]],
    ['whose payment the purchases hold as faulty', [...paid('x'), read('x', { fault: 'mismatch' })]],
    ['whose payment the purchases hold under another key', [...paid('x'), read('x', { orderId: 'k' })]],
    ['of a used key while a namesake stays', [...expired('x'), ...paid('y', 'key of x')]],
    ['that the wallet was asked for within a day', [...expired('x', 'k'), ...expired('y', 'k')], dayMs],
  ])('keeps an old order %s', (_, facts, later) => {
    expect(left(facts, later)).toContain('x')
  })

  test('evicts no order of a used key before all of them', () => {
    const facts = [...paid('x'), read('x'), ...expired('y', 'key of x')]
    const model = fold(emptyCoreModel(), facts, 1)
    // The newest of them is among the newest ended ones
    fold(model, refused(endedKept), 1 + 2 * dayMs)
    expect(Object.keys(model.order).slice(0, 2)).toEqual(['x', 'y'])
    fold(model, refused(1, endedKept), 1 + 2 * dayMs)
    expect(Object.keys(model.order)).not.toContain('x')
  })
})

function rename({ type, data }: Said): Said {
  return { type, data: { ...(data as object), orderId: 'x' } }
}
