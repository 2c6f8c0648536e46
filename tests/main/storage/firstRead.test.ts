import { describe, expect, test } from 'vitest'
import { firstRead } from '../../../src/main/storage/firstRead.ts'
import { account, createPlace, ended, evmAccount, made, mainnet, page, phantomId } from './story.ts'

const values = {
  '@appkit/connection_status': 'connected',
  '@appkit/solana:connected_connector_id': phantomId,
  '@appkit/connections': JSON.stringify({
    solana: [{ connectorId: phantomId, accounts: [{ address: account }], caipNetwork: { caipNetworkId: mainnet } }],
  }),
}
const readFrom = (changes: Record<string, string>, model = page()) =>
  firstRead(model, createPlace({ ...values, ...changes }).getItem)
const stored = (connectorId: string, ...addresses: string[]) => ({
  '@appkit/solana:connected_connector_id': connectorId,
  '@appkit/connections': JSON.stringify({
    solana: [{ connectorId, accounts: addresses.map(address => ({ address })), name: 'Quill wallet' }],
  }),
})

describe('client storage: the first read', () => {
  test('finds the installed wallet that another library left connected', () => {
    expect(readFrom({})).toEqual({ connectorId: phantomId, name: 'Phantom', addresses: [account], network: mainnet })
  })

  test('finds a wallet outside the directory by its name', () => {
    expect(readFrom(stored('Quill', account))).toEqual({
      connectorId: 'Quill',
      name: 'Quill wallet',
      addresses: [account],
    })
  })

  test.each([
    ['coinbaseWallet', 'Coinbase Wallet'],
    ['coinbaseWalletSDK', 'Coinbase Wallet'],
    ['okx', 'OKX Wallet'],
  ])('finds the wallet of the connector %s by the name that it announces', (connectorId, name) => {
    expect(readFrom(stored(connectorId, account))?.name).toBe(name)
  })

  test('compares ids without regard to case', () => {
    expect(readFrom({ '@appkit/solana:connected_connector_id': phantomId.toUpperCase() })?.name).toBe('Phantom')
  })

  test.each([
    ['the other library is disconnected', { '@appkit/connection_status': 'disconnected' }],
    ['the status does not fit', { '@appkit/connection_status': 'yes' }],
    ['no connector is active', { '@appkit/solana:connected_connector_id': '' }],
    ['the connector has no connection', { '@appkit/solana:connected_connector_id': 'Quill' }],
    ['the connections are broken', { '@appkit/connections': '{"solana":' }],
    [
      'the connector was disconnected',
      { '@appkit/disconnected_connector_ids': `{"solana":["${phantomId.toUpperCase()}"]}` },
    ],
    ['the wallet is reached over WalletConnect', stored('walletConnect', account)],
    ...['injected', 'announced', 'eip6963', 'safe', 'ledger', 'baseAccount', 'ID_AUTH', 'AUTH'].map(
      connectorId =>
        [`the connector is ${connectorId}`, stored(connectorId, account)] as [string, Record<string, string>],
    ),
    ['no address is one of Solana', stored('Quill', evmAccount)],
    ['this mirror has written before', { '@appkit/mai:schema': '1' }],
  ])('finds nothing when %s', (_, changes) => {
    expect(readFrom(changes)).toBeUndefined()
  })

  test('finds nothing when the journal has or had a connection', () => {
    const quill = made('Quill', [account])
    expect(readFrom({}, page(quill))).toBeUndefined()
    expect(readFrom({}, page(quill, ended('c-Quill')))).toBeUndefined()
  })

  test('names only networks of Solana', () => {
    expect(readFrom({ ...stored('Quill', account), '@appkit/active_caip_network_id': 'eip155:1' })).not.toHaveProperty(
      'network',
    )
  })
})
