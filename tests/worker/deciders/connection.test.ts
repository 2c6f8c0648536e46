import { describe, expect, test } from 'vitest'
import { activeConnection } from '../../../src/events/subjects/wallet/activeConnection.ts'
import { account, begun, connected, connectInstalled, intent, lantern, other, ready, theOrder } from '../story.ts'
import { createWorld, failing, tab } from '../world.ts'

describe('connecting an installed wallet', () => {
  test('asks it in the tab of the press, and its answer makes the connection', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    const asked = world.last('wallet.connect')
    expect(asked).toMatchObject({ tab, data: { walletKey: 'k1', name: 'Lantern', silent: false } })
    expect(world.model.connection.attempt).toMatchObject({ phase: 'asking', attemptId: asked.id })
    const came = world.answer('wallet.connect', 'wallet.connected', {
      accounts: [account],
      features: ['signTransaction'],
    })
    expect(came.types).toEqual(['connection.made'])
    expect(activeConnection(world.model)).toMatchObject({ account, connection: { phase: 'live' } })
    expect(came.effects.map(effect => effect.type)).toEqual([
      'timer.clear',
      'wallet.watch',
      'chain.readBalances',
      'chain.readPurchases',
    ])
  })

  test.each(['user_rejected', 'wallet_locked', 'unsupported', 'wallet_gone'] as const)(
    'that ends with %s has its failure in the attempt, and a late answer changes nothing',
    code => {
      const world = ready()
      world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
      const { id: to } = world.last('wallet.connect')
      expect(world.answer('wallet.connect', 'wallet.failed', failing(code)).types).toEqual(['connection.failed'])
      expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code } })
      const late = world.input('wallet.connected', { accounts: [account], features: [] }, { to, tab })
      expect(late.types).toEqual([])
    },
  )

  test('that stays silent is given up after four minutes', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    expect(world.pass(239_000)).not.toContain('connection.failed')
    expect(world.pass(2000)).toContain('connection.failed')
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'wallet_gone' } })
  })

  test('that shares no account fails with that', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    world.answer('wallet.connect', 'wallet.connected', { accounts: [], features: [] })
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'bad_response' } })
  })

  test('that was left for another one cannot answer it', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    const { id: first } = world.last('wallet.connect')
    const came = world.command('connection.connectInstalled', {
      walletKey: 'k2',
      wallet: { walletId: 'torch', name: 'Torch' },
    })
    expect(came.types).toEqual(['connection.abandoned', 'connection.requested'])
    expect(world.input('wallet.connected', { accounts: [other], features: [] }, { to: first, tab }).types).toEqual([])
    expect(world.model.connection.attempt).toMatchObject({ phase: 'asking', wallet: { name: 'Torch' } })
    world.command('connection.abandon', {})
    expect(world.model.connection.attempt).toEqual({ phase: 'none' })
  })

  test('again keeps its connection', () => {
    const world = connected()
    const first = world.model.connection.active
    connectInstalled(world)
    expect(world.model.connection.active).toBe(first)
    expect(Object.keys(world.model.connection.made)).toHaveLength(1)
  })

  test('keeps its connection when a wallet declines to sign', () => {
    const world = connected()
    world.command('order.place', intent(world))
    const came = world.input('wallet.failed', failing('user_rejected'), { to: 'e1.99.0', tab })
    expect(came.types).toEqual([])
  })
})

describe('a connection', () => {
  test('follows the account its wallet switches to', () => {
    const world = connected()
    const connectionId = world.model.connection.active ?? ''
    expect(world.input('wallet.changed', { connectionId, accounts: [account] }, { tab }).types).toEqual([])
    world.input('wallet.changed', { connectionId, accounts: [other] }, { tab })
    expect(activeConnection(world.model)?.account).toBe(other)
    expect(world.last('chain.readBalances').data.account).toBe(other)
  })

  test('has its wallet’s own names for accounts, and their latest ones', () => {
    const world = connected()
    const connectionId = world.model.connection.active ?? ''
    const named = (label: string) => ({ connectionId, accounts: [account], labels: [{ account, label }] })
    expect(world.input('wallet.changed', named('Savings'), { tab }).types).toEqual(['connection.accountsChanged'])
    expect(world.input('wallet.changed', named('Savings'), { tab }).types).toEqual([])
    world.input('wallet.changed', named('Rent'), { tab })
    expect(world.input('wallet.changed', { connectionId, accounts: [account] }, { tab }).types).toEqual([])
    const labels = [{ account, label: 'Rent' }]
    expect(world.model.connection.made[connectionId]).toMatchObject({ labels })

    world.kill('start')
    world.attach()
    const again = [{ account, label: 'Food' }]
    const answer = { accounts: [account], features: ['signTransaction' as const], labels: again }
    world.answer('wallet.connect', 'wallet.connected', answer)
    expect(world.model.connection.made[connectionId]).toMatchObject({ phase: 'live', labels: again })
  })

  test('ends when its wallet shares no account any more', () => {
    const world = connected()
    const connectionId = world.model.connection.active ?? ''
    world.input('wallet.changed', { connectionId, accounts: [] }, { tab })
    expect(world.said('connection.ended')).toEqual([{ connectionId, by: 'wallet' }])
    expect(world.model.connection.active).toBeNull()
    expect(world.input('wallet.changed', { connectionId, accounts: [account] }, { tab }).types).toEqual([])
  })

  test('ends at the person’s command, and its wallet is notified', () => {
    const world = connected()
    const connectionId = world.model.connection.active ?? ''
    world.command('connection.disconnect', { connectionId })
    expect(world.last('wallet.disconnect').data).toEqual({ name: 'Lantern' })
    expect(world.model.connection.made).toEqual({})
    expect(world.command('connection.disconnect', { connectionId }).types).toEqual([])
    expect(world.command('connection.disconnect', { connectionId: 'constructor' }).types).toEqual([])
  })
})

describe('after a reload', () => {
  test('a made connection is restored silently, once, and only with a page', () => {
    const world = connected()
    expect(world.kill('start').types).toContain('connection.restoring')
    expect(world.ordered('wallet.connect')).toEqual([])
    world.attach({}, 't-2')
    expect(world.last('wallet.connect')).toMatchObject({ tab: 't-2', data: { name: 'Lantern', silent: true } })
    world.attach({}, 't-3')
    expect(world.ordered('wallet.connect')).toHaveLength(1)
    world.answer('wallet.connect', 'wallet.connected', { accounts: [other, account], features: ['signTransaction'] })
    expect(activeConnection(world.model)).toMatchObject({ account: other, connection: { phase: 'live' } })
    expect(world.last('wallet.watch').data.account).toBe(other)
  })

  test('a wallet that shares none of the recorded accounts is not restored, and a press connects it', () => {
    const world = connected()
    const connectionId = world.model.connection.active ?? ''
    world.kill('start')
    world.attach()
    const came = world.answer('wallet.connect', 'wallet.connected', { accounts: [other], features: [] })
    expect([came.types, came.effects]).toEqual([['connection.missing'], []])
    expect(world.model.connection.made[connectionId]).toMatchObject({
      phase: 'missing',
      accounts: [account],
      failure: { code: 'account_changed' },
    })
    world.pass(1)
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    world.answer('wallet.connect', 'wallet.connected', { accounts: [other], features: ['signTransaction'] })
    expect(world.model.connection.made).toMatchObject({ [connectionId]: { phase: 'live', accounts: [other] } })
  })

  test('a request in a tab that closed goes to another tab, and its late answer no longer counts', () => {
    const world = connected()
    world.kill('start')
    world.attach({}, 't-2')
    world.attach({}, 't-3')
    const first = world.last('wallet.connect')
    const came = world.input('page.left', {}, { tab: 't-2' })
    expect(came.effects).toMatchObject([
      { type: 'wallet.connect', tab: 't-3', data: { name: 'Lantern', silent: true } },
    ])
    const late = { accounts: [other], features: [] }
    expect(world.input('wallet.connected', late, { to: first.id, tab: 't-2' }).types).toEqual([])
    world.answer('wallet.connect', 'wallet.connected', { accounts: [account], features: ['signTransaction'] })
    expect(activeConnection(world.model)).toMatchObject({ account, connection: { phase: 'live' } })
  })

  test('a request in the only tab goes to the next one that joins', () => {
    const world = connected()
    world.kill('start')
    world.attach({}, 't-2')
    expect(world.input('page.left', {}, { tab: 't-2' }).effects).toEqual([])
    world.attach({}, 't-3')
    expect(world.last('wallet.connect')).toMatchObject({ tab: 't-3', data: { silent: true } })
  })

  test('a tab that closes while another one has the request changes nothing', () => {
    const world = connected()
    world.kill('start')
    world.attach({}, 't-2')
    world.attach({}, 't-3')
    expect(world.input('page.left', {}, { tab: 't-3' }).effects).toEqual([])
    world.answer('wallet.connect', 'wallet.connected', { accounts: [account], features: ['signTransaction'] })
    expect(activeConnection(world.model)?.connection.phase).toBe('live')
  })

  test('a live connection is only watched when a page joins again', () => {
    const world = connected()
    const came = world.attach()
    expect(came.types).toEqual([])
    expect(world.last('wallet.watch').data).toMatchObject({ name: 'Lantern', account })
  })

  test('a missing wallet, or one that shares nothing, is tried again with the next page', () => {
    for (const miss of [
      (world: ReturnType<typeof connected>) => world.answer('wallet.connect', 'wallet.failed', failing('wallet_gone')),
      (world: ReturnType<typeof connected>) =>
        world.answer('wallet.connect', 'wallet.connected', { accounts: [], features: [] }),
    ]) {
      const world = connected()
      world.kill('start')
      world.attach()
      miss(world)
      const connectionId = world.model.connection.active ?? ''
      expect(world.model.connection.made[connectionId]).toMatchObject({ phase: 'missing' })
      world.attach()
      expect(world.model.connection.made[connectionId]).toMatchObject({ phase: 'restoring' })
    }
  })

  test.each([
    [
      'ended by the person',
      (world: ReturnType<typeof connected>) =>
        world.command('connection.disconnect', { connectionId: world.model.connection.active ?? '' }),
    ],
    [
      'ended by the wallet',
      (world: ReturnType<typeof connected>) =>
        world.input('wallet.changed', { connectionId: world.model.connection.active ?? '', accounts: [] }, { tab }),
    ],
  ])('a connection %s is not restored', (_name, end) => {
    const world = connected()
    end(world)
    world.kill('start')
    world.attach()
    expect(world.ordered('wallet.connect')).toEqual([])
  })

  test('an unanswered attempt is not resumed, and no prompt opens', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    world.kill('start')
    world.attach({}, 't-2')
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'wallet_gone' } })
    expect(world.ordered('wallet.connect')).toEqual([])
  })
})

describe('the identity of an installed wallet', () => {
  const identity = '0123456789abcdef'
  const features = ['signTransaction' as const]

  function connectedAs(known: string | undefined, accounts = [account], world = ready()) {
    world.pass(1)
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    world.answer('wallet.connect', 'wallet.connected', { accounts, features, ...(known && { identity: known }) })
    return world
  }

  test('is recorded, and goes with every effect that calls the wallet', () => {
    const world = connectedAs(identity)
    const connectionId = world.model.connection.active ?? ''
    expect(world.last('wallet.watch').data).toEqual({ connectionId, name: 'Lantern', identity, account })
    world.kill('start')
    world.attach()
    expect(world.last('wallet.connect').data).toEqual({ walletKey: '', name: 'Lantern', identity, silent: true })
    world.answer('wallet.connect', 'wallet.connected', { accounts: [account], features, identity })
    expect(world.model.connection.made[connectionId]).toMatchObject({ phase: 'live', identity })
    expect(world.last('wallet.watch').data).toMatchObject({ identity })
    world.command('connection.disconnect', { connectionId })
    expect(world.last('wallet.disconnect').data).toEqual({ name: 'Lantern', identity })
  })

  test('is learned by a connection of an older build on its restore', () => {
    const world = connectedAs(undefined)
    world.kill('start')
    world.attach()
    expect(world.last('wallet.connect').data).toEqual({ walletKey: '', name: 'Lantern', silent: true })
    world.answer('wallet.connect', 'wallet.connected', { accounts: [account], features, identity })
    expect(activeConnection(world.model)?.connection).toMatchObject({ phase: 'live', identity })
  })

  test('tells two wallets of one name apart, unless they share an account', () => {
    const world = connectedAs('f'.repeat(16), [other], connectedAs(identity))
    expect(Object.values(world.model.connection.made).map(made => made.identity)).toEqual([identity, 'f'.repeat(16)])
    const again = connectedAs('f'.repeat(16), [account, other], connectedAs(identity))
    expect(Object.values(again.model.connection.made).map(made => made.identity)).toEqual(['f'.repeat(16)])
  })
})

describe('after the worker’s death', () => {
  test('a live connection stays live and is watched again', () => {
    const world = connected()
    expect(world.kill('lost').types).not.toContain('connection.restoring')
    world.attach()
    expect(activeConnection(world.model)?.connection.phase).toBe('live')
    expect(world.last('wallet.watch').data).toMatchObject({ name: 'Lantern', account })
  })

  test('a wallet with an open request answers the next life', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    const { id } = world.last('wallet.connect')
    world.kill('lost')
    world.attach({ asking: [id] })
    expect(world.model.connection.attempt.phase).toBe('asking')
    world.input('wallet.connected', { accounts: [account], features: ['signTransaction'] }, { to: id, tab })
    expect(activeConnection(world.model)?.account).toBe(account)
  })

  test('a wallet with a request in a tab that joins later than another is awaited', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    const { id } = world.last('wallet.connect')
    world.kill('lost')
    expect(world.attach({}, 't-2').types).toEqual([])
    world.attach({ asking: [id] })
    expect(world.pass(60_000)).not.toContain('connection.failed')
    world.input('wallet.connected', { accounts: [account], features: ['signTransaction'] }, { to: id, tab })
    expect(activeConnection(world.model)?.account).toBe(account)
  })

  test('a wallet with a request in a tab that does not come back is given up after ten seconds', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    world.kill('lost')
    world.attach({}, 't-2')
    expect(world.pass(9999)).not.toContain('connection.failed')
    expect(world.pass(1)).toContain('connection.failed')
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'wallet_gone' } })
  })

  test('an attempt begun again is not ended by the one before it', () => {
    const world = ready()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    world.kill('lost')
    world.attach()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    expect(world.pass(60_000)).not.toContain('connection.failed')
  })

  test('an order with an open wallet request is still answered, by the same effect', () => {
    const world = connected()
    world.command('order.place', intent(world))
    expect(theOrder(world).phase).toBe('accepted')
    world.kill('lost')
    expect(world.last('chain.prepareOrder').data.orderId).toBe(theOrder(world).orderId)
  })
})

test('connection: a page that joins before any connection asks no wallet', () => {
  expect(begun().ordered('wallet.connect')).toEqual([])
})

describe('a wallet that another library left connected', () => {
  const wallet = { walletId: 'Quill', name: 'Quill' }

  test('stands among the recent ones, and is not asked', () => {
    const world = createWorld()
    world.boot()
    world.attach()
    expect(world.command('connection.recall', { wallet })).toMatchObject({
      types: ['connection.recalled'],
      effects: [],
    })
    expect(world.model.connection).toMatchObject({ recent: [wallet], attempt: { phase: 'none' }, made: {} })
    expect(world.command('connection.recall', { wallet: { walletId: 'Torch', name: 'Torch' } }).types).toEqual([])
  })
})
