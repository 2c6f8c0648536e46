/**
 * A host's calls to a chain's own node. Nothing of them is recorded, and errors name only the URL's host, as hosts put API
 * keys into such URLs.
 */
import { type FailureCode, toFailure } from '../../../runtime/failure.ts'
import type { ChainAnswer, ChainQuestion } from '../../../events/wire.ts'
import { type Call, type CallOutcome, readAnswers, requestText } from '../../rpc/batch.ts'
import { createHttp, type Http, hostOf } from '../http.ts'
import { joinCalls } from './joinCalls.ts'

/** Largest answer, bytes: a chain's logs can be long. */
const maxBytes = 16_000_000
/** A host gets the node's answer unchanged, whatever it holds. */
const reading = { bigIntegers: 'exact', prototypeKeys: 'kept', maxDepth: Number.POSITIVE_INFINITY } as const
/** Most cached nodes; a host has a handful. */
const maxNodes = 100

/** Methods with a side effect: sent alone and once, neither retried nor joined with an equal call. */
const doing = /^(?!([a-z]+_)?get).*(send|sign|submit|broadcast|execute)/i

/** The provider's codes for transport failures. @see EIP-1193, EIP-1474 */
const codes: Partial<Record<FailureCode, number>> = {
  unreachable: 4901,
  offline: 4901,
  timeout: 4901,
  unauthorized: 4100,
  rate_limited: -32_005,
}

/** @returns calls a node; it never rejects */
export function createChainReads(
  http: Http = createHttp({ maxBytes }),
): (question: ChainQuestion) => Promise<ChainAnswer> {
  const nodes = new Map<string, (call: Call) => Promise<CallOutcome | undefined>>()
  let lastId = 0

  /** @param retries retries after the first attempt; absent: the default of `http` */
  async function send(url: string, calls: readonly Call[], retries?: number): Promise<CallOutcome[]> {
    const wire = calls.map(call => ({ ...call, id: ++lastId }))
    // A node may explain an error in the body of a 400
    const request = { url, what: 'the RPC', body: requestText(wire), answers: [400], reading }
    const body = await http.json(retries === undefined ? request : { ...request, retries })
    return readAnswers(wire, body, `the RPC at ${hostOf(url)}`)
  }

  function nodeAt(url: string): (call: Call) => Promise<CallOutcome | undefined> {
    const known = nodes.get(url)
    if (known) return known
    const made = joinCalls(calls => send(url, calls))
    const [oldest] = nodes.keys()
    if (nodes.size >= maxNodes && oldest !== undefined) nodes.delete(oldest)
    nodes.set(url, made)
    return made
  }

  return async ({ url, method, params }) => {
    try {
      const call = { method, params }
      const outcome = doing.test(method) ? (await send(url, [call], 0))[0] : await nodeAt(url)(call)
      if (!outcome)
        return { error: { code: -32_603, message: `the RPC at ${hostOf(url)} gave no answer to ${method}` } }
      if ('fault' in outcome) throw outcome.fault
      return outcome
    } catch (cause) {
      const { code, message, facts } = toFailure(cause)
      return { error: { code: codes[code] ?? -32_603, message, ...(facts ? { data: facts } : {}) } }
    }
  }
}
