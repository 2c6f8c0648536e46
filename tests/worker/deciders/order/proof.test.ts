/** Only a whole proof from every endpoint ends an order as not charged. */
import { describe, expect, test } from 'vitest'
import { isProved, openOrder } from '../../../../src/events/subjects/order/order.ts'
import {
  connected,
  gone,
  intent,
  placed,
  preparedOf,
  proof,
  sent,
  signedOf,
  theOrder,
  throughGate,
  watched,
} from '../../story.ts'
import { failing, tab } from '../../world.ts'

/** Endpoints that got no question about the blockhash. */
const unasked = { blockhashes: [] }

/** Past the last valid height of its blockhash, and a minute after it was read. */
const due = () => {
  const world = sent()
  watched(world, { height: 151 })
  world.wait(60_000)
  return world
}

describe('a sent order', () => {
  test('is expired by a whole proof, with the number of its endpoints in the fact', () => {
    const world = due()
    expect(watched(world, { height: 151, proofs: [proof(), proof()] }).types).toEqual(['order.expired'])
    expect(world.last('chain.watch').data).toMatchObject({ search: true, proves: true, own: true, fromSlot: 0 })
    expect(world.said('order.expired')).toMatchObject([{ providers: 2 }])
    expect(openOrder(world.model)).toBeUndefined()
  })

  test.each([
    ['no proof at all', { height: 151 }],
    ['the word of an earlier kind of build', { height: 151, found: [] }],
    ['no endpoint', { height: 151, proofs: [] }],
    ['a height that is not past', { height: 151, proofs: [proof({ height: 150 })] }],
    [
      'a height of a node behind the one that gave the blockhash',
      { height: 151, proofs: [proof({ heightSlot: 999 })] },
    ],
    ['a history that ends before the slot of the height', { height: 151, proofs: [proof({ answerSlot: 1199 })] }],
    ['a signature that has a status', { height: 151, proofs: [proof({ unseen: false })] }],
    ['one endpoint of two', { height: 151, proofs: [proof(), proof({ answerSlot: 800 })] }],
    ['an endpoint that was not asked for the blockhash', { height: 151, proofs: [proof()], ...unasked }],
    ['a blockhash that is still valid', { height: 151, proofs: [proof()], blockhashes: ['valid' as const] }],
    [
      'two endpoints of which one says that',
      { height: 151, proofs: [proof(), proof()], blockhashes: ['expired' as const, 'valid' as const] },
    ],
    [
      'two endpoints of which one tells',
      { height: 151, proofs: [proof(), proof()], blockhashes: ['expired' as const] },
    ],
    ['nobody but endpoints that lied', { height: 151, proofs: [], lying: 2 }],
  ])('is not expired by %s', (_name, said) => {
    const world = due()
    watched(world, said)
    expect(theOrder(world).phase).toBe('sending')
    expect(world.said('order.expired')).toEqual([])
  })

  test.each([
    ['far ahead of the chain', 4_000_000],
    ['so far ahead that its landing is before it, and its end after it', 1150],
  ])('is searched for, and ends, though the node that gave its blockhash told a slot %s', (_name, slot) => {
    const world = connected()
    world.command('order.place', intent(world))
    const told = preparedOf(world.last('chain.prepareOrder').data, { slot })
    world.answer('chain.prepareOrder', 'chain.orderPrepared', told)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    throughGate(world)
    // The chain has gone on past every slot that is believed
    gone(world, [proof({ heightSlot: 2300, answerSlot: 2332 })])
    expect(world.last('chain.watch').data.fromSlot).toBeLessThan(1001)
    expect(theOrder(world).phase).toBe('expired')
  })

  test('has its blockhash checked when all else holds, and is expired when every endpoint reports its end', () => {
    const world = due()
    const proofs = [proof(), proof()]
    watched(world, { height: 151, proofs: [proof(), proof({ unseen: false })], ...unasked })
    watched(world, { height: 151, proofs, ...unasked })
    expect(world.last('chain.watch').data.blockhash).toBeUndefined()
    expect(theOrder(world).phase).toBe('sending')
    expect(watched(world, { height: 151, proofs, ...unasked }).types).toEqual([])
    expect(world.last('chain.watch').data).toMatchObject({ proves: true, blockhash: 'hash-1' })
    expect(watched(world, { height: 151, proofs: [proof(), proof()] }).types).toEqual(['order.expired'])
  })

  test('is expired in the log of an earlier build by that build’s rule', () => {
    const world = due()
    world.fire(`watch:${theOrder(world).orderId}`)
    const before = { orderId: theOrder(world).orderId, height: 151, nodeSlot: 1002, proofs: [proof()] }
    expect(world.answer('chain.watch', 'chain.status', before).types).toEqual(['order.expired'])
  })

  test('is expired by the other endpoints where one lied, with that in the fact', () => {
    const world = due()
    watched(world, { height: 151 })
    expect(watched(world, { height: 151, lying: 1 }).types).toEqual(['order.disputed'])
    expect(watched(world, { height: 151, lying: 1 }).types).toEqual([])
    expect(watched(world, { height: 151, proofs: [proof()], lying: 1 }).types).toEqual(['order.expired'])
    expect(theOrder(world)).toMatchObject({ phase: 'expired', proof: { providers: 1 }, lying: 1 })
  })

  test('is disputed no longer when the endpoint tells the truth', () => {
    const world = due()
    watched(world, { height: 151, proofs: [], lying: 1 })
    expect(watched(world, { height: 151 }).types).toEqual([])
    expect(watched(world, { height: 151, proofs: [proof(), proof({ whole: false, unseen: false })] }).types).toEqual([
      'order.disputed',
    ])
    expect(theOrder(world)).not.toHaveProperty('lying')
  })

  test('is not expired within a minute of its blockhash, however high a node claims the chain is', () => {
    const world = sent()
    for (let second = 0; second < 59; second += 1) {
      world.wait(1000)
      watched(world, { height: 10_000_000, proofs: [proof({ height: 10_000_000 })] })
      expect(world.last('chain.watch').data.proves).toBeUndefined()
    }
    expect(theOrder(world).phase).toBe('sending')
    world.wait(1000)
    watched(world, { height: 10_000_000, proofs: [proof({ height: 10_000_000 })] })
    expect(theOrder(world).phase).toBe('expired')
  })

  test('waits the minute anew after a jump of the clock, and in a new life', () => {
    const world = sent()
    watched(world, { height: 151 })
    world.jump(3_600_000)
    watched(world, { height: 151, proofs: [proof()] })
    expect(theOrder(world).phase).toBe('sending')
    world.wait(59_000)
    world.kill('start')
    world.attach()
    watched(world, { height: 151, proofs: [proof()] })
    world.wait(59_000)
    watched(world, { height: 151, proofs: [proof()] })
    expect(theOrder(world).phase).toBe('sending')
    world.wait(1000)
    expect(watched(world, { height: 151, proofs: [proof()] }).types).toContain('order.expired')
  })

  test('has its minute counted from the start of a life, though the first look comes late', () => {
    const world = sent()
    world.kill('start')
    world.wait(60_000)
    watched(world, { height: 151 })
    expect(watched(world, { height: 151, proofs: [proof()] }).types).toContain('order.expired')
  })

  test('is proved by its exact status alone when strangers flood its reference', () => {
    expect(gone(sent(), [proof({ whole: false })]).types).toEqual(['order.expired'])
  })
})

describe('an order with an unknown signature', () => {
  const silent = () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.fire(`silence:${theOrder(world).orderId}`)
    return world
  }

  test('is proved as soon as its silence of two minutes ends, also across a new life', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    const { orderId } = theOrder(world)
    world.kill('lost')
    world.wait(119_000)
    world.fire(`silence:${orderId}`)
    watched(world, { height: 151 })
    expect(watched(world, { height: 151, proofs: [proof()] }).types).toContain('order.expired')
  })

  test('is not expired before the whole list under its reference was read', () => {
    const world = silent()
    expect(gone(world, [proof({ whole: false })]).types).toEqual([])
    expect(theOrder(world).phase).toBe('unknown')
    expect(watched(world, { height: 151, proofs: [proof()] }).types).toEqual(['order.expired'])
  })

  test('is not expired by the signature that its wallet names alone', () => {
    const world = silent()
    const { id: to } = world.last('wallet.signAndSendTransaction')
    world.input('wallet.sent', { signature: 'sig-1' }, { to, tab })
    expect(gone(world, [proof({ whole: false })]).types).toEqual([])
  })

  test('declined by its wallet is proved the same way', () => {
    const world = silent()
    const { id: to } = world.last('wallet.signAndSendTransaction')
    world.input('wallet.failed', failing('user_rejected'), { to, tab })
    gone(world, [proof({ whole: false })])
    expect(isProved(theOrder(world))).toBe(false)
    watched(world, { height: 151, proofs: [proof()] })
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', proof: { providers: 1 } })
  })
})
