import { afterEach, describe, expect, test } from 'vitest'
import { createChainReads } from '../../../../src/worker/drivers/solana/chainReads.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { serve, type SmallServer } from '../harness.ts'

const servers: SmallServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

type Asked = { id: number; method: string; params: unknown }

async function node(answer: (call: Asked) => object, statuses: number[] = []): Promise<SmallServer> {
  const server = await serve((request, response) => {
    const status = statuses.shift()
    if (status !== undefined) {
      response.statusCode = status
      response.end('no')
      return
    }
    const body = JSON.parse(request.text) as Asked | Asked[]
    const one = (call: Asked) => ({ jsonrpc: '2.0', id: call.id, ...answer(call) })
    response.end(JSON.stringify(Array.isArray(body) ? body.map(one) : one(body)))
  })
  servers.push(server)
  return server
}

const waits: number[] = []
const reads = () => {
  waits.length = 0
  return createChainReads(() => createHttp({ wait: async ms => void waits.push(ms), random: below => below - 1 }))
}

describe('a host’s call to a chain’s node with effects', () => {
  const doing = [
    'eth_sendTransaction',
    'eth_sendRawTransaction',
    'sendTransaction',
    'sendrawtransaction',
    'personal_sign',
    'eth_signTransaction',
    'author_submitExtrinsic',
    'broadcast_tx_sync',
    'sui_executeTransactionBlock',
  ]

  test.each(doing)('is made once, after any answer: %s', async method => {
    const server = await node(() => ({ result: 7 }), [503])
    const answer = await reads()({ url: server.url, method, params: [] })
    expect(answer).toMatchObject({ error: { code: 4901, data: { status: 503 } } })
    expect(server.requests).toHaveLength(1)
  })

  test('twice at once is made twice, and apart from reads', async () => {
    const server = await node(({ method }) => ({ result: method }))
    const read = reads()
    const ask = (method: string) => read({ url: server.url, method, params: [{ value: '0x1' }] })
    const all = ['eth_sendTransaction', 'eth_call', 'eth_sendTransaction', 'getSignaturesForAddress']
    expect(await Promise.all(all.map(ask))).toEqual(all.map(result => ({ result })))
    const methods = server.requests.map(({ body }) => JSON.parse(body) as Asked[] | Asked)
    expect(methods.map(one => (Array.isArray(one) ? one : [one]).map(({ method }) => method)).sort()).toEqual([
      ['eth_call', 'getSignaturesForAddress'],
      ['eth_sendTransaction'],
      ['eth_sendTransaction'],
    ])
  })
})

describe('a host’s reads from a chain’s node', () => {
  test('of one tick travel together, each with its own answer, and equal ones once', async () => {
    const server = await node(({ method, params }) => ({ result: [method, params] }))
    const read = reads()
    const ask = (method: string, params: unknown = []) => read({ url: server.url, method, params })
    expect(
      await Promise.all([ask('eth_blockNumber'), ask('eth_call', [{ to: '0x0' }]), ask('eth_blockNumber')]),
    ).toEqual([
      { result: ['eth_blockNumber', []] },
      { result: ['eth_call', [{ to: '0x0' }]] },
      { result: ['eth_blockNumber', []] },
    ])
    expect(server.requests.map(({ body }) => (JSON.parse(body) as unknown[]).length)).toEqual([2])
  })

  test('go to each node apart, with params of any form', async () => {
    const [one, two] = [await node(() => ({ result: 1 })), await node(({ params }) => ({ result: params }))]
    const read = reads()
    const both = [
      read({ url: one.url, method: 'a', params: [] }),
      read({ url: two.url, method: 'a', params: { height: '7' } }),
    ]
    expect(await Promise.all(both)).toEqual([{ result: 1 }, { result: { height: '7' } }])
  })

  test('return integers as the node has them: from 2^53 on as bigints', async () => {
    const server = await serve((_, response) =>
      response.end('{"jsonrpc":"2.0","id":1,"result":{"lamports":9007199254740993,"slot":7,"fee":0.5}}'),
    )
    servers.push(server)
    const answer = await reads()({ url: server.url, method: 'getAccountInfo', params: [] })
    expect(answer).toEqual({ result: { lamports: 9_007_199_254_740_993n, slot: 7, fee: 0.5 } })
    expect(structuredClone(answer)).toEqual(answer)
  })

  test('with an error answer give the node’s own code, message and data', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const server = await node(() => ({ error }))
    expect(await reads()({ url: server.url, method: 'eth_call', params: [] })).toEqual({ error })
  })

  test.each([403, 408, 413, 429, 500, 502, 503, 504])('are repeated three times after %i', async status => {
    const server = await node(() => ({ result: 7 }), [status, status, status])
    expect(await reads()({ url: server.url, method: 'm', params: [] })).toEqual({ result: 7 })
    expect(server.requests).toHaveLength(4)
    expect(waits).toEqual([150, 300, 600])
  })

  test.each([
    [401, 1, 4100],
    [429, 4, -32_005],
    [404, 1, -32_603],
    [503, 4, 4901],
  ])(
    'refused with %i are given up after %i tries with code %i, and include the status',
    async (status, tries, code) => {
      const server = await node(
        () => ({ result: 7 }),
        Array.from({ length: 9 }, () => status),
      )
      const answer = await reads()({ url: `${server.url}/v1/secret-key?key=also-secret`, method: 'm', params: [] })
      expect(answer).toMatchObject({ error: { code, data: { status } } })
      expect(server.requests).toHaveLength(tries)
      expect(JSON.stringify(answer)).not.toMatch(/secret/)
      expect(JSON.stringify(answer)).toContain('127.0.0.1')
    },
  )

  test('to a closed port fail with a sentence without the address’s key', async () => {
    const server = await node(() => ({}))
    const { url } = server
    await server.close()
    servers.length = 0
    const answer = await reads()({ url: `${url}/secret-key`, method: 'm', params: [] })
    expect(answer).toMatchObject({ error: { code: 4901 } })
    expect(JSON.stringify(answer)).not.toMatch(/secret/)
  })

  test('with an invalid answer fail alone', async () => {
    const server = await node(() => ({}))
    expect(await reads()({ url: server.url, method: 'm', params: [] })).toMatchObject({ error: { code: -32_603 } })
  })
})

describe('a probe of a chain’s node', () => {
  const methodsOf = (server: SmallServer) => server.requests.map(({ body }) => (JSON.parse(body) as Asked).method)
  const ask = { method: 'eth_chainId', params: [] }

  test('is not made unless a host asks for it', async () => {
    const server = await node(() => ({ result: 7 }))
    await reads()({ url: server.url, ...ask })
    expect(methodsOf(server)).toEqual(['eth_chainId'])
  })

  test('comes before the first request to each node, and once', async () => {
    const [one, two] = [await node(() => ({ result: 7 })), await node(() => ({ result: 7 }))]
    const read = reads()
    const asked = () => read({ url: one.url, ...ask, ping: true })
    await Promise.all([asked(), asked(), read({ url: two.url, ...ask, ping: true })])
    await asked()
    expect(methodsOf(one)).toEqual(['test', 'eth_chainId', 'eth_chainId'])
    expect(methodsOf(two)).toEqual(['test', 'eth_chainId'])
    expect(JSON.parse(one.requests[0]?.body ?? '')).toEqual({ id: 1, jsonrpc: '2.0', method: 'test', params: [] })
  })

  test.each([
    ['an error of the node', () => ({ error: { code: -32_601, message: 'Method not found' } }), []],
    ['neither result nor error', () => ({}), []],
    ...[401, 403, 404, 408, 429, 500, 503].map(status => [`HTTP ${status}`, () => ({ result: 7 }), [status]] as const),
  ] as const)('passes by any HTTP answer: %s', async (_name, answers, statuses) => {
    const server = await node(call => (call.method === 'test' ? answers() : { result: 7 }), [...statuses])
    expect(await reads()({ url: server.url, ...ask, ping: true })).toEqual({ result: 7 })
    expect(methodsOf(server)).toEqual(['test', 'eth_chainId'])
  })

  test('that nothing answers fails the request, which is not made; the next one probes again', async () => {
    let isAway = true
    const server = await serve((request, response) => {
      if (isAway) request.socket.destroy()
      else response.end('{"jsonrpc":"2.0","id":1,"result":7}')
    })
    servers.push(server)
    const read = reads()
    expect(await read({ url: `${server.url}/secret-key`, ...ask, ping: true })).toMatchObject({ error: { code: 4901 } })
    expect(methodsOf(server)).toEqual(['test'])
    isAway = false
    expect(await read({ url: `${server.url}/secret-key`, ...ask, ping: true })).toEqual({ result: 7 })
    expect(methodsOf(server)).toEqual(['test', 'test', 'eth_chainId'])
  })
})
