import { Fault } from '../../../runtime/failure.ts'
import { type CallOutcome, resultOf } from '../../rpc/batch.ts'
import { type Call, splitCalls } from '../../rpc/calls.ts'
import { settledChain, showsSameChain } from '../../rpc/shownChains.ts'
import { hostOf } from '../http.ts'
import type { CallOptions, Pool } from '../transport/pools.ts'
import type { PoolSetting } from '../transport/postCalls.ts'
import type { RequestTransport } from '../transport/transport.ts'

/** Calls to one endpoint, or to the first of several that answers. */
export type Endpoint = {
  /** host and port, for messages; of several, the first one's */
  host: string
  /**
   * One call; calls of one turn of the event loop are batched, and equal pending calls are joined.
   *
   * @returns the result, unchecked
   * @throws Fault the node's error translated, or the transport's failure
   */
  call(method: string, params?: readonly unknown[]): Promise<unknown>
  /**
   * Sends calls in one batch to one endpoint, never joined with pending calls.
   *
   * @returns their outcomes in order
   * @throws Fault when no endpoint answers
   */
  together(calls: readonly Call[], options?: SendOptions): Promise<CallOutcome[]>
  /** @returns the result of an outcome of `together`. @throws Fault */
  result(outcome: CallOutcome | undefined, method: string): unknown
}

/** Calls to a chain's JSON-RPC endpoints. The core chooses the endpoint, and takes the next one where one fails. */
export type Rpc = Endpoint & {
  /**
   * @returns the genesis hash of the first endpoint that answers, unchecked. If it is not the sale's and a later endpoint
   *   shows the sale's, the sale's: endpoints that show another one are skipped from then on
   * @throws Fault as `call`
   */
  chain(): Promise<unknown>
  /**
   * Every endpoint by itself, for proofs in which all must agree: one of each host, as a host is one witness. An endpoint on
   * another chain than the first, or than `chain` returned, is omitted; an unreachable one is included and fails when called.
   */
  endpoints(): Promise<readonly Endpoint[]>
}

/** `retries` after the first attempt, default 3; fewer where the caller repeats the call anyway. */
type SendOptions = Pick<CallOptions, 'retries' | 'deadlineMs'>

/**
 * Calls to a pool, and agreement of its endpoints.
 *
 * 1. When the first is not on the sale's chain and another is, the chain is settled: only endpoints on it serve.
 * 2. For proofs, one endpoint of each host counts, once it has shown the same genesis hash.
 *
 * @param ports `urls` in order of preference; `batch`: how calls share a request; `expected` returns the genesis hash of the sale's chain, if known
 */
export function createRpc(ports: {
  urls: readonly string[]
  http: Pick<RequestTransport, 'pool'>
  expected?: () => Promise<string | undefined>
  batch?: Pick<PoolSetting, 'waitMs' | 'most'>
}): Rpc {
  const { urls, http, expected, batch } = ports
  const pool = http.pool({ name: 'sale', urls, what: 'the Solana RPC', ...batch })
  const { chains } = pool

  /** @throws Fault when the endpoint gives no genesis hash */
  const isSameChain = async (only: number): Promise<boolean> => {
    if (showsSameChain(chains, only) === undefined) {
      const [outcome] = await pool.together([{ method: 'getGenesisHash', params: [] }], { only, retries: 1 })
      const result = resultOf(outcome ?? noOutcome('getGenesisHash'), 'getGenesisHash', nodeAt(urls[only]))
      if (typeof result !== 'string') throw new Fault('bad_response', 'getGenesisHash expected text')
    }
    // The first answer names this chain; whether it is the sale's is checked in `settle`
    return showsSameChain(chains, only) === true
  }
  /** The first may be on the wrong chain: then the later endpoints are asked too. */
  const settle = async (): Promise<void> => {
    if (settledChain(chains) !== undefined) return
    const wanted = await expected?.()
    if (wanted === undefined) return
    chains.wanted = wanted
    if (wanted !== chains.genesis) await Promise.allSettled(urls.map((_, at) => isSameChain(at)))
  }

  const places = [...urls.keys()]
  const witnesses = places.filter(at => urls.findIndex(other => hostOf(other) === hostOf(urls[at] ?? '')) === at)
  const endpoints = witnesses.map(only => {
    const check = async () => {
      if (witnesses.length > 1 && !(await isSameChain(only)))
        throw new Fault('wrong_cluster', `${nodeAt(urls[only])} expected the same chain as the first, got another`)
    }
    return endpointOf(pool, urls[only], check, only)
  })

  const any = endpointOf(pool, urls[0], async () => undefined)
  return {
    ...any,
    async chain() {
      const told = await any.call('getGenesisHash')
      if (urls.length > 1) await settle()
      return settledChain(chains) ?? told
    },
    async endpoints() {
      if (witnesses.length === 1) return endpoints
      await isSameChain(0).catch(() => undefined)
      await settle()
      const same = await Promise.all(witnesses.map(at => isSameChain(at).catch(() => true)))
      return endpoints.filter((_, at) => same[at])
    },
  }
}

/** @param check rejects when the endpoint must not be called; @param only its place; absent: any that serves */
function endpointOf(pool: Pool, url: string | undefined, check: () => Promise<void>, only?: number): Endpoint {
  const node = nodeAt(url)
  const at = only === undefined ? {} : { only }
  const result = (outcome: CallOutcome | undefined, method: string): unknown =>
    resultOf(outcome ?? noOutcome(method), method, node)
  return {
    host: hostOf(url ?? ''),
    async call(method, params = []) {
      await check()
      return result(await pool.call({ method, params }, at), method)
    },
    async together(calls, options) {
      await check()
      const outcomes = await Promise.all(splitCalls(calls).map(part => pool.together(part, { ...options, ...at })))
      return outcomes.flat().map(thrown)
    },
    result,
  }
}

/** A request that failed as a whole rejects. */
function thrown(outcome: CallOutcome): CallOutcome {
  if ('fault' in outcome && outcome.isOfRequest) throw outcome.fault
  return outcome
}

function noOutcome(method: string): CallOutcome {
  return { fault: new Fault('bad_response', `the Solana RPC gave no outcome of ${method}`) }
}

function nodeAt(url = ''): string {
  return `the Solana RPC at ${hostOf(url)}`
}
