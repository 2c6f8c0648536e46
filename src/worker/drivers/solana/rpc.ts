import { Fault } from '../../../runtime/failure.ts'
import {
  type Call,
  type CallOutcome,
  readAnswers,
  requestText,
  resultOf,
  splitCalls,
  type WireCall,
} from '../../rpc/batch.ts'
import { rpcFault } from '../../rpc/errors.ts'
import { type Http, hostOf } from '../http.ts'
import { joinCalls } from './joinCalls.ts'

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

/** Calls to a chain's JSON-RPC endpoints, with failover. */
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
type SendOptions = { retries?: number }

const maySucceedElsewhere: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'rate_limited',
  'unreachable',
  'timeout',
  'bad_response',
  'unauthorized',
])

/**
 * Failover between endpoints. It holds each endpoint's genesis hash.
 *
 * 1. An endpoint after the first serves only once it has shown the same genesis hash.
 * 2. When the first is not on the sale's chain and another is, the chain is settled: only endpoints on it serve.
 * 3. For proofs, one endpoint of each host counts.
 *
 * One function, because all of it shares the genesis hashes.
 *
 * @param ports `urls` in order of preference; `expected` returns the genesis hash of the sale's chain, if known
 */
export function createRpc(ports: {
  urls: readonly string[]
  http: Http
  expected?: () => Promise<string | undefined>
}): Rpc {
  const { urls, http, expected } = ports
  const [first = ''] = urls
  let lastId = 0
  let genesis: string | undefined
  /** the sale's chain, once the first has shown another one and a later endpoint this one */
  let settled: string | undefined
  /** genesis hash by URL */
  const shown = new Map<string, string>()

  const post = async (place: string, calls: readonly Call[], options: SendOptions = {}): Promise<CallOutcome[]> => {
    const wire: WireCall[] = calls.map(call => ({ ...call, id: ++lastId }))
    // A node may explain an error in the body of a 400
    const request = { url: place, what: 'the Solana RPC', body: requestText(wire), answers: [400] }
    const body = await http.json({ ...request, ...options })
    const outcomes = readAnswers(wire, body, nodeAt(place))
    learnGenesis(place, calls, outcomes)
    return outcomes
  }
  const learnGenesis = (place: string, calls: readonly Call[], outcomes: readonly CallOutcome[]) => {
    calls.forEach((call, at) => {
      const outcome = outcomes[at]
      if (call.method !== 'getGenesisHash' || !outcome || !('result' in outcome)) return
      const { result } = outcome
      if (typeof result !== 'string') return
      shown.set(place, result)
      // A later endpoint may have answered before, while the first was silent
      genesis = place === first ? result : (genesis ?? result)
    })
  }
  /** Skips endpoints of another chain. @throws Fault when the endpoint gives no genesis hash */
  const isSameChain = async (place: string): Promise<boolean> => {
    if (!shown.has(place)) {
      const [outcome] = await post(place, [{ method: 'getGenesisHash', params: [] }], { retries: 1 })
      const result = resultOf(outcome ?? noOutcome('getGenesisHash'), 'getGenesisHash', nodeAt(place))
      if (typeof result !== 'string') throw new Fault('bad_response', 'getGenesisHash expected text')
    }
    // The first answer names this chain; whether it is the sale's is checked in `settle`
    return shown.get(place) === (settled ?? genesis)
  }
  /** The first may be on the wrong chain: then the later endpoints are asked too. */
  const settle = async (): Promise<void> => {
    const wanted = settled === undefined ? await expected?.() : undefined
    if (wanted === undefined || wanted === genesis) return
    await Promise.allSettled(urls.map(isSameChain))
    if ([...shown.values()].includes(wanted)) settled = wanted
  }
  const send = async (calls: readonly Call[], options?: SendOptions): Promise<CallOutcome[]> => {
    let rateLimited: CallOutcome[] | undefined
    let failed: unknown
    for (const place of urls) {
      try {
        const isAsked = place === first && settled === undefined
        if (!isAsked && !(await isSameChain(place).catch(() => false))) continue
        const outcomes = await post(place, calls, options)
        const limited = outcomes.every(outcome => 'error' in outcome && outcomeCode(outcome) === 'rate_limited')
        if (!limited) return outcomes
        rateLimited ??= outcomes
      } catch (cause) {
        if (!(cause instanceof Fault) || !maySucceedElsewhere.has(cause.code)) throw cause
        failed ??= cause
      }
    }
    if (rateLimited) return rateLimited
    throw failed
  }

  const witnesses = urls.filter((url, at) => urls.findIndex(other => hostOf(other) === hostOf(url)) === at)
  const endpoints = witnesses.map(place =>
    endpointOf(place, async (calls, options) => {
      if (witnesses.length > 1 && !(await isSameChain(place)))
        throw new Fault('wrong_cluster', `${nodeAt(place)} expected the same chain as the first, got another`)
      return post(place, calls, options)
    }),
  )

  const any = endpointOf(first, send)
  return {
    ...any,
    async chain() {
      const told = await any.call('getGenesisHash')
      if (urls.length > 1) await settle()
      return settled ?? told
    },
    async endpoints() {
      if (witnesses.length === 1) return endpoints
      await isSameChain(first).catch(() => undefined)
      await settle()
      const same = await Promise.all(witnesses.map(place => isSameChain(place).catch(() => true)))
      return endpoints.filter((_, at) => same[at])
    },
  }
}

function endpointOf(place: string, send: Endpoint['together']): Endpoint {
  const node = nodeAt(place)
  const result = (outcome: CallOutcome | undefined, method: string): unknown =>
    resultOf(outcome ?? noOutcome(method), method, node)
  const join = joinCalls(calls => send(calls))
  return {
    host: hostOf(place),
    call: async (method, params = []) => result(await join({ method, params }), method),
    async together(calls, options) {
      return (await Promise.all(splitCalls(calls).map(request => send(request, options)))).flat()
    },
    result,
  }
}

function noOutcome(method: string): CallOutcome {
  return { fault: new Fault('bad_response', `the Solana RPC gave no outcome of ${method}`) }
}

function nodeAt(url: string): string {
  return `the Solana RPC at ${hostOf(url)}`
}

function outcomeCode(outcome: CallOutcome): string {
  return 'error' in outcome ? rpcFault(outcome.error, '', '').code : ''
}
