/** Proposals of hosts: refusals before anything is sent, the messages on the wire, and the resulting session. */
import { describe, expect, test } from 'vitest'
import type { Proposal } from '../../../../src/events/schema/fields.ts'
import type { OutgoingPayload } from '../../../../src/events/effect.ts'
import { permittedIn } from '../../../../src/worker/deciders/session/sessionScope.ts'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { account, caip2, ready, walletConnect } from '../../story.ts'
import { answered, message, open, publicKey, sealAll, settlement, takeAll } from '../../wcStory.ts'
import type { World } from '../../world.ts'

type Unchecked = NonNullable<InputData<'connection.connectWalletConnect'>['proposal']>

const address = `0x${'ab'.repeat(20)}`
const eip155 = { chains: ['eip155:1', 'eip155:10'], methods: ['personal_sign'], events: ['chainChanged'] }
const required: Proposal = { required: { eip155 }, optional: {} }

const asked = (proposal: Unchecked, world = ready()): World => {
  world.command('connection.connectWalletConnect', { wallet: walletConnect, proposal })
  return world
}

/** The same, with its code on the screen and the proposal at the relay. */
function proposed(proposal: Unchecked, pairingTopic = 'pairing-1'): World {
  const world = asked(proposal)
  const { attemptId } = world.last('vault.makePairing').data
  open(world)
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic, publicKey })
  return world
}

const onTheWire = (world: World) => {
  const payload = world.ordered('vault.seal').at(0)?.data.payload as Extract<
    OutgoingPayload,
    { method: 'wc_sessionPropose' }
  >
  const { optionalNamespaces, sessionProperties, scopedProperties } = payload
  return { optionalNamespaces, sessionProperties, scopedProperties }
}

const settles = (proposal: Unchecked, namespaces: Record<string, unknown>): World => {
  const world = proposed(proposal)
  sealAll(world)
  takeAll(world)
  answered(world)
  message(world, 'session-1', settlement(world, { namespaces: namespaces as never }))
  return world
}

const given = (chains: string[], more: Partial<typeof eip155> = {}) => ({
  eip155: {
    accounts: chains.map(chain => `${chain}:${address}`),
    methods: ['personal_sign'],
    events: ['chainChanged'],
    ...more,
  },
})

describe('an invalid proposal is refused in the official words, before anything is sent:', () => {
  const solana = { chains: [caip2], methods: ['solana_signMessage'], events: [] }
  test.each<[string, Unchecked, string, number]>([
    [
      'a chain that is none',
      { required: {}, optional: { eip155: { ...eip155, chains: ['1'] } } },
      'Unsupported chains. connect() optionalNamespaces, chain 1 should be a string and conform to "namespace:chainId" format',
      5100,
    ],
    [
      'a namespace without chains',
      { required: { eip155: { ...eip155, chains: [] } }, optional: {} },
      'Unsupported chains. connect() requiredNamespaces, chains must be defined as "namespace:chainId" e.g. "eip155:1": {...} in the namespace key OR as an array of CAIP-2 chainIds e.g. eip155: { chains: ["eip155:1", "eip155:5"] }',
      5100,
    ],
    [
      'an empty method',
      { required: {}, optional: { eip155: { ...eip155, methods: [''] } } },
      'Unsupported methods. connect(), namespace, methods should be an array of strings or empty array for no methods',
      5101,
    ],
    [
      'an empty event',
      { required: {}, optional: { eip155: { ...eip155, events: [' '] } } },
      'Unsupported events. connect(), namespace, events should be an array of strings or empty array for no events',
      5102,
    ],
    [
      'a session property without a value',
      { required: {}, optional: { solana }, sessionProperties: { a: null } },
      'Missing or invalid. sessionProperties must contain an existing value for each key. Received: null for key a',
      5,
    ],
    [
      'a scoped property without a value',
      { required: {}, optional: { solana }, scopedProperties: { solana: 'null' } },
      'Missing or invalid. scopedProperties must contain an existing value for each key. Received: null for key solana',
      5,
    ],
    [
      'a scoped property of a namespace that is not asked for',
      { required: {}, optional: { solana }, scopedProperties: { eip155: '{}' } },
      'Scoped properties must be a subset of required/optional namespaces, received: {"eip155":{}}, required/optional namespaces: ["solana"]',
      5,
    ],
    [
      'a scoped property that is no JSON',
      { required: {}, optional: { solana }, scopedProperties: { solana: '{' } },
      'Missing or invalid. scopedProperties: a scoped property expected JSON, got text that does not parse',
      5,
    ],
  ])('%s', (_name, proposal, text, code) => {
    const world = asked(proposal)
    expect(world.model.connection.attempt).toMatchObject({
      phase: 'failed',
      failure: { code: 'bad_input', message: text, facts: { code } },
    })
    expect(world.facts.at(-1)?.ref).toBe(world.facts.at(-2)?.ref)
    expect([world.ordered('vault.makePairing'), world.ordered('relay.open')]).toEqual([[], []])
  })
})

describe('a proposal', () => {
  test('carries its required namespaces among the optional ones, and its properties', () => {
    const optional = { 'eip155:137': { methods: ['eth_sendTransaction'], events: [] } }
    const words = { sessionProperties: { bundler_name: 'x' }, scopedProperties: { eip155: '{"atomic":true}' } }
    expect(onTheWire(proposed({ ...required, optional, ...words }))).toEqual({
      optionalNamespaces: {
        eip155: {
          chains: ['eip155:1', 'eip155:10', 'eip155:137'],
          methods: ['personal_sign', 'eth_sendTransaction'],
          events: ['chainChanged'],
        },
      },
      ...words,
    })
  })

  test('is the same in the next code, and in the next life', () => {
    const world = proposed(required)
    sealAll(world)
    takeAll(world)
    world.kill('lost')
    world.attach()
    world.pass(230_000)
    const { attemptId } = world.last('vault.makePairing').data
    expect(world.model.connection.attempt).toMatchObject({ attemptId, proposal: required })
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-2', publicKey })
    expect(world.model.pairing.open['pairing-2']?.proposal).toEqual(required)
    expect(onTheWire(world).optionalNamespaces).toEqual({ eip155 })
  })
})

describe('a settlement', () => {
  test('with everything required makes a session, and no connection without a Solana account', () => {
    const world = settles(required, given(['eip155:1', 'eip155:10']))
    expect(world.model.session['session-1']).toMatchObject({ proposal: required, publicKey, transport: 'relay' })
    expect(world.model.connection).toMatchObject({ attempt: { phase: 'none' }, active: null, made: {} })
    expect(world.said('connection.settled')).toEqual([
      { attemptId: world.said('pairing.created')[0]?.attemptId, sessionTopic: 'session-1' },
    ])
    expect(world.last('vault.seal').data.payload).toMatchObject({ result: true })
  })

  test.each([
    ['chain', given(['eip155:1']), "namespaces chains don't satisfy required namespaces."],
    ['method', given(['eip155:1', 'eip155:10'], { methods: ['eth_sign'] }), "namespaces methods don't satisfy"],
    ['event', given(['eip155:1', 'eip155:10'], { events: [] }), "namespaces events don't satisfy namespace events"],
  ])('without the required %s is refused with the reason, and its wallet is notified', (_what, namespaces, reason) => {
    const world = settles(required, namespaces)
    expect(world.model.session).toEqual({})
    const { failure } = world.said('pairing.rejected')[0] ?? {}
    expect(failure?.message).toContain(`Non conforming namespaces. onSessionSettleRequest() ${reason}`)
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure })
    expect(world.last('vault.seal').data.payload).toMatchObject({
      error: { code: 1005, message: 'Invalid session settle request.' },
    })
  })

  test('without optional parts is accepted', () => {
    const world = settles({ required: {}, optional: { eip155 } }, given(['eip155:10'], { events: [] }))
    expect(Object.keys(world.model.session)).toEqual(['session-1'])
  })

  test.each([
    ['of no account', given([])],
    ['on chains that were not asked for', given(['eip155:56'])],
    ['of another namespace', { solana: { accounts: [`${caip2}:${account}`], methods: [], events: [] } }],
  ])('%s is refused, though nothing was required', (_, namespaces) => {
    const world = settles({ required: {}, optional: { eip155 } }, namespaces)
    expect(world.model.session).toEqual({})
    const message = 'the wallet approved no account on a chain this page asked for'
    expect(world.said('pairing.rejected')).toMatchObject([{ failure: { code: 'bad_response', message } }])
    expect(world.last('vault.seal').data.payload).toMatchObject({ error: { code: 1005 } })
  })

  test('that has expired already is refused', () => {
    const world = proposed(required)
    answered(world)
    const namespaces = given(['eip155:1', 'eip155:10']) as never
    message(world, 'session-1', settlement(world, { namespaces, expiresAt: world.at }))
    expect(world.said('pairing.rejected')[0]?.failure.message).toContain('an expiry in the future')
    const other = proposed(required)
    answered(other)
    message(other, 'session-1', settlement(other, { namespaces, expiresAt: other.at + 1000 }))
    expect(Object.keys(other.model.session)).toEqual(['session-1'])
    expect(other.pass(1000)).toContain('session.deleted')
  })

  test('of another form is refused and answered 1005 at once', () => {
    const world = proposed(required)
    answered(world)
    const malformed = { kind: 'settle', id: '1799000000000002', error: { code: 5103, message: '' } } as const
    expect(message(world, 'session-1', malformed).types).toEqual([
      'pairing.rejected',
      'connection.failed',
      'parting.owed',
    ])
    expect(world.last('vault.seal').data.payload).toEqual({
      error: { code: 1005, message: 'Invalid session settle request.' },
      id: '1799000000000002',
    })
  })

  test('with more than proposed is stored whole, and only proposed parts may be used', () => {
    const wide = {
      ...given(['eip155:1', 'eip155:56'], { methods: ['personal_sign', 'eth_sign'], events: ['chainChanged', 'otp'] }),
      solana: { accounts: [`${caip2}:${account}`], methods: ['solana_signTransaction'], events: [] },
    }
    const world = settles({ required: {}, optional: { eip155 } }, wide)
    const session = world.model.session['session-1']
    expect(session?.namespaces).toEqual(wide)
    expect(session?.unasked).toEqual(['eip155:56', caip2])
    expect(session && permittedIn(world as never, session)).toEqual(given(['eip155:1']))
    expect(world.model.connection.made).toEqual({})
  })

  test('to a proposal without namespaces may have any', () => {
    const world = settles({ required: {}, optional: {} }, given(['eip155:1'], { events: ['otp'] }))
    const session = world.model.session['session-1']
    expect(session && permittedIn(world as never, session)).toEqual(given(['eip155:1'], { events: ['otp'] }))
  })

  test('passes on its properties and its wish to open the wallet by hand', () => {
    const world = proposed(required)
    answered(world)
    const words = { sessionProperties: { a: 'b' }, scopedProperties: { 'eip155:1': '{"atomic":1}' } }
    const namespaces = given(['eip155:1', 'eip155:10'])
    message(world, 'session-1', settlement(world, { namespaces, ...words, disableDeepLink: true }))
    world.kill('lost')
    expect(world.model.session['session-1']).toMatchObject({ ...words, disableDeepLink: true })
  })
})

test('proposal: a session with Solana accounts beside others connects by these alone', () => {
  const proposal = {
    required: {},
    optional: { eip155, solana: { chains: [caip2], methods: ['solana_signMessage'], events: [] } },
  }
  const world = settles(proposal, {
    ...given(['eip155:1']),
    solana: {
      accounts: [`${caip2}:${account}`],
      methods: ['solana_signMessage', 'solana_signTransaction'],
      events: [],
    },
  })
  const [made] = Object.values(world.model.connection.made)
  expect(made).toMatchObject({ accounts: [account], features: ['signMessage'], sessionTopic: 'session-1' })
})
