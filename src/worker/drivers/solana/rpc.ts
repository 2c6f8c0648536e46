import { Fault } from '../../../events/failure.ts'
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
  /** host and port, for words; of several, those of the first */
  host: string
  /**
   * One call; calls of one tick travel together, and a call that is already under way is not made twice.
   *
   * @returns the result, not checked
   * @throws Fault the node's error translated, or why it could not be asked
   */
  call(method: string, params?: readonly unknown[]): Promise<unknown>
  /**
   * Calls that must be answered by one endpoint, together, and not by anything asked before.
   *
   * @returns their outcomes in order
   * @throws Fault when no endpoint could be asked
   */
  together(calls: readonly Call[], options?: SendOptions): Promise<CallOutcome[]>
  /** @returns what that call of `together` gave @throws Fault */
  result(outcome: CallOutcome | undefined, method: string): unknown
}

/** Calls to a chain's JSON-RPC endpoints: to the next one when one fails. */
export type Rpc = Endpoint & {
  /**
   * @returns the genesis hash that the first which answers shows, not checked; where the sale's chain is another, and an endpoint
   * behind it shows that, the sale's: from then on those that show another one are passed over
   * @throws Fault as `call`
   */
  chain(): Promise<unknown>
  /**
   * Every endpoint by itself, for proofs in which each must agree: one of each host, which cannot bear itself witness. One that shows
   * another chain than the first, or than `chain` told, is left out; one that cannot be asked is there, and fails when it is called.
   */
  endpoints(): Promise<readonly Endpoint[]>
}

/** `retries` after the first try, default 3; fewer where the caller asks again anyway. */
type SendOptions = { retries?: number }

const maySucceedElsewhere: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'rate_limited',
  'unreachable',
  'timeout',
  'bad_response',
  'unauthorized',
])

/**
 * @param ports `urls`: the first is asked; each further one when those before it fail, once it has shown the same genesis hash;
 * `expected` is the genesis hash of the sale's chain, where that is known
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
  /** the sale's chain, when the first has shown another one, and one behind it this */
  let settled: string | undefined
  /** by place */
  const shown = new Map<string, string>()

  const post = async (place: string, calls: readonly Call[], options: SendOptions = {}): Promise<CallOutcome[]> => {
    const wire: WireCall[] = calls.map(call => ({ ...call, id: ++lastId }))
    // A node may explain itself in the body of a 400.
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
      // Another one may have told before, while the first was silent
      genesis = place === first ? result : (genesis ?? result)
    })
  }
  /** An endpoint that serves another chain would tell lies about this one. @throws Fault when it does not say */
  const isSameChain = async (place: string): Promise<boolean> => {
    if (!shown.has(place)) {
      const [outcome] = await post(place, [{ method: 'getGenesisHash', params: [] }], { retries: 1 })
      const result = resultOf(outcome ?? noOutcome('getGenesisHash'), 'getGenesisHash', nodeAt(place))
      if (typeof result !== 'string') throw new Fault('bad_response', 'getGenesisHash expected text')
    }
    // The first answer says which chain this is; whether it is the sale's is judged above.
    return shown.get(place) === (settled ?? genesis)
  }
  /** The first may lie about its chain: where the sale's is another, those behind it are asked, too. */
  const settle = async (): Promise<void> => {
    const wanted = settled === undefined ? await expected?.() : undefined
    if (wanted === undefined || wanted === genesis) return
    await Promise.allSettled(urls.map(isSameChain))
    if ([...shown.values()].includes(wanted)) settled = wanted
  }
  const send = async (calls: readonly Call[], options?: SendOptions): Promise<CallOutcome[]> => {
    let kept: CallOutcome[] | undefined
    let failed: unknown
    for (const place of urls) {
      try {
        const isAsked = place === first && settled === undefined
        if (!isAsked && !(await isSameChain(place).catch(() => false))) continue
        const outcomes = await post(place, calls, options)
        const limited = outcomes.every(outcome => 'error' in outcome && outcomeCode(outcome) === 'rate_limited')
        if (!limited) return outcomes
        kept ??= outcomes
      } catch (cause) {
        if (!(cause instanceof Fault) || !maySucceedElsewhere.has(cause.code)) throw cause
        failed ??= cause
      }
    }
    if (kept) return kept
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
