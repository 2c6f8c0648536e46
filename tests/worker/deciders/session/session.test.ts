import { describe, expect, test } from 'vitest'
import { activeConnection } from '../../../../src/events/subjects/wallet/activeConnection.ts'
import { account, caip2, intent, other, placed, theOrder, throughGate } from '../../story.ts'
import type { World } from '../../world.ts'
import { message, namespaces, type Payload, publicKey, sealAll, settled, settlement, takeAll } from '../../wcStory.ts'

const at = (ms: number) => `${ms}001`
const activeId = (world: World) => world.model.connection.active ?? ''
const bothAccounts = [`${caip2}:${account}`, `${caip2}:${other}`]

describe('an update', () => {
  test('replaces the session’s permissions, and the connection follows', () => {
    const world = settled()
    const wider = namespaces(['solana_signTransaction', 'solana_signAndSendTransaction'], [`${caip2}:${other}`])
    const came = message(world, 'session-1', { kind: 'update', id: at(world.at), namespaces: wider })
    expect(came.types).toEqual(['session.updated', 'connection.restored'])
    expect(activeConnection(world.model)).toMatchObject({
      account: other,
      connection: { features: ['signTransaction', 'signAndSendTransaction'] },
    })
    expect(world.last('chain.readBalances').data.account).toBe(other)
    expect(world.last('vault.seal').data.payload).toEqual({ result: true, id: at(world.at) })
  })

  test('older than the last one applied is refused with 1003, in the next life too', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'update', id: at(world.at), namespaces: namespaces(undefined, bothAccounts) })
    for (const live of [true, false]) {
      if (!live) world.kill('lost')
      const id = at(world.at - (live ? 1 : 2))
      const older = { kind: 'update', id, namespaces: namespaces() } as const
      expect(message(world, 'session-1', older).types).toEqual(['session.updateRefused'])
      expect(world.last('vault.seal').data.payload).toEqual({
        error: { code: 1003, message: 'Invalid update request.' },
        id,
      })
      expect(activeConnection(world.model)?.connection.accounts).toHaveLength(2)
    }
  })

  test('by a quoted id is ordered, too', () => {
    const world = settled()
    const change = (ms: number) =>
      message(world, 'session-1', { kind: 'update', id: `"${world.at + ms}000"`, namespaces: namespaces() }).types
    expect(change(10)).toEqual(['session.updated'])
    expect(change(5)).toEqual(['session.updateRefused'])
  })

  test('of the same moment passes', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'update', id: at(world.at), namespaces: namespaces() })
    const same = message(world, 'session-1', {
      kind: 'update',
      id: `${world.at}999`,
      namespaces: namespaces(undefined, bothAccounts),
    })
    expect(same.types).toContain('session.updated')
  })

  test('of another form is answered 1003, and nothing changes', () => {
    const world = settled()
    const before = world.model.session['session-1']
    const malformed = { kind: 'update', id: at(world.at), error: { code: 5103, message: '' } } as const
    expect(message(world, 'session-1', malformed).types).toEqual(['session.updateRefused'])
    expect(world.said('session.updateRefused')[0]?.failure.message).toContain('5103')
    expect(world.last('vault.seal').data.payload).toMatchObject({
      error: { code: 1003, message: 'Invalid update request.' },
    })
    expect(world.model.session['session-1']).toBe(before)
  })

  test('with an unordered id is accepted and makes later ones not old', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'update', id: '9'.repeat(40), namespaces: namespaces(undefined, bothAccounts) })
    expect(world.model.session['session-1']?.updateOrder).toBe(0)
    message(world, 'session-1', { kind: 'update', id: at(world.at), namespaces: namespaces() })
    expect(activeConnection(world.model)?.connection.accounts).toEqual([account])
  })

  test('that withdraws every account leaves no payer, until one comes back', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'update', id: at(world.at), namespaces: namespaces(undefined, []) })
    expect(activeConnection(world.model)).toBeUndefined()
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'wallet_gone' } })
    message(world, 'session-1', { kind: 'update', id: at(world.at + 1), namespaces: namespaces() })
    expect(activeConnection(world.model)?.account).toBe(account)
  })
})

describe('an event', () => {
  test('about the accounts puts the active one first, among those that were approved', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'update', id: at(world.at), namespaces: namespaces(undefined, bothAccounts) })
    const event = { kind: 'event', event: 'accountsChanged', chainId: caip2 } as const
    message(world, 'session-1', { ...event, id: at(world.at + 2), accounts: [other, account] })
    expect(activeConnection(world.model)?.account).toBe(other)
    const stranger = 'So11111111111111111111111111111111111111112'
    expect(message(world, 'session-1', { ...event, id: at(world.at + 3), accounts: [stranger] }).types).toEqual([
      'session.eventHeard',
    ])
    const older = message(world, 'session-1', { ...event, id: at(world.at + 1), accounts: [account, other] })
    expect(older.types).toEqual([])
    expect(activeConnection(world.model)?.account).toBe(other)
  })

  test('is never answered, and neither is an unknown method', () => {
    const world = settled()
    const before = world.ordered('vault.seal').length
    message(world, 'session-1', { kind: 'event', id: at(world.at), event: 'chainChanged', chainId: caip2 })
    message(world, 'session-1', { kind: 'request', id: at(world.at), method: 'wc_sessionFoo' })
    message(world, 'session-1', { kind: 'unopened', id: '0' })
    expect(world.ordered('vault.seal')).toHaveLength(before)
  })
})

describe('a session', () => {
  test('is extended to seven days from now', () => {
    const world = settled()
    world.wait(60_000)
    message(world, 'session-1', { kind: 'extend', id: at(world.at) })
    expect(world.model.session['session-1']?.expiresAt).toBe(world.at + 604_800_000)
    expect(world.timers().get('session:session-1')?.at).toBe(world.at + 604_800_000)
    expect(world.last('vault.seal').data.payload).toEqual({ result: true, id: at(world.at) })
  })

  test('is not extended by a malformed request, which is answered 1004', () => {
    const world = settled()
    const { expiresAt } = world.model.session['session-1'] ?? {}
    world.wait(1000)
    expect(message(world, 'session-1', { kind: 'extend', id: '7', error: { code: 5, message: '' } }).types).toEqual([])
    const error = { code: 1004, message: 'Invalid extend request.' }
    expect(world.last('vault.seal').data.payload).toEqual({ error, id: '7' })
    expect(world.model.session['session-1']?.expiresAt).toBe(expiresAt)
  })

  test('that is gone is not ended by its timer', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'delete', id: '9' })
    const came = world.input('timer.fired', { timerId: 'session:session-1' })
    expect([came.facts, came.effects]).toEqual([[], []])
  })

  test('answers a ping, and a settlement that comes again', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'ping', id: '7' })
    expect(world.last('vault.seal').data.payload).toEqual({ result: true, id: '7' })
    const again = message(world, 'session-1', settlement(world, { id: '8' }))
    expect(again.types).toEqual([])
    expect(world.last('vault.seal').data.payload).toEqual({ result: true, id: '8' })
  })

  test.each([
    ['other namespaces', { namespaces: namespaces(['solana_signMessage']) }],
    ['another key', { controllerKey: publicKey }],
    ['nothing of its form', { error: { code: 5, message: '' }, namespaces: undefined, controllerKey: undefined }],
  ])('is neither changed nor denied by a second settlement with %s', (_, changes) => {
    const world = settled()
    const before = { ...world.model.session['session-1'] }
    const seals = world.ordered('vault.seal').length
    const again = Object.entries({ ...settlement(world, { id: '8' }), ...changes }).filter(
      ([, value]) => value !== undefined,
    )
    expect(message(world, 'session-1', Object.fromEntries(again) as Payload).types).toEqual([])
    expect(world.ordered('vault.seal')).toHaveLength(seals)
    expect(world.model.session['session-1']).toEqual(before)
  })

  test('deleted by the wallet ends the connection, its requests and its keys, without an answer', () => {
    const world = settled()
    placed(world)
    const before = world.ordered('vault.seal').length
    const came = message(world, 'session-1', { kind: 'delete', id: '9' })
    expect(came.types).toEqual(['session.deleted', 'connection.ended', 'request.failed', 'order.unknown'])
    expect(world.said('connection.ended')[0]?.by).toBe('wallet')
    expect(world.last('relay.unsubscribe').data.topic).toBe('session-1')
    expect(world.timers().has('session:session-1')).toBe(false)
    expect(world.last('vault.forget').data.topics).toEqual(['session-1'])
    expect(world.ordered('vault.seal')).toHaveLength(before)
    expect(message(world, 'session-1', { kind: 'ping', id: '10' }).types).toEqual([])
  })

  test('deleted by the person notifies the wallet, and deletes the keys once the relay has the message', () => {
    const world = settled()
    world.command('connection.disconnect', { connectionId: world.model.connection.active ?? '' })
    expect([world.model.session, Object.keys(world.model.parting)]).toEqual([{}, ['session-1']])
    expect(world.last('vault.seal').data.payload).toMatchObject({ method: 'wc_sessionDelete', code: 6000 })
    sealAll(world)
    expect(world.ordered('vault.forget').flatMap(effect => effect.data.topics)).not.toContain('session-1')
    takeAll(world)
    expect(world.last('vault.forget').data.topics).toEqual(['session-1'])
  })

  test.each(['person', 'wallet'] as const)('ended by the %s sends no more than that', by => {
    const world = settled()
    message(world, 'session-1', { kind: 'ping', id: '7001' })
    sealAll(world)
    message(world, 'session-1', { kind: 'ping', id: '7002' })
    // One answer waits for the relay, the other is being sealed
    expect(Object.keys(world.model.outbox)).toHaveLength(1)
    if (by === 'person') world.command('connection.disconnect', { connectionId: activeId(world) })
    else message(world, 'session-1', { kind: 'delete', id: '7003' })
    const before = world.ordered('relay.publish').length
    sealAll(world)
    world.pass(60_000)
    const said = world.ordered('relay.publish').slice(before)
    expect(new Set(said.map(({ data }) => data.tag))).toEqual(new Set(by === 'person' ? [1112] : []))
    expect(world.ordered('vault.forget').some(({ data }) => data.refs.length > 0)).toBe(true)
  })

  test('deleted by the person with a pending request leaves the order in doubt: the wallet may approve it', () => {
    const world = settled(['solana_signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.command('connection.disconnect', { connectionId: world.model.connection.active ?? '' })
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'wallet_gone' } })
  })

  test('ends at its expiry, also between lives', () => {
    const world = settled()
    const { expiresAt = 0 } = world.model.session['session-1'] ?? {}
    world.wait(expiresAt - world.at)
    expect(world.fire('session:session-1').types).toContain('session.deleted')
    expect(world.said('connection.ended').at(-1)?.by).toBe('expiry')

    const away = settled()
    away.wait(604_800_001)
    expect(away.kill('start').types).toEqual(expect.arrayContaining(['session.deleted', 'connection.ended']))
  })

  test('with a topic named like a member of Object.prototype is unknown', () => {
    const world = settled()
    for (const topic of ['constructor', '__proto__', 'toString'])
      for (const kind of ['update', 'ping', 'delete', 'settle', 'result'] as const)
        expect(message(world, topic, { kind, id: 'constructor' }).types).toEqual([])
  })
})

test('session: the relay is not needed after the last one', () => {
  const world = settled()
  message(world, 'session-1', { kind: 'delete', id: '9' })
  expect(world.pass(60_000)).toContain('relay.closed')
  expect(world.ordered('relay.close')).toHaveLength(1)
})
