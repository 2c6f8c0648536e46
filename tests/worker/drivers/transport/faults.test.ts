/** A node's faults over real sockets, met by the core's own decisions. */
import { soon } from '../../../soon.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { createRpc } from '../../../../src/worker/drivers/solana/rpc.ts'
import type { InputOf } from '../../../../src/worker/drivers/drive.ts'
import { createTransport } from '../../../../src/worker/drivers/transport/transport.ts'
import { serve, type SmallServer } from '../harness.ts'

const servers: SmallServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

type Asked = { id: number; method: string; params: unknown[] }
type Said = { status?: number; headers?: Record<string, string>; body?: unknown; cut?: true } | 'silence'
const balances = ['a', 'b', 'c'].map(account => ({ method: 'getBalance', params: [account] }))
const resultOf = ({ id, method, params }: Asked) => ({
  jsonrpc: '2.0',
  id,
  result: method === 'getGenesisHash' ? 'chain' : params[0],
})
const honest = (calls: Asked | Asked[]) => (Array.isArray(calls) ? calls.map(resultOf) : resultOf(calls))

/** A node that says these things first, and then serves. */
async function node(...said: ((calls: Asked | Asked[]) => Said)[]): Promise<SmallServer> {
  const server = await serve(({ text }, response) => {
    const calls = JSON.parse(text) as Asked | Asked[]
    const saying = said.shift()?.(calls) ?? {}
    if (saying === 'silence') return
    const { status = 200, headers = {}, body = honest(calls), cut } = saying
    response.writeHead(status, headers)
    const answer = typeof body === 'string' ? body : JSON.stringify(body)
    if (cut) {
      response.write(answer.slice(0, answer.length / 2))
      response.destroy()
    } else response.end(answer)
  })
  servers.push(server)
  return server
}

const waits: number[] = []
const transport = (timeoutMs = 5000) => {
  waits.length = 0
  return createHttp({ timeoutMs, wait: async ms => void waits.push(ms), random: below => below - 1 })
}
const rpcTo = (...all: SmallServer[]) => createRpc({ urls: all.map(({ url }) => url), http: transport() })
const sizes = ({ requests }: SmallServer) =>
  requests.map(({ body }) => [JSON.parse(body)].flat().filter(one => one !== undefined).length)
const readAll = (rpc: ReturnType<typeof createRpc>) =>
  Promise.all(balances.map(({ method, params }) => rpc.call(method, params)))

describe('a node', () => {
  test('that answers in another order is understood', async () => {
    const server = await node(calls => ({ body: [calls].flat().map(resultOf).reverse() }))
    expect(await readAll(rpcTo(server))).toEqual(['a', 'b', 'c'])
  })

  test.each<[string, (calls: Asked | Asked[]) => Said]>([
    ['answers a batch by one object', calls => ({ body: resultOf([calls].flat()[0] as Asked) })],
    ['refuses a batch', () => ({ body: { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } } })],
    ['refuses a batch with 400', () => ({ status: 400, body: { id: null, error: { code: -32600, message: 'no' } } })],
    ['finds a batch too large', () => ({ status: 413, body: 'too large' })],
  ])('that %s gets single calls from then on', async (_, refusal) => {
    const server = await node(refusal)
    const rpc = rpcTo(server)
    expect(await readAll(rpc)).toEqual(['a', 'b', 'c'])
    expect(await readAll(rpc)).toEqual(['a', 'b', 'c'])
    expect(sizes(server)).toEqual([3, 1, 1, 1, 1, 1, 1])
  })

  test('that refuses a call in the platform’s words is heard, and not asked again', async () => {
    const reasons = [{ field: 'chainId', description: 'We don’t support the requested chain' }]
    const server = await node(() => ({ status: 400, body: { status: 'FAILED', reasons } }))
    await expect(rpcTo(server).call('eth_blockNumber')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/refused the call: We don’t support the requested chain$/),
    })
    expect(server.requests).toHaveLength(1)
  })

  test('that limits its callers is left alone as long as it asks, in seconds or until a date', async () => {
    const inSeconds = await node(() => ({ status: 429, headers: { 'retry-after': '12' } }))
    expect(await readAll(rpcTo(inSeconds))).toEqual(['a', 'b', 'c'])
    expect(waits).toEqual([12_000])
    const at = new Date(Date.now() + 20_000).toUTCString()
    const byDate = await node(() => ({ status: 503, headers: { 'retry-after': at } }))
    expect(await readAll(rpcTo(byDate))).toEqual(['a', 'b', 'c'])
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(15_000)
  })

  test('that asks for more than its caller’s time ends the call with the pause it asked for', async () => {
    const server = await node(() => ({ status: 429, headers: { 'retry-after': '60' } }))
    const rpc = rpcTo(server)
    await expect(rpc.call('getSlot')).rejects.toMatchObject({ code: 'rate_limited', facts: { retryAfterMs: 60_000 } })
    await expect(rpc.call('getSlot')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(server.requests).toHaveLength(1)
  })

  test('that is cut off in the middle, or silent, is asked again', async () => {
    const server = await node(
      () => ({ cut: true }),
      () => 'silence',
    )
    const rpc = createRpc({ urls: [server.url], http: transport(200) })
    expect(await readAll(rpc)).toEqual(['a', 'b', 'c'])
    expect(server.requests).toHaveLength(3)
  })

  test('that answers some calls of a batch fails the others alone', async () => {
    const server = await node(calls => ({ body: [calls].flat().slice(1).map(resultOf) }))
    const rpc = rpcTo(server)
    const settled = await Promise.allSettled(balances.map(({ method, params }) => rpc.call(method, params)))
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(settled[0]).toMatchObject({ reason: { code: 'bad_response' } })
  })

  test.each([
    ['html', '<!doctype html>'],
    ['nothing', ''],
    ['half of it', '[{"id":1'],
  ])('that says %s in place of JSON gives way to one on the same chain', async (_, body) => {
    const first = await node(
      () => ({}),
      () => ({ body }),
    )
    const second = await node()
    const rpc = rpcTo(first, second)
    await rpc.chain()
    expect(await readAll(rpc)).toEqual(['a', 'b', 'c'])
    expect(sizes(second)).toEqual([1, 3])
  })

  test('on another chain gets nothing but the question for its chain', async () => {
    const first = await node(
      () => ({}),
      () => ({ status: 401, body: 'no' }),
    )
    const liar = await node(calls => ({ body: { ...resultOf(calls as Asked), result: 'another' } }))
    const rpc = rpcTo(first, liar)
    await rpc.chain()
    await expect(readAll(rpc)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(liar.requests.map(({ body }) => (JSON.parse(body) as Asked).method)).toEqual(['getGenesisHash'])
  })
})

describe('calls of one turn', () => {
  test('beyond one full request go to the core in later turns, and equal ones share an answer', async () => {
    const asked: number[] = []
    const shared: object[] = []
    const { transport: http, stop } = createTransport({
      take({ data }) {
        const { asks } = data as InputOf<'rpc.asked'>
        asked.push(asks.reduce((sum, { calls }) => sum + calls.reduce((all, { count }) => all + count, 0), 0))
        shared.push(...asks.flatMap(({ same = [] }) => same))
      },
    })
    const pool = http.pool({ name: 'sale', urls: ['http://127.0.0.1:9'], what: 'the node' })
    const calls = Array.from({ length: 2500 }, (_, at) =>
      pool.call({ method: 'getBalance', params: [at === 2499 ? 0 : at] }),
    )
    await soon(() => expect(asked).toEqual([1000, 1000, 500]))
    expect(shared).toEqual([{ call: 2499, as: 0 }])
    stop()
    expect(await Promise.all(calls)).toHaveLength(2500)
  })
})

describe('a core that ends', () => {
  test('ends every call and request that is under way, and those that come later', async () => {
    const taken: string[] = []
    const { transport: http, stop } = createTransport({ take: ({ type }) => void taken.push(type) })
    const pool = http.pool({ name: 'sale', urls: ['http://127.0.0.1:9'], what: 'the node' })
    const call = pool.call({ method: 'getSlot', params: [] })
    const request = http.text({ url: 'http://127.0.0.1:9', what: 'the file' })
    await soon(() => expect([...taken].sort()).toEqual(['http.asked', 'rpc.asked']))
    stop()
    expect(await call).toMatchObject({ fault: { code: 'core_lost' } })
    await expect(request).rejects.toMatchObject({ code: 'core_lost' })
    expect(await pool.together([{ method: 'getSlot', params: [] }])).toMatchObject([{ fault: { code: 'core_lost' } }])
    await expect(http.text({ url: 'http://127.0.0.1:9', what: 'the file' })).rejects.toMatchObject({
      code: 'core_lost',
    })
  })

  test('in the step that takes a call ends the call', async () => {
    const take = () => {
      throw new Error('the step failed')
    }
    const { transport: http } = createTransport({ take })
    const pool = http.pool({ name: 'sale', urls: ['http://127.0.0.1:9'], what: 'the node' })
    expect(await pool.call({ method: 'getSlot', params: [] })).toMatchObject({ fault: { code: 'core_lost' } })
    await expect(http.text({ url: 'http://127.0.0.1:9', what: 'the file' })).rejects.toMatchObject({
      code: 'core_lost',
    })
  })
})
