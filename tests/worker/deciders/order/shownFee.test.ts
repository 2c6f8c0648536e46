import { describe, expect, test } from 'vitest'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { connected, decodedOf, intent, preparedOf, theOrder, throughGate } from '../../story.ts'
import type { World } from '../../world.ts'

const shownFee = '6000'

/** Answers a build with bytes of this fee in lamports, as a node's recent prices led to. */
function builtAt(world: World, fee: number, build = {}) {
  const asked = world.last('chain.prepareOrder').data
  const data = preparedOf(asked, build)
  const decoded: InputData<'chain.orderPrepared'>['decoded'] = {
    ...decodedOf(asked.order, data.blockhash),
    instructions: data.decoded.instructions.map(one =>
      one.kind === 'computePrice' ? { kind: 'computePrice', microLamports: String((fee - 5000) * 50) } : one,
    ),
  }
  return world.answer('chain.prepareOrder', 'chain.orderPrepared', { ...data, fee: String(fee), decoded })
}

function pressed(world: World, changes = {}) {
  world.command('order.place', intent(world, { shownFee, ...changes }))
}

describe('a purchase whose fee the page showed', () => {
  test('goes to its wallet up to three times that fee', () => {
    const world = connected()
    pressed(world)
    expect(builtAt(world, 18_000).types).toEqual(['order.built', 'order.simulated', 'order.asked'])
  })

  test('waits for another press when a node made it dearer', () => {
    const world = connected()
    pressed(world)
    expect(builtAt(world, 505_000).types).toEqual(['order.built', 'order.simulated', 'order.pressAwaited'])
    expect(theOrder(world)).toMatchObject({ phase: 'pressAwaited', built: { fee: '505000' } })
    expect(world.ordered('wallet.signTransaction')).toEqual([])
    expect(world.command('order.continue', { orderId: theOrder(world).orderId }).types).toEqual(['order.asked'])
  })

  test('waits after the gate of a wallet that sends by itself', () => {
    const world = connected(['signAndSendTransaction'])
    pressed(world)
    builtAt(world, 505_000)
    expect(throughGate(world).types).toEqual(['order.pressAwaited'])
    expect(world.ordered('wallet.signAndSendTransaction')).toEqual([])
  })

  test('waits once for each dearer fee, also when it is built again', () => {
    const world = connected()
    pressed(world)
    builtAt(world, 100_000)
    const { orderId } = theOrder(world)
    world.wait(31_000)
    world.command('order.continue', { orderId })
    expect(builtAt(world, 200_000, { blockhash: 'hash-2' }).types.at(-1)).toBe('order.pressAwaited')
    world.wait(31_000)
    world.command('order.continue', { orderId })
    expect(builtAt(world, 200_000, { blockhash: 'hash-3' }).types.at(-1)).toBe('order.asked')
  })

  test('goes to its wallet at any allowed fee where an earlier page named none', () => {
    const world = connected()
    world.command('order.place', intent(world))
    expect(builtAt(world, 505_000).types.at(-1)).toBe('order.asked')
  })
})
