import { expect, test } from 'vitest'
import { mayBePaidLate } from '../../../../src/events/subjects/order/latePayment.ts'
import { isHidden } from '../../../../src/events/subjects/order/order.ts'
import { checksForHidden } from '../../../../src/worker/deciders/order/watch.ts'
import {
  account,
  connected,
  gone,
  intent,
  placed,
  proof,
  ready,
  termsHash,
  theOrder,
  throughGate,
  watched,
} from '../../../worker/story.ts'
import { failing, type World } from '../../../worker/world.ts'

const day = 86_400_000
const isLate = ({ model, at }: World, later = 0) => mayBePaidLate(model, at + later)

/** A purchase whose wallet sends by itself, and was asked. */
function asked(): World {
  const world = connected(['signAndSendTransaction'])
  placed(world)
  throughGate(world)
  return world
}

function silent(): World {
  const world = asked()
  world.fire(`silence:${theOrder(world).orderId}`)
  return world
}

function declined(world: World, means: 'signTransaction' | 'signAndSendTransaction' = 'signAndSendTransaction'): World {
  world.answer(`wallet.${means}`, 'wallet.failed', failing('user_rejected'))
  return world
}

/** A code that nothing has paid. */
function opened(): World {
  const world = ready()
  world.command('invoice.open', intent(world))
  return world
}

test('late payment: none without an order or a code', () => {
  expect(isLate(ready())).toBe(false)
})

test.each([
  ['was silent', silent],
  ['says that it was declined', () => declined(asked())],
])('late payment: of a wallet that %s and sends by itself, for a day', (_, tell) => {
  const world = tell()
  expect(isLate(world)).toBe(true)
  gone(world, [proof(), proof()])
  expect([isLate(world), isLate(world, day)]).toEqual([true, false])
})

test('late payment: of a declined order that its wallet only signs, until its end is proved', () => {
  const world = connected()
  placed(world)
  declined(world, 'signTransaction')
  expect(isLate(world)).toBe(true)
  gone(world)
  expect(isLate(world)).toBe(false)
})

test('late payment: of a purchase that strangers hide, also once it was put away', () => {
  const world = silent()
  const { orderId } = theOrder(world)
  watched(world, { height: 151 })
  world.wait(60_000)
  for (let look = 0; look <= checksForHidden; look += 1)
    watched(world, { height: 151, proofs: [proof({ whole: false })] })
  expect(isHidden(theOrder(world))).toBe(true)
  world.command('order.dismiss', { orderId })
  expect(isLate(world)).toBe(true)
})

test('late payment: by a code, for an hour after it was made, also once it was put away', () => {
  const world = opened()
  world.command('invoice.close', { invoiceId: world.model.invoice?.shown ?? '' })
  expect([isLate(world), isLate(world, 3_600_001)]).toEqual([true, false])
})

test('late payment: not by a code whose payment is final', () => {
  const world = opened()
  const { orderKey: orderId, asset, units, quoted } = intent(world)
  world.fire(`invoice:${world.model.invoice?.shown ?? ''}`)
  world.answer('chain.watchInvoice', 'chain.invoice', {
    reference: 'code',
    buyer: account,
    payment: {
      signature: 'sig-9',
      slot: 1001,
      paidAt: world.at,
      status: 'final',
      terms: termsHash.slice(0, 16),
      orderId,
      asset,
      units,
      quoted,
    },
  })
  expect(isLate(world)).toBe(false)
})
