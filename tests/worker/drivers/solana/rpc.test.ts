import { afterEach, describe, expect, test } from 'vitest'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { createRpc } from '../../../../src/worker/drivers/solana/rpc.ts'
import { type SmallServer, serve } from '../harness.ts'

const servers: SmallServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

type Asked = { id: number; method: string; params: unknown[] }

/** A node that answers each call with the result of `answer`. */
async function node(answer: (call: Asked) => unknown): Promise<SmallServer> {
  const server = await serve((request, response) => {
    const body = JSON.parse(request.text)
    const one = (call: Asked) => ({ jsonrpc: '2.0', id: call.id, ...(answer(call) as object) })
    response.end(JSON.stringify(Array.isArray(body) ? body.map(one).reverse() : one(body)))
  })
  servers.push(server)
  return server
}
const http = createHttp({ wait: async () => {} })

describe('calls to a node', () => {
  test('of one tick travel in one request, each with its own answer', async () => {
    const server = await node(({ method, params }) => ({ result: [method, ...params] }))
    const rpc = createRpc({ urls: [server.url], http })
    expect(await Promise.all([rpc.call('getSlot'), rpc.call('getBalance', ['a'])])).toEqual([
      ['getSlot'],
      ['getBalance', 'a'],
    ])
    expect(server.requests).toHaveLength(1)
  })

  test('of later turns join a request until it is full, where the host lets calls wait', async () => {
    const server = await node(({ method }) => ({ result: method }))
    // A minute: only the second call can send the request now
    const rpc = createRpc({ urls: [server.url], http: createHttp({}), batch: { waitMs: 60_000, most: 2 } })
    const first = rpc.call('getSlot')
    await new Promise(setImmediate)
    expect(server.requests).toHaveLength(0)
    expect(await Promise.all([first, rpc.call('getBlockHeight')])).toEqual(['getSlot', 'getBlockHeight'])
    expect(server.requests).toHaveLength(1)
  })

  test('equal to one under way share its answer', async () => {
    const server = await node(() => ({ result: 7 }))
    const rpc = createRpc({ urls: [server.url], http })
    expect(await Promise.all([rpc.call('getSlot'), rpc.call('getSlot')])).toEqual([7, 7])
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ method: 'getSlot' })
    await rpc.call('getSlot')
    expect(server.requests).toHaveLength(2)
  })

  test('fail alone when one of a batch fails', async () => {
    const server = await node(({ method }) =>
      method === 'a' ? { error: { code: -32601, message: 'no' } } : { result: 1 },
    )
    const rpc = createRpc({ urls: [server.url], http })
    const [a, b] = await Promise.allSettled([rpc.call('a'), rpc.call('b')])
    expect(a).toMatchObject({ status: 'rejected', reason: { code: 'unsupported' } })
    expect(b).toEqual({ status: 'fulfilled', value: 1 })
  })

  test('together are never answered by an older request', async () => {
    let slot = 0
    const server = await node(() => ({ result: ++slot }))
    const rpc = createRpc({ urls: [server.url], http })
    const shared = rpc.call('getSlot')
    const [fresh] = await rpc.together([{ method: 'getSlot', params: [] }])
    expect([await shared, rpc.result(fresh, 'getSlot')].sort()).toEqual([1, 2])
  })

  test('go to the second node when the first limits them, if it serves the same chain', async () => {
    const limited = await node(({ method }) =>
      method === 'getGenesisHash' ? { result: 'chain' } : { error: { code: -32429, message: 'slow down' } },
    )
    const same = await node(({ method }) => ({ result: method === 'getGenesisHash' ? 'chain' : 'second' }))
    const other = await node(({ method }) => ({ result: method === 'getGenesisHash' ? 'elsewhere' : 'lie' }))

    const rpc = createRpc({ urls: [limited.url, same.url], http })
    await rpc.call('getGenesisHash')
    expect(await rpc.call('getSlot')).toBe('second')

    const careful = createRpc({ urls: [limited.url, other.url], http })
    await careful.call('getGenesisHash')
    await expect(careful.call('getSlot')).rejects.toMatchObject({ code: 'rate_limited' })
  })

  test('are witnessed by one endpoint of each host', async () => {
    const [one, two] = [await node(() => ({ result: 'chain' })), await node(() => ({ result: 'chain' }))]
    const twice = createRpc({ urls: [`${one.url}?key=1`, `${one.url}?key=2`], http })
    expect(await twice.endpoints()).toHaveLength(1)
    const both = createRpc({ urls: [`${one.url}?key=1`, two.url, `${two.url}/again`], http })
    expect(await both.endpoints()).toHaveLength(2)
  })

  test('of two witnesses are made at each, equal or not', async () => {
    const showing = (name: string) => node(({ method }) => ({ result: method === 'getGenesisHash' ? 'chain' : name }))
    const [one, two] = [await showing('one'), await showing('two')]
    const witnesses = await createRpc({ urls: [one.url, two.url], http }).endpoints()
    expect(await Promise.all(witnesses.map(witness => witness.call('getSlot')))).toEqual(['one', 'two'])
  })

  describe('whose first endpoint shows another chain than the sale’s', () => {
    const showing = (chain: string) =>
      node(({ method }) => ({ result: method === 'getGenesisHash' ? chain : `at ${chain}` }))
    const expected = async () => 'chain'

    test('go to those behind it that show the sale’s, in calls and in proofs', async () => {
      const [liar, honest, third] = [await showing('lie'), await showing('chain'), await showing('other')]
      const rpc = createRpc({ urls: [liar.url, honest.url, third.url], http, expected })
      expect(await rpc.chain()).toBe('chain')
      const asked = liar.requests.length
      expect([await rpc.call('getSlot'), await rpc.chain()]).toEqual(['at chain', 'chain'])
      const endpoints = await rpc.endpoints()
      expect(await Promise.all(endpoints.map(one => one.call('getSlot')))).toEqual(['at chain'])
      expect(liar.requests).toHaveLength(asked)
    })

    test('are proved by the others before the chain was identified', async () => {
      const [liar, honest] = [await showing('lie'), await showing('chain')]
      const [only, ...more] = await createRpc({ urls: [liar.url, honest.url], http, expected }).endpoints()
      expect([await only?.call('getSlot'), more]).toEqual(['at chain', []])
    })

    test('go to it where no endpoint shows the sale’s: the page reports the other chain', async () => {
      const [one, two] = [await showing('lie'), await showing('other')]
      const rpc = createRpc({ urls: [one.url, two.url], http, expected })
      expect([await rpc.chain(), await rpc.call('getSlot')]).toEqual(['lie', 'at lie'])
      expect(await rpc.endpoints()).toHaveLength(1)
    })

    test('use the first alone where it shows the sale’s', async () => {
      const [honest, other] = [await showing('chain'), await showing('lie')]
      expect(await createRpc({ urls: [honest.url, other.url], http, expected }).chain()).toBe('chain')
      expect(other.requests).toEqual([])
    })
  })

  test('are of the chain of the first, though another reported its own while the first was silent', async () => {
    let silent = true
    const first = await node(() => (silent ? { error: { code: -32429, message: 'slow down' } } : { result: 'chain' }))
    const other = await node(() => ({ result: 'elsewhere' }))
    const rpc = createRpc({ urls: [first.url, other.url], http })
    expect(await rpc.call('getGenesisHash')).toBe('elsewhere')
    silent = false
    const endpoints = await rpc.endpoints()
    expect(endpoints).toHaveLength(1)
    expect(await endpoints[0]?.call('getSlot')).toBe('chain')
  })
})
