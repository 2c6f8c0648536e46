/** A service's answer that serves again: one ask through the core, beside viem's cache. */
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { versionOf } from '../../src/events/log/codec.ts'
import type { ServiceAnswer, ServiceAsk } from '../../src/events/subjects/service/service.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { bootData } from '../worker/world.ts'
import { median, type Row } from './verdict.ts'
import { installedViem } from './viem.ts'

const caip2 = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const ask: ServiceAsk = {
  call: 'balance',
  address: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  chainId: caip2,
}
const warmings = 3
const samples = 9
const hitsPerSample = 20_000

/** A core that knows a balance. @returns asks for it again */
function coreWithBalance(): () => void {
  const core = createCore(deciders, emptyCoreModel())
  let n = 0
  const step = (type: string, data: Record<string, unknown>, to?: string) => {
    n += 1
    return core.step({
      k: 'i',
      n,
      at: 1_799_000_000_000,
      type,
      v: versionOf('i', type),
      data,
      ...(to !== undefined && { to }),
    })
  }
  const answered = (one: ServiceAsk, answer: ServiceAnswer) => {
    const { effects } = step('service.ask', { ask: one })
    const call = effects.find(({ type }) => type === 'service.call')
    step('service.answered', { answer }, call?.id)
  }
  step('core.boot', bootData(1))
  answered({ call: 'supportedChains' }, { call: 'supportedChains', http: [caip2], ws: [], dropped: 0 })
  answered(ask, { call: 'balance', balances: [], dropped: 0 })
  const data = { ask }
  const { facts } = step('service.ask', data)
  if (facts[0]?.type !== 'service.reused') throw new Error(`expected the answer to serve again, got ${facts[0]?.type}`)
  const v = versionOf('i', 'service.ask')
  return () => {
    n += 1
    core.step({ k: 'i', n, at: 1_799_000_000_000, type: 'service.ask', v, data })
  }
}

/** @returns µs of CPU time for one hit: the median of several samples, once warm */
async function costOf(hit: () => unknown): Promise<number> {
  const sample = async () => {
    const before = process.cpuUsage()
    for (let at = 0; at < hitsPerSample; at += 1) {
      const answer = hit()
      if (answer instanceof Promise) await answer
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / hitsPerSample
  }
  for (let warming = 0; warming < warmings; warming += 1) await sample()
  const costs: number[] = []
  for (let run = 0; run < samples; run += 1) costs.push(await sample())
  return median(costs)
}

export async function cacheHits(): Promise<Row[]> {
  const { createPublicClient, custom } = await installedViem()
  const client = createPublicClient({ transport: custom({ request: async () => '0x1' }), cacheTime: 3_600_000 })
  const viem = await costOf(() => client.getBlockNumber())
  return [
    {
      name: 'a service answer that serves again, through the core',
      unit: 'µs',
      ours: await costOf(coreWithBalance()),
      comparison: { what: 'viem, a block number from its cache', value: viem },
      goal: { of: 'ours', atMost: 2 },
    },
  ]
}
