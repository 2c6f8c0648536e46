/** A provider over a running page: the host's options, and its start once the sessions are known. */
import { describe, expect, test } from 'vitest'
import { emptyModel } from '../../../src/events/emptyModel.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import type { ChainQuestion, Core } from '../../../src/events/wire.ts'
import type { Page } from '../../../src/main/page/page.tsx'
import { startProvider } from '../../../src/main/provider/startProvider.ts'

const addresses = { apiUrl: 'https://rpc.example', projectId: 'p1' }

/** A page as far as a provider needs it; `core` is the joined core, or the failure to join. */
function pageOver(core: Partial<Core> | Fault): Pick<Page, 'started' | 'store'> {
  const model = emptyModel()
  const runtime = {
    tab: 't-1',
    give: () => ({ ref: 't-1.c1', taken: Promise.resolve() }),
    hear: () => () => undefined,
    joined: async () => {
      if (core instanceof Fault) throw core
    },
    core,
  }
  return { started: Promise.resolve(runtime), store: { model: () => model } } as unknown as Pick<
    Page,
    'started' | 'store'
  >
}
const bad = (value: unknown) => value as never

describe('a provider', () => {
  test('exists once the page has joined its core', async () => {
    const provider = await startProvider(pageOver({}), addresses)
    expect([provider.session, provider.sessions]).toEqual([undefined, []])
    await expect(provider.request({ method: 'x' })).rejects.toMatchObject({ code: 4900 })
  })

  test('is refused without a core, in the official words', async () => {
    const failed = { code: 1, message: 'Sign Client not initialized' }
    await expect(startProvider(pageOver(new Fault('core_lost', 'gone')), addresses)).rejects.toMatchObject(failed)
    const blocked = { ...pageOver({}), started: Promise.reject(new Error('no worker')) }
    await expect(startProvider(blocked, addresses)).rejects.toMatchObject(failed)
  })

  test('passes on the core’s model', async () => {
    const asked: ChainQuestion[] = []
    const page = pageOver({
      readChain: async question => {
        asked.push(question)
        return { result: 7n }
      },
    })
    const session = {
      sessionTopic: 's',
      settledAt: 0,
      expiresAt: 0,
      namespaces: { eip155: { accounts: ['eip155:1:0xaa'], methods: [], events: [] } },
      chains: {},
    }
    page.store.model().session.s = session as never
    const provider = await startProvider(page, addresses, { rpcMap: { 'eip155:1': 'https://node.example' } })
    expect(await provider.request({ method: 'eth_x' })).toBe(7n)
    expect(asked).toEqual([{ url: 'https://node.example', method: 'eth_x', params: [] }])
  })
})

describe('provider options are refused with a sentence that quotes no address', () => {
  test.each([
    [null, 'provider: options expected an object, got null'],
    [[], 'provider: options expected an object, got a list'],
    [{ rpc: {} }, 'provider: options expected only the keys rpcMap, defaultChains, networks, ping, got rpc'],
    [{ ping: 'yes' }, 'provider: ping expected true or false, got yes'],
    [{ rpcMap: 7 }, 'provider: rpcMap expected an object, got 7'],
    [{ rpcMap: { '1': 'https://node.example/key' } }, 'provider: rpcMap expected chains as in eip155:1, got 1'],
    [{ rpcMap: { 'eip155:1': 7 } }, 'provider: rpcMap expected an address for eip155:1, got number'],
    [{ defaultChains: { eip155: '1' } }, 'provider: defaultChains expected chains as in eip155:1, got 1'],
    [{ defaultChains: { eip155: 1 } }, 'provider: defaultChains expected chains as in eip155:1, got 1'],
    [{ networks: { Five: {} } }, 'provider: networks expected chains as in eip155:1, got Five'],
    [{ networks: { 'eip155:5': 'Five' } }, 'provider: networks.eip155:5 expected an object, got Five'],
  ])('%j', async (options, sentence) => {
    const failed: unknown = await startProvider(pageOver({}), addresses, bad(options)).catch((cause: unknown) => cause)
    expect(failed).toBeInstanceOf(Fault)
    expect(failed).toMatchObject({ code: 'bad_input', message: sentence })
  })
})
