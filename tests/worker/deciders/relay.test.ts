import { describe, expect, test } from 'vitest'
import { ready, walletConnect } from '../story.ts'
import { createWorld, failing, tab } from '../world.ts'
import { message, open, publicKey, sealAll, settled, shown, takeAll } from '../wcStory.ts'

const lost = { code: 1006, ...failing('unreachable') }
const refused = { code: 3000, ...failing('unauthorized') }

/** A core that wants the relay. */
function wanting() {
  const world = ready()
  world.command('connection.connectWalletConnect', { wallet: walletConnect })
  const { attemptId } = world.last('vault.makePairing').data
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
  return world
}

describe('the socket', () => {
  test('is opened when somebody needs it, not before, and once', () => {
    const world = ready()
    expect(world.ordered('relay.open')).toEqual([])
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    expect(world.last('relay.open').data).toEqual({ url: 'wss://relay.one', projectId: 'p1' })
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    expect(world.ordered('relay.open')).toHaveLength(1)
  })

  test('that cannot be opened is tried again with growing waits, at another address, at most 12 times a minute', () => {
    const world = wanting()
    const openedAt: number[] = [world.at]
    for (let i = 0; i < 40; i++) {
      world.answer('relay.open', 'relay.closed', lost)
      expect(world.model.relay).toMatchObject({ phase: 'lost', failure: { code: 'unreachable' } })
      const before = world.ordered('relay.open').length
      while (world.ordered('relay.open').length === before) world.fire('relay:retry')
      openedAt.push(world.at)
    }
    const urls = world.ordered('relay.open').map(effect => effect.data.url)
    expect(urls.slice(0, 3)).toEqual(['wss://relay.one', 'wss://relay.two', 'wss://relay.one'])
    expect(mostInAMinute(openedAt)).toBeLessThanOrEqual(12)
    const waits = openedAt.slice(1).map((at, index) => at - (openedAt[index] ?? 0))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
  })

  test('that opens and closes at once is no success: the waits go on growing', () => {
    const world = wanting()
    const openedAt: number[] = []
    for (let i = 0; i < 30; i++) {
      open(world)
      openedAt.push(world.at)
      world.input('relay.closed', lost)
      const before = world.ordered('relay.open').length
      while (world.ordered('relay.open').length === before) world.fire('relay:retry')
    }
    expect(mostInAMinute(openedAt)).toBeLessThanOrEqual(12)
  })

  test('that had lasted is opened again at once after it closed', () => {
    const world = settled()
    world.wait(20_000)
    world.input('relay.closed', lost)
    const retry = world.timers().get('relay:retry')
    expect((retry?.at ?? 0) - world.at).toBe(100)
    world.fire('relay:retry')
    open(world)
    expect(world.last('relay.subscribe').data.topics).toEqual(['session-1'])
  })

  test('flapping a hundred times a minute is opened at most 12 times', () => {
    const world = settled()
    world.wait(60_000)
    world.input('relay.closed', lost)
    const before = world.ordered('relay.open').length
    for (let i = 0; i < 100; i++) {
      world.input('page.online', { online: false }, { tab })
      world.wait(300)
      world.input('page.online', { online: true }, { tab })
      world.wait(300)
    }
    expect(world.ordered('relay.open').length - before).toBeLessThanOrEqual(12)
    world.pass(61_000)
    expect(world.timers().size).toBeLessThan(20)
  })

  test('that one relay refused is tried at the others; when all refused, by a press or a glance only', () => {
    const world = wanting()
    world.answer('relay.open', 'relay.closed', refused)
    expect(world.model.relay).toMatchObject({ phase: 'lost', failure: { code: 'unauthorized' } })
    world.fire('relay:retry')
    expect(world.last('relay.open').data.url).toBe('wss://relay.two')
    world.answer('relay.open', 'relay.closed', refused)
    expect(world.model.relay).toMatchObject({ phase: 'refused', failure: { code: 'unauthorized' } })
    world.pass(200_000)
    expect(world.ordered('relay.open')).toHaveLength(2)
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    expect(world.last('relay.open').data.url).toBe('wss://relay.one')
    world.answer('relay.open', 'relay.closed', refused)
    world.fire('relay:retry')
    world.answer('relay.open', 'relay.closed', refused)
    expect(world.model.relay.phase).toBe('refused')
    world.input('page.visible', { visible: true }, { tab })
    expect(world.ordered('relay.open')).toHaveLength(5)
  })

  test('whose driver fails counts as closed', () => {
    const world = wanting()
    world.fail('relay.open', 'unknown')
    expect(world.model.relay.phase).toBe('lost')
    world.fire('relay:retry')
    expect(world.ordered('relay.open')).toHaveLength(2)
  })

  test('waits while this device is offline, and is opened when it is online', () => {
    const world = ready()
    world.input('page.online', { online: false }, { tab })
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
    expect(world.model.network.online).toBe(false)
    world.pass(120_000)
    expect(world.ordered('relay.open')).toEqual([])
    world.input('page.online', { online: true }, { tab })
    expect(world.ordered('relay.open')).toHaveLength(1)
  })

  test('is not opened at a start without a network', () => {
    const world = settled()
    world.kill('start')
    expect(world.ordered('relay.open')).toHaveLength(1)
    const offline = settled()
    offline.kill('start')
    const early = createWorld({ online: false })
    early.boot()
    expect(early.model.network.online).toBe(false)
  })
})

describe('a socket that is open', () => {
  test('and silent for 30 s is tested, and opened anew when nothing comes within 10 s', () => {
    const world = settled()
    const before = world.ordered('relay.subscribe').length
    world.pass(30_000)
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
    expect(world.pass(10_100)).toEqual(expect.arrayContaining(['relay.lost', 'relay.connecting']))
    expect(world.ordered('relay.close')).toHaveLength(1)
  })

  test('that answers the test is believed', () => {
    const world = settled()
    world.pass(30_000)
    world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
    expect(world.pass(15_000)).not.toContain('relay.lost')
  })

  test.each([
    ['the page was frozen', 'page.resumed', {}],
    ['the clock jumped', 'clock.jumped', { byMs: 3_600_000 }],
    ['somebody looks again', 'page.visible', { visible: true }],
    ['the device is online again', 'page.online', { online: true }],
  ] as const)('is tested when %s', (_name, type, data) => {
    const world = settled()
    const before = world.ordered('relay.subscribe').length
    world.input(type, data as never, { tab })
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
    expect(world.pass(10_001)).toContain('relay.lost')
  })

  test('with nothing but a message on its way is tested by that message', () => {
    const world = wanting()
    open(world)
    sealAll(world)
    const types = world.pass(45_000)
    expect(types).toContain('relay.lost')
    expect(world.ordered('relay.propose').length).toBeGreaterThan(1)
  })

  test('is given back every topic in batches of 500, pairings included', () => {
    const world = settled()
    for (let i = 0; i < 1100; i++) {
      world.model.session[`t-${i}`] = { ...world.model.session['session-1'], sessionTopic: `t-${i}` } as never
    }
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    const before = world.ordered('relay.subscribe').length
    open(world)
    const sizes = world.ordered('relay.subscribe').slice(before)
    expect(sizes.map(effect => effect.data.topics.length)).toEqual([500, 500, 101])
    expect(new Set(sizes.map(effect => effect.data.callId)).size).toBe(3)
  })

  test('that refuses a subscription is asked again', () => {
    const world = settled()
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    open(world)
    const { callId } = world.last('relay.subscribe').data
    world.input('relay.failed', { callId, error: { code: -32000, message: 'busy' } })
    const before = world.ordered('relay.subscribe').length
    world.fire('relay:listen')
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
  })

  test('that never answers a subscription, but talks, is asked again', () => {
    const world = settled()
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    open(world)
    const before = world.ordered('relay.subscribe').length
    world.wait(20_000)
    message(world, 'session-1', { kind: 'ping', id: '1' })
    world.pass(10_000)
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
  })

  test('answers every message only once it is on disk, known or not, opened or not', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'unopened', id: '0' })
    message(world, 'stranger', { kind: 'ping', id: '1' })
    const acks = world.ordered('relay.acknowledge')
    expect(acks.slice(-2).every(effect => effect.after === 'stored')).toBe(true)
    expect(world.input('relay.garbage', { message: 'not json' }).types).toEqual(['mail.dropped'])
  })

  test('is not taken in by answers to calls nobody made', () => {
    const world = settled()
    for (const callId of ['constructor', '__proto__', '1']) {
      expect(world.input('relay.taken', { callId })).toMatchObject({ facts: [], effects: [] })
      expect(world.input('relay.failed', { callId, error: { code: 0, message: '' } }).facts).toEqual([])
    }
  })
})

test('messages are remembered for long, but not for ever', () => {
  const world = shown()
  takeAll(world)
  message(world, 'pairing-1', { kind: 'pairingPing', id: '5' }, 'first')
  const seals = () => world.ordered('vault.seal').length
  const before = seals()
  for (let i = 0; i < 999; i++) message(world, 'pairing-1', { kind: 'result', id: '0' })
  message(world, 'pairing-1', { kind: 'pairingPing', id: '6' }, 'first')
  expect(seals()).toBe(before)
  for (let i = 0; i < 2000; i++) message(world, 'pairing-1', { kind: 'result', id: '0' })
  message(world, 'pairing-1', { kind: 'pairingPing', id: '6' }, 'first')
  expect(seals()).toBe(before + 1)
})

function mostInAMinute(moments: readonly number[]): number {
  return Math.max(...moments.map(from => moments.filter(at => at >= from && at < from + 60_000).length))
}
