import bs58 from 'bs58'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../src/events/failure.ts'
import { avatarStops, avatarTints, isSolanaAddress, shortAddress } from '../../../src/events/values/address.ts'
import { decodeBase58, encodeBase58 } from '../../../src/events/values/base58.ts'
import {
  formatAccountId,
  formatChainId,
  parseAccountId,
  parseChainId,
  readAccountId,
} from '../../../src/events/values/caip.ts'
import {
  currentId,
  explorerUrl,
  localNetwork,
  networkOfGenesis,
  networkOfId,
  networks,
} from '../../../src/events/values/networks.ts'

const buyer = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'

describe('base58', () => {
  test('agrees with the library everybody uses, both ways', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(4), (tail, zeros) => {
        const bytes = Uint8Array.from([...new Uint8Array(zeros), ...tail])
        const text = bs58.encode(bytes)
        expect(encodeBase58(bytes)).toBe(text)
        expect(decodeBase58(text)).toEqual(bytes)
      }),
    )
  })

  test('characters outside the alphabet and endless texts have no bytes', () => {
    for (const text of ['0', 'O', 'I', 'l', ' ', 'é', '1 1']) expect(decodeBase58(text)).toBeUndefined()
    expect(decodeBase58('z'.repeat(2049))).toBeUndefined()
    expect(decodeBase58('')).toEqual(new Uint8Array(0))
  })
})

describe('a Solana address', () => {
  test('is base58 of 32 bytes, no more and no fewer', () => {
    expect(isSolanaAddress(buyer)).toBe(true)
    expect(isSolanaAddress('1'.repeat(32))).toBe(true)
    expect(isSolanaAddress('1'.repeat(33))).toBe(false)
    expect(isSolanaAddress('z'.repeat(44))).toBe(false)
    expect(isSolanaAddress(`${buyer} `)).toBe(false)
    expect(isSolanaAddress(buyer.replace('2', '0'))).toBe(false)
    expect(isSolanaAddress(undefined)).toBe(false)
  })

  test('is shown by its first and last four characters', () => {
    expect(shortAddress(buyer)).toBe('2xiX…8C3f')
    expect(shortAddress('abc')).toBe('abc')
  })

  test('has five tints of the first hex characters in it', () => {
    expect(avatarTints(buyer)).toEqual(['#2cb316', '#4cbe39', '#6bca5c', '#8bd57f', '#abe1a2'])
    expect(avatarTints('6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3')[0]).toBe('#6bc64e')
    expect(avatarTints('xyz')).toEqual(['#000000', '#262626', '#4d4d4d', '#737373', '#999999'])
    expect(avatarStops(buyer).map(stop => stop.color)).toEqual([
      '#fff',
      '#abe1a2',
      '#6bca5c',
      '#4cbe39',
      '#2cb316',
      '#8bd57f',
    ])
  })
})

describe('ids of networks and accounts', () => {
  const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

  test('come apart and together again', () => {
    expect(parseChainId(mainnet)).toEqual({ namespace: 'solana', reference: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })
    expect(parseAccountId(`${mainnet}:${buyer}`)).toMatchObject({ chainId: mainnet, address: buyer })
    expect(formatChainId('eip155', '1')).toBe('eip155:1')
    expect(formatAccountId(mainnet, buyer)).toBe(`${mainnet}:${buyer}`)
  })

  test.each([
    '',
    'solana',
    'solana:',
    ':1',
    'so:1',
    'SOLANA:1',
    'solana:a:b',
    'solana:a b',
    `eip155:${'1'.repeat(33)}`,
    'toolongname:1',
  ])('%j is no network id', text => {
    expect(() => parseChainId(text)).toThrow(Fault)
  })

  test.each(['', 'solana:a', 'solana:a:', 'solana:a:b:c', 'solana:a:b c', `solana:a:${'b'.repeat(129)}`])(
    '%j is no account id',
    text => {
      expect(readAccountId(text)).toBeUndefined()
      expect(() => parseAccountId(text)).toThrow(Fault)
    },
  )

  test('whatever is read, is what was written', () => {
    const part = fc.stringMatching(/^[-_.%:a-z0-9]{0,12}$/)
    fc.assert(
      fc.property(part, part, part, (namespace, reference, address) => {
        const text = `${namespace}:${reference}:${address}`
        const read = readAccountId(text)
        if (read) expect(`${read.chainId}:${read.address}`).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('networks', () => {
  test('every id is the first 32 characters of the genesis hash', () => {
    for (const network of networks) expect(network.caip2).toBe(`solana:${network.genesisHash.slice(0, 32)}`)
    expect(networks.map(network => network.walletChain)).toEqual(['solana:mainnet', 'solana:devnet', 'solana:testnet'])
  })

  test('a genesis hash that is nobody else’s is a local chain', () => {
    const [mainnet] = networks
    expect(networkOfGenesis('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')).toBe(mainnet)
    const local = networkOfGenesis(buyer)
    expect(local).toEqual(localNetwork(buyer))
    expect(local.caip2).toBe(`solana:${buyer.slice(0, 32)}`)
  })

  test('a deprecated id means the network of today', () => {
    expect(currentId('solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ')).toBe(networks[0]?.caip2)
    expect(networkOfId('solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K')?.cluster).toBe('devnet')
    expect(networkOfId('solana:unknown')).toBeUndefined()
    expect(currentId('solana:unknown')).toBe('solana:unknown')
  })

  test('explorer links carry the cluster', () => {
    const [mainnet, devnet, testnet] = networks as [(typeof networks)[0], (typeof networks)[0], (typeof networks)[0]]
    const rpcUrl = 'http://127.0.0.1:9000/?a=1'
    expect(explorerUrl(mainnet, { address: buyer }, rpcUrl)).toBe(`https://solscan.io/account/${buyer}`)
    expect(explorerUrl(devnet, { tx: 'abc' }, rpcUrl)).toBe('https://solscan.io/tx/abc?cluster=devnet')
    expect(explorerUrl(testnet, { address: 'a/b?' }, rpcUrl)).toBe(
      'https://solscan.io/account/a%2Fb%3F?cluster=testnet',
    )
    const keyed = rpcUrl.replace('://', '://user:pass@')
    expect(explorerUrl(localNetwork(buyer), { tx: 'abc' }, `${keyed}?api-key=k`)).not.toMatch(/pass|api-key/)
    expect(explorerUrl(localNetwork(buyer), { tx: 'abc' }, rpcUrl)).toBe(
      'https://explorer.solana.com/tx/abc?cluster=custom&customUrl=http%3A%2F%2F127.0.0.1%3A9000%2F',
    )
  })
})
