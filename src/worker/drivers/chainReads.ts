/**
 * Questions of a host to a chain's own node. Nothing of them is recorded, and no address is ever named beyond its host:
 * hosts put their keys into such addresses.
 */
import { type FailureCode, toFailure } from '../../events/failure.ts'
import type { ChainAnswer, ChainQuestion } from '../../events/wire.ts'
import { type Call, type CallOutcome, readAnswers, requestText } from '../rpc/batch.ts'
import { readExact } from '../walletconnect/exactJson.ts'
import { createHttp, type Http, hostOf } from './http.ts'
import { joinCalls } from './joinCalls.ts'

/** Logs of a chain can be long, bytes. */
const maxBytes = 16_000_000
/** Nodes that are remembered; a host has a handful. */
const maxNodes = 100

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

  function nodeAt(url: string): (call: Call) => Promise<CallOutcome | undefined> {
    const known = nodes.get(url)
    if (known) return known
    const made = joinCalls(async calls => {
      const wire = calls.map(call => ({ ...call, id: ++lastId }))
      // A node may explain itself in the body of a 400
      const body = await http.json({ url, what: 'the RPC', body: requestText(wire), answers: [400], read: readExact })
      return readAnswers(wire, body, `the RPC at ${hostOf(url)}`)
    })
    const [oldest] = nodes.keys()
    if (nodes.size >= maxNodes && oldest !== undefined) nodes.delete(oldest)
    nodes.set(url, made)
    return made
  }

  return async ({ url, method, params }) => {
    try {
      const outcome = await nodeAt(url)({ method, params })
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
