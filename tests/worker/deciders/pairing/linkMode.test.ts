import { requestsIn } from '../../../events/anyRequest.ts'
import { describe, expect, test } from 'vitest'
import type { Redirect } from '../../../../src/events/schema/fields.ts'
import { asking, makeKeys, pairingTopic, recordedAnswer, responseTopic, theAuth } from '../../authStory.ts'
import { walletConnect } from '../../story.ts'
import { message, open, sealAll, settlement, answered, shown, takeAll } from '../../wcStory.ts'
import { createWorld, tab, type World } from '../../world.ts'

const ours = 'https://dapp.example/app'
const theirs = 'https://wallet.example/app'
const willing: Redirect = { universal: theirs, linkMode: true }

function begun(apps = [theirs], links = true): World {
  const world = createWorld(links ? { links: { universal: ours, apps } } : {})
  world.boot()
  world.attach()
  return world
}

/** One-click auth with a wallet on this device. */
function asked(world = begun()): World {
  world.command('auth.request', asking({ walletLink: theirs }))
  makeKeys(world)
  sealAll(world)
  return world
}

const linked = (world: World, topic: string, payload: Parameters<typeof message>[2]) =>
  world.input('relay.message', {
    pushId: '',
    topic,
    hash: `link-${world.inputs.length}`,
    publishedAt: world.at,
    tag: 0,
    payload,
    link: true,
  })

/** A session opened by one-click auth over a link. */
function signedIn(redirect: Redirect = willing): World {
  const world = asked()
  world.pass(50)
  world.answer('link.send', 'link.opened', {})
  linked(world, responseTopic, { ...recordedAnswer(world), redirect })
  world.answer('vault.deriveSession', 'vault.sessionDerived', {
    pairingTopic: responseTopic,
    sessionTopic: 'session-l',
  })
  return world
}

/**
 * A page sends the wallet a request. @param opens waits 50 ms, until its link opens @returns the request's id
 */
function asks(world: World, opens = true): string {
  const [chainId = ''] = Object.values(world.model.session['session-l']?.namespaces ?? {}).flatMap(
    one => one.chains ?? [],
  )
  world.command('request.send', { sessionTopic: 'session-l', chainId, method: 'personal_sign', params: '[]' })
  sealAll(world)
  if (opens) world.pass(50)
  return world.said('request.sent').at(-1)?.requestId ?? ''
}

describe('one-click auth with a wallet that takes links', () => {
  test('goes in plain by its link 50 ms later, with this page’s own link in it, and needs no relay', () => {
    const world = asked()
    const [seal] = world.ordered('vault.seal')
    expect(seal?.data).toMatchObject({
      way: 'plain',
      payload: { method: 'wc_sessionAuthenticate', metadata: { redirect: { universal: ours, linkMode: true } } },
    })
    expect(world.ordered('vault.seal')).toHaveLength(1)
    world.pass(49)
    expect(world.ordered('link.send')).toEqual([])
    world.pass(1)
    expect(world.ordered('link.send')).toMatchObject([{ after: 'stored', tab, data: { universal: theirs } }])
    expect(world.answer('link.send', 'link.opened', {}).types).toEqual(['outbox.taken', 'auth.delivered'])
    expect([world.ordered('relay.open'), world.ordered('relay.subscribe'), world.model.pairing.open]).toEqual([
      [],
      [],
      {},
    ])
  })

  test('opens a session over links too', () => {
    const world = signedIn()
    expect(world.model.session['session-l']).toMatchObject({ transport: 'link', redirect: willing })
    expect(theAuth(world)).toMatchObject({ phase: 'done', sessionTopic: 'session-l' })
    linked(world, 'session-l', { kind: 'ping', id: '1799000000000009' })
    expect(world.last('vault.seal').data).toMatchObject({ way: 'link', topic: 'session-l', payload: { result: true } })
    expect(world.ordered('relay.open')).toEqual([])
  })

  test('leaves no key behind but the session’s', () => {
    const forgotten = signedIn()
      .ordered('vault.forget')
      .flatMap(({ data }) => data.topics)
    expect(forgotten.sort()).toEqual([pairingTopic, responseTopic].sort())
  })

  test('opens one over the relay when the wallet declines links', () => {
    const world = signedIn({ universal: theirs })
    expect(world.model.session['session-l']?.transport).toBe('relay')
    expect(world.ordered('relay.open')).toHaveLength(1)
  })

  test.each([
    ['its link is not known for it', begun([])],
    ['this page takes no links', begun([theirs], false)],
  ])('goes over the relay when %s', (_why, world) => {
    asked(world)
    expect(world.ordered('vault.seal').map(({ data }) => data.way)).toEqual([undefined, undefined])
    expect(world.ordered('relay.open')).toHaveLength(1)
  })

  test('stores the link when the request came over the relay and the wallet wants links', () => {
    const world = asked(begun([]))
    world.answer('relay.open', 'relay.opened', {})
    message(world, responseTopic, { ...recordedAnswer(world), redirect: willing })
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: responseTopic, sessionTopic: 's' })
    expect(world.model.link.apps).toEqual([theirs])
    expect(world.model.session.s?.transport).toBe('link')
  })
})

describe('waiting links', () => {
  test('are opened one after the other, 50 ms apart', () => {
    const world = signedIn()
    for (const id of ['1799000000000011', '1799000000000012', '1799000000000013'])
      linked(world, 'session-l', { kind: 'ping', id })
    sealAll(world)
    const times: number[] = []
    for (let at = 1; at <= 200; at++) {
      const before = world.ordered('link.send').length
      world.pass(1)
      if (world.ordered('link.send').length > before) times.push(at)
    }
    expect(times).toEqual([50, 100, 150])
  })

  test('wait for a visible page', () => {
    const world = asked()
    world.input('page.visible', { visible: false }, { tab })
    world.pass(1000)
    expect(world.ordered('link.send')).toEqual([])
    world.input('page.visible', { visible: true }, { tab })
    world.pass(50)
    expect(world.ordered('link.send')).toHaveLength(1)
  })

  test('skipped without a press are opened at the next look', () => {
    const world = asked()
    world.pass(50)
    expect(world.answer('link.send', 'link.skipped', { why: 'noPress' }).types).toEqual(['link.skipped'])
    world.input('page.visible', { visible: true }, { tab })
    world.pass(50)
    expect(world.ordered('link.send')).toHaveLength(2)
  })

  test('possibly opened before a core’s end are not opened by the next', () => {
    const world = asked()
    world.pass(50)
    world.kill()
    world.attach()
    world.pass(60_000)
    expect(world.ordered('link.send')).toEqual([])
    expect(world.model.outbox).toEqual({})
  })

  test('give an answer that was unsealed at a core’s end, once', () => {
    const world = signedIn()
    linked(world, 'session-l', { kind: 'ping', id: '1799000000000009' })
    world.kill()
    world.attach()
    world.pass(0)
    const sealed = world.ordered('vault.seal').map(({ data }) => [data.topic, data.way, data.payload])
    expect(sealed).toEqual([['session-l', 'link', { result: true, id: '1799000000000009' }]])
    sealAll(world)
    world.pass(50)
    expect(world.ordered('link.send')).toMatchObject([{ after: 'stored', tab, data: { universal: theirs } }])
    world.answer('link.send', 'link.opened', {})
    expect([world.model.mail.owed, world.model.outbox, world.ordered('relay.open')]).toEqual([{}, {}, []])
  })

  test('that open no wallet end their messages’ purposes', () => {
    const world = asked()
    world.pass(50)
    expect(world.answer('link.send', 'link.skipped', { why: 'refused' }).types).toEqual([
      'outbox.dropped',
      'auth.failed',
    ])
    expect(theAuth(world).failure).toMatchObject({ code: 'bad_input' })
  })

  test('are 50 ms apart also when a device slept and their timers fire all at once', () => {
    const world = signedIn()
    for (const id of ['1799000000000011', '1799000000000012']) linked(world, 'session-l', { kind: 'ping', id })
    sealAll(world)
    const opens = () => world.ordered('link.send').length
    const before = opens()
    const waiting = [...world.timers().keys()].filter(timerId => timerId.startsWith('link:'))
    expect(waiting).toHaveLength(2)
    world.wait(5000)
    for (const timerId of waiting)
      world.input('timer.fired', { timerId }, { to: world.timers().get(timerId)?.effectId ?? '' })
    expect(opens()).toBe(before + 1)
    world.pass(50)
    expect(opens()).toBe(before + 2)
  })

  test('are not opened for ended purposes: a sign-in that was left, a request that was answered', () => {
    const left = asked()
    left.command('auth.abandon', { authId: theAuth(left).authId })
    left.pass(50)
    const answered = signedIn()
    const requestId = asks(answered, false)
    linked(answered, 'session-l', { kind: 'result', id: requestId, answer: '"0x1"' })
    const before = answered.ordered('link.send').length
    answered.pass(50)
    expect([left.ordered('link.send'), left.model.outbox]).toEqual([[], {}])
    expect([answered.ordered('link.send').length, answered.model.outbox]).toEqual([before, {}])
  })

  test('whose page closed before its report may be with the wallet: they are not opened again, and an answer counts', () => {
    const world = asked()
    world.pass(50)
    const came = world.input('page.left', {}, { tab })
    expect(came.types).toEqual(['outbox.dropped', 'auth.delivered'])
    world.attach()
    world.input('page.visible', { visible: true }, { tab })
    world.pass(1000)
    expect(world.ordered('link.send')).toHaveLength(1)
    linked(world, responseTopic, { ...recordedAnswer(world), redirect: willing })
    expect(theAuth(world).phase).toBe('answered')
  })
})

describe('a request over a link', () => {
  /** The wallet gets a request to sign and send; the link waits for its turn. */
  function requested(): World {
    const world = signedIn()
    world.command('request.send', {
      sessionTopic: 'session-l',
      chainId: 'eip155:1',
      method: 'eth_sendTransaction',
      params: '[{"value":"0x1"}]',
    })
    sealAll(world)
    return world
  }
  const theRequest = (world: World) => {
    const [request] = requestsIn(world.model)
    if (!request) throw new Error('expected a request, got none')
    return request
  }
  const opened = (world: World) => world.ordered('link.send').length

  test('is opened once, and waits for its answer', () => {
    const world = requested()
    world.pass(50)
    expect(opened(world)).toBe(2)
    world.answer('link.send', 'link.opened', {})
    expect(theRequest(world).phase).toBe('delivered')
    linked(world, 'session-l', { kind: 'result', id: theRequest(world).requestId, answer: '"0x5a"' })
    expect(theRequest(world).end).toEqual({ how: 'answered', result: '"0x5a"' })
  })

  test('is never opened again once it may have been, in any life', () => {
    const world = requested()
    world.pass(50)
    for (let lives = 0; lives < 3; lives += 1) {
      world.kill(lives === 0 ? 'lost' : 'start')
      world.attach()
      sealAll(world)
      world.pass(1000)
      world.input('page.visible', { visible: true }, { tab })
      world.pass(1000)
      expect(world.ordered('vault.seal')).toEqual([])
      expect(opened(world)).toBe(0)
    }
    expect(theRequest(world).phase).toBe('delivered')
    linked(world, 'session-l', { kind: 'result', id: theRequest(world).requestId, answer: '1' })
    expect(theRequest(world).phase).toBe('ended')
  })

  test('is not opened by another page when its own is gone', () => {
    const world = requested()
    world.pass(50)
    const before = opened(world)
    world.answer('link.send', 'wallet.failed', { failure: { code: 'wallet_gone', message: 'the tab was closed' } })
    world.attach({}, 't-2')
    world.input('page.visible', { visible: true }, { tab: 't-2' })
    world.pass(1000)
    expect(opened(world)).toBe(before)
    expect(theRequest(world).phase).toBe('delivered')
  })

  test('is not opened again when the page’s report about it was quarantined', () => {
    const world = requested()
    world.pass(50)
    const before = opened(world)
    world.input('core.setAside', { input: 'link.opened' }, { to: world.last('link.send').id, tab })
    world.input('page.visible', { visible: true }, { tab })
    world.pass(1000)
    expect(opened(world)).toBe(before)
    expect(theRequest(world).phase).toBe('delivered')
  })

  test('is opened at the next look when it could not be sealed', () => {
    const world = requested()
    world.pass(50)
    const before = opened(world)
    world.fail('link.send', 'storage_down')
    world.input('page.visible', { visible: true }, { tab })
    world.pass(1000)
    expect(opened(world)).toBe(before + 1)
  })

  test('fails at once with a log in memory, as it would at every look', () => {
    const world = requested()
    world.pass(50)
    const before = opened(world)
    const failure = { code: 'storage_down', message: 'no record', facts: { storage: 'memory' } } as const
    const came = world.answer('link.send', 'effect.failed', { failure })
    expect(came.types).toEqual(['outbox.dropped', 'request.failed'])
    expect(theRequest(world).end).toMatchObject({ how: 'failed', failure })
    world.input('page.visible', { visible: true }, { tab })
    world.pass(1000)
    expect(opened(world)).toBe(before)
  })

  test('by a link that opens no wallet fails', () => {
    const world = requested()
    world.pass(50)
    const came = world.answer('link.send', 'link.skipped', { why: 'refused' })
    expect(came.types).toEqual(['outbox.dropped', 'request.failed'])
    expect(theRequest(world).end).toMatchObject({ how: 'failed', failure: { code: 'bad_input' } })
  })

  test('is not opened when it ended while no page was visible', () => {
    const world = requested()
    world.input('page.visible', { visible: false }, { tab })
    const before = opened(world)
    world.pass(900_000)
    expect(theRequest(world).phase).toBe('ended')
    world.input('page.visible', { visible: true }, { tab })
    world.pass(1000)
    expect(opened(world)).toBe(before)
    expect(world.model.outbox).toEqual({})
  })
})

describe('the relay’s socket beside links', () => {
  /** The wallet deleted the pairing of a shown code; the socket the code needed is still open. */
  function leftCode(world: World): World {
    shown(world)
    message(world, 'pairing-1', { kind: 'pairingDelete', id: '8' })
    return world
  }

  test.each([
    ['a session', signedIn],
    ['a sign-in that waits for its answer', asked],
  ])('is not kept open for %s over links', (_what, begin) => {
    const world = leftCode(begin())
    expect(world.model.relay.phase).toBe('connected')
    expect(world.fire('relay:pulse').types).toEqual(['relay.closed'])
  })

  test('carries no message that waits for a link to open', () => {
    const world = signedIn()
    world.input('page.visible', { visible: false }, { tab })
    const requestId = asks(world)
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    open(world)
    expect(world.model.relay.phase).toBe('connected')
    expect(world.ordered('relay.publish')).toEqual([])
    expect(Object.values(world.model.outbox)).toMatchObject([{ payloadId: requestId, universal: theirs }])
  })

  test('is tested in spite of a message over a link', () => {
    const world = shown(signedIn())
    for (const { data } of world.ordered('relay.subscribe')) world.input('relay.taken', { callId: data.callId })
    const before = world.ordered('relay.subscribe').length
    world.pass(29_000)
    linked(world, 'session-l', { kind: 'ping', id: '1799000000000009' })
    world.pass(1000)
    expect(world.ordered('relay.subscribe').length).toBeGreaterThan(before)
  })
})

test('link mode: a message that cannot be opened proves nothing about its sender', () => {
  const world = signedIn()
  const error = { code: 0, message: 'relay envelope does not open' }
  message(world, 'session-l', { kind: 'unopened', id: '0', error, verified: 'INVALID' })
  expect(world.model.session['session-l']?.validation).toBeUndefined()
})

describe('a session over the relay', () => {
  function settled(redirect?: Redirect, links = true): World {
    const world = shown(begun([], links))
    answered(world)
    message(world, 'session-1', settlement(world, redirect ? { redirect } : {}))
    sealAll(world)
    takeAll(world)
    return world
  }

  test('uses links from the first one on that its wallet sends for it', () => {
    const world = settled(willing)
    expect(world.model.session['session-1']?.transport).toBe('relay')
    const came = linked(world, 'session-1', { kind: 'ping', id: '1799000000000009' })
    expect(came.types).toEqual(expect.arrayContaining(['link.appLearned', 'session.switched']))
    expect(world.model.session['session-1']?.transport).toBe('link')
    expect(world.last('vault.seal').data).toMatchObject({ way: 'link', payload: { result: true } })
  })

  test.each([
    ['whose wallet does not want links', settled({ universal: theirs })],
    ['whose wallet has no link', settled({ native: 'lantern://', linkMode: true })],
    ['of a page that takes none', settled(willing, false)],
  ])('%s stays there', (_which, world) => {
    linked(world, 'session-1', { kind: 'ping', id: '1799000000000009' })
    expect(world.model.session['session-1']?.transport).toBe('relay')
    expect(world.last('vault.seal').data.way).toBeUndefined()
  })

  test('is not moved by an unsealed link', () => {
    const world = settled(willing)
    const error = { code: 0, message: 'link envelope expected type 0 or 1, got type 2, which nobody sealed' }
    const came = linked(world, 'session-1', { kind: 'unopened', id: '0', error })
    expect(came.types).toContain('link.refused')
    expect(world.model.session['session-1']?.transport).toBe('relay')
  })
})

test('link mode: text without a link to this page is refused with a sentence', () => {
  const world = begun()
  const came = world.input(
    'link.unread',
    { message: 'a link to this page expected wc_ev to be base64url' },
    { ref: 'r' },
  )
  expect(came.facts).toMatchObject([{ type: 'link.refused', ref: 'r' }])
})
