/**
 * The chain of a request that names none: the last one set, also across reloads, else the host's configured one, else
 * the first approved one.
 */
import { describe, expect, test } from 'vitest'
import { createHost, evm, type Host, holder, other } from './host.ts'

const chains = ['eip155:1', 'eip155:10', 'eip155:137']
const meant = (host: Host) => host.provider.request({ method: 'eth_chainId' })
/** Reloads the page over the core as it is on disk. */
function reload(host: Host, options = {}): Host {
  host.world.kill('start')
  return createHost(options, host.world, true, 'here', 't-2')
}
const switchTo = (host: Host, chainId: string) =>
  host.provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
const at = (host: Host, ms: number) => `${host.world.at + ms}001`

describe('a default chain that a host sets', () => {
  test.each<[string, (host: Host) => unknown]>([
    ['by setDefaultChain', host => host.provider.setDefaultChain('eip155:137')],
    ['by wallet_switchEthereumChain', host => switchTo(host, '0x89')],
  ])('%s is the same after a reload, before what is configured', async (_, set) => {
    const host = createHost()
    await host.connect(evm(chains))
    await set(host)
    await host.settle()
    expect(await meant(host)).toBe('0x89')
    const next = reload(host, { defaultChains: { eip155: 'eip155:10' } })
    expect(await meant(next)).toBe('0x89')
    expect(next.events).toEqual([])
  })

  test('is stored for each family apart', async () => {
    const host = createHost()
    const cosmos = { accounts: ['cosmos:hub:c1', 'cosmos:osmosis:c2'], methods: ['sign'] }
    await host.connect({ ...evm(chains), cosmos })
    host.provider.setDefaultChain('cosmos:osmosis')
    host.provider.setDefaultChain('eip155:10')
    await host.settle()
    const next = reload(host, { rpcMap: { 'cosmos:osmosis': 'https://osmosis.example' } })
    next.node(({ url }) => ({ result: url }))
    expect(await next.provider.request({ method: 'status' }, 'cosmos')).toBe('https://osmosis.example')
    expect(await meant(next)).toBe('0xa')
  })

  test('without an account on it holds in this page, but not in the next', async () => {
    const host = createHost()
    await host.connect(evm(chains))
    host.provider.setDefaultChain('eip155:5')
    await host.settle()
    expect(await meant(host)).toBe('0x5')
    expect(await meant(reload(host, { defaultChains: { eip155: 'eip155:10' } }))).toBe('0xa')
    expect(await meant(reload(host))).toBe('0x1')
  })

  test('is the last one set, whichever wallet has it', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1', 'eip155:137']))
    host.world.wait(1000)
    await host.connect(evm(['eip155:10', 'eip155:56']))
    host.provider.setDefaultChain('eip155:56')
    host.provider.setDefaultChain('eip155:137')
    await host.settle()
    expect(await meant(reload(host))).toBe('0x89')
    host.provider.setDefaultChain('eip155:56')
    await host.settle()
    expect(await meant(reload(host))).toBe('0x38')
  })

  test('stays with its wallet when the newer one is left', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1', 'eip155:137']))
    host.world.wait(1000)
    const newer = await host.connect(evm(['eip155:10']))
    host.provider.setDefaultChain('eip155:137')
    await host.settle()
    await host.says(newer, { kind: 'delete', id: '7' })
    expect([await meant(host), await meant(reload(host))]).toEqual(['0x89', '0x89'])
  })

  test('set by another tab applies here only after a reload', async () => {
    const host = createHost()
    await host.connect(evm(chains))
    const beside = createHost({}, host.world, true, 'here', 't-2')
    beside.provider.setDefaultChain('eip155:137')
    await beside.settle()
    host.came({ facts: host.world.facts.slice(-1) })
    expect(host.world.facts.at(-1)?.type).toBe('session.chainSet')
    expect([await meant(host), host.heard('chainChanged')]).toEqual(['0x1', []])
    expect(await meant(reload(host))).toBe('0x89')
  })

  test('holds in this page also without storage', async () => {
    const host = createHost({}, undefined, true, 'later')
    await host.connect(evm(chains))
    host.lose()
    host.provider.setDefaultChain('eip155:137')
    await host.settle()
    expect(await meant(host)).toBe('0x89')
  })
})

describe('a chain chosen by the wallet', () => {
  test('is the default after a reload, too, for any of several wallets', async () => {
    const host = createHost()
    const events = ['chainChanged']
    const first = await host.connect({ eip155: { ...evm(chains).eip155, events } })
    host.world.wait(1000)
    await host.connect(evm(['eip155:56', 'eip155:100']))
    host.provider.setDefaultChain('eip155:100')
    await host.settle()
    const said = {
      kind: 'event',
      event: 'chainChanged',
      chainId: 'eip155:137',
      chain: 'eip155:137',
      data: '137',
    } as const
    await host.says(first, { ...said, id: at(host, 1) })
    expect([await meant(host), await meant(reload(host))]).toEqual(['0x89', '0x89'])
  })
})

describe('a chain that left the session', () => {
  test.each([
    ['the configured one', { defaultChains: { eip155: 'eip155:10' } }, '0xa'],
    ['the first approved one', {}, '0x1'],
  ])('falls back to %s, in this page and in the next; hosts are told', async (_, options, expected) => {
    const host = createHost(options)
    const topic = await host.connect(evm(chains, undefined, [holder]))
    host.provider.setDefaultChain('eip155:137')
    await host.settle()
    const namespaces = { eip155: { ...evm(['eip155:1', 'eip155:10'], undefined, [other]).eip155, events: [] } }
    await host.says(topic, { kind: 'update', id: at(host, 1), namespaces })
    expect(host.heard('chainChanged')).toEqual(['0x89', expected])
    expect(host.heard('accountsChanged')).toEqual([[holder], [other]])
    expect([await meant(host), await meant(reload(host, options))]).toEqual([expected, expected])
  })

  test('is not the default again in a later session with it', async () => {
    const host = createHost()
    await host.connect(evm(chains))
    host.provider.setDefaultChain('eip155:137')
    await host.settle()
    await host.provider.disconnect()
    await host.connect(evm(chains))
    expect([await meant(host), await meant(reload(host))]).toEqual(['0x1', '0x1'])
  })
})

test('default chain: without one the newest session’s first family applies', async () => {
  const host = createHost()
  await host.connect({ cosmos: { accounts: ['cosmos:hub:c1'], methods: ['sign'] }, ...evm() })
  void host.provider.request({ method: 'sign', params: {} })
  await host.settle()
  expect(host.newest()).toMatchObject({ chainId: 'cosmos:hub', method: 'sign' })
})
