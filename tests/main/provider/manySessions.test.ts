/** Thousands of sessions: a host's call in one of them causes no work for the others. */
import { describe, expect, test } from 'vitest'
import { createHost, evm, type Host, holder } from './host.ts'

/** A host with this number of wallets, whose table of sessions reports each full scan. */
async function crowded(count: number) {
  const first = createHost()
  const topic = await first.connect({
    eip155: { ...evm(['eip155:1', 'eip155:137'], ['personal_sign', 'wallet_switchEthereumChain']).eip155 },
  })
  const { world } = first
  const one = world.model.session[topic]
  if (!one) throw new Error('the wallet did not connect')
  const rows = world.model.session
  for (let at = 0; at < count; at += 1) {
    const sessionTopic = `many-${at}`
    const address = `0x${at.toString(16).padStart(40, '0')}`
    const namespaces = { eip155: { accounts: [`eip155:10:${address}`], methods: ['personal_sign'], events: [] } }
    const proposal = {
      required: {},
      optional: { eip155: { chains: ['eip155:10'], methods: ['personal_sign'], events: [] } },
    }
    rows[sessionTopic] = { ...one, sessionTopic, namespaces, proposal, settledAt: one.settledAt - 1 - (at % 100) }
  }
  const gone: string[] = []
  world.model.session = new Proxy(rows, {
    ownKeys(target) {
      gone.push('all sessions')
      return Reflect.ownKeys(target)
    },
  })
  const host = createHost({ rpcMap: { 'eip155:1': 'https://node.example' } }, world)
  gone.length = 0
  return { host, gone, topic }
}

const sign = { method: 'personal_sign', params: ['0x00', holder] }

describe('one of three thousand sessions', () => {
  test.each<[string, (host: Host, topic: string) => Promise<unknown>]>([
    [
      'is asked',
      async host => {
        const asked = host.provider.request(sign, 'eip155:1')
        await host.settle()
        await host.answers('0x5a')
        expect(await asked).toBe('0x5a')
      },
    ],
    ['is not asked what it did not approve', host => host.provider.request({ method: 'eth_blockNumber' }, 'eip155:1')],
    ['has its chain told', host => host.provider.request({ method: 'eth_chainId' })],
    ['has its accounts told', host => host.provider.request({ method: 'eth_accounts' }, 'eip155:137')],
    [
      'has its chain switched',
      host => host.provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x89' }] }),
    ],
    [
      'is asked to switch',
      async host => {
        const asked = host.provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x5' }] })
        await host.settle()
        await host.answers(null)
        await asked
      },
    ],
    ['is shown', async host => host.provider.session],
    [
      'is changed by its wallet',
      async (host, topic) => {
        const { eip155 } = evm(['eip155:1'], ['personal_sign'])
        await host.says(topic, {
          kind: 'update',
          id: `${host.world.at}001`,
          namespaces: { eip155: { ...eip155, events: [] } },
        })
        expect(host.heard('session_update')).toHaveLength(1)
      },
    ],
    [
      'is ended by its wallet',
      async (host, topic) => {
        await host.says(topic, { kind: 'delete', id: '7' })
        expect(host.heard('disconnect')).toHaveLength(1)
      },
    ],
  ])('%s, and no other is read', async (_, happen) => {
    const { host, gone, topic } = await crowded(3000)
    await happen(host, topic)
    expect(gone).toEqual([])
  })
})
