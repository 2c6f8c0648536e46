import { describe, expect, test } from 'vitest'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { mostMoved, ofTreasury } from '../../../../src/worker/deciders/order/nodeSocket.ts'
import {
  connected,
  gone,
  placed,
  saleReading,
  sent,
  signedOf,
  statusOf,
  terms,
  theOrder,
  watched,
} from '../../story.ts'
import { tab, type World } from '../../world.ts'

type News = Omit<InputData<'node.heard'>, 'socket'>

const hears = { nodeSockets: 1 }
const watchOf = (world: World) => `watch:${theOrder(world).orderId}`
const sockets = (world: World) => world.ordered('node.listen').map(({ data }) => data)
const last = (world: World) => world.last('node.listen').data
const kinds = (world: World) => last(world).to.map(one => (one.kind === 'signature' ? one.level : one.kind))
const hear = (world: World, news: News['news'], socket = last(world).socket) =>
  world.input('node.heard', { socket, news, ...(news === 'order' && { orderId: theOrder(world).orderId }) })
const readings = (world: World) => world.ordered('chain.watch').length
/** The running reading shows nothing. */
const nothing = (world: World) => world.answer('chain.watch', 'chain.status', statusOf(world))

/** An order that was sent, with a socket that is open, and no reading under way. */
function listening(changes = {}): World {
  const world = sent({ ...hears, ...changes })
  watched(world)
  hear(world, 'opened')
  hear(world, 'alive')
  return world
}
/** Lets the endpoint's sockets fail until it is left alone. */
function refuse(world: World): void {
  hear(world, 'closed')
  world.fire('node:open')
  hear(world, 'closed')
}

describe('the socket to a node', () => {
  test('is opened for a signed order, with its signature at each level and its end', () => {
    const world = sent(hears)
    expect(last(world)).toMatchObject({ socket: 1, endpoint: 0 })
    expect(kinds(world)).toEqual(['processed', 'confirmed', 'finalized', 'slot'])
    expect(last(world).to.at(-1)).toMatchObject({ after: 1150 })
    watched(world)
    watched(world)
    expect(sockets(world)).toHaveLength(1)
  })

  test('hears of the account while the signature is not known, then of the signature', () => {
    const world = connected(['signTransaction'], hears)
    placed(world)
    world.fire(`silence:${theOrder(world).orderId}`)
    expect(theOrder(world).phase).toBe('unknown')
    world.pass(0)
    expect(kinds(world)).toEqual(['account', 'slot'])
    nothing(world)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    world.pass(3000)
    expect(kinds(world)).toEqual(['processed', 'confirmed', 'finalized', 'slot'])
    expect(last(world).socket).toBe(1)
  })

  test('that comes late asks for the levels that are still ahead', () => {
    const world = listening()
    watched(world, { status: 'confirmed', slot: 1010, nodeSlot: 1012 })
    hear(world, 'closed')
    world.fire('node:open')
    expect(kinds(world)).toEqual(['finalized', 'slot'])
  })

  test('is absent without an order, with one that is not on its way, and in logs of earlier builds', () => {
    const idle = connected(['signTransaction'], hears)
    idle.pass(120_000)
    placed(idle)
    idle.pass(20_000)
    expect(sockets(idle)).toEqual([])
    const before = sent()
    before.pass(5000)
    expect(sockets(before)).toEqual([])
  })

  test('is closed once the order has ended', () => {
    const world = listening()
    watched(world, { status: 'finalized', slot: 1010, nodeSlot: 1050 })
    expect(theOrder(world).phase).toBe('finalised')
    world.pass(1000)
    expect(last(world)).toEqual({ socket: 1, endpoint: 0, to: [] })
    expect([...world.timers().keys()].filter(name => name.startsWith('node:'))).toEqual([])
    const count = sockets(world).length
    world.pass(60_000)
    expect(sockets(world)).toHaveLength(count)
  })

  test('is closed when the order has provably expired', () => {
    const world = listening()
    gone(world)
    world.pass(1000)
    expect(theOrder(world).phase).toBe('expired')
    expect(last(world).to).toEqual([])
  })
})

describe('news of an order', () => {
  test('make its next reading happen now, and later ones go on as before', () => {
    const world = listening()
    const before = readings(world)
    hear(world, 'order')
    expect(world.timers().get(watchOf(world))?.at).toBe(world.at)
    world.pass(0)
    expect(readings(world)).toBe(before + 1)
    nothing(world)
    world.pass(999)
    expect(readings(world)).toBe(before + 1)
    world.pass(1)
    expect(readings(world)).toBe(before + 2)
  })

  test('during a reading cause another one after it', () => {
    const world = listening()
    world.fire(watchOf(world))
    const during = readings(world)
    hear(world, 'order')
    world.pass(0)
    expect(readings(world)).toBe(during)
    nothing(world)
    world.pass(0)
    expect(readings(world)).toBe(during + 1)
    nothing(world)
    world.pass(0)
    expect(readings(world)).toBe(during + 1)
  })

  test('say nothing of how it stands', () => {
    const world = listening()
    const { phase } = theOrder(world)
    expect(hear(world, 'order').types).toEqual([])
    world.pass(0)
    nothing(world)
    expect(theOrder(world).phase).toBe(phase)
  })

  test('move readings at most twice a second, and a limited number in all', () => {
    const world = listening()
    const before = readings(world)
    const untilNext = (ms: number) => {
      for (let at = 0; at < ms; at += 50) {
        hear(world, 'order')
        world.pass(50)
        if (!world.last('chain.watch').answered) nothing(world)
      }
    }
    untilNext(1000)
    expect(readings(world) - before).toBeLessThanOrEqual(3)
    untilNext(29_000)
    expect(readings(world) - before).toBeLessThanOrEqual(30 + mostMoved)
    expect(readings(world) - before).toBeGreaterThanOrEqual(30)
  })

  test('of another order, of an ended one and of an older socket do nothing', () => {
    const world = listening()
    const before = world.timers().get(watchOf(world))?.at
    world.input('node.heard', { socket: 1, news: 'order', orderId: 'order-9' })
    world.input('node.heard', { socket: 1, news: 'order', orderId: '__proto__' })
    hear(world, 'order', 0)
    expect(world.timers().get(watchOf(world))?.at).toBe(before)
  })

  test('count again after a clock that was set back', () => {
    const world = listening()
    hear(world, 'order')
    world.pass(0)
    nothing(world)
    world.jump(-3_600_000)
    world.wait(600)
    hear(world, 'order')
    expect(world.timers().get(watchOf(world))?.at).toBe(world.at)
  })
})

describe('news of the treasury', () => {
  /** The sale's reading of now, and then news: @returns in how many ms the next one is due */
  function waitAfter(passes: (world: World) => void): number {
    const world = listening()
    world.input('chain.sale', saleReading(1001, world.at))
    passes(world)
    world.input('node.heard', { socket: last(world).socket, news: 'order', orderId: ofTreasury })
    return (world.timers().get('sale:poll')?.at ?? 0) - world.at
  }

  test('wait until the reading is old, and make the next one at once after that', () => {
    expect(waitAfter(world => world.wait(1000))).toBe(5000)
    expect(waitAfter(world => world.wait(7000))).toBe(0)
  })

  test('do not wait for the time of a reading made before the clock was set back', () => {
    expect(waitAfter(world => world.wait(-3_600_000))).toBe(0)
  })
})

describe('a socket that is silent', () => {
  /** Time passes, and every reading shows nothing. @returns the readings meanwhile */
  function readOn(world: World, ms: number): number {
    const before = readings(world)
    for (let passed = 0; passed < ms; passed += 250) {
      world.pass(250)
      if (!world.last('chain.watch').answered) nothing(world)
    }
    return readings(world) - before
  }

  test('is given up after 15 s, the next one comes later, and readings go on', () => {
    const world = listening()
    expect(readOn(world, 14_750)).toBeGreaterThanOrEqual(14)
    expect(sockets(world)).toHaveLength(1)
    readOn(world, 1500)
    expect(sockets(world).map(({ socket, to }) => [socket, to.length > 0])).toEqual([
      [1, true],
      [1, false],
      [2, true],
    ])
  })

  test('lives as long as slots go on', () => {
    const world = listening()
    for (let passed = 0; passed < 45_000; passed += 5000) {
      readOn(world, 5000)
      hear(world, 'alive')
    }
    expect(sockets(world)).toHaveLength(1)
  })

  test('is replaced at growing intervals while none tells anything', () => {
    const world = listening()
    for (let count = 0; count < 4; count += 1) {
      const known = last(world).socket
      for (let waits = 0; last(world).socket === known && waits < 100; waits += 1) readOn(world, 250)
      expect(last(world).socket).toBe(known + 1)
      hear(world, 'opened')
    }
    expect(world.memory()).toMatchObject({ node: { failures: 4 } })
  })

  test('counts silence anew after a clock that was set back', () => {
    const world = listening()
    world.jump(-3_600_000)
    readOn(world, 16_500)
    expect(last(world).socket).toBe(2)
  })
})

describe('an endpoint without sockets', () => {
  test('is left alone after two that did not open', () => {
    const world = sent(hears)
    refuse(world)
    const count = sockets(world).length
    world.pass(120_000)
    expect(sockets(world)).toHaveLength(count)
  })

  test('is left alone at once when it knows no subscriptions, and the next one is heard', () => {
    const world = sent({ nodeSockets: 2 })
    hear(world, 'opened')
    hear(world, 'refused')
    world.fire('node:open')
    expect(last(world)).toMatchObject({ socket: 2, endpoint: 1 })
    hear(world, 'refused')
    world.pass(60_000)
    expect(last(world).socket).toBe(2)
  })

  test('is tried again once the device is back online, and not while it is offline', () => {
    const world = sent(hears)
    refuse(world)
    world.input('page.online', { online: false })
    const count = sockets(world).length
    world.pass(10_000)
    expect(sockets(world)).toHaveLength(count)
    world.input('page.online', { online: true })
    world.pass(1000)
    expect(last(world).socket).toBe(3)
  })

  test('is not blamed for a device that is offline', () => {
    const world = sent(hears)
    world.input('page.online', { online: false })
    hear(world, 'closed')
    world.input('page.online', { online: true })
    world.fire('node:open')
    hear(world, 'closed')
    world.fire('node:open')
    expect(last(world)).toMatchObject({ socket: 3, endpoint: 0 })
  })
})

test('a new life opens a socket of its own', () => {
  const world = listening()
  world.kill()
  world.pass(0)
  expect(last(world)).toMatchObject({ socket: 1 })
  expect(sockets(world)).toHaveLength(1)
})

describe('the socket of the sale', () => {
  const looked = { nodeSockets: 1, saleSocket: true as const }
  const told = (world: World, news: News['news'] = 'order') =>
    world.input('node.heard', { socket: last(world).socket, news, ...(news === 'order' && { orderId: ofTreasury }) })
  const polls = (world: World) => world.ordered('chain.readSale').length
  const read = (world: World) =>
    world.answer('chain.readSale', 'chain.sale', saleReading(1000 + polls(world), world.at))

  /** A page that shows the sale, after its first poll, with the socket open. */
  function looking(changes = {}): World {
    const world = connected(['signTransaction'], { ...looked, ...changes })
    world.fire('sale:poll')
    read(world)
    return world
  }

  test('has the treasury’s account alone, once the sale is read and while somebody looks', () => {
    const world = looking()
    expect(sockets(world)).toEqual([
      {
        socket: 1,
        endpoint: 0,
        to: [{ orderId: ofTreasury, kind: 'account', account: terms.treasury, everyMs: 6000 }],
      },
    ])
    world.input('page.visible', { visible: false }, { tab })
    world.fire('sale:poll')
    expect(last(world).to).toEqual([])
  })

  test('is absent where the builder named none', () => {
    expect(sockets(looking({ saleSocket: undefined }))).toEqual([])
  })

  test('makes the next poll come earlier, never two within its least time, and no reading of its own', () => {
    const world = looking()
    told(world, 'opened')
    const before = polls(world)
    world.pass(1000)
    told(world)
    told(world)
    expect(polls(world)).toBe(before)
    world.pass(4000)
    expect(polls(world)).toBe(before)
    world.pass(1000)
    expect(polls(world)).toBe(before + 1)
    // One is under way
    told(world)
    read(world)
    world.pass(5999)
    expect(polls(world)).toBe(before + 1)
  })

  test('leaves the waits alone that a failing node was given', () => {
    const world = looking()
    told(world, 'opened')
    world.fire('sale:poll')
    world.fail('chain.readSale', 'rate_limited')
    const due = world.timers().get('sale:poll')
    told(world)
    expect(world.timers().get('sale:poll')).toBe(due)
  })

  test('that says nothing, or is lost, changes no poll', () => {
    const with_ = looking()
    const without = looking({ saleSocket: undefined })
    told(with_, 'opened')
    for (const world of [with_, without]) {
      world.pass(15_000)
      expect(world.timers().has('node:silence')).toBe(false)
    }
    told(with_, 'closed')
    with_.fire('node:open')
    for (const world of [with_, without]) world.pass(60_000)
    expect(polls(with_)).toBe(polls(without))
  })

  test('makes way for another one after the last order', () => {
    const world = sent(looked)
    watched(world, { status: 'finalized', slot: 1010 })
    world.pass(0)
    const [first] = sockets(world)
    world.pass(60_000)
    const now = sockets(world).at(-1)
    expect(now?.to).toEqual([{ orderId: ofTreasury, kind: 'account', account: terms.treasury, everyMs: 6000 }])
    expect(now?.socket).toBe((first?.socket ?? 0) + 1)
  })

  test('is shared with an order, whose silence counts from then on', () => {
    const world = sent(looked)
    watched(world)
    expect(kinds(world)).toEqual(['processed', 'confirmed', 'finalized', 'slot', 'account'])
    expect(new Set(sockets(world).map(({ socket }) => socket)).size).toBe(1)
    hear(world, 'opened')
    world.pass(15_000)
    expect(last(world).to).toEqual([])
  })
})
