import { describe, expect, test } from 'vitest'
import { activeConnection } from '../../../src/events/subjects/wallet/activeConnection.ts'
import { connectionOf } from '../../../src/events/subjects/wallet/connection.ts'
import { networks } from '../../../src/events/values/networks.ts'
import { account, caip2 as home, connected, genesisHash, intent, lantern, other, theOrder } from '../story.ts'
import { createWorld, tab, type World } from '../world.ts'
import { preparedSend, request } from './order/sendStory.ts'
import { answered, message, namespaces, open, sealAll, settlement, shown, takeAll } from '../wcStory.ts'

const [mainnet, devnet, testnet] = networks.map(network => network.caip2) as [string, string, string]
const [mainnetHash, devnetHash] = networks.map(network => network.genesisHash) as [string, string]
const choiceOn = (active: string) => ({ networks: { home: mainnet, active, networks: [mainnet, devnet, testnet] } })

/** A core of a log of mainnet or devnet. */
function coreOf(hash: string, id: string): World {
  const world = createWorld({ genesisHash: hash, ...choiceOn(id) })
  world.boot()
  world.attach()
  world.answer('chain.identify', 'chain.identified', { genesisHash: hash, caip2: id })
  return world
}

function withLantern(world: World): World {
  world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
  world.answer('wallet.connect', 'wallet.connected', {
    accounts: [account],
    features: ['signTransaction'],
    identity: 'l',
  })
  return world
}

/** A session with these chains, made on mainnet. */
function withSession(chains: readonly string[]): World {
  const world = shown(coreOf(mainnetHash, mainnet))
  answered(world)
  const accounts = chains.map(chain => `${chain}:${account}`)
  message(world, 'session-1', settlement(world, { namespaces: namespaces(['solana_signTransaction'], accounts) }))
  sealAll(world)
  takeAll(world)
  return world
}

/** Switches, and gives what goes along to a core of the other log. */
function moved(from: World, to: World, caip2: string): World {
  from.command('network.switch', { caip2 })
  to.input('network.entered', from.last('core.switchNetwork').data.entering)
  return to
}

describe('networks', () => {
  test('to choose from are offered at every start', () => {
    const world = coreOf(mainnetHash, mainnet)
    const offer = { home: mainnet, active: mainnet, networks: [mainnet, devnet, testnet] }
    expect(world.model.network).toMatchObject({ phase: 'identified', offer })
    world.kill()
    expect(world.said('network.offered')).toHaveLength(2)
  })

  test('without a choice are not offered, and no switch happens', () => {
    const world = createWorld({ genesisHash: mainnetHash })
    world.boot()
    expect(world.model.network.offer).toBeUndefined()
    expect(world.command('network.switch', { caip2: devnet }).types).toEqual(['network.refused'])
    expect(world.model.network.change).toMatchObject({ caip2: devnet, failure: { message: 'Network not found' } })
  })
})

describe('a switch of networks', () => {
  test('stores its fact before the core leaves, and names no chain on the way home', () => {
    const world = coreOf(mainnetHash, mainnet)
    const came = world.command('network.switch', { caip2: devnet })
    expect(came.types).toEqual(['network.switched'])
    expect(world.last('core.switchNetwork')).toMatchObject({ after: 'stored', data: { caip2: devnet } })
    expect(world.model.network.change).toEqual({ caip2: devnet })
    const away = coreOf(devnetHash, devnet)
    away.command('network.switch', { caip2: mainnet })
    expect(away.last('core.switchNetwork').data).not.toHaveProperty('caip2')
  })

  test('to a former id goes to the present one; to the active network does nothing', () => {
    const world = coreOf(mainnetHash, mainnet)
    expect(world.command('network.switch', { caip2: mainnet }).types).toEqual([])
    world.command('network.switch', { caip2: 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K' })
    expect(world.model.network.change).toEqual({ caip2: devnet })
  })

  test('to a network that nobody offers is refused by name', () => {
    const world = coreOf(mainnetHash, mainnet)
    world.command('network.switch', { caip2: 'eip155:1' })
    expect(world.model.network.change).toMatchObject({ failure: { code: 'bad_input', message: 'Network not found' } })
    expect(world.ordered('core.switchNetwork')).toEqual([])
  })

  test('is refused while an order is open', () => {
    const world = connected()
    world.kill()
    world.boot({ cause: 'lost', networks: { home, active: home, networks: [home, devnet] } })
    world.command('order.place', intent(world))
    expect(world.said('order.drafted')).toHaveLength(1)
    expect(world.command('network.switch', { caip2: devnet }).types).toEqual(['network.refused'])
    expect(world.model.network.change).toMatchObject({ failure: { code: 'busy' } })
    expect(genesisHash.slice(0, 32)).toBe(home.slice(7))
  })

  test('is refused while another one is under way, and on a device that keeps no log', () => {
    const world = coreOf(mainnetHash, mainnet)
    world.command('network.switch', { caip2: devnet })
    expect(world.command('network.switch', { caip2: testnet }).types).toEqual(['network.refused'])
    // The refusal does not end the first one: two would leave the device on one network and its wallets on another
    expect(world.command('network.switch', { caip2: testnet }).types).toEqual(['network.refused'])
    expect(world.ordered('core.switchNetwork')).toHaveLength(1)
    const forgetful = createWorld({ genesisHash: mainnetHash, storage: 'memory', ...choiceOn(mainnet) })
    forgetful.boot()
    forgetful.command('network.switch', { caip2: devnet })
    expect(forgetful.model.network.change).toMatchObject({ failure: { code: 'storage_down' } })
  })

  test('that the device cannot keep leaves the core where it is', () => {
    const world = coreOf(mainnetHash, mainnet)
    world.command('network.switch', { caip2: devnet })
    expect(world.fail('core.switchNetwork', 'storage_down').types).toEqual(['network.refused'])
    expect(world.model.network.change).toMatchObject({ caip2: devnet, failure: { code: 'storage_down' } })
    expect(world.command('network.switch', { caip2: testnet }).types).toEqual(['network.switched'])
  })

  test('leaves an attempt to connect', () => {
    const world = coreOf(mainnetHash, mainnet)
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    expect(world.command('network.switch', { caip2: devnet }).types).toEqual([
      'connection.abandoned',
      'network.switched',
    ])
  })

  test('asks the installed wallet again without a prompt, on the other log', () => {
    const world = moved(withLantern(coreOf(mainnetHash, mainnet)), coreOf(devnetHash, devnet), devnet)
    expect(activeConnection(world.model)).toMatchObject({ account, connection: { phase: 'restoring', identity: 'l' } })
    world.attach()
    expect(world.last('wallet.connect')).toMatchObject({ tab, data: { name: 'Lantern', identity: 'l', silent: true } })
    world.answer('wallet.connect', 'wallet.connected', { accounts: [account], features: ['signTransaction'] })
    expect(activeConnection(world.model)?.connection.phase).toBe('live')
  })

  test('and back brings the connections as they are now: ended ones end, changed ones change', () => {
    const first = withLantern(coreOf(mainnetHash, mainnet))
    const away = moved(first, coreOf(devnetHash, devnet), devnet)
    first.kill()
    away.attach()
    away.answer('wallet.connect', 'wallet.connected', { accounts: [other, account], features: ['signTransaction'] })
    moved(away, first, mainnet)
    expect(activeConnection(first.model)).toMatchObject({ account: other, connection: { phase: 'restoring' } })
    expect(Object.keys(first.model.connection.made)).toHaveLength(1)
    first.kill()
    first.input('network.entered', { connections: [], sessions: [] })
    expect(first.model.connection.made).toEqual({})
  })

  test('keeps the active wallet active among several', () => {
    const from = withLantern(withSession([mainnet, devnet]))
    const session = Object.values(from.model.connection.made).find(made => made.sessionTopic !== undefined)
    from.command('connection.activate', { connectionId: session?.connectionId ?? '' })
    const to = moved(from, coreOf(devnetHash, devnet), devnet)
    expect(Object.keys(to.model.connection.made)).toHaveLength(2)
    expect(activeConnection(to.model)?.connection.sessionTopic).toBe('session-1')
    const installed = Object.values(to.model.connection.made).find(made => made.sessionTopic === undefined)
    to.command('connection.activate', { connectionId: installed?.connectionId ?? '' })
    from.kill()
    moved(to, from, mainnet)
    expect(activeConnection(from.model)?.connection.connector).toBe('installed')
  })

  test('brought in twice, as after a kill, changes nothing more', () => {
    const from = withLantern(coreOf(mainnetHash, mainnet))
    const to = moved(from, coreOf(devnetHash, devnet), devnet)
    const came = to.input('network.entered', from.last('core.switchNetwork').data.entering)
    expect(came.types).toEqual([])
  })
})

describe('a session on another network', () => {
  test('goes along where its wallet approved the chain, and listens there', () => {
    const from = withSession([mainnet, devnet])
    const to = moved(from, coreOf(devnetHash, devnet), devnet)
    const { namespaces: approved, controllerKey, expiresAt } = from.model.session['session-1'] ?? {}
    expect(to.model.session['session-1']).toMatchObject({
      namespaces: approved,
      controllerKey,
      expiresAt,
      chains: { solana: devnet },
    })
    expect(activeConnection(to.model)).toMatchObject({ account, connection: { sessionTopic: 'session-1' } })
    open(to)
    expect(to.ordered('relay.subscribe').flatMap(({ data }) => data.topics)).toContain('session-1')
    expect(to.timers().has('session:session-1')).toBe(true)
  })

  test('approved under a former id counts', () => {
    const from = withSession([mainnet, 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K'])
    expect(from.command('network.switch', { caip2: devnet }).types).toEqual(['network.switched'])
  })

  test('approved under a former id is asked on that chain, never on another that it approved', () => {
    const former = 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K'
    const to = moved(withSession([mainnet, former]), coreOf(devnetHash, devnet), devnet)
    to.command('send.request', request())
    to.answer('chain.prepareSend', 'chain.sendPrepared', preparedSend(to.last('chain.prepareSend').data))
    to.command('order.continue', { orderId: theOrder(to).orderId })
    expect(Object.values(to.model.request).map(({ chainId }) => chainId)).toEqual([former])
  })

  test('offers on each network only the accounts that its wallet approved there', () => {
    const from = withSession([mainnet])
    const shared = [`${devnet}:${other}`, `${mainnet}:${account}`]
    message(from, 'session-1', {
      kind: 'update',
      id: '1798999500000001',
      namespaces: namespaces(['solana_signTransaction'], shared),
    })
    expect(activeConnection(from.model)?.connection.accounts).toEqual([account])
    const heard = { kind: 'event', id: '1798999600000001', event: 'accountsChanged', chainId: devnet } as const
    message(from, 'session-1', { ...heard, accounts: [other] })
    expect(activeConnection(from.model)?.account).toBe(account)
    const to = moved(from, coreOf(devnetHash, devnet), devnet)
    expect(activeConnection(to.model)?.connection.accounts).toEqual([other])
  })

  test('uses on each network only the methods that its wallet approved there', () => {
    const from = withSession([mainnet])
    const part = { methods: ['solana_signMessage'], events: [] }
    message(from, 'session-1', {
      kind: 'update',
      id: '1798999500000001',
      namespaces: {
        [devnet]: { ...part, methods: ['solana_signTransaction'], accounts: [`${devnet}:${account}`] },
        [mainnet]: { ...part, accounts: [`${mainnet}:${account}`] },
      },
    })
    expect(activeConnection(from.model)?.connection.features).toEqual(['signMessage'])
  })

  test('is asked under any chain that its wallet approved, where the network is a local one, which no wallet knows', () => {
    const hash = 'G'.repeat(44)
    const world = shown(coreOf(hash, `solana:${hash.slice(0, 32)}`))
    answered(world)
    const approved = namespaces(['solana_signTransaction'], [`${devnet}:${account}`])
    message(world, 'session-1', settlement(world, { namespaces: approved }))
    sealAll(world)
    takeAll(world)
    world.command('send.request', request())
    world.answer('chain.prepareSend', 'chain.sendPrepared', preparedSend(world.last('chain.prepareSend').data))
    world.command('order.continue', { orderId: theOrder(world).orderId })
    expect(Object.values(world.model.request).map(({ chainId }) => chainId)).toEqual([devnet])
  })

  test('makes no transfer where its wallet approved the account on another public network alone', () => {
    const world = withSession([devnet])
    world.command('send.request', request())
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'WALLET_NETWORK' } } })
  })

  test('that did not approve the chain keeps the page where it is, and says so', () => {
    const from = withSession([mainnet])
    expect(from.command('network.switch', { caip2: devnet }).types).toEqual(['network.refused'])
    expect(from.model.network.change?.failure).toEqual({
      code: 'unsupported',
      message: `Failed to switch to chain '${devnet}'. The chain is not approved or the wallet does not support switching.`,
    })
  })

  test('beside the active wallet goes along without a connection there, and keeps its own here', () => {
    const from = withLantern(withSession([mainnet]))
    const to = moved(from, coreOf(devnetHash, devnet), devnet)
    expect(Object.values(to.model.connection.made)).toMatchObject([{ connector: 'installed' }])
    expect(Object.keys(to.model.session)).toEqual(['session-1'])
    from.kill()
    moved(to, from, mainnet)
    expect(connectionOf(from.model, 'session-1')).toMatchObject({ accounts: [account] })
  })

  test('that ended there is gone on the way back, with its keys', () => {
    const from = withSession([mainnet, devnet])
    const to = moved(from, coreOf(devnetHash, devnet), devnet)
    to.command('session.disconnect', { sessionTopic: 'session-1' })
    from.kill()
    moved(to, from, mainnet)
    expect([from.model.session, from.model.connection.made]).toEqual([{}, {}])
    expect(from.ordered('vault.forget').flatMap(({ data }) => data.topics)).toContain('session-1')
  })

  test('that the wallet changed there is so on the way back', () => {
    const from = withSession([mainnet, devnet])
    const to = moved(from, coreOf(devnetHash, devnet), devnet)
    const changed = namespaces(['solana_signTransaction'], [`${mainnet}:${other}`, `${devnet}:${other}`])
    message(to, 'session-1', { kind: 'update', id: '1798999500000001', namespaces: changed })
    message(to, 'session-1', { kind: 'extend', id: '1798999600000001' })
    from.kill()
    moved(to, from, mainnet)
    const { namespaces: now, updateOrder, expiresAt, chains } = to.model.session['session-1'] ?? {}
    expect(from.model.session['session-1']).toMatchObject({ namespaces: now, updateOrder, expiresAt })
    expect(chains).toEqual({ solana: devnet })
    expect(activeConnection(from.model)?.account).toBe(other)
  })

  test('that ran out on the way is left out', () => {
    const from = withSession([mainnet, devnet])
    const to = coreOf(devnetHash, devnet)
    from.command('network.switch', { caip2: devnet })
    to.wait(604_800_001)
    to.input('network.entered', from.last('core.switchNetwork').data.entering)
    expect(to.model.session).toEqual({})
  })
})

describe('the node of a chosen network', () => {
  test('that serves another chain is named, and the choice stays', () => {
    const world = createWorld({ genesisHash: devnetHash, ...choiceOn(devnet) })
    world.boot()
    world.answer('chain.identify', 'chain.identified', { genesisHash: mainnetHash, caip2: mainnet })
    expect(world.model.network).toMatchObject({ phase: 'mismatched', got: mainnetHash, offer: { active: devnet } })
    expect(world.ordered('core.relocate')).toEqual([])
  })

  test('of the page itself takes the core to the log of its chain, as ever', () => {
    const world = createWorld({ genesisHash: mainnetHash, ...choiceOn(mainnet) })
    world.boot()
    world.answer('chain.identify', 'chain.identified', { genesisHash: devnetHash, caip2: devnet })
    expect(world.last('core.relocate').data).toEqual({ genesisHash: devnetHash })
  })
})
