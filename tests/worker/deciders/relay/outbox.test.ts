import { describe, expect, test } from 'vitest'
import { createWorld, failing, tab, type World } from '../../world.ts'
import { message, open, publicKey, sealAll, settled, shown, takeAll } from '../../wcStory.ts'
import { placed, ready, walletConnect } from '../../story.ts'

const ping = { kind: 'ping', id: '77' } as const

describe('a message to a wallet', () => {
  test('is sealed once, stored, and goes out with the same call id and bytes until the relay has it', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const first = world.last('relay.publish').data
    world.fire(`outbox:${first.callId}`)
    expect(world.last('relay.publish').data).toEqual(first)
    expect(world.ordered('vault.seal').filter(effect => effect.data.callId === first.callId)).toHaveLength(1)
    world.input('relay.taken', { callId: first.callId })
    expect(world.model.outbox).toEqual({})
    expect(world.last('vault.forget').data.refs).toEqual([first.messageRef])
    expect(world.timers().has(`outbox:${first.callId}`)).toBe(false)
    expect(world.input('relay.taken', { callId: first.callId }).facts).toEqual([])
  })

  test('waits for the relay, and goes out as soon as it is there', () => {
    const world = settled()
    world.input('relay.closed', { code: 1006, ...failing('unreachable') })
    message(world, 'session-1', ping)
    const before = world.ordered('relay.publish').length
    sealAll(world)
    expect(world.ordered('relay.publish')).toHaveLength(before)
    world.fire('relay:retry')
    open(world)
    expect(world.ordered('relay.publish')).toHaveLength(before + 1)
  })

  test('refused by the relay is tried again until it expires', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const { callId } = world.last('relay.publish').data
    world.input('relay.failed', { callId, error: { code: -32000, message: 'busy' } })
    world.fire(`outbox:${callId}`)
    expect(world.last('relay.publish').data.callId).toBe(callId)
    world.wait(86_400_000)
    expect(world.fire(`outbox:${callId}`).types).toContain('outbox.dropped')
    expect(world.model.outbox).toEqual({})
  })

  test('has a call id of its own, higher than the one before', () => {
    const world = settled()
    for (const id of ['1', '2', '3']) message(world, 'session-1', { kind: 'ping', id })
    const ids = world.ordered('vault.seal').map(effect => BigInt(effect.data.callId))
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0n))).toBe(true)
    expect(ids.every(id => String(id).length === 19)).toBe(true)
  })
})

describe('a message that cannot be committed', () => {
  test('was not sent, so its order ends at once with the reason, and nothing of it goes out later', () => {
    const world = settled()
    placed(world)
    sealAll(world)
    const { callId } = world.last('relay.publish').data
    const came = world.fail('relay.publish', 'storage_down')
    expect(came.types).toEqual(['request.failed', 'order.rejected', 'outbox.dropped'])
    // The proof that nothing can land is looked for
    expect(world.timers().has(`watch:${Object.keys(world.model.order)[0]}`)).toBe(true)
    expect(world.said('request.failed')).toMatchObject([{ failure: { code: 'storage_down' } }])
    expect(world.model.outbox).toEqual({})
    expect(world.timers().has(`outbox:${callId}`)).toBe(false)
    expect(JSON.stringify(world.memory().asked).includes(callId)).toBe(false)
  })

  test('ends its code', () => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    open(world)
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
    sealAll(world)
    world.fail('relay.propose', 'storage_down')
    expect(world.said('pairing.rejected')).toMatchObject([{ failure: { code: 'storage_down' } }])
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'storage_down' } })
  })

  test('a second time is still with the wallet: its request stays open', () => {
    const world = settled()
    placed(world)
    sealAll(world)
    world.fire(`outbox:${world.last('relay.publish').data.callId}`)
    expect(world.fail('relay.publish', 'storage_down').types).toEqual([])
    expect(Object.values(world.model.request)).toMatchObject([{ phase: 'sent' }])
    expect(Object.keys(world.model.outbox)).toHaveLength(1)
  })

  test('that the relay has needs no commit any more', () => {
    const world = settled()
    placed(world)
    sealAll(world)
    takeAll(world)
    expect(JSON.stringify(world.memory().asked)).not.toContain('relay.publish')
  })
})

const busy = { code: -32_000, message: '' }
const unknown = { code: -32_601, message: 'Unsupported method.' }

describe('a message without a purpose any more', () => {
  test('leaves no bytes behind, whether it was sealed or is being sealed', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const { messageRef } = world.last('relay.publish').data
    message(world, 'session-1', { ...ping, id: '78' })
    message(world, 'session-1', { kind: 'delete', id: '79' })
    expect(world.ordered('vault.forget').flatMap(({ data }) => data.refs)).toContain(messageRef)
    const before = world.ordered('relay.publish').length
    for (const came of sealAll(world)) expect([came.facts, came.effects]).toEqual([[], []])
    expect(world.ordered('relay.publish')).toHaveLength(before)
    expect(world.model.outbox).toEqual({})
  })

  test('because it cannot be sealed holds no socket open', () => {
    const world = shown()
    message(world, 'pairing-1', { kind: 'pairingPing', id: '7' })
    message(world, 'pairing-1', { kind: 'pairingDelete', id: '8' })
    world.fail('vault.seal', 'expired')
    expect(world.fire('relay:pulse').types).toEqual(['relay.closed'])
    expect(world.ordered('relay.close')).toHaveLength(1)
    // No message counts as in flight over the closed socket
    const { effects } = world.input('page.resumed', {}, { tab })
    expect(effects.filter(({ type }) => type.startsWith('relay.'))).toEqual([])
  })
})

describe('a message that waits for its next try', () => {
  test('tests the socket if the relay was silent since it was published', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const before = world.ordered('relay.subscribe').length
    world.pass(14_999)
    expect(world.ordered('relay.subscribe')).toHaveLength(before)
    world.pass(1)
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
    expect(world.pass(10_001)).toContain('relay.lost')
  })

  test('is neither sent nor given up while there is no socket', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'ping', id: '77' })
    sealAll(world)
    world.input('page.online', { online: false }, { tab })
    world.input('relay.closed', { code: 1006, ...failing('offline') })
    const before = world.ordered('relay.publish').length
    expect(world.pass(60_000)).toEqual([])
    expect(world.ordered('relay.publish')).toHaveLength(before)
    expect(Object.keys(world.model.outbox)).toHaveLength(1)
  })
})

describe('a message refused by the relay', () => {
  test('goes out again after growing delays, with the same call id and bytes', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const first = world.last('relay.publish').data
    const waits: number[] = []
    for (let i = 0; i < 12; i++) {
      world.input('relay.failed', { callId: first.callId, error: busy })
      waits.push((world.timers().get(`outbox:${first.callId}`)?.at ?? 0) - world.at)
      world.fire(`outbox:${first.callId}`)
      expect(world.last('relay.publish').data).toEqual(first)
    }
    expect(Math.max(...waits.slice(0, 2))).toBeLessThanOrEqual(2000)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
    expect(Math.max(...waits.slice(6))).toBeGreaterThan(4000)
    world.input('relay.taken', { callId: first.callId })
    expect(world.model.outbox).toEqual({})
  })

  test('to ask a wallet for a signature ends with a sentence after about a minute, and the request with it', () => {
    const world = settled()
    placed(world)
    sealAll(world)
    const { callId } = world.last('relay.publish').data
    for (let i = 0; i < 6; i++) {
      expect(world.input('relay.failed', { callId, error: busy }).types).toEqual([])
      world.fire(`outbox:${callId}`)
    }
    const came = world.input('relay.failed', { callId, error: busy })
    expect(came.types).toEqual(['request.failed', 'order.rejected', 'outbox.dropped'])
    const failure = {
      code: 'bad_response',
      message: 'the relay refused the message 7 times, last with error -32000',
      facts: { code: -32_000 },
    }
    expect(world.said('request.failed')).toMatchObject([{ failure }])
    expect(world.said('outbox.dropped')).toMatchObject([{ callId, failure }])
    expect(world.timers().has(`outbox:${callId}`)).toBe(false)
  })

  test('with a permanent error is not sent again', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const { callId } = world.last('relay.publish').data
    const came = world.input('relay.failed', { callId, error: { code: -32_602, message: '' } })
    expect(came.types).toEqual(['outbox.dropped'])
    expect(world.said('outbox.dropped').at(-1)?.failure?.message).toContain('refused the message once')
    expect(world.model.outbox).toEqual({})
  })

  test('to end a session deletes the keys when it expires', () => {
    const world = settled()
    const [connectionId = ''] = Object.keys(world.model.connection.made)
    world.command('connection.disconnect', { connectionId })
    sealAll(world)
    const { callId } = world.last('relay.publish').data
    world.input('relay.failed', { callId, error: busy })
    world.wait(86_400_000)
    expect(world.fire(`outbox:${callId}`).types).toEqual(['outbox.dropped'])
    expect(world.said('outbox.dropped').at(-1)?.failure?.code).toBe('expired')
    expect(world.ordered('vault.forget').some(({ data }) => data.topics.includes('session-1'))).toBe(true)
  })
})

describe('a message without an answer', () => {
  test('goes out again after a restart, with the call id and bytes it had', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const first = world.last('relay.publish').data
    world.kill('start')
    open(world)
    expect(world.ordered('relay.publish').map(({ data }) => data)).toEqual([first])
  })
})

describe('a proposal', () => {
  test.each([
    [{ code: -32601, message: 'Method not found' }],
    [{ code: -32000, message: 'unknown method wc_proposeSession' }],
  ])('with a method unknown to the relay (%j) goes out as subscribe and publish, with the same bytes', error => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', {
      attemptId,
      pairingTopic: 'pairing-1',
      publicKey: 'cd'.repeat(32),
    })
    open(world)
    sealAll(world)
    const { callId, messageRef } = world.last('relay.propose').data
    world.input('relay.failed', { callId, error })
    expect(world.last('relay.subscribe').data.topics).toEqual(['pairing-1'])
    expect(world.last('relay.publish').data).toMatchObject({ topic: 'pairing-1', messageRef, tag: 1100, prompt: true })
    expect(world.last('relay.publish').data.callId).not.toBe(callId)
    takeAll(world)
    expect(world.model.pairing.open['pairing-1']?.phase).toBe('proposed')
  })

  const coded = (world: World, pairingTopic: string) => {
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    const publicKey = 'cd'.repeat(32)
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic, publicKey })
    if (world.ordered('relay.open').some(effect => !effect.answered)) open(world)
    sealAll(world)
  }
  const refuse = (world: World, type: 'relay.propose' | 'relay.publish', error = unknown) =>
    world.input('relay.failed', { callId: world.last(type).data.callId, error })

  test('goes the plain way at once where the composite one is known to be unknown, over a restart too', () => {
    const world = ready()
    coded(world, 'pairing-1')
    refuse(world, 'relay.propose')
    takeAll(world)
    world.kill('start')
    world.attach()
    open(world)
    coded(world, 'pairing-2')
    expect(world.ordered('relay.propose')).toEqual([])
    const published = world.last('relay.publish').data
    expect(published).toMatchObject({ topic: 'pairing-2', tag: 1100, ttl: 300, prompt: true })
    expect(world.ordered('relay.subscribe').some(({ data }) => data.topics.includes('pairing-2'))).toBe(true)
  })

  test('goes in one call again where the plain way is refused, and the old knowledge is dropped', () => {
    const world = ready()
    coded(world, 'pairing-1')
    refuse(world, 'relay.propose')
    expect(Object.values(world.model.relays.lacks)).toEqual([['wc_proposeSession']])
    const { messageRef } = world.last('relay.publish').data
    refuse(world, 'relay.publish')
    expect(world.last('relay.propose').data).toMatchObject({ pairingTopic: 'pairing-1', messageRef })
    expect(Object.values(world.model.relays.lacks)).toEqual([['irn_publish']])
    takeAll(world)
    expect(world.model.pairing.open['pairing-1']?.phase).toBe('proposed')
    expect(new Set(world.ordered('relay.propose').map(({ data }) => data.callId)).size).toBe(2)
  })

  test('without any way at the relay ends with a sentence, not in a loop', () => {
    const world = ready()
    coded(world, 'pairing-1')
    let refused = 0
    for (; world.model.pairing.open['pairing-1']?.phase === 'created' && refused < 20; refused++) {
      const [outgoing] = Object.values(world.model.outbox)
      world.input('relay.failed', { callId: outgoing?.callId ?? '', error: unknown })
    }
    expect(refused).toBe(3)
    expect(world.said('pairing.rejected')).toMatchObject([{ failure: { code: 'unsupported' } }])
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'unsupported' } })
    expect(world.model.outbox).toEqual({})
  })

  test('goes to each relay in that relay’s way', () => {
    const world = ready()
    coded(world, 'pairing-1')
    refuse(world, 'relay.propose')
    world.input('relay.closed', { code: 1006, ...failing('unreachable') })
    world.fire('relay:retry')
    expect(world.last('relay.open').data.url).toBe('wss://relay.two')
    open(world)
    expect(world.last('relay.propose').data.messageRef).toBe(world.last('relay.publish').data.messageRef)
    expect(world.ordered('relay.propose')).toHaveLength(2)
  })

  test('whose first publishing could not be committed was not sent, either way', () => {
    const world = createWorld({ relays: ['wss://relay.one'] })
    world.boot()
    world.attach()
    coded(world, 'pairing-1')
    refuse(world, 'relay.propose')
    takeAll(world)
    world.input('relay.closed', { code: 1006, ...failing('unreachable') })
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-2', publicKey })
    sealAll(world)
    open(world)
    expect(world.last('relay.publish').data.topic).toBe('pairing-2')
    world.fail('relay.publish', 'storage_down')
    expect(world.said('pairing.rejected')).toMatchObject([
      { pairingTopic: 'pairing-2', failure: { code: 'storage_down' } },
    ])
    expect(world.model.outbox).toEqual({})
  })

  test('failed by the relay for another reason is tried the same way', () => {
    const world = ready()
    coded(world, 'pairing-1')
    const { callId } = world.last('relay.propose').data
    refuse(world, 'relay.propose', busy)
    world.fire(`outbox:${callId}`)
    expect(world.last('relay.propose').data.callId).toBe(callId)
    expect(world.model.relays.lacks).toEqual({})
  })

  test('whose way the relay does not know is given up when its life ended meanwhile', () => {
    const world = ready()
    coded(world, 'pairing-1')
    const { callId } = world.last('relay.propose').data
    world.wait(301_000)
    const { facts } = world.input('relay.failed', { callId, error: unknown })
    expect(facts.find(({ type }) => type === 'outbox.dropped')?.data).toMatchObject({ failure: { code: 'expired' } })
    expect(world.ordered('relay.publish')).toEqual([])
    expect(world.model.outbox).toEqual({})
  })

  test('keeps its subscription after every new socket', () => {
    const world = shown()
    world.input('relay.closed', { code: 1006, ...failing('unreachable') })
    world.fire('relay:retry')
    open(world)
    expect(world.last('relay.subscribe').data.topics).toEqual(['pairing-1'])
  })
})
