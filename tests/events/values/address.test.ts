import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSolanaAddress } from '../../../src/events/values/solana/address.ts'
import { shortAddress } from '../../../src/events/values/solana/shortAddress.ts'
import { decodeBase58, encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { explorerUrl, localNetwork, networkOfGenesis, networks } from '../../../src/events/values/networks.ts'

const buyer = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'

describe('base58', () => {
  // Vectors of Bitcoin Core: src/test/data/base58_encode_decode.json
  test.each([
    ['61', '2g'],
    ['626262', 'a3gV'],
    ['516b6fcd0f', 'ABnLTmg'],
    ['bf4f89001e670274dd', '3SEo3LWLoPntC'],
    ['00000000000000000000', '1111111111'],
    ['00eb15231dfceb60925886b67d065299925915aeb172c06647', '1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L'],
  ])('%s is %s, both ways', (hex, text) => {
    const bytes = new Uint8Array(Buffer.from(hex, 'hex'))
    expect(encodeBase58(bytes)).toBe(text)
    expect(decodeBase58(text)).toEqual(bytes)
  })

  test('decodes to the same bytes for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(4), (tail, zeros) => {
        const bytes = Uint8Array.from([...new Uint8Array(zeros), ...tail])
        expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes)
      }),
    )
  })

  test('refuses characters outside the alphabet and endless texts', () => {
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
})

describe('networks', () => {
  test('every id is the first 32 characters of the genesis hash', () => {
    for (const network of networks) expect(network.caip2).toBe(`solana:${network.genesisHash.slice(0, 32)}`)
    expect(networks.map(network => network.walletChain)).toEqual(['solana:mainnet', 'solana:devnet', 'solana:testnet'])
  })

  test('an unknown genesis hash is a local chain', () => {
    const [mainnet] = networks
    expect(networkOfGenesis('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')).toBe(mainnet)
    const local = networkOfGenesis(buyer)
    expect(local).toEqual(localNetwork(buyer))
    expect(local.caip2).toBe(`solana:${buyer.slice(0, 32)}`)
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
