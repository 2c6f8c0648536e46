/** A landed transaction is judged by the content its buyer signed, never by the place it was found in. */
import { describe, expect, test } from 'vitest'
import { openOrder } from '../../../../src/events/subjects/order/order.ts'
import type { DecodedInstruction } from '../../../../src/events/values/solana/transaction.ts'
import type { InputData } from '../../../../src/worker/core/context.ts'
import {
  account,
  connected,
  decodedOf,
  gone,
  intent,
  landedOf,
  notices,
  other,
  placed,
  preparedOf,
  sent,
  signedOf,
  theOrder,
  throughGate,
  watched,
} from '../../story.ts'
import { failing, noon, tab, type World } from '../../world.ts'

type Landed = NonNullable<InputData<'chain.status'>['landed']>[number]

const steal: DecodedInstruction = { kind: 'transfer', from: account, to: other, lamports: '9000000000', references: [] }

/** An order whose sending wallet answered with a signature. */
function sentByWallet(): World {
  const world = connected(['signAndSendTransaction'])
  placed(world)
  throughGate(world)
  world.answer('wallet.signAndSendTransaction', 'wallet.sent', { signature: 'sig-7' })
  return world
}

/** A landed transaction under the order's reference, with other instructions. */
function altered(world: World, change: (instructions: DecodedInstruction[]) => DecodedInstruction[]) {
  const { decoded, ...landed } = landedOf(world, { status: 'finalized' })
  if (!decoded) throw new Error('the order expected to be built')
  return { ...landed, decoded: { ...decoded, instructions: change(decoded.instructions) } }
}

describe('a sending wallet', () => {
  test('is believed once the landed transaction is the agreed one, with assertions and a fee of its own', () => {
    const world = sentByWallet()
    const guard = { kind: 'other', program: 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95', name: 'assert' } as const
    const landed = altered(world, instructions => [...instructions, guard])
    expect(watched(world, { status: 'finalized', landed: [landed] }).types).toEqual(['order.finalised'])
  })

  test('may use a newer blockhash', () => {
    const world = sentByWallet()
    const { order } = world.last('chain.prepareOrder').data
    const landed = landedOf(world, { decoded: decodedOf(order, 'hash-2') })
    watched(world, { status: 'confirmed', landed: [landed] })
    expect(theOrder(world).phase).toBe('confirmed')
  })

  test.each([
    ['that pays a thief besides', (all: DecodedInstruction[]) => [...all, steal]],
    ['that pays a thief instead', (all: DecodedInstruction[]) => [...all.slice(0, 3), steal]],
    [
      'that pays less',
      (all: DecodedInstruction[]) => all.map(one => (one.kind === 'transfer' ? { ...one, lamports: '1' } : one)),
    ],
    [
      'with another memo',
      (all: DecodedInstruction[]) => all.map(one => (one.kind === 'memo' ? { ...one, text: 'hi' } : one)),
    ],
  ])('that lands a transaction %s sets off the alarm: no success, and not "not charged"', (_name, change) => {
    const world = sentByWallet()
    const came = watched(world, { status: 'finalized', landed: [altered(world, change)] })
    expect(came.types).toEqual(['order.mismatched'])
    expect(theOrder(world)).toMatchObject({
      phase: 'unknown',
      alarm: { signature: 'sig-7', differences: expect.arrayContaining([expect.anything()]) },
      signed: { signature: 'sig-7' },
      failure: { code: 'wallet_changed_tx' },
    })
    expect(gone(world).types).not.toContain('order.expired')
    const mark = { slot: 2000, time: noon, balances: {}, raised: '0', pos: '0' }
    expect(world.input('chain.notices', { ...notices, checkpoint: mark }).types).not.toContain('order.accounted')
  })

  test('is not believed by a signature whose transaction is unread', () => {
    const world = sentByWallet()
    watched(world, { status: 'finalized', slot: 1010 })
    expect(theOrder(world).phase).toBe('sending')
    watched(world, { status: 'finalized', slot: 1010, landed: [landedOf(world, { status: 'finalized' })] })
    expect(theOrder(world).phase).toBe('finalised')
  })

  test('may name a transaction from before the order, which proves nothing', () => {
    const world = sentByWallet()
    const older = { ...altered(world, () => [steal]), slot: 999 }
    watched(world, { status: 'finalized', landed: [older] })
    expect(theOrder(world)).not.toHaveProperty('alarm')
  })

  test.each([
    ['named by the wallet', sentByWallet],
    ['found by the search', sent],
  ] as const)('%s and altered sets off the alarm, though a node told a slot ahead of the chain', (_name, given) => {
    const world = given()
    const landed = { ...altered(world, all => [...all, steal]), slot: 900 }
    expect(watched(world, { landed: [landed] }).types).toEqual(['order.mismatched'])
  })

  test('that names another transaction which failed for good has ended the order', () => {
    const world = sentByWallet()
    const error = { code: 'on_chain_error', message: 'the program refused' } as const
    const failed = { ...altered(world, all => [...all, steal]), error }
    expect(watched(world, { status: 'finalized', error, landed: [failed] }).types).toContain('order.failedOnChain')
    expect(theOrder(world)).not.toHaveProperty('alarm')
  })

  test('that declined and landed another transaction sets off the alarm', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.failed', failing('user_rejected'))
    watched(world, { landed: [altered(world, all => [...all, steal])] })
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', alarm: { signature: expect.any(String) } })
  })
})

describe('the alarm', () => {
  const alarmed = () => {
    const world = sentByWallet()
    watched(world, { landed: [altered(world, all => [...all, steal])] })
    return world
  }

  test('is raised once, and a judged transaction is not read again', () => {
    const world = alarmed()
    world.fire(`watch:${theOrder(world).orderId}`)
    expect(world.last('chain.watch').data.judged).toEqual(['sig-7'])
    const { decoded: _, ...again } = altered(world, all => all)
    const { orderId } = theOrder(world)
    const said = { orderId, height: 20, nodeSlot: 1002, landed: [again] }
    expect(world.answer('chain.watch', 'chain.status', said).facts).toEqual([])
    const whole = altered(world, all => [...all, steal])
    world.kill()
    expect(watched(world, { landed: [whole] }).facts).toEqual([])
  })

  test('blocks the next order until the person has read it', () => {
    const world = alarmed()
    expect(world.command('order.place', intent(world)).facts).toEqual([])
    const { orderId } = theOrder(world)
    expect(world.command('order.dismiss', { orderId }).types).toEqual(['order.dismissed'])
    expect(openOrder(world.model)).toBeUndefined()
    expect(world.command('order.place', intent(world)).types).toContain('order.accepted')
  })

  test('once read ends the watch no sooner than the agreed transaction can have landed', () => {
    const world = alarmed()
    const { orderId } = theOrder(world)
    world.command('order.dismiss', { orderId })
    world.pass(240_000)
    expect(world.timers().has(`watch:${orderId}`)).toBe(true)
    world.pass(80_000)
    expect(world.timers().has(`watch:${orderId}`)).toBe(false)
    world.kill()
    expect(world.timers().has(`watch:${orderId}`)).toBe(false)
  })

  test.each([
    ['in the same life', () => undefined],
    ['after a reload', (world: World) => void world.kill()],
  ])('once read does not hide that the agreed transaction landed beside the altered one, %s', (_name, then) => {
    const world = alarmed()
    const { orderId } = theOrder(world)
    const landed = landedOf(world, { signature: 'sig-8', status: 'finalized' })
    world.command('order.dismiss', { orderId })
    then(world)
    world.fire(`watch:${orderId}`)
    const said = { orderId, height: 20, heightSlot: 1000, nodeSlot: 1002, landed: [landed] }
    world.answer('chain.watch', 'chain.status', said)
    expect(world.model.order[orderId]).toMatchObject({ phase: 'finalised', signed: { signature: 'sig-8' } })
    expect(world.model.order[orderId]?.dismissed).toBeUndefined()
  })

  test('stays with the order that it was about, when the next one has the same key', () => {
    const world = alarmed()
    const earlier = altered(world, all => [...all, steal])
    const first = theOrder(world).orderId
    world.command('order.dismiss', { orderId: first })
    placed(world)
    throughGate(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.sent', { signature: 'sig-9' })
    const { orderId } = theOrder(world)
    const status = (landed: Landed[]) => {
      world.fire(`watch:${orderId}`)
      const said = { orderId, height: 20, heightSlot: 1000, nodeSlot: 1002, landed }
      return world.answer('chain.watch', 'chain.status', said).types
    }
    expect(status([earlier])).not.toContain('order.mismatched')
    const own = { ...landedOf(world, { status: 'confirmed' }), signature: 'sig-9' }
    expect(status([own])).toContain('order.confirmed')
    expect(status([earlier, own])).not.toContain('order.mismatched')
    expect(world.model.order).toMatchObject({
      [first]: { phase: 'unknown', alarm: { signature: 'sig-7' } },
      [orderId]: { phase: 'confirmed', signed: { signature: 'sig-9' } },
    })
  })

  test('is the next order’s, too, when the wallet names the same transaction for it', () => {
    const world = alarmed()
    const earlier = altered(world, all => [...all, steal])
    world.command('order.dismiss', { orderId: theOrder(world).orderId })
    placed(world)
    throughGate(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.sent', { signature: 'sig-7' })
    expect(watched(world, { status: 'finalized', landed: [earlier] }).types).toContain('order.mismatched')
  })

  test('does not become a payment on its way when a node that is behind tells of the altered one', () => {
    const world = alarmed()
    watched(world, { status: 'processed', slot: 1010 })
    expect(theOrder(world).phase).toBe('unknown')
  })
})

describe('the key of an order', () => {
  const again = (world: World) => {
    world.command('order.place', intent(world, { orderKey: 'ffffffffffffffff' }))
    return world.last('chain.prepareOrder').data.order.orderKey
  }
  const first = '00112233445566ff'

  test.each<[string, () => World]>([
    ['expired', () => (world => (gone(world), world))(sent())],
    [
      'was declined',
      () => {
        const world = connected(['signAndSendTransaction'])
        placed(world)
        throughGate(world)
        world.answer('wallet.signAndSendTransaction', 'wallet.failed', failing('user_rejected'))
        return world
      },
    ],
    [
      'was refused at the gate, signed',
      () => {
        const world = connected()
        placed(world)
        world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
        throughGate(world, { said: { ...notices, paused: true } })
        world.input('chain.notices', notices)
        return world
      },
    ],
    [
      'failed on the chain',
      () => {
        const world = sent()
        const error = { code: 'on_chain_error', message: 'custom 1' } as const
        watched(world, { status: 'finalized', slot: 1005, error })
        return world
      },
    ],
  ])('that %s is the next one’s, whatever key the page drew', (_name, given) => {
    expect(again(given())).toBe(first)
  })

  test('is kept through two orders with wallet requests', () => {
    const world = sent()
    gone(world)
    again(world)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    world.answer('wallet.signTransaction', 'wallet.failed', failing('user_rejected'))
    expect(again(world)).toBe(first)
  })

  test.each<[string, (world: World) => void]>([
    ['its order is final', world => watched(world, { status: 'finalized', slot: 1005 })],
    [
      'the chain shows its payment as final',
      world => {
        gone(world)
        const paid = { slot: 1005, paidAt: noon, asset: 'SOL', units: '2500000000', quoted: '1' }
        const purchase = { signature: 'sig-1', orderId: first, ...paid, status: 'final' } as const
        world.input('chain.purchases', { account, purchases: [purchase] })
      },
    ],
  ])('is a new one once %s', (_name, then) => {
    const world = sent()
    then(world)
    expect(again(world)).toBe('ffffffffffffffff')
  })

  test('stays while the chain shows under it only a payment that is no order', () => {
    const world = sent()
    gone(world)
    const paid = { slot: 1005, paidAt: noon, asset: 'SOL', units: '1', quoted: '1' }
    const purchase = { signature: 'sig-2', orderId: first, ...paid, status: 'final', fault: 'mismatch' } as const
    world.input('chain.purchases', { account, purchases: [purchase] })
    expect(again(world)).toBe(first)
  })

  test('is a new one when no wallet had a request', () => {
    const world = connected()
    world.command('order.place', intent(world))
    world.fail('chain.prepareOrder', 'insufficient_sol')
    expect(again(world)).toBe('ffffffffffffffff')
  })

  test('shared with an expired order tells when that one has landed after all', () => {
    const world = sent()
    const early = landedOf(world, { signature: 'sig-1', status: 'finalized', slot: 1005 })
    gone(world)
    const { orderId } = theOrder(world)
    again(world)
    const next = world.last('chain.prepareOrder').data
    world.answer(
      'chain.prepareOrder',
      'chain.orderPrepared',
      preparedOf(next, { blockhash: 'hash-2', slot: 1300, validUntilHeight: 400 }),
    )
    world.answer('wallet.signTransaction', 'wallet.failed', failing('wallet_gone'))
    const { id: to } = world.last('wallet.signTransaction')
    world.input('wallet.signed', signedOf(world), { to, tab })
    expect(watched(world, { landed: [early] }).types).toContain('order.finalised')
    expect(world.last('chain.watch').data.fromSlot).toBe(0)
    expect(world.model.order[orderId]).toMatchObject({ phase: 'finalised', signed: { signature: 'sig-1' } })
    expect(theOrder(world)).not.toHaveProperty('alarm')
  })
})
