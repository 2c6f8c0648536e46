import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ready, walletConnect } from '../../story.ts'
import { createWorld, failing, tab, type World } from '../../world.ts'
import { message, open, publicKey, sealAll, settled, shown, takeAll } from '../../wcStory.ts'

const lost = { code: 1006, ...failing('unreachable') }
const refused = { code: 3000, ...failing('unauthorized') }

/** A core that wants the relay. */
function wanting(world = ready()) {
  world.command('connection.connectWalletConnect', { wallet: walletConnect })
  const { attemptId } = world.last('vault.makePairing').data
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
  return world
}

function knowing(...relays: string[]) {
  const world = createWorld({ relays })
  world.boot()
  world.attach()
  return world
}

describe('the socket', () => {
  test('is opened on demand, not before, and once', () => {
    const world = ready()
    expect(world.ordered('relay.open')).toEqual([])
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    expect(world.last('relay.open').data).toEqual({ url: 'wss://relay.one', projectId: 'p1' })
    // `written` counts the opening even if the worker dies soon after
    expect(world.last('relay.open').after).toBe('written')
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    expect(world.ordered('relay.open')).toHaveLength(1)
  })

  test('that cannot be opened is tried again with growing delays, at another address, at most 12 times a minute', () => {
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

  test('that opens and closes at once is no success: the delays go on growing', () => {
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

  test('that waits for its next try is opened at once by a press, within the budget', () => {
    const world = wanting()
    for (let i = 0; i < 4; i++) {
      world.answer('relay.open', 'relay.closed', lost)
      if (i < 3) world.fire('relay:retry')
    }
    const press = () => world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const before = world.ordered('relay.open').length
    expect(world.model.relay).toMatchObject({ phase: 'lost', attempt: 4 })
    press()
    expect(world.ordered('relay.open')).toHaveLength(before + 1)
    press()
    expect(world.ordered('relay.open')).toHaveLength(before + 1)
    for (let i = 0; i < 20; i++) {
      if (world.ordered('relay.open').some(effect => !effect.answered)) world.answer('relay.open', 'relay.closed', lost)
      press()
    }
    expect(world.ordered('relay.open')).toHaveLength(12)
  })

  test('that waits for its next try is not hurried by messages to wallets', () => {
    const world = settled()
    world.input('relay.closed', lost)
    for (let i = 0; i < 4; i++) {
      world.fire('relay:retry')
      world.answer('relay.open', 'relay.closed', lost)
    }
    const before = world.ordered('relay.open').length
    world.command('session.ping', { sessionTopic: 'session-1' })
    sealAll(world)
    expect(world.ordered('relay.open')).toHaveLength(before)
  })

  test('that opens in spite of an offline device, and closes, counts as closed', () => {
    const world = wanting()
    const { id } = world.last('relay.open')
    world.input('page.online', { online: true }, { tab })
    world.input('page.online', { online: false }, { tab })
    // The older of two sockets closes; a slow disk delayed both openings
    expect(world.input('relay.closed', lost, { to: id }).types).toEqual(['relay.offline'])
    open(world)
    expect(world.model.relay.phase).toBe('connected')
    world.input('relay.closed', lost)
    expect(world.model.relay.phase).toBe('offline')
  })

  test('that closes without demand is not opened again', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'delete', id: '7' })
    expect(world.input('relay.closed', lost).types).toEqual(['relay.closed'])
    expect(world.timers().has('relay:retry')).toBe(false)
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

  test('refused by one relay is tried at the others; refused by all, on a press or a look only', () => {
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

  test.each([
    ['moves its clients away', 4010, 'unreachable', 1000],
    ['is starting anew', 1012, 'unreachable', 1000],
    ['has too many requests', 1013, 'rate_limited', 16_000],
  ] as const)('closed by a relay because it %s is opened again by itself', (_why, code, failureCode, mostMs) => {
    const world = wanting()
    world.answer('relay.open', 'relay.closed', { code, ...failing(failureCode) })
    const { relay } = world.model
    expect(relay).toMatchObject({ phase: 'lost', failure: { code: failureCode } })
    expect(relay.phase === 'lost' && relay.retryAt - world.at).toBeLessThanOrEqual(mostMs)
    world.fire('relay:retry')
    expect(world.ordered('relay.open')).toHaveLength(2)
  })

  test('closed repeatedly by a busy relay has growing delays from the first moment', () => {
    const waits = Array.from({ length: 40 }, () => {
      const world = settled()
      world.wait(20_000)
      world.input('relay.closed', { code: 1013, ...failing('rate_limited') })
      return (world.timers().get('relay:retry')?.at ?? 0) - world.at
    })
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500)
  })

  test('is opened at the relay that answered last before the others, over a restart too', () => {
    const world = wanting()
    world.answer('relay.open', 'relay.closed', lost)
    world.fire('relay:retry')
    open(world)
    expect(world.model.relay).toMatchObject({ phase: 'connected', url: 'wss://relay.two' })
    expect(world.model.relays.proved).toBe('')
    world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
    expect(world.model.relays.proved).toBe('wss://relay.two')
    world.kill('start')
    expect(world.last('relay.open').data.url).toBe('wss://relay.two')
    world.answer('relay.open', 'relay.closed', lost)
    world.fire('relay:retry')
    expect(world.last('relay.open').data.url).toBe('wss://relay.one')
  })

  test('to another relay subscribes to the sessions settled over the first', () => {
    const world = settled()
    world.wait(20_000)
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    world.answer('relay.open', 'relay.closed', lost)
    world.fire('relay:retry')
    expect(world.last('relay.open').data.url).toBe('wss://relay.two')
    open(world)
    expect(world.last('relay.subscribe').data.topics).toEqual(['session-1'])
  })

  test('is tried at a relay that refused on the next look', () => {
    const world = wanting()
    world.answer('relay.open', 'relay.closed', refused)
    world.fire('relay:retry')
    expect(world.last('relay.open').data.url).toBe('wss://relay.two')
    world.input('page.visible', { visible: true }, { tab })
    world.answer('relay.open', 'relay.closed', lost)
    world.fire('relay:retry')
    expect(world.last('relay.open').data.url).toBe('wss://relay.one')
  })

  test('is counted from the first try again once this device is online', () => {
    const world = wanting()
    for (let i = 0; i < 4; i++) {
      world.answer('relay.open', 'relay.closed', lost)
      world.fire('relay:retry')
    }
    world.input('page.online', { online: false }, { tab })
    world.answer('relay.open', 'relay.closed', lost)
    world.input('page.online', { online: true }, { tab })
    expect(world.said('relay.connecting').at(-1)?.attempt).toBe(1)
  })

  test('continues behind a relay that refused, not from the first one again', () => {
    const world = wanting(knowing('wss://relay.one', 'wss://relay.two', 'wss://relay.three'))
    for (const said of [lost, refused, lost, lost]) {
      world.answer('relay.open', 'relay.closed', said)
      world.fire('relay:retry')
    }
    expect(world.ordered('relay.open').map(({ data }) => data.url)).toEqual([
      'wss://relay.one',
      'wss://relay.two',
      'wss://relay.three',
      'wss://relay.one',
      'wss://relay.three',
    ])
  })

  test('refused by its only relay is refused at once', () => {
    const world = wanting(knowing('wss://relay.one'))
    world.answer('relay.open', 'relay.closed', refused)
    expect(world.model.relay.phase).toBe('refused')
    expect(world.timers().has('relay:retry')).toBe(false)
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
    expect(world.model.relay).toEqual({ phase: 'offline' })
    expect(world.said('relay.offline')).toHaveLength(1)
    world.pass(120_000)
    expect(world.ordered('relay.open')).toEqual([])
    world.input('page.online', { online: true }, { tab })
    expect(world.ordered('relay.open')).toHaveLength(1)
    expect(world.model.relay.phase).toBe('connecting')
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

  test('that is lost while this device is offline is not tried until it is online', () => {
    const world = settled()
    world.input('page.online', { online: false }, { tab })
    expect(world.model.relay.phase).toBe('connected')
    world.input('relay.closed', { code: 1006, ...failing('offline') })
    expect(world.model.relay).toEqual({ phase: 'offline' })
    const before = world.ordered('relay.open').length
    world.pass(600_000)
    expect(world.ordered('relay.open')).toHaveLength(before)
    world.input('page.online', { online: true }, { tab })
    expect(world.model.relay.phase).toBe('connecting')
  })

  test('is called offline a second time, too, when it was not needed in between', () => {
    const world = ready()
    const online = (is: boolean) => world.input('page.online', { online: is }, { tab })
    const press = () => world.command('connection.connectWalletConnect', { wallet: walletConnect })
    online(false)
    press()
    expect(world.model.relay).toEqual({ phase: 'offline' })
    world.command('connection.abandon', {})
    online(true)
    expect(world.model.relay).toEqual({ phase: 'closed' })
    online(false)
    press()
    expect(world.model.relay).toEqual({ phase: 'offline' })
  })

  test('is not called offline without demand', () => {
    const world = ready()
    world.input('page.online', { online: false }, { tab })
    expect(world.model.relay).toEqual({ phase: 'closed' })
  })
})

describe('any sequence of events', () => {
  const happening = fc.oneof(
    fc.record({ what: fc.constant('wait' as const), ms: fc.nat({ max: 40_000 }) }),
    fc.record({ what: fc.constant('clock' as const), ms: fc.integer({ min: -90_000, max: 90_000 }) }),
    fc.record({
      what: fc.constantFrom(
        'opened',
        'closed',
        'refused',
        'busy',
        'offline',
        'online',
        'visible',
        'resumed',
        'connect',
      ),
      ms: fc.constant(0),
    }),
    fc.record({ what: fc.constantFrom('seal', 'take', 'fail', 'settle', 'die'), ms: fc.constant(0) }),
  )

  function happen(world: World, { what, ms }: { what: string; ms: number }): void {
    const isOpening = world.ordered('relay.open').some(effect => !effect.answered)
    const close = (data: { code: number } & ReturnType<typeof failing>) =>
      isOpening ? world.answer('relay.open', 'relay.closed', data) : world.input('relay.closed', data)
    const [callId] = Object.keys(world.model.outbox)
    switch (what) {
      case 'wait':
        return void world.pass(ms)
      case 'clock':
        return void world.jump(ms)
      case 'opened':
        return void (isOpening && open(world))
      case 'closed':
        return void close(lost)
      case 'refused':
        return void close(refused)
      case 'busy':
        return void close({ code: 1013, ...failing('rate_limited') })
      case 'offline':
      case 'online':
        return void world.input('page.online', { online: what === 'online' }, { tab })
      case 'visible':
        return void world.input('page.visible', { visible: true }, { tab })
      case 'resumed':
        return void world.input('page.resumed', {}, { tab })
      case 'connect': {
        world.command('connection.connectWalletConnect', { wallet: walletConnect })
        const { attemptId } = world.last('vault.makePairing').data
        const pairingTopic = `pairing-${attemptId}`
        return void world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic, publicKey })
      }
      case 'seal':
        return void sealAll(world)
      case 'take':
        return void takeAll(world)
      case 'fail':
        if (callId) world.input('relay.failed', { callId, error: { code: -32_601, message: '' } })
        return
      case 'die':
        world.kill('lost')
        world.attach()
    }
  }

  /** Events that open and close sockets at the highest rate. */
  const restless = fc.oneof(
    { weight: 8, arbitrary: fc.record({ what: fc.constantFrom('closed', 'visible', 'online'), ms: fc.constant(0) }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('wait'), ms: fc.nat({ max: 4000 }) }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('clock'), ms: fc.integer({ min: -90_000, max: 90_000 }) }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('die'), ms: fc.constant(0) }) },
    { weight: 2, arbitrary: happening },
  )

  test('opens at most twelve sockets a minute, over restarts too', () => {
    fc.assert(
      fc.property(fc.array(restless, { minLength: 40, maxLength: 200 }), happenings => {
        const world = settled()
        // After a backward clock a restart cannot tell the age of an opening with a future time
        const opened: number[] = []
        let [shift, seen] = [0, world.facts.length]
        for (const one of happenings) {
          if (one.what === 'die' && shift !== 0) continue
          happen(world, one)
          if (one.what === 'clock') shift -= Math.min(0, one.ms)
          for (const fact of world.facts.slice(seen)) if (fact.type === 'relay.connecting') opened.push(fact.at + shift)
          seen = world.facts.length
        }
        expect(mostInAMinute(opened)).toBeLessThanOrEqual(12)
      }),
      { numRuns: 150 },
    )
  })

  test('ends with the relay connected, once it is back and a page is visible', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 80 }), happenings => {
        const world = settled()
        for (const one of happenings) happen(world, one)
        world.input('page.online', { online: true }, { tab })
        world.input('page.visible', { visible: true }, { tab })
        for (let i = 0; i < 70 && world.model.relay.phase !== 'connected'; i++) {
          if (world.ordered('relay.open').some(effect => !effect.answered)) open(world)
          else world.pass(1000)
        }
        expect(world.model.relay.phase).toBe('connected')
      }),
      { numRuns: 100 },
    )
  })
})

describe('an open socket', () => {
  test('silent for 30 s is tested, and replaced without an answer within 10 s', () => {
    const world = settled()
    const before = world.ordered('relay.subscribe').length
    world.pass(30_000)
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
    expect(world.pass(10_100)).toEqual(expect.arrayContaining(['relay.lost', 'relay.connecting']))
    expect(world.ordered('relay.close')).toHaveLength(1)
  })

  test('with nothing under way is tested every two minutes, and not while nobody looks', () => {
    const world = settled(undefined, { rests: true })
    // Everything that was sent is with the relay
    sealAll(world)
    takeAll(world)
    for (const { data } of [...world.ordered('relay.subscribe'), ...world.ordered('relay.unsubscribe')])
      world.input('relay.taken', { callId: data.callId })
    expect(world.model.outbox).toEqual({})
    const tests = () => world.ordered('relay.subscribe').length
    const before = tests()
    world.pass(110_000)
    expect(tests()).toBe(before)
    world.pass(10_000)
    expect(tests()).toBe(before + 1)
    world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
    world.input('page.visible', { visible: false }, { tab })
    world.pass(600_000)
    expect(tests()).toBe(before + 1)
    world.input('page.visible', { visible: true }, { tab })
    expect(tests()).toBe(before + 2)
  })

  test('that answers the test is kept', () => {
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

  test('with a message in flight alone is tested by that message', () => {
    const world = wanting()
    open(world)
    sealAll(world)
    const types = world.pass(45_000)
    expect(types).toContain('relay.lost')
    expect(world.ordered('relay.propose').length).toBeGreaterThan(1)
  })

  test('gets every topic again in batches of 500, pairings included', () => {
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

  test('of a relay without batches subscribes topic by topic, and that is remembered', () => {
    const world = settled()
    world.model.session['session-2'] = { ...world.model.session['session-1'], sessionTopic: 'session-2' } as never
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    open(world)
    const unknown = { code: -32_601, message: 'Unsupported method.' }
    const before = world.ordered('relay.subscribe').length
    world.input('relay.failed', { callId: world.last('relay.subscribe').data.callId, error: unknown })
    const again = world.ordered('relay.subscribe').slice(before)
    expect(again.map(({ data }) => [data.topics, data.oneByOne])).toEqual([
      [['session-1'], true],
      [['session-2'], true],
    ])
    world.kill('start')
    open(world)
    expect(world.ordered('relay.subscribe').map(({ data }) => data.oneByOne)).toEqual([true])
    for (const { data } of [...world.ordered('relay.subscribe'), ...world.ordered('relay.unsubscribe')])
      world.input('relay.taken', { callId: data.callId })
    expect(world.last('relay.fetch').data.topics).toEqual(['session-1'])
  })

  test('of a relay with a smaller batch limit gets smaller batches, until they fit', () => {
    const world = settled()
    for (let i = 0; i < 9; i++)
      world.model.session[`t-${i}`] = { ...world.model.session['session-1'], sessionTopic: `t-${i}` } as never
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    const taken: string[] = []
    let asked = world.ordered('relay.subscribe').length
    open(world)
    for (let rounds = 0; rounds < 10; rounds++) {
      const calls = world.ordered('relay.subscribe').slice(asked)
      asked += calls.length
      for (const { data } of calls) {
        if (data.topics.length <= 3) {
          world.input('relay.taken', { callId: data.callId })
          taken.push(...data.topics)
        } else world.input('relay.failed', { callId: data.callId, error: { code: -32_602, message: '' } })
      }
    }
    expect(taken.sort()).toEqual(['session-1', ...Array.from({ length: 9 }, (_, i) => `t-${i}`)])
    expect(world.model.relays.lacks).toEqual({})
  })

  test('of a relay that refuses single topics as unknown uses batches again', () => {
    const world = settled()
    const { url } = world.model.relay as { url: string }
    world.model.relays.lacks[url] = ['irn_batchSubscribe']
    world.pass(30_000)
    const { callId, oneByOne } = world.last('relay.subscribe').data
    expect(oneByOne).toBe(true)
    world.input('relay.failed', { callId, error: { code: -32_601, message: '' } })
    expect(world.model.relays.lacks[url]).toEqual([])
    world.fire('relay:listen')
    expect(world.last('relay.subscribe').data.oneByOne).toBeUndefined()
  })

  test('is tested by one call for any number of sessions', () => {
    const world = settled()
    for (let i = 0; i < 1100; i++)
      world.model.session[`t-${i}`] = { ...world.model.session['session-1'], sessionTopic: `t-${i}` } as never
    const before = world.ordered('relay.subscribe').length
    world.input('page.resumed', {}, { tab })
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
  })

  test('repeats a refused subscription', () => {
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

  test('repeats a subscription refused every time ever less often, and at once on a new socket', () => {
    const world = settled()
    const reopen = () => {
      world.input('relay.closed', lost)
      world.fire('relay:retry')
      open(world)
    }
    const waits = () =>
      Array.from({ length: 8 }, () => {
        const { callId } = world.last('relay.subscribe').data
        world.input('relay.failed', { callId, error: { code: -32000, message: 'no' } })
        const waitMs = world.last('timer.set').data.at - world.at
        world.fire('relay:listen')
        return waitMs / 1000
      })
    reopen()
    expect(waits()).toEqual([15, 30, 60, 120, 240, 480, 480, 480])
    reopen()
    expect(waits()[0]).toBe(15)
    // An accepted subscription resets the delay
    world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
    world.input('page.resumed', {}, { tab })
    expect(waits()[0]).toBe(15)
  })

  test('repeats a subscription without an answer, while the relay sends other frames', () => {
    const world = settled()
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    open(world)
    const before = world.ordered('relay.subscribe').length
    world.wait(20_000)
    message(world, 'session-1', { kind: 'ping', id: '1' })
    world.pass(10_000)
    expect(world.ordered('relay.subscribe')).toHaveLength(before + 1)
    // The missed messages are fetched after this subscription, as after the first one
    expect(world.ordered('relay.fetch')).toEqual([])
    world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
    expect(world.ordered('relay.fetch')).toMatchObject([{ data: { topics: ['session-1'] } }])
  })

  test('with all subscriptions answered repeats none, whatever else is unanswered', () => {
    const world = settled()
    world.input('relay.closed', lost)
    world.fire('relay:retry')
    open(world)
    message(world, 'session-1', { kind: 'ping', id: '1' })
    sealAll(world)
    world.input('relay.taken', { callId: world.last('relay.subscribe').data.callId })
    world.input('relay.fetched', { callId: world.last('relay.fetch').data.callId, count: 0, hasMore: false })
    const before = world.ordered('relay.subscribe').length
    for (let i = 0; i < 30; i++) {
      world.pass(5000)
      world.input('relay.garbage', { message: 'still here' })
    }
    expect(world.ordered('relay.subscribe')).toHaveLength(before)
    expect(world.ordered('relay.publish').length).toBeGreaterThan(5)
  })

  test('acknowledges every message once it is committed, known or not, opened or not', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'unopened', id: '0' })
    message(world, 'stranger', { kind: 'ping', id: '1' })
    const acks = world.ordered('relay.acknowledge')
    expect(acks.slice(-2).every(effect => effect.after === 'stored')).toBe(true)
    expect(world.input('relay.garbage', { message: 'not json' }).types).toEqual(['mail.dropped'])
  })

  test('ignores answers to unknown calls', () => {
    const world = settled()
    for (const callId of ['constructor', '__proto__', '1']) {
      expect(world.input('relay.taken', { callId })).toMatchObject({ facts: [], effects: [] })
      expect(world.input('relay.failed', { callId, error: { code: 0, message: '' } }).facts).toEqual([])
    }
  })
})

test('relay: messages are remembered for long, but not for ever', () => {
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
