/** The key of an order and of a code, each after the other: a retry has the key of anything that a wallet was shown. */
import { describe, expect, test } from 'vitest'
import type { Purchase } from '../../../../src/events/subjects/sale/purchase.ts'
import { soughtMs } from '../../../../src/events/subjects/sale/invoice.ts'
import { outlivedMs } from '../../../../src/events/subjects/order/watchedOrder.ts'
import {
  account,
  connected,
  gone,
  intent,
  landedOf,
  notices,
  other,
  preparedOf,
  saleReading,
  sent,
  signedOf,
  termsHash,
  theOrder,
  throughGate,
  watched,
} from '../../story.ts'
import { failing, noon, tab, type World } from '../../world.ts'

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

  test('that was declined leaves its key once another account has paid a code under it, finally', () => {
    const world = connected()
    expect(orderKey(world)).toBe(drawn)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    world.answer('wallet.signTransaction', 'wallet.failed', failing('user_rejected'))
    expect(codeKey(world)).toBe(drawn)
    world.fire(`invoice:${world.model.invoice?.shown ?? ''}`)
    const told = { reference: 'code', buyer: other, payment: { ...final, orderId: drawn } }
    world.answer('chain.watchInvoice', 'chain.invoice', told)
    world.command('invoice.open', intent(world, { orderKey: first }))
    expect(world.model.invoice?.all[0]?.orderKey).toBe(first)
  })

  test('that no wallet was asked for yet has its key, too: the wallet may be asked beside the code', () => {
    const world = connected()
    world.command('order.place', intent(world, { orderKey: first }))
    expect(codeKey(world)).toBe(first)
  })
})

describe('an order of a key that is out', () => {
  const switchTo = (world: World, to: string) => {
    world.input('wallet.changed', { connectionId: world.model.connection.active ?? '', accounts: [to] }, { tab })
    world.answer('chain.readBalances', 'chain.balances', { account: to, slot: 1000, amounts: { SOL: '20000000000' } })
  }

  test('of this account is not used up by another account that paid the same key', () => {
    const world = connected(['signAndSendTransaction'])
    world.command('invoice.open', intent(world, { orderKey: first }))
    expect(orderKey(world)).toBe(first)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    throughGate(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.failed', failing('user_rejected'))
    switchTo(world, other)
    expect(orderKey(world)).toBe(first)
    world.input('chain.purchases', { account: other, purchases: [final] })
    world.command('order.abandon', { orderId: theOrder(world).orderId })
    switchTo(world, account)
    expect(orderKey(world)).toBe(first)
  })

  test('of this account is not used up by the final order of another account', () => {
    const world = connected(['signAndSendTransaction'])
    const askWallet = () => {
      expect(orderKey(world)).toBe(first)
      world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
      throughGate(world)
    }
    world.command('invoice.open', intent(world, { orderKey: first }))
    askWallet()
    world.answer('wallet.signAndSendTransaction', 'wallet.failed', failing('user_rejected'))
    switchTo(world, other)
    askWallet()
    world.answer('wallet.signAndSendTransaction', 'wallet.sent', { signature: 'sig-9' })
    const landed = [landedOf(world, { signature: 'sig-9', status: 'finalized' })]
    watched(world, { status: 'finalized', slot: 1005, landed })
    expect(theOrder(world)).toMatchObject({ account: other, phase: 'finalised' })
    switchTo(world, account)
    expect(orderKey(world)).toBe(first)
  })

  test('is not used up by one node’s list while other nodes deny that it is final, until its blockhash has expired', () => {
    const world = sent()
    const { order } = world.last('chain.prepareOrder').data
    while (theOrder(world).phase !== 'finalised') {
      watched(world, { status: 'finalized', slot: 1005, finalBy: 1 })
      world.wait(1000)
    }
    // Also before the list tells of it
    world.command('order.place', intent(world, { orderKey: drawn }))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'PAID_UNSURE' } } })
    world.input('chain.purchases', { account, purchases: [{ ...final, signature: 'sig-1', orderId: order.orderKey }] })
    world.command('order.place', intent(world, { orderKey: drawn }))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'PAID_UNSURE' } } })
    world.wait(outlivedMs + 1000)
    expect(orderKey(world)).toBe(drawn)
  })

  test('is refused before its wallet is asked when the account paid its key by a code since the press', () => {
    const world = connected()
    world.command('invoice.open', intent(world, { orderKey: first }))
    world.fire(`invoice:${world.model.invoice?.shown ?? ''}`)
    expect(orderKey(world)).toBe(first)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code', buyer: account, payment })
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'PAID_BESIDE' } } })
    expect(world.ordered('wallet.signTransaction')).toEqual([])
  })

  test.each(['confirmed', 'final'] as const)(
    'is refused before it is sent when the account paid its key by a code meanwhile, %s',
    status => {
      const world = connected()
      world.command('invoice.open', intent(world, { orderKey: first }))
      world.fire(`invoice:${world.model.invoice?.shown ?? ''}`)
      expect(orderKey(world)).toBe(first)
      world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
      const told = { reference: 'code', buyer: account, payment: { ...payment, status, slot: 1001 } }
      world.answer('chain.watchInvoice', 'chain.invoice', told)
      world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
      throughGate(world)
      expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'PAID_BESIDE' } } })
      expect(world.ordered('chain.submit')).toEqual([])
    },
  )

  test('is refused at the press while the account’s payment of its key is not final', () => {
    const world = connected()
    world.command('invoice.open', intent(world, { orderKey: first }))
    world.fire(`invoice:${world.model.invoice?.shown ?? ''}`)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code', buyer: account, payment })
    world.command('order.place', intent(world, { orderKey: drawn }))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'PAID_BESIDE' } } })
    // It will never be final here: an order of another key might be paid beside it, one of this key is refunded
    world.wait(soughtMs)
    expect(orderKey(world)).toBe(first)
  })

  test('has an old code looked for once more, which may have been paid while no page was open', () => {
    const world = connected()
    world.command('invoice.open', intent(world, { orderKey: first }))
    const invoiceId = world.model.invoice?.shown ?? ''
    world.fire(`invoice:${invoiceId}`)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code' })
    world.wait(2 * soughtMs)
    world.fire(`invoice:${invoiceId}`)
    world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code' })
    expect(world.timers().has(`invoice:${invoiceId}`)).toBe(false)
    const looks = world.ordered('chain.watchInvoice').length
    expect(orderKey(world)).toBe(first)
    world.fire(`invoice:${invoiceId}`)
    expect(world.ordered('chain.watchInvoice')).toHaveLength(looks + 1)
    world.answer('chain.watchInvoice', 'effect.failed', failing('unreachable'))
    expect(world.timers().has(`invoice:${invoiceId}`)).toBe(false)
  })

  describe('whose code was put away unpaid', () => {
    /** A wallet signed the order, and every reading of the gate has arrived but the look for the code. */
    const atGate = () => {
      const world = connected()
      world.command('invoice.open', intent(world, { orderKey: first }))
      const invoiceId = world.model.invoice?.shown ?? ''
      world.fire(`invoice:${invoiceId}`)
      world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code' })
      world.command('invoice.close', { invoiceId })
      expect(orderKey(world)).toBe(first)
      world.fire(`invoice:${invoiceId}`)
      world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code' })
      world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
      // The wallet is before the page, which looks for no code then
      world.input('page.visible', { visible: false }, { tab })
      world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
      readings(world)
      return world
    }
    const readings = (world: World) => {
      const { orderId } = theOrder(world)
      world.answer('chain.readSale', 'chain.sale', saleReading(1001, world.at))
      world.answer('chain.readNotices', 'chain.notices', notices)
      world.answer('chain.watch', 'chain.status', { orderId, height: 18, nodeSlot: 1001, heightSlot: 1000 })
    }
    const gateOf = (world: World) => `gate:${theOrder(world).orderId}`

    test('waits at the gate for a look at it, and is refused when that finds its payment', () => {
      const world = atGate()
      expect(world.timers().has(gateOf(world))).toBe(false)
      const told = { reference: 'code', buyer: account, payment: { ...payment, slot: 1001 } }
      world.answer('chain.watchInvoice', 'chain.invoice', told)
      world.fire(gateOf(world))
      expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'PAID_BESIDE' } } })
      expect(world.ordered('chain.submit')).toEqual([])
    })

    test('is sent when the look finds no payment', () => {
      const world = atGate()
      world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code' })
      world.fire(gateOf(world))
      expect(theOrder(world).phase).toBe('sending')
    })

    test('reads everything again when the look fails, and never hangs', () => {
      const world = atGate()
      world.fail('chain.watchInvoice', 'unreachable')
      world.fire(gateOf(world))
      readings(world)
      expect(theOrder(world).phase).toBe('signed')
      world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code' })
      world.fire(gateOf(world))
      expect(theOrder(world).phase).toBe('sending')
    })
  })
})
