import { describe, expect, test } from 'vitest'
import { entriesOf } from '../../../src/main/storage/entries.ts'
import {
  account,
  evmAccount,
  identified,
  made,
  mainnet,
  modelOf,
  otherAccount,
  page,
  phantomId,
  read,
  torch,
  torchEnded,
  torchId,
} from './story.ts'

const caipNetwork = { id: mainnet.slice(7), caipNetworkId: mainnet, chainNamespace: 'solana', name: 'Solana' }

describe('client storage: the entries of a model', () => {
  test('are unknown before the page has a core’s model', () => {
    expect(entriesOf(modelOf(identified, made('Phantom', [account])))).toBeUndefined()
  })

  test('are empty without a connection', () => {
    expect(entriesOf(page())).toEqual({ connectors: {}, connections: {}, balances: {} })
  })

  test('name a known wallet by its id in the directory, any other by its name', () => {
    expect(entriesOf(page(made('Phantom', [account])))?.connectors).toEqual({ solana: phantomId })
    const coinbase = 'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa'
    expect(entriesOf(page(made('Coinbase Wallet', [account])))?.connectors).toEqual({ solana: coinbase })
    const okx = '971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709'
    expect(entriesOf(page(made('OKX Wallet', [account])))?.connectors).toEqual({ solana: okx })
    expect(entriesOf(page(made('Quill', [account])))?.connectors).toEqual({ solana: 'Quill' })
    expect(entriesOf(page(made('constructor', [account])))?.connectors).toEqual({ solana: 'constructor' })
  })

  test('have each connection with its accounts and a network made of ids and a name', () => {
    expect(entriesOf(page(made('Quill', [account, otherAccount])))).toMatchObject({
      network: mainnet,
      connections: {
        solana: [
          {
            connectorId: 'Quill',
            accounts: [{ address: account }, { address: otherAccount }],
            caipNetwork,
            name: 'Quill',
          },
        ],
      },
    })
  })

  test('have no network before the chain is known', () => {
    const entries = entriesOf(modelOf({ type: 'tab.attached', data: { life: 1 } }, made('Quill', [account])))
    expect(entries).not.toHaveProperty('network')
    expect(entries?.connections.solana?.[0]).not.toHaveProperty('caipNetwork')
  })

  test('name the connector of the active connection, and list all', () => {
    const entries = entriesOf(page(made('Phantom', [account]), made('Quill', [otherAccount])))
    expect(entries?.connectors.solana).toBe('Quill')
    expect(entries?.connections.solana?.map(one => one.connectorId)).toEqual(['Quill', phantomId])
    const activated = { type: 'connection.activated', data: { connectionId: 'c-Phantom' } } as const
    const switched = entriesOf(page(made('Phantom', [account]), made('Quill', [otherAccount]), activated))
    expect(switched?.connectors.solana).toBe(phantomId)
  })

  test('keep a connection whose wallet is missing or being restored', () => {
    const facts = [
      { type: 'connection.restoring', data: { connectionId: 'c-Quill' } },
      {
        type: 'connection.missing',
        data: { connectionId: 'c-Quill', failure: { code: 'wallet_gone', message: 'gone' } },
      },
    ] as const
    for (const fact of facts)
      expect(entriesOf(page(made('Quill', [account]), fact))?.connectors).toEqual({ solana: 'Quill' })
  })

  test('have a session’s namespaces, each address once', () => {
    const entries = entriesOf(page(...torch()))
    expect(entries?.connectors).toEqual({ solana: 'walletConnect', eip155: 'walletConnect' })
    expect(entries?.connections.solana?.map(one => one.accounts)).toEqual([[{ address: account }]])
    expect(entries?.connections.eip155).toEqual([
      { connectorId: 'walletConnect', accounts: [{ address: evmAccount }], name: 'Torch' },
    ])
  })

  test('have the wallet of the directory that was connected last, with the directory’s fields', () => {
    const wallets = [{ walletId: torchId, name: 'Torch', mobileLink: 'torch://', imageId: 'i1', certified: true }]
    const listed = { type: 'listing.featuredRead', data: { wallets } } as const
    expect(entriesOf(page(listed, ...torch(), made('Quill', [account])))?.recent).toEqual({
      id: torchId,
      name: 'Torch',
      image_id: 'i1',
      mobile_link: 'torch://',
    })
    expect(entriesOf(page(made('Quill', [account])))).not.toHaveProperty('recent')
  })

  test('have the link that reached a wallet, until its session ends', () => {
    const reached = torch({ link: 'torch://' })
    expect(entriesOf(page(...reached))?.deepLink).toEqual({ href: 'torch://', name: 'Torch' })
    expect(entriesOf(page(...reached, ...torchEnded))).not.toHaveProperty('deepLink')
    expect(entriesOf(page(...torch()))).not.toHaveProperty('deepLink')
  })

  test('have a link that was chosen since the page attached', () => {
    expect(entriesOf(page(...torch()), { p1: 'torch://' })?.deepLink?.href).toBe('torch://')
  })

  test('have no link of a wallet that forbids it, and none that opens no wallet', () => {
    expect(entriesOf(page(...torch({ link: 'torch://', disableDeepLink: true })))).not.toHaveProperty('deepLink')
    for (const link of ['javascript:alert(1)', 'data:text/html,x', 'http://torch.example', 'torch'])
      expect(entriesOf(page(...torch({ link })))).not.toHaveProperty('deepLink')
  })

  test.each([
    ['2000000000', '2'],
    ['1', '0.000000001'],
    ['1234567890123', '1234.567890123'],
    ['0', '0'],
  ])('have %s lamports as %s SOL', (lamports, balance) => {
    const caipAddress = `${mainnet}:${account}`
    expect(entriesOf(page(made('Quill', [account]), read(lamports, 5)))?.balances).toEqual({
      [caipAddress]: { caipAddress, balance, symbol: 'SOL', timestamp: 5 },
    })
  })

  test('have no balance of a failed reading or of an account that is not connected', () => {
    const failure = { code: 'unknown', message: 'x' } as const
    const failed = { type: 'balance.failed', data: { account, failure } } as const
    expect(entriesOf(page(made('Quill', [account]), failed))?.balances).toEqual({})
    expect(entriesOf(page(made('Quill', [otherAccount]), read('5')))?.balances).toEqual({})
  })
})
