/** Calls of the page to a session's wallet: ping, extend, emit. Each ends once. */
import { describe, expect, test } from 'vitest'
import { caip2 } from '../../story.ts'
import { message, sealAll, settled, takeAll } from '../../wcStory.ts'
import { failing, type World } from '../../world.ts'

const call = (world: World, what: 'ping' | 'extend', sessionTopic = 'session-1') => {
  const came = world.command(`session.${what}`, { sessionTopic })
  return { ...came, id: world.said('session.called').at(-1)?.payloadId ?? '' }
}
const emit = (world: World, changes = {}) =>
  world.command('session.emit', {
    sessionTopic: 'session-1',
    event: 'accountsChanged',
    chainId: caip2,
    data: '["a"]',
    ...changes,
  })
const published = (world: World) => {
  sealAll(world)
  return world.last('relay.publish').data
}
const ends = (world: World) => world.said('session.callEnded')

describe('a ping', () => {
  test('goes out as in the protocol, and ends with the wallet’s answer', () => {
    const world = settled()
    const { types, facts, id } = call(world, 'ping')
    expect(types).toEqual(['session.called'])
    expect(facts[0]?.ref).toBeDefined()
    expect(world.last('vault.seal').data.payload).toEqual({ method: 'wc_sessionPing', id })
    expect(published(world)).toMatchObject({ topic: 'session-1', tag: 1114, ttl: 86_400, prompt: false })
    takeAll(world)
    expect(ends(world)).toEqual([])
    expect(message(world, 'session-1', { kind: 'result', id, acknowledged: true }).types).toEqual(['session.callEnded'])
    expect(ends(world)).toEqual([{ sessionTopic: 'session-1', payloadId: id }])
    expect(world.timers().has(`call:${id}`)).toBe(false)
    expect(message(world, 'session-1', { kind: 'result', id, acknowledged: true }).types).toEqual([])
  })

  test('without an answer ends after 300 s in the official words, also across the worker’s death', () => {
    for (const dies of [false, true]) {
      const world = settled()
      const { id } = call(world, 'ping')
      world.wait(100_000)
      if (dies) world.kill('lost')
      world.pass(199_999)
      expect(ends(world)).toEqual([])
      world.pass(1)
      const failure = {
        code: 'timeout',
        message: 'Ping request expired without receiving any acknowledgement',
      }
      expect(ends(world)).toEqual([{ sessionTopic: 'session-1', payloadId: id, failure }])
      expect(world.model.session['session-1']?.calls).toEqual({})
    }
  })

  test('with an error answer, or a missing key, ends with that', () => {
    const world = settled()
    const refused = call(world, 'ping')
    message(world, 'session-1', { kind: 'error', id: refused.id, error: { code: 0, message: '' } })
    call(world, 'ping')
    world.answer('vault.seal', 'effect.failed', failing('expired'))
    expect(ends(world).map(({ failure }) => failure?.code)).toEqual(['bad_response', 'expired'])
  })

  test('answered on another session’s topic has no answer, and still ends in time', () => {
    const world = settled()
    const { id } = call(world, 'ping')
    message(world, 'session-2', { kind: 'result', id, acknowledged: true })
    expect(ends(world)).toEqual([])
    world.pass(300_000)
    expect(ends(world)).toMatchObject([{ payloadId: id, failure: { code: 'timeout' } }])
  })

  test('to a session that ended meanwhile leaves no trace', () => {
    const world = settled()
    call(world, 'ping')
    message(world, 'session-1', { kind: 'delete', id: '7' })
    world.pass(300_000)
    expect(ends(world)).toEqual([])
    expect(world.memory().callers).toEqual({})
  })
})

describe('an extension', () => {
  test('by the page holds once the wallet has answered: seven days from the request', () => {
    const world = settled()
    world.wait(3_600_000)
    const askedAt = world.at
    const { id } = call(world, 'extend')
    expect(published(world)).toMatchObject({ tag: 1106, ttl: 86_400 })
    const before = world.model.session['session-1']?.expiresAt
    expect(before).toBeLessThan(askedAt + 604_800_000)
    world.wait(2000)
    const came = message(world, 'session-1', { kind: 'result', id, acknowledged: true })
    expect(came.types).toEqual(['session.callEnded', 'session.extended'])
    expect(world.model.session['session-1']?.expiresAt).toBe(askedAt + 604_800_000)
    expect(world.timers().get('session:session-1')?.at).toBe(askedAt + 604_800_000)
  })

  test('without approval changes nothing', () => {
    const world = settled()
    // An extension accepted now would end later
    world.wait(3_600_000)
    const before = world.model.session['session-1']?.expiresAt
    const { id } = call(world, 'extend')
    message(world, 'session-1', { kind: 'error', id, error: { code: 3004, message: 'Unauthorized extend request.' } })
    call(world, 'extend')
    world.pass(300_000)
    expect(ends(world).map(({ failure }) => failure?.code)).toEqual(['bad_response', 'timeout'])
    expect(world.model.session['session-1']?.expiresAt).toBe(before)
  })
})

describe('an event of the page', () => {
  test('goes out when the wallet approved its name for the chain, and ends when the relay has it', () => {
    const world = settled()
    expect(emit(world).types).toEqual(['session.called'])
    expect(world.last('vault.seal').data.payload).toMatchObject({
      method: 'wc_sessionEvent',
      chainId: caip2,
      event: 'accountsChanged',
      data: '["a"]',
    })
    expect(published(world)).toMatchObject({ tag: 1110, ttl: 300, prompt: true })
    expect(ends(world)).toEqual([])
    takeAll(world)
    expect(ends(world)).toHaveLength(1)
  })

  test.each([
    ['on a chain without an account', { chainId: 'eip155:1' }, 'Missing or invalid. emit() chainId: eip155:1'],
    [
      'of a name that is not approved',
      { event: 'message' },
      'Missing or invalid. emit() event: {"name":"message","data":…}',
    ],
    ['without a name', { event: '' }, 'Missing or invalid. emit() event: {"name":"","data":…}'],
  ])('with %s is refused in the official words', (_name, changes, text) => {
    const world = settled()
    expect(emit(world, changes).types).toEqual(['session.refused'])
    expect(world.said('session.refused')).toEqual([{ sessionTopic: 'session-1', code: 5, message: text }])
    expect(world.ordered('vault.seal').filter(effect => !effect.answered)).toEqual([])
  })
})

test('session calls: unknown, deleted and ended sessions are refused', () => {
  const world = settled()
  call(world, 'ping', 'session-9')
  emit(world, { sessionTopic: 'session-9' })
  world.wait(604_800_000)
  call(world, 'extend')
  call(world, 'ping')
  expect(world.said('session.refused').map(({ message }) => message)).toEqual([
    "No matching key. session or pairing topic doesn't exist: session-9",
    "No matching key. session or pairing topic doesn't exist: session-9",
    'Expired. session topic: session-1',
    'Missing or invalid. Record was recently deleted - session: session-1',
  ])
  expect(world.said('connection.ended')).toHaveLength(1)
})
