import { describe, expect, test } from 'vitest'
import { networks } from '../../../src/events/values/networks.ts'
import { networksConfig } from '../../../src/main/drivers/networksConfig.ts'
import { networksCheck, networksChoice } from '../../../src/main/embed/config/networksChoice.ts'

const genesisHash = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const own = {
  caip2: `solana:${genesisHash.slice(0, 32)}`,
  genesisHash,
  name: 'Ours',
  rpcUrls: ['https://ours.example'],
}
const devnet = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const platform = { apiUrl: 'https://rpc.example', projectId: 'p1' }
const platformNode = (caip2: string) => `https://rpc.example/v1/?chainId=${encodeURIComponent(caip2)}&projectId=p1`

describe('networks to choose from', () => {
  test('are read by the platform’s nodes', () => {
    expect(
      networksConfig(
        networks.map(({ caip2 }) => ({ caip2 })),
        platform,
      ),
    ).toEqual({
      networks: networks.map(({ caip2, genesisHash: hash }) => ({ genesisHash: hash, rpcUrls: [platformNode(caip2)] })),
    })
  })

  test('of a host have its own nodes first, then the platform’s, which serves no network of the host’s own', () => {
    const chosen = [{ caip2: devnet, rpcUrls: ['https://a.example'] }, own]
    expect(networksConfig(chosen, platform).networks?.map(({ rpcUrls }) => rpcUrls)).toEqual([
      ['https://a.example', platformNode(devnet)],
      ['https://ours.example'],
    ])
  })

  test('have the project id in each of the platform’s addresses, and each address once', () => {
    const nodesOf = (rpcUrls: string[]) => networksConfig([{ caip2: devnet, rpcUrls }], platform).networks?.[0]?.rpcUrls
    const bare = `https://rpc.example/v1/?chainId=${devnet}`
    expect(nodesOf([bare])).toEqual([platformNode(devnet)])
    const others = [`${bare}&projectId=p2`, 'https://rpc.example.org/v1/?chainId=1', 'http://rpc.example/v1/']
    expect(nodesOf(others)).toEqual([...others, platformNode(devnet)])
    const without = networksConfig([{ caip2: devnet, rpcUrls: [bare] }], { apiUrl: '', projectId: 'p1' })
    expect(without.networks?.[0]?.rpcUrls).toEqual([bare])
  })

  test('without a node are left out; without any network there is no choice', () => {
    expect(networksConfig([{ caip2: devnet }, own], { apiUrl: '', projectId: '' }).networks).toHaveLength(1)
    expect(networksConfig(undefined, platform)).toEqual({})
    expect(networksConfig([], platform)).toEqual({})
  })

  test('by a former id are the present ones', () => {
    const [first] = networksConfig([{ caip2: 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K' }], platform).networks ?? []
    expect(first?.rpcUrls).toEqual([platformNode(devnet)])
  })

  test('of the host’s own reach the interface with their names', () => {
    expect(networksChoice([{ caip2: devnet }, own])).toEqual({
      host: [{ caip2: devnet }, own],
      ui: { networks: [{ caip2: own.caip2, name: 'Ours', rpcUrl: 'https://ours.example' }] },
    })
    expect(networksChoice([{ caip2: devnet }]).ui).toEqual({})
  })
})

describe('a host’s list of networks is refused', () => {
  test.each([
    ['that is no list', 'devnet', 'networks expected a list of at most 10, got "devnet"'],
    ['with a field unknown here', [{ ...own, chain: 1 }], 'networks[0] expected only the keys'],
    ['without an id', [{ name: 'x' }], 'networks[0].caip2 expected a value'],
    ['of another family', [{ caip2: 'eip155:1' }], 'networks[0].caip2 expected a network of Solana, got "eip155:1"'],
    ['without a genesis hash', [{ caip2: own.caip2 }], 'networks[0].genesisHash expected a value'],
    [
      'whose id is not of its genesis hash',
      [{ ...own, caip2: 'solana:x' }],
      'networks[0].caip2 expected solana: and the first 32 characters of its genesisHash, got "solana:x"',
    ],
    ['without a node', [{ ...own, rpcUrls: [] }], 'networks[0].rpcUrls expected at least one address, got a list'],
    ['with a node of another protocol', [{ caip2: devnet, rpcUrls: ['ftp://a'] }], 'networks[0].rpcUrls[0] expected'],
    ['twice', [{ caip2: devnet }, { caip2: 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K' }], 'expected each network once'],
  ])('%s', (_, value, words) => {
    let message = ''
    try {
      networksCheck(value, 'networks')
    } catch (cause) {
      message = (cause as Error).message
    }
    expect(message).toContain(words)
  })
})
