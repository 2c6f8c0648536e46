/**
 * Questions of a host to a chain's own node. Nothing of them is recorded, and no address is ever named beyond its host:
 * hosts put their keys into such addresses.
 */
import { type FailureCode, toFailure } from '../../../events/failure.ts'
import type { ChainAnswer, ChainQuestion } from '../../../events/wire.ts'
import { type Call, type CallOutcome, readAnswers, requestText } from '../../rpc/batch.ts'
import { readExact } from '../../walletconnect/relay/exactJson.ts'
import { createHttp, type Http, hostOf } from '../http.ts'
import { joinCalls } from './joinCalls.ts'

/** Logs of a chain can be long, bytes. */
const maxBytes = 16_000_000
/** Nodes that are remembered; a host has a handful. */
const maxNodes = 100

/** Asked again it might be done again, and asked for twice it is meant twice: it goes alone, and once. */
const doing = /^(?!([a-z]+_)?get).*(send|sign|submit|broadcast|execute)/i

/** What a failure of the way there is in the provider's codes. @see EIP-1193, EIP-1474 */
const codes: Partial<Record<FailureCode, number>> = {
  unreachable: 4901,
  offline: 4901,
  timeout: 4901,
  unauthorized: 4100,
  rate_limited: -32_005,
}

/** @returns what asks; it never rejects */
export function createChainReads(
  http: Http = createHttp({ maxBytes }),
): (question: ChainQuestion) => Promise<ChainAnswer> {
  const nodes = new Map<string, (call: Call) => Promise<CallOutcome | undefined>>()
  let lastId = 0

  /** @param retries tries after the first, as many as usual when absent */
  async function send(url: string, calls: readonly Call[], retries?: number): Promise<CallOutcome[]> {
    const wire = calls.map(call => ({ ...call, id: ++lastId }))
    // A node may explain itself in the body of a 400
    const request = { url, what: 'the RPC', body: requestText(wire), answers: [400], read: readExact }
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
