/** The key of an order and of a code, each after the other: a retry has the key of anything that a wallet was shown. */
import { describe, expect, test } from 'vitest'
import type { Purchase } from '../../../../src/events/subjects/purchase.ts'
import { account, connected, gone, intent, other, sent, termsHash, watched } from '../../story.ts'
import { noon, type World } from '../../world.ts'

const first = '00112233445566ff'
const drawn = 'ffffffffffffffff'
const { units, quoted } = intent(connected())
const payment: Purchase = {
  signature: 'sig-3',
  orderId: first,
  slot: 1005,
  paidAt: noon,
  asset: 'SOL',
  units,
  quoted,
  status: 'confirmed',
  terms: termsHash.slice(0, 16),
}
const final = { ...payment, status: 'final' as const }

const orderKey = (world: World) => {
  world.command('order.place', intent(world, { orderKey: drawn }))
  return world.last('chain.prepareOrder').data.order.orderKey
}
const codeKey = (world: World) => {
  world.command('invoice.open', intent(world, { orderKey: drawn }))
  return world.model.invoice?.all[0]?.orderKey
}

describe('an order after a code', () => {
  /** A code was put away, and this payment of it is known. */
  const after = (found?: Purchase) => {
    const world = connected()
    world.command('invoice.open', intent(world, { orderKey: first }))
    const invoiceId = world.model.invoice?.shown ?? ''
    world.fire(`invoice:${invoiceId}`)
    const told = { reference: 'code', ...(found && { buyer: other, payment: found }) }
    world.answer('chain.watchInvoice', 'chain.invoice', told)
    world.command('invoice.close', { invoiceId })
    return world
  }

  test.each([
    ['unpaid', undefined],
    ['paid, not yet finally', payment],
    ['paid otherwise by a stranger', { ...final, units: '1' }],
  ])('that is %s has its key, so that the ledger refunds a second payment', (_, found) => {
    expect(orderKey(after(found))).toBe(first)
  })

  test('that is finally paid, or whose key the account has used, has a new one', () => {
    expect(orderKey(after(final))).toBe(drawn)
    const world = after()
    world.input('chain.purchases', { account, purchases: [final] })
    expect(orderKey(world)).toBe(drawn)
  })
})

describe('a code after an order', () => {
  test('that may still land has its key, until that is final', () => {
    const world = sent()
    expect(codeKey(world)).toBe(first)
    watched(world, { status: 'finalized', slot: 1005 })
    expect(codeKey(world)).toBe(drawn)
  })

  test('that has expired has its key, until the chain shows its payment as final', () => {
    const world = sent()
    gone(world)
    expect(codeKey(world)).toBe(first)
    world.input('chain.purchases', { account, purchases: [{ ...final, fault: 'mismatch' }] })
    expect(codeKey(world)).toBe(first)
    world.input('chain.purchases', { account, purchases: [final] })
    expect(codeKey(world)).toBe(drawn)
  })

  test('that no wallet was asked for draws its own', () => {
    const world = connected()
    world.command('order.place', intent(world, { orderKey: first }))
    expect(codeKey(world)).toBe(drawn)
  })
})
