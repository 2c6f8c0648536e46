/**
 * The WalletConnect client's file is unreachable: effects that need it fail, and the work continues once the file
 * loads.
 */
import { describe, expect, test } from 'vitest'
import { signedAnswer, answer, asked, responseTopic, theAuth } from '../../authStory.ts'
import { lantern, ready, walletConnect } from '../../story.ts'
import { idOf, message, open, sealAll, settled, settlement, shown, walletKey } from '../../wcStory.ts'
import { failing, type World } from '../../world.ts'

const gone = failing('reload_needed')

/** Fails every open effect that needs the client. */
function refuseAll(world: World): void {
  for (const type of ['vault.makePairing', 'vault.deriveSession', 'vault.seal', 'relay.open'] as const)
    while (world.ordered(type).some(effect => !effect.answered)) world.answer(type, 'effect.failed', gone)
}

/** A life whose worker cannot load the client, over a session of an earlier life. */
function away(cause: 'start' | 'lost' = 'start', world = settled()): World {
  world.kill(cause)
  world.attach()
  refuseAll(world)
  return world
}

const phaseOf = (world: World) => Object.values(world.model.connection.made)[0]?.phase
const connectionId = (world: World) => Object.keys(world.model.connection.made)[0] ?? ''
const unanswered = (world: World) => world.ordered('relay.open').filter(effect => !effect.answered)

describe('a session of an earlier life', () => {
  test('is missing from the failed try on, with its reason, and live again with the socket', () => {
    const world = settled()
    world.kill('start')
    expect(phaseOf(world)).toBe('live')
    refuseAll(world)
    expect(Object.values(world.model.connection.made)).toMatchObject([{ phase: 'missing', ...gone }])
    expect(world.model.relay).toMatchObject({ phase: 'lost', ...gone })
    world.fire('relay:retry')
    expect(open(world).types).toContain('connection.restored')
    expect(phaseOf(world)).toBe('live')
  })

  test('stays missing over the next life until that has a socket, or a relay’s refusal of one', () => {
    const world = away()
    world.kill('start')
    expect(phaseOf(world)).toBe('missing')
    open(world)
    expect(phaseOf(world)).toBe('live')
    const other = away()
    other.kill('start')
    other.answer('relay.open', 'relay.closed', { code: 1006, ...failing('unreachable') })
    expect(phaseOf(other)).toBe('live')
    const third = away()
    third.kill('start')
    third.fail('relay.open', 'storage_down')
    expect(phaseOf(third)).toBe('live')
  })

  test('is called missing once, however often the file is fetched', () => {
    const world = away()
    for (let i = 0; i < 5; i++) {
      world.fire('relay:retry')
      refuseAll(world)
    }
    expect(world.said('connection.missing')).toHaveLength(1)
  })

  test('that expired meanwhile does not come back', () => {
    const world = away()
    world.wait(604_800_000)
    world.input('page.visible', { visible: true }, { tab: 't-1' })
    open(world)
    expect(world.said('connection.restored')).toEqual([])
  })

  test('over links needs no socket, so it is live with the next life', () => {
    const world = away()
    for (const fact of world.facts) if (fact.type === 'session.settled') fact.data.transport = 'link'
    expect(world.kill('start').types).toContain('connection.restored')
  })
})

describe('the client’s file', () => {
  test('is fetched again after growing delays of at most half a minute, and not sooner for messages meanwhile', () => {
    const world = away()
    const waits: number[] = []
    for (let i = 0; i < 30; i++) {
      const before = world.at
      world.fire('relay:retry')
      waits.push(world.at - before)
      refuseAll(world)
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(32_000)
    expect(Math.max(...waits)).toBeGreaterThan(8000)
    const tries = world.ordered('relay.open').length
    world.command('session.ping', { sessionTopic: 'session-1' })
    world.fail('vault.seal', 'reload_needed')
    expect(world.ordered('relay.open')).toHaveLength(tries)
  })

  test('that is missing counts as no opening of a socket, in this life and the next', () => {
    const world = away()
    for (let i = 0; i < 20; i++) {
      world.command('connection.retry', { connectionId: connectionId(world) })
      refuseAll(world)
    }
    expect(world.ordered('relay.open')).toHaveLength(21)
    expect(world.model.relays.opens.length).toBeLessThanOrEqual(1)
    world.kill('start')
    expect(unanswered(world)).toHaveLength(1)
  })

  test('that is missing is no fault of a relay: the same one is tried next', () => {
    const world = away()
    const [first] = world.ordered('relay.open')
    world.fire('relay:retry')
    expect(world.last('relay.open').data).toEqual(first?.data)
  })

  test.each([
    ['the device is online again', (world: World) => world.input('page.online', { online: true }, { tab: 't-1' })],
    ['somebody looks', (world: World) => world.input('page.visible', { visible: true }, { tab: 't-1' })],
    ['somebody presses', (world: World) => world.command('connection.retry', { connectionId: connectionId(world) })],
  ])('is fetched at once when %s, one try at a time', (_when, act) => {
    const world = away()
    act(world)
    expect(unanswered(world)).toHaveLength(1)
    world.command('connection.retry', { connectionId: connectionId(world) })
    expect(world.ordered('relay.open')).toHaveLength(2)
  })
})

describe('a press that finds the file missing', () => {
  test('fails each time to reach a wallet again; a try without a press fails silently', () => {
    const world = away()
    expect(world.model.core.dropped).toBeUndefined()
    world.command('connection.retry', { connectionId: connectionId(world) })
    refuseAll(world)
    expect(world.model.core.dropped).toEqual({ count: 1, input: 'connection.retry' })
    world.fire('relay:retry')
    refuseAll(world)
    expect(world.model.core.dropped).toMatchObject({ count: 1 })
  })

  test('fails to connect with a sentence, leaves nothing open, and can be repeated', () => {
    const world = ready()
    const press = () => world.command('connection.connectWalletConnect', { wallet: walletConnect })
    press()
    refuseAll(world)
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', ...gone })
    expect([world.model.relay.phase, world.timers().has('relay:retry')]).toEqual(['closed', false])
    press()
    expect(world.model.connection.attempt.phase).toBe('asking')
    expect(unanswered(world)).toHaveLength(1)
  })

  test('leaves a code of an earlier life answerable, though its attempt has failed', () => {
    const world = shown()
    const proposal = idOf(world)
    away('lost', world)
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', ...gone })
    world.fire('relay:retry')
    open(world)
    expect(idOf(world)).toBe(proposal)
    expect(world.last('relay.subscribe').data.topics).toEqual(['pairing-1'])
  })

  test('can connect an installed wallet', () => {
    const world = away()
    world.command('connection.connectInstalled', { walletKey: 'lantern', wallet: lantern })
    expect(world.ordered('wallet.connect')).toHaveLength(1)
  })
})

describe('without the client', () => {
  test('a session ends at once, and its wallet is notified once the client is here, once', () => {
    const world = away()
    world.command('connection.disconnect', { connectionId: connectionId(world) })
    refuseAll(world)
    expect([world.model.connection.made, Object.keys(world.model.parting)]).toEqual([{}, ['session-1']])
    // Only the owed delete needs the relay now
    expect(world.timers().has('relay:retry')).toBe(true)
    world.fire('relay:retry')
    open(world)
    const told = world.ordered('vault.seal').filter(effect => !effect.answered)
    expect(told).toMatchObject([{ data: { topic: 'session-1', payload: { method: 'wc_sessionDelete' } } }])
    sealAll(world)
    expect(world.model.parting).toEqual({})
  })

  test('the wait ends with the first socket: later failures for other reasons wait for the next life', () => {
    const world = away()
    world.fire('relay:retry')
    open(world)
    world.command('connection.disconnect', { connectionId: connectionId(world) })
    world.fail('vault.seal', 'storage_down')
    shown(world, 'pairing-2')
    world.input('relay.closed', { code: 1006, ...failing('unreachable') })
    const before = world.ordered('vault.seal').length
    world.fire('relay:retry')
    open(world)
    expect(world.ordered('vault.seal')).toHaveLength(before)
  })

  test('an approved session waits for its key, and is made when the client is here', () => {
    const world = shown()
    message(world, 'pairing-1', { kind: 'result', id: idOf(world), responderKey: walletKey })
    away('lost', world)
    expect(world.model.pairing.open['pairing-1']).toMatchObject({ phase: 'responded' })
    world.fire('relay:retry')
    open(world)
    expect(world.ordered('vault.deriveSession').filter(effect => !effect.answered)).toHaveLength(1)
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: 'pairing-1', sessionTopic: 's' })
    message(world, 's', settlement(world))
    expect(phaseOf(world)).toBe('live')
  })

  test('a signed sign-in is stored, and its session made when the client is here', () => {
    const world = asked()
    answer(world, signedAnswer(world))
    away('lost', world)
    expect(theAuth(world).phase).toBe('answered')
    world.fire('relay:retry')
    open(world)
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: responseTopic, sessionTopic: 's' })
    expect(theAuth(world)).toMatchObject({ phase: 'done', sessionTopic: 's' })
  })

  test('the work of a life that began offline is done with its first socket', () => {
    const world = settled()
    world.command('connection.disconnect', { connectionId: connectionId(world) })
    world.input('page.online', { online: false }, { tab: 't-1' })
    world.kill('start')
    const before = world.ordered('relay.open').length
    world.boot({ online: false })
    refuseAll(world)
    expect(world.ordered('relay.open')).toHaveLength(before)
    world.input('page.online', { online: true }, { tab: 't-1' })
    open(world)
    expect(world.ordered('vault.seal').filter(effect => !effect.answered)).toHaveLength(1)
  })
})
