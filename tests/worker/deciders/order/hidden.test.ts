/** Strangers who flood an order's reference hold up neither the buyer's next order, nor let it be paid twice. */
import { describe, expect, test } from 'vitest'
import { isHidden, openOrder, type Order } from '../../../../src/events/subjects/order/order.ts'
import { checksForHidden } from '../../../../src/worker/deciders/order/watch.ts'
import { connected, intent, landedOf, placed, proof, sent, theOrder, throughGate, watched } from '../../story.ts'
import type { World } from '../../world.ts'

/** A purchase whose sending wallet stays silent; its blockhash's end is past. */
function silent(): World {
  const world = connected(['signAndSendTransaction'])
  placed(world)
  throughGate(world)
  world.fire(`silence:${theOrder(world).orderId}`)
  watched(world, { height: 151 })
  world.wait(60_000)
  return world
}

/** Looks at a list under the reference that strangers have filled. */
function flooded(world: World, looks: number) {
  for (let at = 0; at < looks; at += 1) watched(world, { height: 151, proofs: [proof({ whole: false })] })
}

const keyOf = (order: Order | undefined) => order && 'accepted' in order && order.accepted?.orderKey

describe('a purchase whose end strangers hide', () => {
  test('lets the next one begin after a bounded number of looks, with its key', () => {
    const world = silent()
    const first = theOrder(world)
    flooded(world, checksForHidden - 2)
    expect(isHidden(theOrder(world))).toBe(false)
    world.command('order.dismiss', { orderId: first.orderId })
    world.command('order.place', intent(world, { orderKey: 'ffffffffffffffff' }))
    expect(Object.keys(world.model.order)).toEqual([first.orderId])

    flooded(world, 1)
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { facts: { rule: 'HIDDEN' } } })
    world.command('order.dismiss', { orderId: first.orderId })
    expect(openOrder(world.model)).toBeUndefined()
    world.command('order.place', intent(world, { orderKey: 'ffffffffffffffff' }))
    expect(theOrder(world).orderId).not.toBe(first.orderId)
    expect(keyOf(theOrder(world))).toBe(keyOf(first))
    expect(world.last('chain.prepareOrder').data.order.orderKey).toBe(keyOf(first))
  })

  test('is told once, stays watched, and is found when the flood ends', () => {
    const world = silent()
    flooded(world, checksForHidden + 5)
    expect(world.said('order.unknown')).toHaveLength(2)
    watched(world, { status: 'finalized', slot: 1010, landed: [landedOf(world, { status: 'finalized' })] })
    expect(theOrder(world).phase).toBe('finalised')
  })

  test('still ends by a whole proof', () => {
    const world = silent()
    flooded(world, checksForHidden)
    watched(world, { height: 151, proofs: [proof()] })
    expect(theOrder(world).phase).toBe('expired')
  })

  test('is none whose own bytes are sent from here: their status is exact', () => {
    const world = sent()
    watched(world, { height: 151 })
    world.wait(60_000)
    const proofs = [proof({ whole: false, unseen: false })]
    for (let at = 0; at <= checksForHidden; at += 1) watched(world, { height: 151, proofs })
    expect(isHidden(theOrder(world))).toBe(false)
    expect(openOrder(world.model)).toBeDefined()
  })
})
