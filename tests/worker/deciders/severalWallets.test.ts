/** Several wallets of either kind at once: one is active, and each ends by itself. */
import { describe, expect, test } from 'vitest'
import { activeConnection } from '../../../src/events/subjects/wallet/activeConnection.ts'
import { account, caip2, connected, connectInstalled, intent, other, placed, ready, theOrder } from '../story.ts'
import { answered, message, namespaces, open, sealAll, settlement, shown, takeAll } from '../wcStory.ts'
import { failing, tab, type World } from '../world.ts'

/** A code, and the session with the wallet of this account. */
function joined(world: World, number: number, of = other): string {
  shown(world, `pairing-${number}`)
  answered(world, `pairing-${number}`, `session-${number}`)
  const approved = namespaces(undefined, [`${caip2}:${of}`])
  message(world, `session-${number}`, settlement(world, { namespaces: approved, id: `17990000000000${number}0` }))
  sealAll(world)
  takeAll(world)
  return world.model.connection.bySession[`session-${number}`] ?? ''
}

/** An installed wallet, and two wallets connected by codes. */
function three() {
  const world = connected()
  const installed = world.model.connection.active ?? ''
  return { world, installed, first: joined(world, 1), second: joined(world, 2) }
}

const disconnect = (world: World, connectionId: string) => world.command('connection.disconnect', { connectionId })
const activate = (world: World, connectionId: string) => world.command('connection.activate', { connectionId })

describe('three wallets', () => {
  test('are connected at once, and the last one is active', () => {
    const { world, installed, first, second } = three()
    expect(Object.keys(world.model.connection.made)).toEqual([installed, first, second])
    expect(Object.keys(world.model.session)).toEqual(['session-1', 'session-2'])
    expect(world.model.connection.active).toBe(second)
  })

  test.each(['installed', 'first', 'second'] as const)(
    'are independent: the %s one is left, the others stay',
    which => {
      const all = three()
      const { world } = all
      const left = all[which]
      const before = { made: { ...world.model.connection.made }, session: { ...world.model.session } }
      disconnect(world, left)
      const { made } = world.model.connection
      for (const [connectionId, connection] of Object.entries(before.made))
        if (connectionId !== left) expect(made[connectionId]).toBe(connection)
      expect(Object.keys(made)).toHaveLength(2)
      const topic = before.made[left]?.sessionTopic
      expect(Object.keys(world.model.session)).toEqual(Object.keys(before.session).filter(one => one !== topic))
      const deletes = world
        .ordered('vault.seal')
        .filter(({ data }) => 'method' in data.payload && data.payload.method === 'wc_sessionDelete')
      expect(deletes.map(({ data }) => data.topic)).toEqual(topic === undefined ? [] : [topic])
    },
  )

  test.each([
    ['left by the person', (world: World) => world.command('session.disconnect', { sessionTopic: 'session-1' })],
    ['ended by its wallet', (world: World) => message(world, 'session-1', { kind: 'delete', id: '9' })],
    [
      'run out',
      (world: World) => {
        world.model.session['session-1'] = { ...world.model.session['session-1'], expiresAt: world.at } as never
        world.input('timer.fired', { timerId: 'session:session-1' })
      },
    ],
  ])('are independent: one is %s, the other keeps its keys, topics, timers, requests and messages', (_, end) => {
    const { world } = three()
    for (const number of [1, 2]) {
      const sessionTopic = `session-${number}`
      const asked = { sessionTopic, chainId: caip2, method: 'solana_signTransaction', params: '{}' }
      world.command('request.send', asked)
      message(world, sessionTopic, { kind: 'ping', id: `${world.at}00${number}` })
      sealAll(world)
    }
    const others = () => ({
      requests: Object.values(world.model.request).filter(({ sessionTopic }) => sessionTopic === 'session-2'),
      outbox: Object.values(world.model.outbox).filter(({ topic }) => topic === 'session-2'),
      session: world.model.session['session-2'],
      timers: [...world.timers().keys()].filter(timerId =>
        /^(session:session-2|request:|outbox:|relay:)/.test(timerId),
      ),
    })
    const before = others()
    const mine = Object.values(world.model.request).find(({ sessionTopic }) => sessionTopic === 'session-1')
    const gone = Object.values(world.model.outbox).filter(({ topic }) => topic === 'session-1')
    expect([before.requests.length, before.outbox.length, gone.length]).toEqual([1, 2, 2])
    end(world)
    sealAll(world)
    const [deleting] = Object.values(world.model.outbox).filter(({ topic }) => topic === 'session-1')
    if (deleting) world.input('relay.taken', { callId: deleting.callId })
    const dead = new Set(gone.map(({ callId }) => `outbox:${callId}`))
    const after = others()
    expect(after.requests).toEqual(before.requests)
    expect(after.outbox).toEqual(before.outbox)
    expect(after.session).toEqual(before.session)
    expect(after.timers).toEqual(before.timers.filter(timerId => !dead.has(timerId)))
    expect(Object.values(world.model.outbox).every(({ topic }) => topic === 'session-2')).toBe(true)
    expect(world.model.request[mine?.requestId ?? '']).toMatchObject({ phase: 'ended' })
    const forgotten = world.ordered('vault.forget').flatMap(({ data }) => data.topics)
    expect(forgotten).toContain('session-1')
    expect(forgotten).not.toContain('session-2')
    expect(world.ordered('relay.unsubscribe').map(({ data }) => data.topic)).not.toContain('session-2')
    expect(world.last('relay.unsubscribe').data.topic).toBe('session-1')
    // The next socket subscribes to the remaining topics
    world.input('relay.closed', { code: 1006, failure: { code: 'unreachable', message: 'gone' } })
    world.fire('relay:retry')
    open(world)
    expect(world.last('relay.subscribe').data.topics).toEqual(['session-2'])
  })

  test('can change the active one: its balances are read, and an order is its own', () => {
    const { world, installed } = three()
    const came = activate(world, installed)
    expect(came.types).toEqual(['connection.activated'])
    expect(came.facts[0]?.ref).toBeDefined()
    expect(activeConnection(world.model)?.account).toBe(account)
    expect(world.last('chain.readBalances').data.account).toBe(account)
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ connectionId: installed, account })
    expect(activate(world, installed).types).toEqual([])
    expect(activate(world, 'nobody').types).toEqual([])
    expect(activate(world, 'constructor').types).toEqual([])
  })

  test('without the active one make the next available one active', () => {
    const { world, installed, first, second } = three()
    world.input('page.left', {}, { tab })
    world.kill('start')
    // The installed wallet's page has not announced it yet, so it cannot become active
    disconnect(world, second)
    expect(world.model.connection.active).toBe(first)
    message(world, 'session-1', { kind: 'delete', id: '9' })
    expect(world.model.connection).toMatchObject({ active: installed })
  })

  test('keep the active one after a restart', () => {
    const { world, first } = three()
    activate(world, first)
    world.kill('start')
    expect(world.model.connection.active).toBe(first)
  })
})

test('several wallets: an order continues with its own wallet after another one became active', () => {
  const { world, installed, first } = three()
  activate(world, installed)
  placed(world)
  activate(world, first)
  const asked = world.last('wallet.signTransaction')
  expect(asked.data.account).toBe(account)
  expect(theOrder(world)).toMatchObject({ connectionId: installed, phase: 'awaitingSignature' })
})

/** A session without Solana accounts whose proposal allows Solana. */
function elsewhere(world: World): string {
  const solana = { chains: [caip2], methods: ['solana_signTransaction'], events: [] }
  const eip155 = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] }
  shown(world, 'pairing-4', { required: {}, optional: { solana, eip155 } })
  answered(world, 'pairing-4', 'session-4')
  const ethereum = { eip155: { accounts: [`eip155:1:0x${'2c'.repeat(20)}`], methods: ['personal_sign'], events: [] } }
  message(world, 'session-4', settlement(world, { namespaces: ethereum, id: '1799000000000040' }))
  expect(world.model.connection.bySession['session-4']).toBeUndefined()
  return 'session-4'
}
const gain = (world: World, topic: string) =>
  message(world, topic, { kind: 'update', id: `${world.at + 5000}000`, namespaces: namespaces() })

describe('a session that gains a Solana account later', () => {
  test('becomes active, with its balance, when no connection was', () => {
    const world = ready()
    const came = gain(world, elsewhere(world))
    expect(came.types).toEqual(['session.updated', 'connection.made'])
    expect(activeConnection(world.model)).toMatchObject({
      account,
      connection: { peerName: 'Torch', sessionTopic: 'session-4', features: ['signTransaction'] },
    })
    expect(world.last('chain.readBalances').data.account).toBe(account)
  })

  test('is one more connection beside the active one, and ends like any other', () => {
    const world = connected()
    const before = world.model.connection.active ?? ''
    const topic = elsewhere(world)
    gain(world, topic)
    expect(world.model.connection.active).toBe(before)
    const gained = world.model.connection.bySession[topic] ?? ''
    activate(world, gained)
    expect(world.model.connection.active).toBe(gained)
    disconnect(world, gained)
    expect([world.model.session[topic], world.model.connection.active]).toEqual([undefined, before])
  })

  test('makes no connection when its wallet signs no payment, or when the person left that part of it', () => {
    const world = ready()
    const topic = elsewhere(world)
    const strange = namespaces(['solana_signMessage'])
    message(world, topic, { kind: 'update', id: `${world.at}000`, namespaces: strange })
    expect(world.model.connection.made).toEqual({})
    gain(world, topic)
    world.command('session.disconnect', { sessionTopic: topic, namespace: 'solana' })
    message(world, topic, { kind: 'update', id: `${world.at + 9000}000`, namespaces: { ...namespaces() } })
    expect(world.model.connection.made).toEqual({})
  })
})

describe('accounts of a wallet', () => {
  const chosen = (world: World) => {
    const connectionId = world.model.connection.active ?? ''
    world.input('wallet.changed', { connectionId, accounts: [account, other] })
    const came = world.command('connection.chooseAccount', { connectionId, account: other })
    return { connectionId, came }
  }
  const active = (world: World) => activeConnection(world.model)?.account

  test('one of several is chosen: its balance is read, and the wallet’s own order changes nothing', () => {
    const world = connected()
    const { connectionId, came } = chosen(world)
    expect(came.types).toEqual(['connection.accountChosen'])
    expect(came.effects.map(({ type }) => type)).toContain('chain.readBalances')
    expect(active(world)).toBe(other)
    expect(world.input('wallet.changed', { connectionId, accounts: [account, other] }).types).toEqual([])
    expect(world.command('connection.chooseAccount', { connectionId, account: other }).types).toEqual([])
    expect(world.command('connection.chooseAccount', { connectionId, account: 'not shared' }).types).toEqual([])
  })

  test('a choice ends with the account, and outlasts a return', () => {
    const world = connected()
    const { connectionId } = chosen(world)
    world.kill('start')
    world.attach()
    world.answer('wallet.connect', 'wallet.connected', { accounts: [account, other], features: ['signTransaction'] })
    expect(active(world)).toBe(other)
    world.input('wallet.changed', { connectionId, accounts: [account] })
    expect(active(world)).toBe(account)
  })
})

describe('ended connections', () => {
  const ended = (world: World) => world.model.connection.ended?.map(({ wallet: { name } }) => name)

  test('can be made again, the latest first, until the wallet is connected or forgotten', () => {
    const { world, installed, first } = three()
    disconnect(world, first)
    expect(ended(world)).toEqual(['WalletConnect'])
    disconnect(world, installed)
    expect(world.model.connection.ended).toMatchObject([
      { connectionId: installed, connector: 'installed', account },
      { connectionId: first },
    ])
    expect(world.command('connection.forget', { connectionId: installed }).types).toEqual(['connection.forgotten'])
    expect(ended(world)).toEqual(['WalletConnect'])
  })

  test('have a wallet once, however many of its connections ended', () => {
    const { world, first, second } = three()
    disconnect(world, first)
    disconnect(world, second)
    expect(world.model.connection.ended).toMatchObject([{ connectionId: second }])
    expect(ended(world)).toEqual(['WalletConnect'])
  })

  test('are left out once the wallet is connected again', () => {
    const world = connected()
    disconnect(world, world.model.connection.active ?? '')
    expect(ended(world)).toEqual(['Lantern'])
    connectInstalled(world)
    expect(ended(world)).toEqual([])
  })
})

test('switching to a wallet that is missing tries to reach it', () => {
  const { world, installed } = three()
  world.input('wallet.changed', { connectionId: installed, accounts: [account] })
  world.kill('start')
  world.attach()
  world.answer('wallet.connect', 'wallet.failed', failing('wallet_gone'))
  const asks = world.ordered('wallet.connect').length
  const came = activate(world, installed)
  expect(came.types).toEqual(['connection.activated'])
  expect(world.ordered('wallet.connect').slice(asks)).toMatchObject([{ data: { silent: true } }])
})
