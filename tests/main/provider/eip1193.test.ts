/** EIP-1193 of the provider: events, errors and results as libraries for such providers expect them. */
import { describe, expect, test } from 'vitest'
import type { Session } from '../../../src/events/subjects/session/session.ts'
import { ProviderError } from '../../../src/main/provider/providerError.ts'
import { createHost, evm, type Host, holder, other } from './host.ts'

const sign = { method: 'personal_sign', params: ['0x00', holder] }
const at = (host: Host, ms: number) => `${host.world.at + ms}001`
const events = ['accountsChanged', 'chainChanged', 'message', 'paid']

describe('a listener', () => {
  test('is called until it is removed, by either name; calls may be chained', async () => {
    const host = createHost()
    const heard: unknown[] = []
    const hear = (chainId: string) => void heard.push(chainId)
    await host.connect(evm(['eip155:1', 'eip155:10']))
    expect(host.provider.on('chainChanged', hear).once('chainChanged', hear)).toBe(host.provider)
    host.provider.setDefaultChain('eip155:10')
    expect(heard).toEqual(['0xa', '0xa'])
    expect(host.provider.removeListener('chainChanged', hear)).toBe(host.provider)
    host.provider.setDefaultChain('eip155:1')
    host.provider.on('chainChanged', hear).off('chainChanged', hear)
    host.provider.setDefaultChain('eip155:10')
    expect(heard).toHaveLength(2)
  })
})

describe('chains of events', () => {
  test('are hex in Ethereum’s family, in eth_chainId, chainChanged and connect alike, else the reference', async () => {
    const host = createHost()
    const cosmos = { accounts: ['cosmos:hub:c1', 'cosmos:osmosis:c2'], methods: ['sign'] }
    await host.connect({ ...evm(['eip155:137', 'eip155:10']), cosmos })
    host.provider.setDefaultChain('eip155:10')
    host.provider.setDefaultChain('cosmos:osmosis')
    expect(host.heard('connect')).toMatchObject([{ chainId: '0x89' }])
    expect(await host.provider.request({ method: 'eth_chainId' }, 'eip155')).toBe('0xa')
    expect(host.heard('chainChanged')).toEqual(['0xa', 'osmosis'])
  })

  test('are in connect only with one of Ethereum’s family', async () => {
    const host = createHost()
    await host.connect({ cosmos: { accounts: ['cosmos:hub:c1'], methods: ['sign'] } })
    expect(host.heard('connect')).toEqual([{ session: host.provider.session }])
  })

  test('change when the wallet takes the default chain away', async () => {
    const host = createHost()
    const topic = await host.connect(evm(['eip155:1', 'eip155:10']))
    const namespaces = { eip155: { ...evm(['eip155:10']).eip155, events: [] } }
    await host.says(topic, { kind: 'update', id: at(host, 1), namespaces })
    expect(host.heard('chainChanged')).toEqual(['0xa'])
    expect(host.heard('accountsChanged')).toEqual([])
  })
})

describe('accounts of events', () => {
  test('change when another wallet comes or goes, but not at the first connect or the last end', async () => {
    const host = createHost()
    await host.connect(evm(undefined, undefined, [holder]))
    expect(host.heard('accountsChanged')).toEqual([])
    host.world.wait(1000)
    const second = await host.connect(evm(undefined, undefined, [other]))
    expect(host.heard('accountsChanged')).toEqual([[other, holder]])
    await host.says(second, { kind: 'delete', id: '7' })
    expect(host.heard('accountsChanged')).toEqual([[other, holder], [holder]])
    expect(await host.provider.request({ method: 'eth_accounts' })).toEqual([holder])
    await host.says(host.provider.session?.topic ?? '', { kind: 'delete', id: '8' })
    expect(host.heard('accountsChanged')).toHaveLength(2)
    expect(host.heard('disconnect')).toHaveLength(2)
  })

  test('are not repeated by the update after the event', async () => {
    const host = createHost()
    const topic = await host.connect({ eip155: { ...evm(undefined, undefined, [holder, other]).eip155, events } })
    const data = JSON.stringify([`eip155:1:${other}`])
    const said = { event: 'accountsChanged', chainId: 'eip155:1', accounts: [other], data }
    await host.says(topic, { kind: 'event', ...said, id: at(host, 1) })
    const namespaces = { eip155: { ...evm(undefined, undefined, [other]).eip155, events } }
    await host.says(topic, { kind: 'update', id: at(host, 2), namespaces })
    expect(host.heard('accountsChanged')).toEqual([[other]])
  })

  test('are not repeated by changes elsewhere after the wallet’s event', async () => {
    const host = createHost()
    const topic = await host.connect({ eip155: { ...evm(undefined, undefined, [holder, other]).eip155, events } })
    const data = JSON.stringify([`eip155:1:${other}`])
    const said = { event: 'accountsChanged', chainId: 'eip155:1', accounts: [other], data }
    await host.says(topic, { kind: 'event', ...said, id: at(host, 1) })
    await host.connect({ cosmos: { accounts: ['cosmos:hub:c1'], methods: ['sign'] } })
    expect(host.heard('accountsChanged')).toEqual([[other]])
  })

  test('are a copy: the host’s changes have no effect', async () => {
    const host = createHost()
    await host.connect(evm())
    const given = await host.provider.request<string[]>({ method: 'eth_accounts' })
    given.push('0x0')
    expect(await host.provider.enable()).toEqual([holder])
  })
})

describe('a message', () => {
  test('carries a wallet’s events of Ethereum’s family beside accounts and chains, in the standard’s form', async () => {
    const host = createHost()
    const topic = await host.connect({
      eip155: { ...evm().eip155, events },
      cosmos: { accounts: ['cosmos:hub:c1'], methods: ['sign'], events },
    })
    const subscription = { type: 'eth_subscription', data: { subscription: '0x1', result: {} } }
    const said = { kind: 'event', chainId: 'eip155:1' } as const
    await host.says(topic, { ...said, id: at(host, 1), event: 'message', data: JSON.stringify(subscription) })
    await host.says(topic, { ...said, id: at(host, 2), event: 'paid', data: '{"units":9007199254740993}' })
    await host.says(topic, { ...said, id: at(host, 3), event: 'accountsChanged', accounts: [other], data: '["x"]' })
    await host.says(topic, { ...said, chainId: 'cosmos:hub', id: at(host, 4), event: 'paid', data: '7' })
    expect(host.heard('message')).toEqual([subscription, { type: 'paid', data: { units: 9_007_199_254_740_993n } }])
    expect(host.heard('session_event')).toHaveLength(4)
  })
})

describe('a session that ended or came while this page missed facts', () => {
  test('is announced on the next facts', async () => {
    const host = createHost()
    const [gone, kept] = [await host.connect(evm()), await host.connect(evm(['eip155:10']))]
    const { session } = host.world.model
    const { [gone]: ended, ...rest } = session
    host.world.model.session = rest
    host.rejoin()
    expect(host.heard('disconnect')).toMatchObject([{ code: 6000, data: gone }])
    expect(host.provider.sessions.map(({ topic }) => topic)).toEqual([kept])
    host.world.model.session = { ...rest, late: { ...ended, sessionTopic: 'late' } as Session }
    host.rejoin()
    host.rejoin()
    expect(host.heard('connect')).toHaveLength(3)
    expect(host.heard('connect').at(-1)).toMatchObject({ session: { topic: 'late' } })
    expect(host.heard('disconnect')).toHaveLength(1)
  })
})

const codes = [
  -32_700, -32_600, -32_601, -32_602, -32_603, -32_000, -32_001, -32_002, -32_003, -32_004, -32_005, -32_006, 4001,
  4100, 4200, 4900, 4901, 4902, 5000, 5700, 5710, 5720, 5730, 5740, 5750, 5760,
]

test.each([7, {}, null, '', ':', '__proto__', 'constructor:1'])(
  'EIP-1193: a chain named %j is refused with a sentence',
  async chain => {
    const host = createHost()
    await host.connect(evm())
    const failed: unknown = await host.provider.request(sign, chain as never).catch((cause: unknown) => cause)
    expect(failed).toMatchObject({ code: 5, message: expect.stringContaining('is not configured') as string })
  },
)

describe('an error', () => {
  test.each(codes)(
    'with %i from a wallet or a node is an Error with that code, a name, message and data',
    async code => {
      const host = createHost()
      await host.connect(evm())
      const error = { code, message: 'so it is', data: { why: [1] } }
      host.node(() => ({ error }))
      const read = await host.provider.request({ method: 'eth_call', params: [] }).catch((cause: unknown) => cause)
      const asking = host.provider.request(sign).catch((cause: unknown) => cause)
      await host.settle()
      await host.refuses(error)
      for (const failed of [read, await asking]) {
        expect(failed).toBeInstanceOf(ProviderError)
        expect(failed).toMatchObject({ ...error, name: expect.stringMatching(/Error$/) as string })
        expect((failed as Error).name).not.toBe('ProviderRpcError')
      }
    },
  )
})
