import { describe, expect, test } from 'vitest'
import { activeConnection } from '../../../../src/events/subjects/wallet/activeConnection.ts'
import { account, caip2, lantern, other, ready, walletConnect } from '../../story.ts'
import { failing, tab, type World } from '../../world.ts'
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
  takeAll,
  walletKey,
} from '../../wcStory.ts'

describe('a code', () => {
  test('is shown as soon as its key exists, and proposed once the relay is open', () => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: lantern })
    const { attemptId } = world.last('vault.makePairing').data
    const came = world.answer('vault.makePairing', 'vault.pairingMade', {
      attemptId,
      pairingTopic: 'pairing-1',
      publicKey,
    })
    expect(came.types).toEqual(['pairing.created'])
    expect(world.model.pairing).toMatchObject({ shown: 'pairing-1', open: { 'pairing-1': { phase: 'created' } } })
    sealAll(world)
    expect(world.ordered('relay.propose')).toEqual([])
    open(world)
    expect(world.last('relay.propose')).toMatchObject({
      after: 'written',
      data: { pairingTopic: 'pairing-1', ttl: 300, correlationId: idOf(world) },
    })
    takeAll(world)
    expect(world.model.pairing.open['pairing-1']?.phase).toBe('proposed')
  })

  test('with a repeated key is proposed once, under the one id that an answer can have', () => {
    const world = shown()
    const { attemptId } = world.last('vault.makePairing').data
    const proposalId = idOf(world)
    const came = world.input('vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
    expect([came.types, came.effects]).toEqual([[], []])
    expect(idOf(world)).toBe(proposalId)
  })

  test('answered by a wallet before the relay is no longer called proposed', () => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: lantern })
    const { attemptId } = world.last('vault.makePairing').data
    open(world)
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
    sealAll(world)
    answered(world)
    const { callId } = world.last('relay.propose').data
    expect(world.input('relay.taken', { callId }).types).toEqual(['outbox.taken', 'relay.proved'])
  })

  test('proposes every public Solana chain, and the local one when the page runs on it, all optional', () => {
    const world = shown()
    const [seal] = world.ordered('vault.seal')
    expect(seal?.data.payload).toMatchObject({ method: 'wc_sessionPropose', publicKey })
    const payload = seal?.data.payload as { optionalNamespaces: Record<string, { chains: string[] }> } | undefined
    const solana = payload?.optionalNamespaces.solana
    expect(solana?.chains).toContain(caip2)
    expect(solana?.chains.length).toBeGreaterThanOrEqual(3)
  })

  test('is on the screen for less than four minutes, with at least ten seconds left for the wallet', () => {
    const world = shown()
    const { createdAt = 0, renewAt = 0, expiresAt = 0 } = world.model.pairing.open['pairing-1'] ?? {}
    expect(renewAt - createdAt).toBe(240_000 - 10_000)
    expect(expiresAt - createdAt).toBe(300_000)
    const payload = world.ordered('vault.seal')[0]?.data.payload
    expect(payload).toMatchObject({ expiryTimestamp: Math.floor(expiresAt / 1000) })
  })

  test('is renewed after 230 s; the old one stays answerable until its own end', () => {
    const world = shown()
    expect(world.pass(229_999)).not.toContain('pairing.created')
    world.pass(1)
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-2', publicKey })
    expect(world.model.pairing.shown).toBe('pairing-2')
    answered(world, 'pairing-1')
    message(world, 'session-1', settlement(world))
    expect(activeConnection(world.model)).toMatchObject({ account, connection: { sessionTopic: 'session-1' } })
    expect(world.model.connection.attempt).toEqual({ phase: 'none' })
  })

  test('out of sight is not renewed; the next look gets a new one', () => {
    const world = shown()
    world.input('page.visible', { visible: false }, { tab })
    world.pass(235_000)
    expect(world.ordered('vault.makePairing')).toHaveLength(1)
    world.input('page.visible', { visible: true }, { tab })
    expect(world.ordered('vault.makePairing')).toHaveLength(2)
    world.input('page.visible', { visible: true }, { tab })
    expect(world.ordered('vault.makePairing')).toHaveLength(2)
  })

  test('without an answer expires, and its key is deleted', () => {
    const world = shown()
    world.input('page.visible', { visible: false }, { tab })
    expect(world.pass(300_000)).toContain('pairing.expired')
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'expired' } })
    expect(world.last('vault.forget').data.topics).toEqual(['pairing-1'])
    expect(message(world, 'pairing-1', { kind: 'unopened', id: '0' }).types).toEqual([])
  })

  test('whose key comes after the person left is deleted', () => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    const came = world.answer('vault.makePairing', 'vault.pairingMade', {
      attemptId,
      pairingTopic: 'pairing-1',
      publicKey,
    })
    expect(came.types).toEqual([])
    expect(world.last('vault.forget').data.topics).toEqual(['pairing-1'])
  })

  test.each(['vault.makePairing', 'vault.seal'] as const)('that cannot be made because %s fails says so', effect => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    if (effect === 'vault.seal')
      world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
    world.fail(effect, 'storage_down')
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'storage_down' } })
  })

  test('answers a ping, and an unknown method with its name', () => {
    const world = shown()
    message(world, 'pairing-1', { kind: 'pairingPing', id: '5' })
    expect(world.last('vault.seal').data).toMatchObject({ topic: 'pairing-1', payload: { result: true, id: '5' } })
    message(world, 'pairing-1', { kind: 'request', id: '6', method: 'wc_pairingFoo' })
    expect(world.last('vault.seal').data.payload).toEqual({
      id: '6',
      error: { code: 10001, message: 'Unsupported wc_ method. wc_pairingFoo' },
    })
  })
})

describe('a code closed by its wallet', () => {
  const closing = { kind: 'pairingDelete', id: '77', error: { code: 6000, message: 'User disconnected.' } } as const

  test('is dead: its key is deleted, and its screen says so', () => {
    const world = shown()
    expect(message(world, 'pairing-1', closing).types).toEqual(['pairing.expired', 'connection.failed'])
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'wallet_gone' } })
    expect(world.last('vault.forget').data.topics).toEqual(['pairing-1'])
  })

  test('after its answer still settles', () => {
    const world = shown()
    answered(world)
    expect(message(world, 'pairing-1', closing).types).toEqual([])
    message(world, 'session-1', settlement(world))
    expect(activeConnection(world.model)).toMatchObject({ account })
  })
})

describe('a wallet', () => {
  test('that answers and settles makes a session and a connection, and gets the acknowledgement', () => {
    const world = shown()
    message(world, 'pairing-1', { kind: 'result', id: idOf(world), responderKey: walletKey })
    expect(world.last('vault.deriveSession')).toMatchObject({ data: { responderKey: walletKey } })
    world.answer('vault.deriveSession', 'vault.sessionDerived', {
      pairingTopic: 'pairing-1',
      sessionTopic: 'session-1',
    })
    expect(world.last('relay.subscribe').data.topics).toEqual(['session-1'])
    const came = message(world, 'session-1', settlement(world))
    expect(came.types).toEqual(['session.settled', 'pairing.settled', 'connection.made'])
    expect(world.last('vault.seal').data).toMatchObject({
      topic: 'session-1',
      payload: { result: true, id: '1798999000000001' },
    })
    expect(world.last('vault.forget').data.topics).toEqual(['pairing-1'])
    expect(activeConnection(world.model)).toMatchObject({
      account,
      connection: {
        connector: 'walletConnect',
        features: ['signTransaction'],
        wallet: { walletId: 'walletConnect', name: 'WalletConnect' },
        peerName: 'Torch',
      },
    })
  })

  test('whose settlement comes before its answer is settled by the relay’s next push', () => {
    const world = shown()
    const early = message(world, 'session-1', settlement(world), 'hash-early')
    expect(early.types).toEqual([])
    answered(world)
    message(world, 'session-1', settlement(world))
    expect(activeConnection(world.model)?.account).toBe(account)
  })

  test.each([
    [{ code: 5000, message: 'User rejected.' }, 'user_rejected'],
    [{ code: 4001, message: 'no' }, 'user_rejected'],
    [{ code: 0, message: '' }, 'bad_response'],
    [{ code: 5100, message: 'Unsupported chains.' }, 'bad_response'],
  ] as const)('that refuses with %j gives the failure %s', (error, code) => {
    const world = shown()
    message(world, 'pairing-1', { kind: 'error', id: idOf(world), error })
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code } })
    expect(world.model.pairing.open['pairing-1']?.phase).toBe('rejected')
  })

  test('that answers a second time, or with the id of another proposal, is ignored', () => {
    const world = shown()
    expect(message(world, 'pairing-1', { kind: 'result', id: '1', responderKey: walletKey }).types).toEqual([])
    answered(world)
    const again = message(world, 'pairing-1', { kind: 'result', id: idOf(world), responderKey: 'ef'.repeat(32) })
    expect(again.types).toEqual([])
    const refused = message(world, 'pairing-1', { kind: 'error', id: idOf(world), error: { code: 5000, message: '' } })
    expect(refused.types).toEqual([])
    expect(world.ordered('vault.deriveSession')).toHaveLength(1)
  })

  test.each([
    ['with another key than it answered with', { controllerKey: 'ef'.repeat(32) }],
    ['without a key', { controllerKey: undefined }],
    ['without namespaces', { namespaces: {} }],
    ['without an account', { namespaces: namespaces(['solana_signTransaction'], []) }],
    ['on a chain nobody proposed', { namespaces: namespaces(undefined, ['eip155:1:0x0']) }],
    ['with an address that is none', { namespaces: namespaces(undefined, [`${caip2}:nonsense`]) }],
    ['without a method that signs', { namespaces: namespaces(['solana_signMessage']) }],
    ['that has expired', { expiresAt: 1 }],
  ])('that settles %s is refused, notified and forgotten', (_name, changes) => {
    const world = shown()
    answered(world)
    const { controllerKey, ...rest } = settlement(world, changes as never)
    const payload = controllerKey === undefined ? rest : { ...rest, controllerKey }
    const came = message(world, 'session-1', payload)
    expect(came.types).toEqual(['pairing.rejected', 'connection.failed', 'parting.owed'])
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'bad_response' } })
    expect(world.model.session).toEqual({})
    sealAll(world)
    takeAll(world)
    expect(world.last('vault.forget').data.topics).toEqual(['session-1'])
  })

  test('that settles after the person left still connects', () => {
    const world = shown()
    world.command('connection.abandon', {})
    answered(world)
    message(world, 'session-1', settlement(world))
    expect(activeConnection(world.model)?.account).toBe(account)
  })

  test('that answers in the last second of its code has a minute to settle', () => {
    const world = shown()
    world.input('page.visible', { visible: false }, { tab })
    world.pass(299_000)
    answered(world)
    expect(world.pass(30_000)).not.toContain('pairing.expired')
    message(world, 'session-1', settlement(world))
    expect(activeConnection(world.model)?.account).toBe(account)

    const never = shown()
    never.input('page.visible', { visible: false }, { tab })
    never.pass(299_000)
    answered(never)
    expect(never.pass(61_001)).toContain('pairing.expired')
    expect(never.ordered('vault.forget').flatMap(effect => effect.data.topics)).toContain('session-1')
  })

  test('whose key cannot be derived leaves that failure', () => {
    const world = shown()
    message(world, 'pairing-1', { kind: 'result', id: idOf(world), responderKey: walletKey })
    world.fail('vault.deriveSession', 'expired')
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'expired' } })
  })

  test('pushed twice by the relay counts once', () => {
    const world = shown()
    const payload = { kind: 'result', id: idOf(world), responderKey: walletKey } as const
    message(world, 'pairing-1', payload, 'hash-same')
    expect(message(world, 'pairing-1', payload, 'hash-same').types).toEqual([])
    expect(world.ordered('relay.acknowledge')).toHaveLength(2)
    expect(world.ordered('vault.deriveSession')).toHaveLength(1)
  })
})

describe('two codes at once, each with its wallet', () => {
  /** Both wallets have answered, neither has settled. */
  function two(): World {
    const world = shown()
    shown(world, 'pairing-2')
    answered(world, 'pairing-2', 'session-2')
    answered(world, 'pairing-1', 'session-1')
    return world
  }
  const accounts = (address: string) => namespaces(undefined, [`${caip2}:${address}`])

  test('make two sessions, in either order of settlement', () => {
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const world = two()
      for (const number of order) {
        const given = { id: `179899900000000${number}`, namespaces: accounts(number === 1 ? account : other) }
        message(world, `session-${number}`, settlement(world, given))
        expect(world.model.session[`session-${number}`]?.pairingTopic).toBe(`pairing-${number}`)
      }
      expect(world.model.pairing.open).toEqual({})
      const made = Object.values(world.model.connection.made).map(({ sessionTopic, accounts: [one] }) => [
        sessionTopic,
        one,
      ])
      expect(made.sort()).toEqual([
        ['session-1', account],
        ['session-2', other],
      ])
    }
  })

  test('are not settled on another topic', () => {
    const world = two()
    expect(message(world, 'stranger', settlement(world)).types).toEqual([])
    expect(message(world, 'pairing-1', settlement(world)).types).toEqual([])
    expect(world.model.session).toEqual({})
  })

  test('stay apart: one is declined, the other stays as it is', () => {
    const world = shown()
    const first = idOf(world)
    shown(world, 'pairing-2')
    const error = { code: 5000, message: 'User rejected.' }
    message(world, 'pairing-1', { kind: 'error', id: first, error })
    expect(world.model.connection.attempt).toMatchObject({ phase: 'asking' })
    answered(world, 'pairing-2', 'session-2')
    expect(message(world, 'session-2', settlement(world)).types).toContain('connection.made')
  })
})

test('pairing: a session’s key that comes twice, or for a code that is gone, changes nothing', () => {
  const world = shown()
  answered(world)
  const derived = (pairingTopic: string) =>
    world.input('vault.sessionDerived', { pairingTopic, sessionTopic: 'session-1' })
  for (const topic of ['pairing-1', 'pairing-9'])
    expect([derived(topic).facts, derived(topic).effects]).toEqual([[], []])
  message(world, 'session-1', settlement(world))
  expect([derived('pairing-1').facts, derived('pairing-1').effects]).toEqual([[], []])
})

test('pairing: the timer of a code that is gone changes nothing', () => {
  const world = shown()
  message(world, 'pairing-1', { kind: 'pairingDelete', id: '7' })
  for (const timerId of ['pairing:pairing-1', 'renew:pairing-1']) {
    const came = world.input('timer.fired', { timerId })
    expect([came.facts, came.effects]).toEqual([[], []])
  }
})

const timersOf = (world: World, topic: string) => [...world.timers().keys()].filter(id => id.endsWith(`:${topic}`))

test('pairing: a code holds no timer once it has become a session', () => {
  const world = shown()
  expect(timersOf(world, 'pairing-1')).toEqual(['renew:pairing-1', 'pairing:pairing-1'])
  answered(world)
  message(world, 'session-1', settlement(world))
  expect(timersOf(world, 'pairing-1')).toEqual([])
  expect(timersOf(world, 'session-1')).toEqual(['session:session-1'])
})

test('pairing: a code holds no timer once its wallet has closed it', () => {
  const world = shown()
  message(world, 'pairing-1', { kind: 'pairingDelete', id: '7' })
  expect(timersOf(world, 'pairing-1')).toEqual([])
})

test('pairing: a second wallet’s answer to the same code is ignored, and the first one settles', () => {
  const world = shown()
  const id = idOf(world)
  const says = (responderKey: string) => message(world, 'pairing-1', { kind: 'result', id, responderKey }).types
  expect(says(walletKey)).toEqual(['pairing.responded'])
  expect(says('ee'.repeat(32))).toEqual([])
  world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: 'pairing-1', sessionTopic: 'session-1' })
  expect(says('ee'.repeat(32))).toEqual([])
  expect(message(world, 'session-1', settlement(world)).types).toContain('session.settled')
  expect(says('ee'.repeat(32))).toEqual([])
  expect(world.model.mail.dropped).toEqual({ late: 1 })
  expect(world.ordered('vault.deriveSession')).toHaveLength(1)
})

describe('a code that expired between lives', () => {
  const forgotten = (world: World) => world.ordered('vault.forget').flatMap(({ data }) => data.topics)

  test('is deleted with its key, and a new one is made while its screen is open', () => {
    const world = shown()
    world.wait(300_000)
    expect(world.kill('lost').types).toContain('pairing.expired')
    expect(forgotten(world)).toEqual(['pairing-1'])
    expect(world.model.pairing).toEqual({ shown: null, open: {} })
    expect(world.ordered('vault.makePairing')).toHaveLength(1)
    expect(world.ordered('vault.seal')).toEqual([])
  })

  test('is not made again without its screen', () => {
    const world = shown()
    world.wait(300_000)
    expect(world.kill('start').types).toContain('pairing.expired')
    expect(forgotten(world)).toEqual(['pairing-1'])
    expect(world.ordered('vault.makePairing')).toEqual([])
  })

  test('after its wallet’s answer is deleted with the session’s key, but not before the wallet’s minute is over', () => {
    const world = shown()
    answered(world)
    world.wait(359_000)
    expect(world.kill('lost').types).not.toContain('pairing.expired')
    world.wait(1000)
    expect(world.kill('lost').types).toContain('pairing.expired')
    expect(forgotten(world)).toEqual(['pairing-1', 'session-1'])
  })

  test('declined by its wallet ends at the next start', () => {
    const world = shown()
    message(world, 'pairing-1', { kind: 'error', id: idOf(world), error: { code: 5000, message: '' } })
    expect(world.kill('lost').types).toContain('pairing.expired')
    expect(forgotten(world)).toEqual(['pairing-1'])
    expect(world.ordered('vault.makePairing')).toEqual([])
  })
})

test('pairing: a sealed proposal is not sealed again by the next life, an unsealed one is', () => {
  const world = ready()
  world.command('connection.connectWalletConnect', { wallet: walletConnect })
  const { attemptId } = world.last('vault.makePairing').data
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
  const id = idOf(world)
  world.kill('lost')
  expect(world.ordered('vault.seal').map(({ data }) => data.payload)).toMatchObject([
    { method: 'wc_sessionPropose', id },
  ])
  sealAll(world)
  world.kill('lost')
  expect(world.ordered('vault.seal')).toEqual([])
  open(world)
  expect(world.ordered('relay.propose')).toHaveLength(1)
  takeAll(world)
  world.kill('lost')
  expect(world.ordered('vault.seal')).toEqual([])
})

test('pairing: an answer to the proposal without a key is none', () => {
  const world = shown()
  expect(message(world, 'pairing-1', { kind: 'result', id: idOf(world), acknowledged: true }).types).toEqual([])
  answered(world)
  expect(message(world, 'session-1', settlement(world)).types).toContain('session.settled')
})

describe('after the worker’s death', () => {
  test('a code without its key is made again', () => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    world.kill('lost')
    expect(world.last('vault.makePairing').data.attemptId).toBe(world.said('connection.requested')[0]?.attemptId)
  })

  test('a shown code stays, is proposed with the same id, and renewed at its time', () => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
    const id = idOf(world)
    world.kill('lost')
    expect(world.last('vault.seal').data.payload).toMatchObject({ method: 'wc_sessionPropose', id })
    expect(world.ordered('vault.seal')).toHaveLength(1)
    expect(world.timers().get('renew:pairing-1')?.at).toBe(world.model.pairing.open['pairing-1']?.renewAt)
  })

  test('a stored answer is derived again', () => {
    const world = shown()
    message(world, 'pairing-1', { kind: 'result', id: idOf(world), responderKey: walletKey })
    world.kill('lost')
    expect(world.last('vault.deriveSession').data).toEqual({
      pairingTopic: 'pairing-1',
      publicKey,
      responderKey: walletKey,
    })
  })

  test('a reload ends the attempt, but a wallet with the proposal still connects', () => {
    const world = shown()
    world.kill('start')
    expect(world.model.connection.attempt).toEqual({ phase: 'none' })
    open(world)
    expect(world.last('relay.subscribe').data.topics).toEqual(['pairing-1'])
    answered(world)
    message(world, 'session-1', settlement(world))
    expect(activeConnection(world.model)?.account).toBe(account)
  })

  test('a settled session is live without a page', () => {
    const world = settled()
    world.kill('start')
    expect(activeConnection(world.model)).toMatchObject({ account, connection: { phase: 'live' } })
    world.attach({}, 't-2')
    expect(world.ordered('wallet.connect')).toEqual([])
    expect(world.last('chain.readBalances').data.account).toBe(account)
  })
})

test('pairing: a wallet that shares two accounts is used by its first', () => {
  const world = shown()
  answered(world)
  const both = [`${caip2}:${other}`, `${caip2}:${account}`, `${caip2}:${other}`]
  message(world, 'session-1', settlement(world, { namespaces: namespaces(undefined, both) }))
  expect(activeConnection(world.model)).toMatchObject({ account: other, connection: { accounts: [other, account] } })
})

test('pairing: the failure of a proposal that is over is not shown', () => {
  const world = shown()
  world.command('connection.abandon', {})
  message(world, 'pairing-1', { kind: 'error', id: idOf(world), error: { code: 5000, message: '' } })
  expect(world.said('connection.failed')).toEqual([])
  expect(world.input('effect.failed', failing('unknown'), { to: 'e9.9.9' }).types).toEqual([])
})

describe('a code that is shared', () => {
  const torch = { walletId: 'torch', name: 'Torch' }
  const share = (world: World, wallet = torch) =>
    world.command('connection.connectWalletConnect', { wallet, share: true })

  test('is kept for the wallet that is chosen now, which the connection is named after', () => {
    const world = shown()
    const came = share(world)
    expect([came.types, came.effects]).toEqual([['connection.walletChosen'], []])
    expect(world.model.connection.attempt).toMatchObject({ phase: 'asking', wallet: torch })
    expect(share(world).types).toEqual([])
    answered(world)
    message(world, 'session-1', settlement(world))
    expect(Object.values(world.model.connection.made)).toMatchObject([{ wallet: torch }])
    expect(world.model.connection.recent).toEqual([torch])
  })

  test('is asked for once while it is being made', () => {
    const world = ready()
    share(world, walletConnect)
    expect(share(world).types).toEqual(['connection.walletChosen'])
    expect(world.ordered('vault.makePairing')).toHaveLength(1)
  })

  test('is made anew without the wish, once it is answered, when its time is over, and beside a host’s proposal', () => {
    const plain = shown()
    expect(plain.command('connection.connectWalletConnect', { wallet: torch }).types).toContain('connection.abandoned')

    const taken = shown()
    message(taken, 'pairing-1', { kind: 'result', id: idOf(taken), responderKey: walletKey })
    expect(share(taken).types).toContain('connection.requested')

    const old = shown()
    old.input('page.visible', { visible: false })
    old.pass(231_000)
    expect(share(old).types).toContain('connection.requested')

    const eip155 = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] }
    const proposal = { required: {}, optional: { eip155 } }
    const hosts = shown(ready(), 'pairing-1', proposal)
    expect(share(hosts).types).toContain('connection.requested')
  })
})
