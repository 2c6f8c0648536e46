import { beforeEach, describe, expect, test, vi } from 'vitest'
import { signMessage } from '../../../../src/main/embed/signing/signMessage.ts'
import type { Addresses } from '../../../../src/main/config.ts'
import type { Page } from '../../../../src/main/page/page.tsx'
import { Fault } from '../../../../src/runtime/failure.ts'
import { localNetwork, networks } from '../../../../src/events/values/networks.ts'
import { account, connected, connectedTorch, stage } from '../../../ui/modalStage.ts'

const signed = vi.fn()
const signature = new Uint8Array(64).fill(9)
let on: ReturnType<typeof stage>
beforeEach(() => {
  signed.mockReset().mockResolvedValue(signature)
  on = stage()
})

const sign = (message: unknown) =>
  signMessage(
    {
      store: on.store,
      started: Promise.resolve({ signing: async () => ({ signMessage: signed }) }),
    } as unknown as Page,
    {} as Addresses,
    message,
  )
const words = () => signed.mock.calls.map(([, bytes]) => new TextDecoder().decode(bytes as Uint8Array))

describe('a message of the host', () => {
  test('is signed by the active account, as text and as bytes', async () => {
    on.facts(connected('Nib'))
    expect(await sign('grüße')).toBe(signature)
    expect(await sign(new TextEncoder().encode('hello'))).toBe(signature)
    expect(words()).toEqual(['grüße', 'hello'])
    expect(signed.mock.calls[0]?.[0]).toEqual({ name: 'Nib', account })
  })

  test('needs a connected wallet that is here', async () => {
    await expect(sign('hello')).rejects.toMatchObject({ code: 'unauthorized' })
    on.facts(connected('Nib'), { type: 'connection.restoring', data: { connectionId: 'c1' } })
    await expect(sign('hello')).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test.each([undefined, null, 7, ['a'], { message: 'a' }])('of another kind is refused: %j', async message => {
    on.facts(connected('Nib'))
    await expect(sign(message)).rejects.toMatchObject({ code: 'bad_input' })
    expect(signed).not.toHaveBeenCalled()
  })

  test('keeps the wallet’s own failure', async () => {
    on.facts(connected('Nib'))
    signed.mockRejectedValue(new Fault('user_rejected', 'Nib declined'))
    await expect(sign('hello')).rejects.toMatchObject({ code: 'user_rejected' })
  })

  test('is not sent to a session that does not allow it, nor when it is too long to encode', async () => {
    on.facts(...connectedTorch())
    await expect(sign('hello')).rejects.toMatchObject({
      code: 'unsupported',
      message: 'Torch expected to sign messages, its session does not allow it',
    })
    on = stage()
    const [settled, made] = connectedTorch()
    const allowed = { ...made, data: { ...made?.data, features: ['signMessage'] } } as typeof made
    on.facts(...[settled, allowed].flatMap(fact => fact ?? []))
    for (const length of [0, 10_001])
      await expect(sign('n'.repeat(length))).rejects.toThrow('expected 1 to 10000 bytes over WalletConnect')
  })

  const [mainnet, devnet] = networks
  const former = mainnet?.deprecatedIds[0] ?? ''
  const local = localNetwork('G'.repeat(44))
  test.each([
    ['the present id', [devnet?.caip2, former, mainnet?.caip2], mainnet, mainnet?.caip2],
    ['a former id of the network', [devnet?.caip2, former], mainnet, former],
    ['any chain where no wallet knows the network', [devnet?.caip2], local, devnet?.caip2],
  ])('goes to its session under %s', async (_name, chains, network, expected) => {
    const namespaces = {
      solana: { accounts: chains.map(chain => `${chain}:${account}`), methods: ['solana_signMessage'], events: [] },
    }
    const [settled, made] = connectedTorch({ namespaces })
    const allowed = { ...made, data: { ...made?.data, features: ['signMessage'] } } as typeof made
    const { genesisHash = '', caip2 = '' } = network ?? {}
    on.facts(...[settled, allowed].flatMap(fact => fact ?? []), {
      type: 'network.identified',
      data: { genesisHash, caip2 },
    })
    const given = vi.fn(() => ({ ref: 'r1', taken: Promise.reject(new Error('the core is gone')) }))
    const runtime = { joined: async () => undefined, tab: 't-1', give: given, hear: () => undefined, core: {} }
    const page = { store: on.store, started: Promise.resolve(runtime) } as unknown as Page
    await expect(signMessage(page, {} as Addresses, 'hello')).rejects.toMatchObject({ code: 'unknown' })
    expect(given).toHaveBeenCalledExactlyOnceWith({
      type: 'request.send',
      data: expect.objectContaining({ sessionTopic: 's1', chainId: expected, method: 'solana_signMessage' }),
    })
  })

  test('goes to the session of the active connection, also when a newer one has the same account', async () => {
    const chain = networks[0]?.caip2 ?? ''
    const namespaces = { solana: { accounts: [`${chain}:${account}`], methods: ['solana_signMessage'], events: [] } }
    const wallet = (connectionId: string, sessionTopic: string) =>
      connectedTorch({ namespaces, sessionTopic, pairingTopic: `p-${sessionTopic}` }).map(fact =>
        fact.type === 'connection.made'
          ? { ...fact, data: { ...fact.data, connectionId, sessionTopic, features: ['signMessage' as const] } }
          : fact,
      )
    const given = vi.fn(() => ({ ref: 'r1', taken: Promise.reject(new Error('the core is gone')) }))
    const runtime = { joined: async () => undefined, tab: 't-1', give: given, hear: () => undefined, core: {} }
    const page = { store: on.store, started: Promise.resolve(runtime) } as unknown as Page
    on.facts(...wallet('c1', 's1'), ...wallet('c2', 's2'))
    for (const [connectionId, sessionTopic] of [
      ['c1', 's1'],
      ['c2', 's2'],
    ] as const) {
      on.facts({ type: 'connection.activated', data: { connectionId } })
      await expect(signMessage(page, {} as Addresses, 'hello')).rejects.toMatchObject({ code: 'unknown' })
      expect(given).toHaveBeenLastCalledWith({ type: 'request.send', data: expect.objectContaining({ sessionTopic }) })
    }
  })
})
