import { askOf } from '../../../src/events/subjects/order/order.ts'
import { describe, expect, test } from 'vitest'
import { activeConnection } from '../../../src/events/subjects/wallet/activeConnection.ts'
import { connected, placed, ready, sent, signedOf, theOrder, throughGate, watched, gone } from '../story.ts'
import { idOf, message, open, publicKey, settled, shown } from '../wcStory.ts'
import { tab, type World } from '../world.ts'

const hour = 3_600_000
const day = 24 * hour

/** Timers longer than 15 minutes, apart from a session's end. */
function starved(world: World): string[] {
  return [...world.timers()]
    .filter(([timerId, { at }]) => !timerId.startsWith('session:') && at - world.at > 15 * 60_000)
    .map(([timerId]) => timerId)
}

describe.each([
  ['ten hours on', 10 * hour],
  ['ten hours back', -10 * hour],
])('a clock that is set %s', (_, byMs) => {
  test('has the sale read at once, and every half minute after that', () => {
    const world = ready()
    world.pass(30_000)
    world.answer('chain.readSale', 'chain.sale', { slot: 1001, chainTime: world.at, balances: {} })
    const before = world.ordered('chain.readSale').length
    world.jump(byMs)
    expect(world.ordered('chain.readSale')).toHaveLength(before + 1)
    world.answer('chain.readSale', 'chain.sale', { slot: 1002, chainTime: world.at, balances: {} })
    world.pass(30_000)
    expect(world.ordered('chain.readSale').length).toBeGreaterThan(before + 1)
    expect(starved(world)).toEqual([])
  })

  test('has the relay’s socket tested, and a silent one replaced within a minute, now and later', () => {
    const world = settled()
    world.pass(12_000)
    const before = world.ordered('relay.subscribe').length
    world.jump(byMs)
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
    world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
    const sockets = world.ordered('relay.open').length
    // The socket falls silent: the relay does not answer the pulse's probe
    world.pass(60_000)
    expect(world.model.relay.phase).toBe('connecting')
    expect(world.ordered('relay.open')).toHaveLength(sockets + 1)
    expect(starved(world)).toEqual([])
  })

  test('during the test of a socket does not stop its end', () => {
    const world = settled()
    world.wait(40_000)
    world.input('page.resumed', {}, { tab })
    world.jump(byMs)
    world.pass(11_000)
    expect(world.model.relay.phase).not.toBe('connected')
  })

  test('leaves a payment on its way: the height of the chain decides its end', () => {
    const world = sent()
    world.jump(byMs)
    expect(theOrder(world).phase).toBe('sending')
    expect(watched(world, { height: 149 }).types).not.toContain('order.expired')
    world.fire(`resend:${theOrder(world).orderId}`)
    expect(world.last('chain.submit').data.first).toBe(false)
    gone(world)
    expect(theOrder(world).phase).toBe('expired')
    expect(starved(world)).toEqual([])
  })

  test('and a later death of the worker do not make an unanswered prompt wait for ever', () => {
    const world = connected()
    placed(world)
    world.jump(byMs)
    world.kill('lost')
    world.attach({ asking: [askOf(theOrder(world))?.askId ?? ''] })
    expect(starved(world)).toEqual([])
    world.pass(130_000)
    expect(theOrder(world).phase).toBe('unknown')
  })

  test('renews a code on the screen, which the wallet’s clock would reject', () => {
    const world = shown()
    const { attemptId } = world.last('vault.makePairing').data
    world.jump(byMs)
    expect(world.ordered('vault.makePairing')).toHaveLength(2)
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-2', publicKey })
    expect(world.model.pairing.shown).toBe('pairing-2')
    world.pass(1000)
    expect(world.model.connection.attempt.phase).toBe('asking')
  })
})

test('sleep: a code out of sight is not renewed by a jump of the clock, but on the next look', () => {
  const world = shown()
  world.input('page.visible', { visible: false }, { tab })
  world.jump(10 * hour)
  expect(world.ordered('vault.makePairing')).toHaveLength(1)
  world.input('page.visible', { visible: true }, { tab })
  expect(world.ordered('vault.makePairing')).toHaveLength(2)
})

test('sleep: a socket’s test judged a moment early is judged once more, and the socket given up', () => {
  const world = settled()
  world.wait(40_000)
  world.input('page.resumed', {}, { tab })
  world.wait(9_999)
  world.input('timer.fired', { timerId: 'relay:probe' })
  expect(world.model.relay.phase).toBe('connected')
  world.pass(1)
  expect(world.model.relay.phase).toBe('lost')
})

describe('a device that slept for three days', () => {
  const slept = 3 * day

  test('keeps a session with a later end and ends an expired one, with its requests', () => {
    const world = settled()
    world.jump(slept)
    world.pass(0)
    expect(activeConnection(world.model)?.connection.phase).toBe('live')
    const brief = settled()
    placed(brief)
    brief.jump(8 * day)
    brief.pass(0)
    expect(brief.model.session).toEqual({})
    expect(activeConnection(brief.model)).toBeUndefined()
    expect(Object.values(brief.model.request)[0]?.phase).toBe('ended')
    // The wallet may have signed: the chain decides
    expect(theOrder(brief).phase).toBe('unknown')
    expect(brief.timers().has(`watch:${theOrder(brief).orderId}`)).toBe(true)
  })

  test('shows a new code, although the old one ended long ago', () => {
    const world = shown()
    const { attemptId } = world.last('vault.makePairing').data
    world.input('page.visible', { visible: false }, { tab })
    world.jump(slept)
    world.input('page.visible', { visible: true }, { tab })
    world.pass(0)
    expect(world.said('pairing.expired')).toHaveLength(1)
    expect(world.model.connection.attempt.phase).toBe('asking')
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-2', publicKey })
    expect(world.model.pairing.shown).toBe('pairing-2')
    expect(world.ordered('vault.makePairing')).toHaveLength(2)
  })

  test('opens the relay again and fetches missed messages', () => {
    const world = settled()
    world.jump(slept)
    world.pass(11_000)
    expect(world.ordered('relay.open')).toHaveLength(2)
    open(world)
    expect(world.last('relay.subscribe').data.topics).toEqual(['session-1'])
  })

  test('ignores an answer to the old code', () => {
    const world = shown()
    const id = idOf(world)
    world.input('page.visible', { visible: false }, { tab })
    world.jump(slept)
    world.pass(0)
    expect(message(world, 'pairing-1', { kind: 'result', id, responderKey: 'ab'.repeat(32) }).types).toEqual([])
  })
})

describe('a device that goes offline', () => {
  const offline = (world: World, online: boolean) => world.input('page.online', { online }, { tab })

  test('while the transaction is built offers a new try', () => {
    const world = connected()
    placedUnbuilt(world)
    offline(world, false)
    world.fail('chain.prepareOrder', 'offline')
    expect(theOrder(world)).toMatchObject({ phase: 'simulationFailed', failure: { code: 'offline' } })
  })

  test('during a wallet request continues afterwards: one prompt, one payment', () => {
    const world = connected()
    placed(world)
    offline(world, false)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    for (const effect of ['chain.readSale', 'chain.readNotices', 'chain.watch'] as const) world.fail(effect, 'offline')
    expect(theOrder(world).phase).toBe('signed')
    offline(world, true)
    world.fire(`gate:${theOrder(world).orderId}`)
    expect(throughGate(world).types).toEqual(['order.sending'])
    expect(world.ordered('wallet.signTransaction')).toHaveLength(1)
  })

  test('during the sending repeats the same bytes until they are seen or have provably expired', () => {
    const world = sent()
    offline(world, false)
    world.fail('chain.submit', 'offline')
    world.fire(`watch:${theOrder(world).orderId}`)
    world.fail('chain.watch', 'offline')
    world.pass(60_000)
    expect(theOrder(world).phase).toBe('sending')
    const sentRefs = new Set(world.ordered('chain.submit').map(({ data }) => data.bytesRef))
    expect(sentRefs.size).toBe(1)
    offline(world, true)
    expect(watched(world, { status: 'processed', slot: 1010 }).types).toContain('order.seen')
  })

  test('during the confirmation keeps its knowledge and continues from there', () => {
    const world = sent()
    watched(world, { status: 'confirmed', slot: 1010 })
    offline(world, false)
    world.fire(`watch:${theOrder(world).orderId}`)
    world.fail('chain.watch', 'offline')
    expect(theOrder(world).phase).toBe('confirmed')
    offline(world, true)
    watched(world, { status: 'finalized', slot: 1010 })
    expect(theOrder(world).phase).toBe('finalised')
  })
})

function placedUnbuilt(world: World): void {
  placed(world)
  // The same press again, before its transaction exists
  world.kill('lost', 1)
  world.attach()
}
