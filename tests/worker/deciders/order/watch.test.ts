import { describe, expect, test } from 'vitest'
import { blocksLeft, blocksOnTop } from '../../../../src/events/subjects/order/order.ts'
import { connected, placed, sent, signedOf, theOrder, throughGate, watched, gone } from '../../story.ts'

/** The order's bytes expire at height 150; the finalised height is 32 behind the newest. */
const progressed = 'order.progressed'

/** An order sent so long ago that the chain may have any height up to 150. */
const sentLately = () => {
  const world = sent()
  world.wait(30_000)
  return world
}

describe('the progress of an order', () => {
  test('is the number of blocks left while it is being sent, once for each watch that changed it', () => {
    const world = sentLately()
    expect(blocksLeft(theOrder(world))).toBeUndefined()
    expect(watched(world, { height: 20 }).types).toEqual([progressed])
    expect(blocksLeft(theOrder(world))).toBe(98)
    expect(watched(world, { height: 20, nodeSlot: 1003 }).types).toEqual([])
    expect(watched(world, { height: 23 }).types).toEqual([progressed])
    expect(blocksLeft(theOrder(world))).toBe(95)
  })

  test('never falls below zero blocks, and stays there until the end is proved', () => {
    const world = sentLately()
    watched(world, { height: 140 })
    expect(blocksLeft(theOrder(world))).toBe(0)
    expect(watched(world, { height: 150 }).types).toEqual([])
    expect(gone(world).types).toEqual(['order.expired'])
    expect(blocksLeft(theOrder(world))).toBeUndefined()
  })

  test('does not go back with a node that is behind', () => {
    const world = sentLately()
    watched(world, { height: 40, nodeSlot: 1030 })
    expect(watched(world, { height: 30, nodeSlot: 1020 }).types).toEqual([])
    expect(blocksLeft(theOrder(world))).toBe(78)
  })

  test('ignores an impossible height, and continues with the next possible one', () => {
    const world = sent()
    expect(watched(world, { height: 300_000_000 }).types).toEqual([])
    const elapsed = world.at - (theOrder(world).times.built ?? 0)
    world.wait(19_800 - elapsed)
    expect(watched(world, { height: 101 }).types).toEqual([])
    expect(watched(world, { height: 99 }).types).toEqual([progressed])
    expect(blocksLeft(theOrder(world))).toBe(19)
    world.wait(10_200)
    expect(watched(world, { height: 300_000_000 }).types).toEqual([progressed])
  })

  test('follows any height accepted by an earlier build', () => {
    const world = sent()
    const { orderId } = theOrder(world)
    world.fire(`watch:${orderId}`)
    const before = { orderId, height: 51, nodeSlot: 1002 }
    expect(world.answer('chain.watch', 'chain.status', before).types).toEqual([progressed])
  })

  test('is the number of blocks on top once it is confirmed, up to 32', () => {
    const world = sent()
    expect(watched(world, { status: 'processed', slot: 1010, nodeSlot: 1010 }).types).toEqual(['order.seen'])
    const landed = { status: 'confirmed', slot: 1010 } as const
    expect(watched(world, { ...landed, nodeSlot: 1012 }).types).toEqual(['order.confirmed', progressed])
    expect(blocksOnTop(theOrder(world))).toBe(2)
    expect(watched(world, { ...landed, nodeSlot: 1012 }).types).toEqual([])
    expect(watched(world, { ...landed, nodeSlot: 1028 }).types).toEqual([progressed])
    expect(blocksOnTop(theOrder(world))).toBe(18)
    watched(world, { ...landed, nodeSlot: 1050 })
    expect(blocksOnTop(theOrder(world))).toBe(32)
    expect(watched(world, { ...landed, nodeSlot: 1060 }).types).toEqual([])
    expect(watched(world, { status: 'finalized', slot: 1010, nodeSlot: 1061 }).types).toEqual(['order.finalised'])
    expect(blocksOnTop(theOrder(world))).toBeUndefined()
  })

  test('counts blocks left again after a fork dropped it', () => {
    const world = sentLately()
    watched(world, { status: 'confirmed', slot: 1010, height: 30, nodeSlot: 1012 })
    for (let i = 0; i < 3; i++) watched(world, { height: 35, nodeSlot: 1020 })
    expect(theOrder(world).phase).toBe('sending')
    watched(world, { height: 36, nodeSlot: 1021 })
    expect(blocksLeft(theOrder(world))).toBe(82)
  })

  test('is absent while the wallet has the transaction and nothing was sent', () => {
    const world = connected()
    placed(world)
    world.fire(`silence:${theOrder(world).orderId}`)
    expect(theOrder(world).phase).toBe('unknown')
    expect(watched(world, { height: 20 }).types).toEqual([])
  })

  test('is absent for the last reading before sending', () => {
    const world = connected()
    placed(world)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    expect(throughGate(world).types).toEqual(['order.sending'])
    expect(theOrder(world)).not.toHaveProperty('progress')
  })
})
