import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { isAway } from '../../../src/events/subjects/service/network.ts'
import { networks } from '../../../src/events/values/networks.ts'
import { canUse } from '../../../src/events/subjects/wallet/approvedNetworks.ts'
import { networkName, networksToChoose } from '../../../src/ui/account/networks/networkChoice.ts'
import { networkStanding } from '../../../src/events/subjects/wallet/approvedNetworks.ts'

const [mainnet, devnet, testnet] = networks.map(({ caip2 }) => caip2) as [string, string, string]
const own = { caip2: 'solana:9xQeWvG816bUx9EPjHmaT23yvVM2ZWbr', name: 'Ours', rpcUrl: 'https://ours.example' }
const config = { networks: [own] }
const offer = { home: mainnet, active: mainnet, networks: [mainnet, devnet, testnet, own.caip2] }

function modelOf(active = mainnet, approved?: string[]) {
  const model = emptyCoreModel()
  const genesisHash = networks.find(({ caip2 }) => caip2 === active)?.genesisHash ?? ''
  model.network = { online: true, phase: 'identified', genesisHash, caip2: active, offer: { ...offer, active } }
  const wallet = { walletId: 'w', name: 'W' }
  model.connection.active = 'c'
  model.connection.made.c = {
    phase: 'live',
    connectionId: 'c',
    connector: approved ? 'walletConnect' : 'installed',
    wallet,
    accounts: ['a'],
    features: [],
    madeAt: 1,
    ...(approved && { sessionTopic: 's' }),
  }
  if (approved) {
    const accounts = approved.map(chain => `${chain}:a`)
    model.session.s = { namespaces: { solana: { accounts, methods: [], events: [] } } } as never
  }
  return model
}

describe('networks to choose from', () => {
  test('stand in the configured order, all of them for an installed wallet', () => {
    const shown = networksToChoose(modelOf(), config)
    expect(shown.map(({ name, isDisabled }) => [name, isDisabled])).toEqual([
      ['Solana', false],
      ['Solana Devnet', false],
      ['Solana Testnet', false],
      ['Ours', false],
    ])
    expect(shown[0]).toMatchObject({ isActive: true, isHome: true, isTest: false })
  })

  test('stand in the order of a session’s approval, those without one last and disabled', () => {
    const model = modelOf(mainnet, ['solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K', mainnet])
    expect(networksToChoose(model, config).map(({ caip2, isDisabled }) => [caip2, isDisabled])).toEqual([
      [devnet, false],
      [mainnet, false],
      [testnet, true],
      [own.caip2, true],
    ])
    expect([canUse(model, devnet), canUse(model, testnet)]).toEqual([true, false])
  })

  test('are none without an offer', () => {
    expect(networksToChoose(emptyCoreModel(), config)).toEqual([])
  })
})

test('a network has its own name, a local one its kind’s, any other none', () => {
  const { network } = modelOf()
  expect(networkName(network, devnet, config)).toBe('Solana Devnet')
  expect(networkName(network, own.caip2, config)).toBe('Ours')
  expect(networkName(network, own.caip2, {})).toBe('Solana Localnet')
  expect(networkName(network, 'eip155:1', config)).toBe('Unknown Network')
})

describe('the active network', () => {
  test('is supported when its node serves it and the wallet approved it', () => {
    expect(networkStanding(modelOf())).toBe('supported')
    expect(networkStanding(modelOf(devnet, [devnet]))).toBe('supported')
    expect(networkStanding(modelOf(devnet, [mainnet]))).toBe('unsupported')
  })

  test('is unsupported when its node serves another chain, unknown before it answers, off without a choice', () => {
    const model = modelOf()
    const { offer: offered } = model.network
    model.network = { online: true, phase: 'mismatched', expected: 'a', got: 'b', ...(offered && { offer: offered }) }
    expect(networkStanding(model)).toBe('unsupported')
    model.network = { online: true, phase: 'unknown', ...(offered && { offer: offered }) }
    expect(networkStanding(model)).toBe('unknown')
    expect(networkStanding(emptyCoreModel())).toBe('off')
  })

  test('may be another than the sale’s', () => {
    expect([isAway(modelOf()), isAway(modelOf(devnet)), isAway(emptyCoreModel())]).toEqual([false, true, false])
  })
})
