import { Fault } from '../../events/failure.ts'
import {
  type Call,
  type CallOutcome,
  readAnswers,
  requestText,
  resultOf,
  splitCalls,
  type WireCall,
} from '../rpc/batch.ts'
import { rpcFault } from '../rpc/errors.ts'
import { type Http, hostOf } from './http.ts'
import { joinCalls } from './joinCalls.ts'

/** Calls to a chain's JSON-RPC nodes. */
export type Rpc = {
  /**
   * One call; calls of one tick travel together, and a call that is already under way is not made twice.
   *
   * @returns the result, not checked
   * @throws Fault the node's error translated, or why it could not be asked
   */
  call(method: string, params?: readonly unknown[]): Promise<unknown>
  /**
   * Calls that must be answered by one node, together, and not by anything asked before.
   *
   * @returns their outcomes in order
   * @throws Fault when no node could be asked
   */
  together(calls: readonly Call[], options?: SendOptions): Promise<CallOutcome[]>
  /** @returns what that call of `together` gave @throws Fault */
  result(outcome: CallOutcome | undefined, method: string): unknown
}

/** `retries` after the first try, default 3; fewer where the caller asks again anyway. */
export type SendOptions = { retries?: number }

const maySucceedElsewhere: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'rate_limited',
  'unreachable',
  'timeout',
  'bad_response',
  'unauthorized',
])

/**
 * @param ports `url2` is asked when `url` fails, once it has shown the same genesis hash
 */
export function createRpc(ports: { url: string; url2?: string; http: Http }): Rpc {
  const { url, url2, http } = ports
  let lastId = 0
  let genesis: string | undefined
  let secondKnown = false

  const post = async (place: string, calls: readonly Call[], options: SendOptions = {}): Promise<CallOutcome[]> => {
    const wire: WireCall[] = calls.map(call => ({ ...call, id: ++lastId }))
    const node = nodeAt(place)
    // A node may explain itself in the body of a 400.
    const request = { url: place, what: 'the Solana RPC', body: requestText(wire), answers: [400] }
    const body = await http.json({ ...request, ...options })
    const outcomes = readAnswers(wire, body, node)
    if (place === url) learnGenesis(calls, outcomes)
    return outcomes
  }
  const learnGenesis = (calls: readonly Call[], outcomes: readonly CallOutcome[]) => {
    calls.forEach((call, at) => {
      const outcome = outcomes[at]
      if (call.method === 'getGenesisHash' && outcome && 'result' in outcome && typeof outcome.result === 'string') {
        genesis ??= outcome.result
      }
    })
  }
  /** A second node that serves another chain would tell lies about this one. */
  const sameChain = async (place: string): Promise<boolean> => {
    if (secondKnown) return true
    const [outcome] = await post(place, [{ method: 'getGenesisHash', params: [] }])
    if (!outcome || !('result' in outcome) || typeof outcome.result !== 'string') return false
    // Whoever answers first says which chain this is; whether it is the sale's is judged above.
    genesis ??= outcome.result
    secondKnown = outcome.result === genesis
    return secondKnown
  }
  const send = async (calls: readonly Call[], options?: SendOptions): Promise<CallOutcome[]> => {
    try {
      const outcomes = await post(url, calls, options)
      const limited = outcomes.every(outcome => 'error' in outcome && outcomeCode(outcome) === 'rate_limited')
      if (!limited || url2 === undefined || !(await sameChain(url2).catch(() => false))) return outcomes
      return await post(url2, calls, options)
    } catch (cause) {
      const elsewhere = cause instanceof Fault && maySucceedElsewhere.has(cause.code)
      if (!elsewhere || url2 === undefined || !(await sameChain(url2).catch(() => false))) throw cause
      return await post(url2, calls, options)
    }
  }

  const result = (outcome: CallOutcome | undefined, method: string): unknown => {
    const given = outcome ?? { fault: new Fault('bad_response', `the Solana RPC gave no outcome of ${method}`) }
    return resultOf(given, method, nodeAt(url))
  }

  const join = joinCalls(calls => send(calls))

  return {
    call: async (method, params = []) => result(await join({ method, params }), method),
    async together(calls, options) {
      return (await Promise.all(splitCalls(calls).map(request => send(request, options)))).flat()
    },
    result,
  }
}

function nodeAt(url: string): string {
  return `the Solana RPC at ${hostOf(url)}`
}

function outcomeCode(outcome: CallOutcome): string {
  return 'error' in outcome ? rpcFault(outcome.error, '', '').code : ''
}
