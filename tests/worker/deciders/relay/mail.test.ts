import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answer as answerAuth, asked, recordedAnswer, responseTopic } from '../../authStory.ts'
import { ready, walletConnect } from '../../story.ts'
import { failing, type World } from '../../world.ts'
import {
  answered,
  idOf,
  message,
  namespaces,
  open,
  publicKey,
  sealAll,
  settled,
  settlement,
  shown,
  walletKey,
} from '../../wcStory.ts'

const ping = { kind: 'ping', id: '77' } as const
const lost = { code: 1006, ...failing('unreachable') }
const acks = (world: World) => world.ordered('relay.acknowledge').map(effect => effect.data.pushId)
const seals = (world: World) => world.ordered('vault.seal').length

/** A shown code with the wallet's answer, while the session's key is being derived. */
function deriving(): World {
  const world = shown()
  message(world, 'pairing-1', { kind: 'result', id: idOf(world), responderKey: walletKey })
  return world
}

const derived = (world: World) =>
  world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: 'pairing-1', sessionTopic: 'session-1' })

describe('a repeated message', () => {
  test('in the same tick is handled once, and acknowledged twice', () => {
    const world = settled()
    const before = seals(world)
    message(world, 'session-1', ping, 'same')
    message(world, 'session-1', ping, 'same')
    expect(seals(world)).toBe(before + 1)
    expect(acks(world).slice(-2)).toEqual(['push-same', 'push-same'])
  })

  test.each(['lost', 'start'] as const)('with a restart between (%s) is handled once', cause => {
    const world = settled()
    message(world, 'session-1', ping, 'same')
    sealAll(world)
    world.kill(cause)
    open(world)
    const before = seals(world)
    const came = message(world, 'session-1', ping, 'same')
    expect(came.facts).toEqual([])
    expect(came.effects.map(({ type }) => type)).toEqual(['relay.acknowledge'])
    expect(seals(world)).toBe(before)
  })

  test('with the same id in another envelope is the same request, also after a restart', () => {
    const world = settled()
    const older = { kind: 'update', id: `${world.at}001`, namespaces: namespaces() } as const
    expect(message(world, 'session-1', older).types).toEqual(['session.updated'])
    world.kill('lost')
    open(world)
    expect(message(world, 'session-1', older).facts).toEqual([])
    expect(message(world, 'session-1', { ...older, id: `${world.at}002` }).types).toEqual(['session.updated'])
  })

  test('as an answer under an id the wallet itself has used counts', () => {
    const world = settled()
    world.command('session.ping', { sessionTopic: 'session-1' })
    const id = world.said('session.called').at(-1)?.payloadId ?? ''
    message(world, 'session-1', { kind: 'ping', id })
    expect(message(world, 'session-1', { kind: 'result', id, acknowledged: true }).types).toEqual(['session.callEnded'])
  })

  test('with the id of another wallet’s request on another topic counts', () => {
    const world = settled()
    world.model.session['session-2'] = { ...world.model.session['session-1'], sessionTopic: 'session-2' } as never
    message(world, 'session-1', ping)
    const before = seals(world)
    message(world, 'session-2', ping)
    expect(seals(world)).toBe(before + 1)
  })

  test('is handled once, with anything in between and in any order', () => {
    const copies = fc.array(fc.tuple(fc.nat({ max: 12 }), fc.boolean()), { maxLength: 80 })
    fc.assert(
      fc.property(copies, all => {
        const world = settled()
        const before = seals(world)
        for (const [which, isOther] of all)
          message(world, 'session-1', { kind: 'ping', id: `${100 + which}` }, isOther ? undefined : `h-${which}`)
        expect(seals(world) - before).toBe(new Set(all.map(([which]) => which)).size)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a message', () => {
  test('is acknowledged once its facts are committed, so a death in between brings it again', () => {
    const world = settled()
    const came = message(world, 'session-1', ping, 'first')
    const [ack] = came.effects.filter(({ type }) => type === 'relay.acknowledge')
    expect(ack).toMatchObject({ after: 'stored', data: { pushId: 'push-first' } })
    world.kill('lost', 1)
    open(world)
    const before = seals(world)
    message(world, 'session-1', ping, 'first')
    expect(seals(world)).toBe(before + 1)
  })

  test('for a session that ended a while ago is counted as late and does nothing', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'delete', id: '7' })
    for (const [index, kind] of (['update', 'ping', 'settle', 'result', 'error', 'unopened'] as const).entries()) {
      const came = message(world, 'session-1', { kind, id: `${index}` })
      expect(came.facts.map(({ type, data }) => [type, data])).toEqual([['mail.dropped', { why: 'late' }]])
      expect(came.effects.map(({ type }) => type)).toEqual(['relay.acknowledge'])
    }
    expect(world.model.mail.dropped).toEqual({ late: 6 })
  })

  test('on an unknown topic, or undecryptable, is acknowledged and counted', () => {
    const world = settled()
    for (const hash of ['one', 'one', 'two']) message(world, 'stranger', ping, hash)
    message(world, 'session-1', { kind: 'unopened', id: '0' }, 'three')
    expect(acks(world).slice(-4)).toEqual(['push-one', 'push-one', 'push-two', 'push-three'])
    expect(world.model.mail.dropped).toEqual({ unknown: 2, unopened: 1 })
    world.kill('start')
    expect(world.model.mail.dropped).toEqual({ unknown: 2, unopened: 1 })
  })

  test('that could not be opened counts when it comes again and opens, and not the other way round', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'unopened', id: '0' }, 'locked')
    expect(message(world, 'session-1', { kind: 'delete', id: '9' }, 'locked').types).toContain('session.deleted')
    const other = settled()
    message(other, 'session-1', ping, 'once')
    // The same request in other bytes, then those bytes as undecryptable
    message(other, 'session-1', ping, 'twice')
    expect(message(other, 'session-1', { kind: 'unopened', id: '0' }, 'twice').types).toEqual([])
  })

  test('of an invalid form is acknowledged when it has an id, once that is committed, and counted', () => {
    const world = settled()
    const came = world.input('relay.garbage', { message: 'a push expected a topic', pushId: '1795226335321326765' })
    expect(came.effects).toMatchObject([
      { type: 'relay.acknowledge', after: 'stored', data: { pushId: '1795226335321326765' } },
    ])
    expect(world.input('relay.garbage', { message: 'not json' }).effects).toEqual([])
    expect(world.model.mail.dropped).toEqual({ garbage: 2 })
  })

  test('that was fetched needs no acknowledgement', () => {
    const world = settled()
    const given = { topic: 'session-1', hash: 'fetched', publishedAt: 0, tag: 1114, payload: ping }
    const before = acks(world).length
    world.input('relay.message', { pushId: '', ...given })
    expect(world.last('vault.seal').data.payload).toEqual({ result: true, id: '77' })
    expect(acks(world)).toHaveLength(before)
    expect(world.input('relay.message', { pushId: 'p1', ...given }).facts).toEqual([])
  })
})

describe('a settlement that overtakes the answer', () => {
  test('waits unacknowledged while the key is derived, and then settles', () => {
    const world = deriving()
    const came = message(world, 'session-1', settlement(world), 'early')
    expect([came.facts, came.effects]).toEqual([[], []])
    const then = derived(world)
    expect(then.types).toEqual([
      'pairing.answered',
      'session.settled',
      'pairing.settled',
      'connection.made',
      'mail.owed',
      'mail.heard',
    ])
    expect(acks(world).at(-1)).toBe('push-early')
    expect(message(world, 'session-1', settlement(world), 'early').facts).toEqual([])
  })

  test('comes again when the core dies while it waits, as it was not acknowledged', () => {
    const world = deriving()
    message(world, 'session-1', settlement(world), 'early')
    world.kill('lost')
    open(world)
    derived(world)
    expect(Object.keys(world.model.session)).toEqual([])
    expect(message(world, 'session-1', settlement(world), 'early').types).toContain('session.settled')
  })

  test('before its key exists cannot be opened, is left with the relay, and counts when it comes again', () => {
    const world = shown()
    const unopened = { kind: 'unopened', id: '0' } as const
    const came = message(world, 'session-1', unopened, 'early')
    expect([came.facts, came.effects]).toEqual([[], []])
    answered(world)
    expect(world.last('relay.subscribe').data.topics).toEqual(['session-1'])
    expect(message(world, 'session-1', settlement(world), 'early').types).toContain('session.settled')
  })

  test('is evicted when ten others come behind it, and is left with the relay', () => {
    const world = deriving()
    message(world, 'session-1', settlement(world), 'early')
    for (let i = 0; i < 10; i++) message(world, `stranger-${i}`, ping)
    expect(derived(world).types).toEqual(['pairing.answered'])
    expect(acks(world)).not.toContain('push-early')
    expect(message(world, 'session-1', settlement(world), 'early').types).toContain('session.settled')
  })

  test('is one of at most ten that wait, from any sender', () => {
    const world = deriving()
    for (let i = 0; i < 40; i++) message(world, `stranger-${i}`, ping)
    message(world, 'session-1', settlement(world), 'early')
    expect(JSON.stringify(world.model)).not.toContain('stranger')
    expect(derived(world).types).toContain('session.settled')
  })

  test('is not evicted by undecryptable messages, nor by copies of one message', () => {
    const world = deriving()
    message(world, 'session-1', settlement(world), 'early')
    for (let i = 0; i < 40; i++) {
      message(world, `stranger-${i}`, { kind: 'unopened', id: '0' })
      message(world, 'stranger', ping, 'copy')
    }
    expect(derived(world).types).toContain('session.settled')
  })

  test('is not expected on strangers’ topics once every code was answered or declined', () => {
    const waiting = shown()
    answered(waiting)
    const declined = shown()
    message(declined, 'pairing-1', { kind: 'error', id: idOf(declined), error: { code: 5000, message: '' } })
    for (const world of [waiting, declined]) {
      expect(message(world, 'stranger', ping).effects.map(({ type }) => type)).toEqual(['relay.acknowledge'])
      expect(world.model.mail.dropped).toEqual({ unknown: 1 })
    }
  })

  test('of an ended session is late, whatever is being derived', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'delete', id: '7' })
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-2', publicKey })
    message(world, 'session-1', settlement(world, { id: '1798999000000002' }))
    expect(world.model.mail.dropped).toEqual({ late: 1 })
  })
})

describe('a message that overtakes the settlement', () => {
  const id = (world: World, n: number) => `${world.at}00${n}`
  const others = namespaces(['solana_signMessage'])

  test('waits unacknowledged, and is handled in order once the session exists', () => {
    const world = shown()
    answered(world)
    const early = [
      { kind: 'update', id: id(world, 1), namespaces: others },
      { kind: 'ping', id: id(world, 2) },
      { kind: 'delete', id: id(world, 3) },
    ] as const
    for (const [index, payload] of early.entries()) {
      const came = message(world, 'session-1', payload, `early-${index}`)
      expect([came.facts, came.effects]).toEqual([[], []])
    }
    message(world, 'session-1', settlement(world), 'settles')
    expect(world.model.session['session-1']).toBeDefined()
    const before = acks(world).length
    expect(world.fire('relay:overtaken').types).toEqual([
      'session.updated',
      'connection.restored',
      'mail.owed',
      'mail.heard',
    ])
    expect(world.model.session['session-1']?.namespaces).toEqual(others)
    world.fire('relay:overtaken')
    expect(world.last('vault.seal').data.payload).toEqual({ result: true, id: id(world, 2) })
    expect(world.fire('relay:overtaken').types).toContain('session.deleted')
    expect(acks(world).slice(before)).toEqual(['push-early-0', 'push-early-1', 'push-early-2'])
    expect(world.timers().has('relay:overtaken')).toBe(false)
  })

  test('may come again meanwhile, and counts once', () => {
    const world = shown()
    answered(world)
    message(world, 'session-1', ping, 'early')
    message(world, 'session-1', settlement(world))
    const before = seals(world)
    message(world, 'session-1', ping, 'early')
    world.fire('relay:overtaken')
    expect(seals(world)).toBe(before + 1)
  })

  test('counts when it came while the key was derived, as did the settlement', () => {
    const world = deriving()
    message(world, 'session-1', { kind: 'delete', id: id(world, 1) }, 'early')
    message(world, 'session-1', settlement(world), 'settles')
    expect(derived(world).types).toContain('session.settled')
    expect(world.fire('relay:overtaken').types).toContain('session.deleted')
    expect(acks(world).slice(-2)).toEqual(['push-settles', 'push-early'])
  })

  test('counts for a session that was made without a settlement', () => {
    const world = asked()
    answerAuth(world, recordedAnswer(world))
    // Another code is shown, so a message may come before its session
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
    message(world, 'session-a', ping, 'early')
    world.answer('vault.deriveSession', 'vault.sessionDerived', {
      pairingTopic: responseTopic,
      sessionTopic: 'session-a',
    })
    world.fire('relay:overtaken')
    expect(world.last('vault.seal').data).toMatchObject({ topic: 'session-a', payload: { result: true, id: '77' } })
    expect(acks(world).at(-1)).toBe('push-early')
  })

  test('is ignored after a refused settlement', () => {
    const world = shown()
    answered(world)
    message(world, 'session-1', ping, 'early')
    message(world, 'session-1', settlement(world, { controllerKey: publicKey }))
    expect(world.fire('relay:overtaken')).toMatchObject({ facts: [], effects: [] })
    expect(acks(world)).not.toContain('push-early')
  })
})

describe('a wallet that settles twice before its key is derived', () => {
  test.each([
    ['the same', {}],
    ['with another key', { controllerKey: publicKey }],
  ] as const)('%s makes one session, which stays', (_, changes) => {
    const world = deriving()
    message(world, 'session-1', settlement(world))
    message(world, 'session-1', settlement(world, { id: '1798999000000002', ...changes }))
    expect(derived(world).types.filter(type => /^(session|connection)/.test(type))).toEqual([
      'session.settled',
      'connection.made',
    ])
    world.fire('relay:overtaken')
    sealAll(world)
    expect(world.model.parting).toEqual({})
    expect(Object.keys(world.model.session)).toEqual(['session-1'])
  })
})

describe('messages missed without a socket', () => {
  const reconnected = (world: World) => {
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    open(world)
  }
  const subscribed = (world: World) => world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
  const page = (world: World, more: { count: number; hasMore: boolean }) =>
    world.input('relay.fetched', { callId: world.last('relay.fetch').data.callId, ...more })
  const fetches = (world: World) => world.ordered('relay.fetch').length

  test('are fetched once the relay has answered the subscription, page by page, each after the commit of the one before', () => {
    const world = settled()
    reconnected(world)
    const before = fetches(world)
    subscribed(world)
    expect(fetches(world)).toBe(before + 1)
    expect(world.last('relay.fetch')).toMatchObject({ data: { topics: ['session-1'] }, after: 'stored' })
    page(world, { count: 2, hasMore: true })
    page(world, { count: 1, hasMore: false })
    expect(fetches(world)).toBe(before + 2)
    expect(page(world, { count: 1, hasMore: true }).effects).toEqual([])
  })

  test('are fetched by one call at a time, however many subscriptions are answered meanwhile', () => {
    const world = settled()
    shown(world, 'pairing-2')
    reconnected(world)
    const { callId } = world.last('relay.subscribe').data
    world.input('relay.failed', { callId, error: { code: -32601, message: 'no such method' } })
    const [one, two] = world.ordered('relay.subscribe').slice(-2)
    const before = fetches(world)
    for (const subscription of [one, two]) world.input('relay.taken', { callId: subscription?.data.callId ?? '' })
    expect(fetches(world)).toBe(before + 1)
    page(world, { count: 0, hasMore: false })
    expect(world.last('relay.fetch').data.topics).toEqual(two?.data.topics)
    expect(fetches(world)).toBe(before + 2)
  })

  test('are not fetched after a test of the socket, only after a new one', () => {
    const world = settled()
    reconnected(world)
    subscribed(world)
    page(world, { count: 0, hasMore: false })
    const before = fetches(world)
    world.pass(30_000)
    subscribed(world)
    expect(fetches(world)).toBe(before)
  })

  test('are fetched topic by topic where no batch is known, and not at all where fetching is unknown', () => {
    const world = settled()
    world.model.session['session-2'] = { ...world.model.session['session-1'], sessionTopic: 'session-2' } as never
    const unknown = { code: -32_601, message: 'Unsupported method.' }
    const refuse = () => world.input('relay.failed', { callId: world.last('relay.fetch').data.callId, error: unknown })
    reconnected(world)
    subscribed(world)
    refuse()
    expect(world.last('relay.fetch').data).toMatchObject({ topics: ['session-1'], oneByOne: true })
    page(world, { count: 0, hasMore: false })
    expect(world.last('relay.fetch').data.topics).toEqual(['session-2'])
    refuse()
    expect(Object.values(world.model.relays.lacks)).toEqual([['irn_batchFetchMessages', 'irn_fetchMessages']])
    world.kill('lost')
    open(world)
    const before = fetches(world)
    subscribed(world)
    expect(fetches(world)).toBe(before)
  })

  test('are given up for this socket when fetching fails, and end where a relay repeats one page for ever', () => {
    const world = settled()
    reconnected(world)
    subscribed(world)
    const { callId } = world.last('relay.fetch').data
    world.input('relay.failed', { callId, error: { code: -32_000, message: '' } })
    expect(world.model.relays.lacks).toEqual({})
    reconnected(world)
    subscribed(world)
    const before = fetches(world)
    for (let i = 0; i < 300 && page(world, { count: 1, hasMore: true }).effects.length > 0; i++);
    expect(fetches(world) - before).toBeLessThanOrEqual(100)
  })

  const many = (world: World, count: number) => {
    for (let i = 0; i < count; i++)
      world.model.session[`t-${i}`] = { ...world.model.session['session-1'], sessionTopic: `t-${i}` } as never
  }

  test.each([
    ['knows no batches', -32_601],
    ['takes fewer topics in one call', -32_602],
  ] as const)('of many sessions are fetched topic by topic, to the last, from a relay that %s', (_, code) => {
    const world = settled()
    many(world, 250)
    reconnected(world)
    subscribed(world)
    const { callId } = world.last('relay.fetch').data
    world.input('relay.failed', { callId, error: { code, message: '' } })
    const before = fetches(world)
    while (page(world, { count: 0, hasMore: false }).effects.length > 0);
    expect(fetches(world) - before).toBe(250)
  })

  test('are not awaited from a relay that answers a fetch by something else, and are fetched after the next connection', () => {
    const world = settled()
    reconnected(world)
    subscribed(world)
    const first = world.last('relay.fetch').data.callId
    expect(world.input('relay.taken', { callId: first }).effects).toEqual([])
    world.wait(10_000)
    reconnected(world)
    subscribed(world)
    expect(world.last('relay.fetch').data.callId).not.toBe(first)
  })

  test('do not count as fetched when a page comes in answer to another call', () => {
    const world = settled()
    many(world, 600)
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    const earlier = world.ordered('relay.subscribe').length
    open(world)
    const [first, second] = world.ordered('relay.subscribe').slice(earlier)
    world.input('relay.taken', { callId: first?.data.callId ?? '' })
    const { callId, topics } = world.last('relay.fetch').data
    world.input('relay.fetched', { callId: second?.data.callId ?? '', count: 3, hasMore: false })
    expect(world.last('relay.fetch').data.callId).toBe(callId)
    world.input('relay.fetched', { callId, count: 3, hasMore: true })
    expect(world.last('relay.fetch').data.topics).toEqual(topics)
  })

  test('are fetched again when a fetch stays without an answer, four times', () => {
    const world = settled()
    reconnected(world)
    subscribed(world)
    const asked = new Set<string>()
    for (let minute = 0; minute < 20; minute++) {
      asked.add(world.last('relay.fetch').data.callId)
      world.pass(30_000)
      world.wait(5)
      world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
    }
    expect(asked.size).toBe(4)
  })

  test('are fetched, too, when the relay accepts the subscription after one refusal', () => {
    const world = settled()
    reconnected(world)
    const { callId } = world.last('relay.subscribe').data
    world.input('relay.failed', { callId, error: { code: -32_000, message: '' } })
    const before = fetches(world)
    world.fire('relay:listen')
    subscribed(world)
    expect(fetches(world)).toBe(before + 1)
  })

  test('of many sessions are fetched 500 at a time', () => {
    const world = settled()
    many(world, 1100)
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    const earlier = world.ordered('relay.subscribe').length
    open(world)
    for (const { data } of world.ordered('relay.subscribe').slice(earlier))
      world.input('relay.taken', { callId: data.callId })
    const sizes: number[] = []
    for (let i = 0; i < 5; i++) {
      sizes.push(world.last('relay.fetch').data.topics.length)
      if (page(world, { count: 0, hasMore: false }).effects.length === 0) break
    }
    expect(sizes).toEqual([500, 500, 101])
  })
})

test('mail: a code without a wallet remembers nothing of strangers', () => {
  const world = ready()
  expect(world.input('relay.garbage', { message: 'x' }).types).toEqual(['mail.dropped'])
  expect(world.model.mail.messages.count).toBe(0)
})
