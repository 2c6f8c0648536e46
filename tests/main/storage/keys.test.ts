import { describe, expect, test } from 'vitest'
import type { StorageKey } from '../../../src/main/storage/formats.ts'
import { connectorKeys, isCacheExpired, chainNamespaces, storageKeys as keys } from '../../../src/main/storage/keys.ts'
import { account, at, evmAccount, mainnet, phantomId } from './story.ts'

const caip10 = `${mainnet}:${account}`
const wallet = { id: phantomId, name: 'Phantom', homepage: null, mobile_link: 'phantom://', order: 10 }
const connection = {
  connectorId: phantomId,
  accounts: [{ address: account }],
  caipNetwork: { id: mainnet.slice(7), caipNetworkId: mainnet, chainNamespace: 'solana', name: 'Solana' },
}
const balances = [
  {
    name: 'Solana',
    symbol: 'SOL',
    chainId: mainnet,
    value: 312.4,
    price: 156.2,
    quantity: { decimals: '9', numeric: '2' },
    iconUrl: '',
  },
]
const transfer = { id: 't1', metadata: {}, transfers: [] }

/** A value of each key as the reference describes it, and texts that do not fit. */
const samples: { [K in keyof typeof keys]: { fits: string[]; misfits: string[] } } = {
  status: { fits: ['connected', 'disconnected', 'connecting', 'reconnecting'], misfits: ['Connected', '"connected"'] },
  connectedNamespaces: { fits: ['eip155,solana', 'solana'], misfits: ['dogecoin', '["solana"]'] },
  activeNamespace: { fits: ['solana', 'tron'], misfits: ['Solana', 'solana,eip155'] },
  activeNetwork: { fits: [mainnet, 'eip155:1'], misfits: ['solana', 'solana:', `${mainnet}:x`, '1'] },
  connections: {
    fits: [
      JSON.stringify({ solana: [connection] }),
      JSON.stringify({ eip155: [{ connectorId: 'AUTH', accounts: [{ address: evmAccount, type: 'eoa' }], auth: {} }] }),
    ],
    misfits: [
      '{',
      '[]',
      'null',
      '{"solana":{}}',
      '{"solana":[{"connectorId":"x"}]}',
      '{"solana":[{"connectorId":"x","accounts":[]}]}',
      '{"solana":[{"connectorId":"","accounts":[{"address":"y"}]}]}',
      '{"solana":[{"connectorId":"x","accounts":[{"address":5}]}]}',
      '{"__proto__":[{"connectorId":"x","accounts":[{"address":"y"}]}]}',
    ],
  },
  disconnectedConnectors: {
    fits: [JSON.stringify({ solana: [phantomId] })],
    misfits: ['{"solana":"x"}', '{"a":[1]}', '7'],
  },
  preferredAccountTypes: { fits: ['{"eip155":"smartAccount","solana":"eoa"}'], misfits: ['{"solana":1}', 'eoa'] },
  connectedSocial: { fits: ['google'], misfits: ['x'.repeat(201)] },
  socialProvider: { fits: ['telegram'], misfits: ['x'.repeat(201)] },
  recentWallets: { fits: [JSON.stringify([wallet])], misfits: ['{}', '[{"id":"x"}]', '[null]', `[${'['.repeat(99)}`] },
  recentWallet: { fits: [JSON.stringify(wallet)], misfits: ['[]', '{"id":"x"}', '{"id":"x","name":"y","rdns":3}'] },
  deepLink: { fits: ['{"href":"phantom://","name":"Phantom"}'], misfits: ['"phantom://"', '{"href":"","name":"x"}'] },
  portfolio: {
    fits: [JSON.stringify({ [caip10]: { caipAddress: caip10, balance: { balances }, timestamp: at } })],
    misfits: ['{"x":{"balance":{"balances":[]},"timestamp":1}}', '{"x":5}'],
  },
  nativeBalances: {
    fits: [JSON.stringify({ [caip10]: { caipAddress: caip10, balance: '2', symbol: 'SOL', timestamp: at } })],
    misfits: ['2', '1e3', '-1', '.5', '1.'].map(balance =>
      JSON.stringify({ x: { caipAddress: 'x', balance, symbol: 'SOL', timestamp: balance === '2' ? '1' : 1 } }),
    ),
  },
  ens: {
    fits: [JSON.stringify({ [account]: { address: account, ens: [{ name: 'a.reown.id' }], timestamp: at } })],
    misfits: ['{"x":{"address":"x","ens":{},"timestamp":1}}', '{"x":{"address":"x","ens":[],"timestamp":-1}}'],
  },
  identity: {
    fits: [JSON.stringify({ [account]: { identity: { name: 'a', avatar: null }, timestamp: at } })],
    misfits: ['{"x":{"identity":null,"timestamp":1}}', '{"x":{"identity":{"name":1},"timestamp":1}}'],
  },
  history: {
    fits: [
      JSON.stringify({ [account]: { [mainnet]: { timestamp: at, transactions: { data: [transfer], next: null } } } }),
    ],
    misfits: ['{"x":{"":{"timestamp":1,"transactions":[]}}}', '{"x":[]}'],
  },
  tokenPrices: {
    fits: [
      JSON.stringify({
        [caip10]: { timestamp: at, tokenPrice: { fungibles: [{ name: 'Solana', symbol: 'SOL', price: 156.2 }] } },
      }),
    ],
    misfits: ['{"x":{"timestamp":1,"tokenPrice":{"fungibles":[{"name":"a","symbol":"b","price":"1"}]}}}', '{"x":{}}'],
  },
  latestVersion: { fits: [JSON.stringify({ timestamp: at, version: '1.8.0' })], misfits: ['{"version":"1"}', '1.8.0'] },
  email: { fits: ['a@example.org'], misfits: ['a', 'a b@example.org', `${'a'.repeat(300)}@b`] },
  emailLoginUsed: { fits: ['true'], misfits: ['false', '1'] },
  lastEmailLogin: { fits: [String(at)], misfits: ['-1', '1e9', 'now'] },
  lastUsedChain: { fits: ['1'], misfits: ['x'.repeat(201)] },
  socialUsername: { fits: ['ann'], misfits: ['x'.repeat(201)] },
  smartAccountNetworks: { fits: ['1,137'], misfits: ['0x1', 'eip155:1'] },
  schema: { fits: ['1', '12'], misfits: ['0', '01', '1.5', '{}'] },
  written: {
    fits: [JSON.stringify({ connections: { solana: { Quill: [account] } }, href: 'torch://' })],
    misfits: ['{}', '{"connections":{"solana":["x"]}}', '{"connections":{},"href":1}'],
  },
}
const cases = Object.entries(samples).map(([name, sample]) => {
  return { ...sample, key: keys[name as keyof typeof keys] as StorageKey<never> }
})

describe('client storage: a value', () => {
  test.each(cases.map(one => [one.key.name, one] as const))(
    'of %s is read and written back alike',
    (_, { key, fits }) => {
      for (const text of fits) {
        const { value, dropped } = key.read(text)
        expect(dropped, text).toBe(0)
        expect(value && key.write(value), text).toBe(text)
      }
    },
  )

  test.each(cases.map(one => [one.key.name, one] as const))(
    'of %s that does not fit is dropped and counted',
    (_, { key, misfits }) => {
      for (const text of misfits) {
        const { value, dropped } = key.read(text)
        expect(dropped, text).toBe(1)
        // Of a list or a table only the member is dropped
        const members = JSON.stringify(value ?? [])
        expect(members, text).not.toMatch(/[1-9x]/)
      }
    },
  )

  test('has a key for the connector of each namespace', () => {
    for (const namespace of chainNamespaces) {
      const key = connectorKeys[namespace]
      expect(key.name).toBe(`@appkit/${namespace}:connected_connector_id`)
      expect(key.read('walletConnect')).toEqual({ value: 'walletConnect', dropped: 0 })
      expect(key.read('x'.repeat(201))).toEqual({ value: undefined, dropped: 1 })
    }
  })

  test('keeps the good members beside a bad one', () => {
    const good = JSON.stringify({ solana: [connection, { connectorId: 7 }], eip155: 5, tron: [null] })
    expect(keys.connections.read(good)).toEqual({ value: { solana: [connection], tron: [] }, dropped: 3 })
    expect(keys.connectedNamespaces.read('solana,x,,eip155')).toEqual({ value: ['solana', 'eip155'], dropped: 1 })
  })
})

describe('client storage: the keys', () => {
  test('have the names of the reference, each once', () => {
    const names = cases.map(({ key }) => key.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.sort()).toMatchInlineSnapshot(`
      [
        "@appkit-wallet/EMAIL",
        "@appkit-wallet/EMAIL_LOGIN_USED_KEY",
        "@appkit-wallet/LAST_EMAIL_LOGIN_TIME",
        "@appkit-wallet/LAST_USED_CHAIN_KEY",
        "@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS",
        "@appkit-wallet/SOCIAL_USERNAME",
        "@appkit/active_caip_network_id",
        "@appkit/active_namespace",
        "@appkit/connected_namespaces",
        "@appkit/connected_social",
        "@appkit/connection_status",
        "@appkit/connections",
        "@appkit/disconnected_connector_ids",
        "@appkit/ens_cache",
        "@appkit/history_transactions_cache",
        "@appkit/identity_cache",
        "@appkit/latest_version",
        "@appkit/mai:schema",
        "@appkit/mai:written",
        "@appkit/native_balance_cache",
        "@appkit/portfolio_cache",
        "@appkit/preferred_account_types",
        "@appkit/recent_wallet",
        "@appkit/recent_wallets",
        "@appkit/social_provider",
        "@appkit/token_price_cache",
        "WALLETCONNECT_DEEPLINK_CHOICE",
      ]
    `)
  })

  test('of features that this product lacks are reserved', () => {
    const reserved = cases.filter(({ key }) => key.by === 'reserved').map(({ key }) => key.name)
    expect(reserved.sort()).toMatchInlineSnapshot(`
      [
        "@appkit-wallet/EMAIL",
        "@appkit-wallet/EMAIL_LOGIN_USED_KEY",
        "@appkit-wallet/LAST_EMAIL_LOGIN_TIME",
        "@appkit-wallet/LAST_USED_CHAIN_KEY",
        "@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS",
        "@appkit-wallet/SOCIAL_USERNAME",
        "@appkit/connected_social",
        "@appkit/ens_cache",
        "@appkit/history_transactions_cache",
        "@appkit/identity_cache",
        "@appkit/latest_version",
        "@appkit/portfolio_cache",
        "@appkit/preferred_account_types",
        "@appkit/social_provider",
        "@appkit/token_price_cache",
      ]
    `)
  })

  test('of caches have their lifetimes, ms', () => {
    const lived = cases.flatMap(({ key }) => (key.ttlMs === undefined ? [] : [[key.name, key.ttlMs]]))
    expect(Object.fromEntries(lived)).toEqual({
      '@appkit/portfolio_cache': 30_000,
      '@appkit/native_balance_cache': 30_000,
      '@appkit/ens_cache': 300_000,
      '@appkit/identity_cache': 300_000,
      '@appkit/history_transactions_cache': 15_000,
      '@appkit/token_price_cache': 15_000,
      '@appkit/latest_version': 604_800_000,
    })
  })

  test('expire strictly after their lifetime', () => {
    expect(isCacheExpired(at + 30_000, at, 30_000)).toBe(false)
    expect(isCacheExpired(at + 30_001, at, 30_000)).toBe(true)
  })
})
