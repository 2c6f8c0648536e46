/** Many calls to one node at once, through the core's own transport, beside viem, web3.js and one bare batch. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Connection, Keypair } from '@solana/web3.js'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { codec, encode, versionOf } from '../../src/events/log/codec.ts'
import { fieldsInOrder } from '../../src/runtime/log/createCodec.ts'
import { inputDefinitions } from '../../src/events/input.ts'
import type { InputRecord } from '../../src/runtime/log/record.ts'
import type { Draft } from '../../src/runtime/core/draft.ts'
import { type Definitions, misfit } from '../../src/runtime/schema/registry.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { createTransport } from '../../src/worker/drivers/transport/transport.ts'
import { bootData } from '../worker/world.ts'
import { median, type Row } from './verdict.ts'
import { installedViem } from './viem.ts'

const count = 1000
const runs = 7
const inFlight = 10_000
/** A task is long from here on, ms. */
const longTaskMs = 50

/** A node that knows every balance. */
async function serveNode() {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    let body = ''
    for await (const chunk of request) body += chunk
    const calls = JSON.parse(body) as { id: number | string } | { id: number | string }[]
    const answer = ({ id }: { id: number | string }) => ({
      jsonrpc: '2.0',
      id,
      result: { context: { slot: 1 }, value: 7 },
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: () => new Promise<void>(resolve => void (server.close(() => resolve()), server.closeAllConnections())),
  }
}

/** A core that checks, steps and encodes each input, as the inbox does. */
function poolThroughCore(url: string) {
  const core = createCore(deciders, emptyCoreModel())
  let n = 0
  const queue: Draft[] = []
  const take = (draft: Draft) => {
    queue.push(draft)
    if (queue.length > 1) return
    for (let next: Draft | undefined = draft; next; queue.shift(), next = queue[0]) step(next)
  }
  const { transport, drivers } = createTransport({ take })
  function step({ type, data, to }: Draft): void {
    const wrong = misfit((inputDefinitions as Definitions)[type] ?? { version: 1, fields: {} }, data)
    if (wrong) throw new Error(`${type}: ${wrong}`)
    n += 1
    const input: InputRecord = {
      k: 'i',
      n,
      at: Date.now(),
      type,
      v: versionOf('i', type),
      data: fieldsInOrder(codec.definitionOf('i', type), data),
    }
    if (to !== undefined) input.to = to
    const { effects } = core.step(input)
    encode(input)
    for (const effect of effects)
      void drivers[effect.type]?.(effect, answer => take({ type: answer.type, data: answer.data, to: effect.id }))
  }
  take({ type: 'core.boot', data: bootData(1) })
  return transport.pool({ name: 'sale', urls: [url], what: 'the bench' })
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** @returns the longest time in which the thread did nothing else, ms */
async function longestTask(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const watch = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    handle = setImmediate(watch)
  }
  let handle = setImmediate(watch)
  await run()
  clearImmediate(handle)
  return longest
}

export async function reads(): Promise<Row[]> {
  const node = await serveNode()
  try {
    const addresses = Array.from({ length: count }, () => Keypair.generate().publicKey)
    const params = addresses.map(address => [address.toBase58(), { commitment: 'confirmed' }])
    const pool = poolThroughCore(node.url)
    const connection = new Connection(node.url, 'confirmed')
    const body = JSON.stringify(params.map((of, id) => ({ jsonrpc: '2.0', id, method: 'getBalance', params: of })))
    const { createPublicClient, http } = await installedViem()
    const transport = http(node.url, { batch: { batchSize: count } })
    const client = createPublicClient({ transport })
    const ways = {
      ours: () => Promise.all(params.map(of => pool.call({ method: 'getBalance', params: of }))),
      viem: () => Promise.all(params.map(of => client.request({ method: 'getBalance', params: of }))),
      web3: () => Promise.all(addresses.map(address => connection.getBalance(address))),
      bare: async () => (await fetch(node.url, { method: 'POST', body })).json(),
    }
    const times: Record<keyof typeof ways, number[]> = { ours: [], viem: [], web3: [], bare: [] }
    const asked: Record<keyof typeof ways, number> = { ours: 0, viem: 0, web3: 0, bare: 0 }
    for (let run = 0; run < runs; run += 1)
      for (const way of ['ours', 'viem', 'web3', 'bare'] as const) {
        const before = node.requests()
        times[way].push(await timeOf(ways[way]))
        asked[way] = node.requests() - before
      }
    const many = Array.from({ length: inFlight }, (_, at) => ({ method: 'getBalance', params: [`account ${at}`] }))
    const long = await longestTask(() => Promise.all(many.map(call => pool.call(call))))
    const name = `${count} balance calls at once`
    const beside = (way: 'viem' | 'web3', what: string): Row[] => [
      {
        name: `${name}: requests`,
        unit: 'requests',
        ours: asked.ours,
        comparison: { what, value: asked[way] },
        goal: { of: 'ours', atMost: 1 },
      },
      {
        name,
        unit: 'ms',
        ours: median(times.ours),
        comparison: { what, value: median(times[way]) },
        goal: { of: 'ratio', atMost: 0.6 },
      },
    ]
    return [
      ...beside('viem', 'viem, http transport with batch'),
      ...beside('web3', 'web3.js Connection'),
      { name, unit: 'ms', ours: median(times.ours), comparison: { what: 'one bare batch', value: median(times.bare) } },
      {
        name: `${inFlight} calls in flight: longest task`,
        unit: 'ms',
        ours: long,
        comparison: { what: 'a long task', value: longTaskMs },
        goal: { of: 'ratio', atMost: 1 },
      },
    ]
  } finally {
    await node.close()
  }
}
