import { describe, expect, test } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import { changesTo } from '../../../src/main/storage/changes.ts'
import { entriesOf } from '../../../src/main/storage/entries.ts'
import {
  account,
  at,
  createPlace,
  ended,
  evmAccount,
  made,
  mainnet,
  otherAccount,
  page,
  phantomId,
  read,
  torch,
  torchEnded,
  torchId,
} from './story.ts'

type Place = ReturnType<typeof createPlace>

/** Brings the storage to the model. @returns the number of values that did not fit */
function bring(place: Place, model: Model, { now = at, isStart = false } = {}): number {
  const wanted = entriesOf(model)
  if (!wanted) throw new Error('the model expected a core, it has none')
  const { writes, dropped } = changesTo(wanted, place.getItem, { now, isStart })
  for (const [name, text] of writes) {
    if (text === null) place.removeItem(name)
    else place.setItem(name, text)
  }
  return dropped
}

const caipNetwork = { id: mainnet.slice(7), caipNetworkId: mainnet, chainNamespace: 'solana', name: 'Solana' }
const phantom = made('Phantom', [account])
/** A connection of another library, with an address of its RPC. */
const foreign = {
  connectorId: 'io.rabby',
  accounts: [{ address: evmAccount, type: 'eoa' }],
  caipNetwork: { caipNetworkId: 'eip155:1', rpcUrls: { default: { http: ['https://rpc.example/?projectId=9'] } } },
}
const foreignValues = {
  '@appkit/connection_status': 'connected',
  '@appkit/connected_namespaces': 'eip155',
  '@appkit/active_namespace': 'eip155',
  '@appkit/active_caip_network_id': 'eip155:1',
  '@appkit/eip155:connected_connector_id': 'io.rabby',
  '@appkit/connections': JSON.stringify({ eip155: [foreign] }),
}

describe('client storage: a connection', () => {
  test('writes its keys as the reference has them', () => {
    const place = createPlace()
    bring(place, page(phantom))
    expect(place.values()).toEqual({
      '@appkit/connection_status': 'connected',
      '@appkit/connected_namespaces': 'solana',
      '@appkit/active_namespace': 'solana',
      '@appkit/active_caip_network_id': mainnet,
      '@appkit/solana:connected_connector_id': phantomId,
      '@appkit/connections': JSON.stringify({
        solana: [{ connectorId: phantomId, accounts: [{ address: account }], caipNetwork, name: 'Phantom' }],
      }),
      '@appkit/mai:schema': '1',
      '@appkit/mai:written': JSON.stringify({ connections: { solana: { [phantomId]: [account] } } }),
    })
  })

  test('that ends takes its own keys along, and is listed as disconnected', () => {
    const place = createPlace()
    bring(place, page(phantom))
    bring(place, page(phantom, ended('c-Phantom')))
    expect(place.values()).toEqual({
      '@appkit/connection_status': 'disconnected',
      '@appkit/connected_namespaces': '',
      '@appkit/active_namespace': 'solana',
      '@appkit/active_caip_network_id': mainnet,
      '@appkit/disconnected_connector_ids': JSON.stringify({ solana: [phantomId] }),
      '@appkit/mai:schema': '1',
      '@appkit/mai:written': '{"connections":{}}',
    })
  })

  test('that is made again is no longer listed as disconnected, whatever the case of its id', () => {
    const list = JSON.stringify({ solana: [phantomId.toUpperCase(), 'Quill'], eip155: ['io.rabby'] })
    const place = createPlace({ '@appkit/disconnected_connector_ids': list })
    bring(place, page(phantom))
    expect(place.json('@appkit/disconnected_connector_ids')).toEqual({ solana: ['Quill'], eip155: ['io.rabby'] })
  })

  test('that is switched leaves both listed, and names the active one', () => {
    const place = createPlace()
    bring(place, page(phantom))
    bring(place, page(phantom, made('Quill', [otherAccount])))
    expect(place.getItem('@appkit/solana:connected_connector_id')).toBe('Quill')
    expect(place.json('@appkit/connections')).toMatchObject({
      solana: [{ connectorId: phantomId }, { connectorId: 'Quill' }],
    })
    bring(place, page(phantom, made('Quill', [otherAccount]), ended('c-Quill')))
    expect(place.getItem('@appkit/solana:connected_connector_id')).toBe(phantomId)
    expect(place.getItem('@appkit/connection_status')).toBe('connected')
    expect(place.json('@appkit/disconnected_connector_ids')).toEqual({ solana: ['Quill'] })
  })

  test('that changes its account keeps only the new one', () => {
    const place = createPlace()
    bring(place, page(phantom))
    const changed = { connectionId: 'c-Phantom', accounts: [otherAccount] }
    bring(place, page(phantom, { type: 'connection.accountsChanged', data: changed }))
    expect(place.json('@appkit/connections')).toMatchObject({ solana: [{ accounts: [{ address: otherAccount }] }] })
    expect(place.getItem('@appkit/disconnected_connector_ids')).toBeNull()
  })

  test('over WalletConnect writes each namespace of its session, the wallet and its link', () => {
    const place = createPlace()
    const reached = torch({ link: 'torch://' })
    bring(place, page(...reached))
    expect(place.getItem('@appkit/connected_namespaces')).toBe('eip155,solana')
    expect(place.getItem('@appkit/eip155:connected_connector_id')).toBe('walletConnect')
    expect(place.json('@appkit/recent_wallets')).toEqual([{ id: torchId, name: 'Torch' }])
    expect(place.json('@appkit/recent_wallet')).toEqual({ id: torchId, name: 'Torch' })
    expect(place.json('WALLETCONNECT_DEEPLINK_CHOICE')).toEqual({ href: 'torch://', name: 'Torch' })
    bring(place, page(...reached, ...torchEnded))
    expect(place.getItem('WALLETCONNECT_DEEPLINK_CHOICE')).toBeNull()
    expect(place.getItem('@appkit/connections')).toBeNull()
    expect(place.json('@appkit/disconnected_connector_ids')).toEqual({
      eip155: ['walletConnect'],
      solana: ['walletConnect'],
    })
    expect(place.json('@appkit/recent_wallets')).toEqual([{ id: torchId, name: 'Torch' }])
  })

  test('that ended while no page was open is removed at the next start', () => {
    const place = createPlace()
    bring(place, page(phantom, ...torch({ link: 'torch://' })))
    bring(place, page(), { isStart: true })
    expect(Object.keys(place.values()).sort()).toEqual([
      '@appkit/active_caip_network_id',
      '@appkit/active_namespace',
      '@appkit/connected_namespaces',
      '@appkit/connection_status',
      '@appkit/disconnected_connector_ids',
      '@appkit/mai:schema',
      '@appkit/mai:written',
      '@appkit/recent_wallet',
      '@appkit/recent_wallets',
    ])
    expect(place.getItem('@appkit/connection_status')).toBe('disconnected')
  })
})

describe('client storage: another library', () => {
  test('keeps its values while nothing is connected here', () => {
    const place = createPlace(foreignValues)
    bring(place, page(), { isStart: true })
    expect(place.values()).toEqual({
      ...foreignValues,
      '@appkit/mai:schema': '1',
      '@appkit/mai:written': '{"connections":{}}',
    })
  })

  test('keeps its connections through a connection here', () => {
    const place = createPlace(foreignValues)
    bring(place, page(phantom), { isStart: true })
    expect(place.getItem('@appkit/connected_namespaces')).toBe('eip155,solana')
    expect(place.json('@appkit/connections')).toMatchObject({ eip155: [foreign], solana: [{ connectorId: phantomId }] })
    bring(place, page(phantom, ended('c-Phantom')))
    expect(place.json('@appkit/connections')).toEqual({ eip155: [foreign] })
    expect(place.getItem('@appkit/connected_namespaces')).toBe('eip155')
    expect(place.getItem('@appkit/connection_status')).toBe('connected')
    expect(place.getItem('@appkit/eip155:connected_connector_id')).toBe('io.rabby')
  })

  test('has the addresses of a shared connector beside ours, each once whatever its case', () => {
    const theirs = {
      connectorId: 'walletConnect',
      accounts: [{ address: evmAccount.toLowerCase() }, { address: '0x1' }],
    }
    const place = createPlace({ '@appkit/connections': JSON.stringify({ eip155: [theirs] }) })
    bring(place, page(...torch()))
    expect(place.json('@appkit/connections')).toMatchObject({ eip155: [theirs] })
    bring(place, page(...torch(), ...torchEnded))
    expect(place.json('@appkit/connections')).toMatchObject({ eip155: [{ accounts: [{ address: '0x1' }] }] })
  })

  test('keeps a connector and a link that it set after ours', () => {
    const place = createPlace()
    const reached = torch({ link: 'torch://' })
    bring(place, page(...reached))
    place.setItem('@appkit/solana:connected_connector_id', 'Backpack')
    place.setItem('WALLETCONNECT_DEEPLINK_CHOICE', '{"href":"other://","name":"Other"}')
    bring(place, page(...reached, ...torchEnded))
    expect(place.getItem('@appkit/solana:connected_connector_id')).toBe('Backpack')
    expect(place.getItem('WALLETCONNECT_DEEPLINK_CHOICE')).toBe('{"href":"other://","name":"Other"}')
  })

  test('has its network with RPC addresses replaced where the connection is ours', () => {
    const theirs = {
      connectorId: phantomId,
      accounts: [{ address: account }],
      caipNetwork: { caipNetworkId: mainnet, rpcUrls: { default: { http: ['https://rpc.example/?projectId=9'] } } },
    }
    const place = createPlace({ '@appkit/connections': JSON.stringify({ solana: [theirs] }) })
    bring(place, page(phantom))
    expect(place.json('@appkit/connections')).toMatchObject({ solana: [{ caipNetwork }] })
    expect(place.getItem('@appkit/connections')).not.toContain('rpc.example')
  })
})

describe('client storage: recent wallets', () => {
  const list = [
    { id: 'a1', name: 'A' },
    { id: 'b1', name: 'B' },
  ]

  test('take a new wallet first and drop the third', () => {
    const place = createPlace({ '@appkit/recent_wallets': JSON.stringify(list) })
    bring(place, page(...torch()))
    expect(place.json('@appkit/recent_wallets')).toEqual([{ id: torchId, name: 'Torch' }, list[0]])
  })

  test('leave a listed wallet in its place', () => {
    const listed = JSON.stringify([list[0], { id: torchId, name: 'Torch', order: 5 }])
    const place = createPlace({ '@appkit/recent_wallets': listed })
    bring(place, page(...torch()))
    expect(place.getItem('@appkit/recent_wallets')).toBe(listed)
  })
})

describe('client storage: a cached balance', () => {
  const key = '@appkit/native_balance_cache'
  const caipAddress = `${mainnet}:${account}`
  const entry = (timestamp: number) => ({ caipAddress: 'other', balance: '1', symbol: 'SOL', timestamp })

  test('is written with the time of its reading', () => {
    const place = createPlace()
    bring(place, page(phantom, read('2000000000')))
    expect(place.json(key)).toEqual({ [caipAddress]: { caipAddress, balance: '2', symbol: 'SOL', timestamp: at } })
  })

  test('that is 30 s old stays, a later one is removed without touching another key', () => {
    const place = createPlace({ [key]: JSON.stringify({ fresh: entry(at), old: entry(at - 1) }) })
    bring(place, page(phantom), { now: at + 30_000 })
    expect(place.json(key)).toEqual({ fresh: entry(at) })
    bring(place, page(phantom), { now: at + 30_001 })
    expect(place.getItem(key)).toBeNull()
  })

  test('of the model that is too old is not written', () => {
    const place = createPlace()
    bring(place, page(phantom, read('5', at)), { now: at + 30_001 })
    expect(place.getItem(key)).toBeNull()
  })
})

describe('client storage: a start', () => {
  const caches = {
    '@appkit/portfolio_cache': '{}',
    // Fresh, so that only the start removes it
    '@appkit/native_balance_cache': `{"x":{"caipAddress":"x","balance":"1","symbol":"SOL","timestamp":${at}}}`,
    '@appkit/ens_cache': '{}',
    '@appkit/identity_cache': '{}',
    '@appkit/history_transactions_cache': '{}',
    '@appkit/token_price_cache': '{}',
  }
  const kept = (place: Place) => Object.keys(caches).filter(name => place.getItem(name) !== null)

  test('while disconnected clears the caches, but for prices', () => {
    const place = createPlace({ ...caches, '@appkit/connection_status': 'disconnected' })
    bring(place, page(), { isStart: true })
    expect(kept(place)).toEqual(['@appkit/token_price_cache'])
  })

  test.each(['connected', 'connecting', 'x'])('while %s clears none', status => {
    const place = createPlace({ ...caches, '@appkit/connection_status': status })
    bring(place, page(phantom), { isStart: true })
    expect(kept(place)).toEqual(Object.keys(caches))
  })

  test('is the only time: a disconnection clears none', () => {
    const place = createPlace(caches)
    bring(place, page(phantom))
    bring(place, page())
    bring(place, page())
    expect(kept(place)).toEqual(Object.keys(caches))
  })
})

describe('client storage: values that do not fit', () => {
  test('are ignored, replaced and counted once', () => {
    const place = createPlace({
      '@appkit/connection_status': 'perhaps',
      '@appkit/connected_namespaces': 'moon',
      '@appkit/connections': '{"solana":[{"connectorId":5}],"eip155":[7]}',
      '@appkit/disconnected_connector_ids': '{',
      '@appkit/recent_wallets': '"x"',
      '@appkit/recent_wallet': '[]',
      '@appkit/native_balance_cache': '[1]',
      '@appkit/mai:written': '{"connections":[]}',
    })
    const clean = createPlace()
    expect(bring(place, page(...torch()))).toBe(8)
    expect(bring(clean, page(...torch()))).toBe(0)
    const { '@appkit/native_balance_cache': cache, ...others } = place.values()
    expect(cache).toBe('[1]')
    expect(others).toEqual(clean.values())
  })
})

describe('client storage: a second tab', () => {
  test.each([
    ['connected', page(phantom, read('5'))],
    ['connected over WalletConnect', page(...torch({ link: 'torch://' }), phantom)],
    ['not connected', page()],
  ])('writes nothing while %s', (_, model) => {
    const place = createPlace(foreignValues)
    bring(place, page(made('Quill', [otherAccount])))
    bring(place, model)
    place.writes.length = 0
    bring(place, model, { isStart: true })
    bring(place, model)
    expect(place.writes).toEqual([])
  })
})
