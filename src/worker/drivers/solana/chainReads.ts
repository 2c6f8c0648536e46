/**
 * A host's calls to a chain's own node. Nothing of them is recorded, and errors name only the URL's host, as hosts put API
 * keys into such URLs.
 */
import type { FailureCode } from '../../../runtime/failure.ts'
import type { ChainAnswer, ChainQuestion } from '../../../events/wire.ts'
import type { Pool } from '../transport/pools.ts'
import type { RequestTransport } from '../transport/transport.ts'

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

/** @returns calls a node; it never rejects. @param create makes the transport of one node */
export function createChainReads(
  create: (limits: { maxBytes: number }) => RequestTransport,
): (question: ChainQuestion) => Promise<ChainAnswer> {
  const nodes = new Map<string, Pool>()

  function nodeAt(url: string): Pool {
    const known = nodes.get(url)
    if (known) return known
    const made = create({ maxBytes }).pool({ name: 'node', urls: [url], what: 'the RPC', reading })
    const [oldest] = nodes.keys()
    if (nodes.size >= maxNodes && oldest !== undefined) nodes.delete(oldest)
    nodes.set(url, made)
    return made
  }

  return async ({ url, method, params }) => {
    const node = nodeAt(url)
    const call = { method, params }
    const outcome = await (doing.test(method) ? node.once(call) : node.call(call))
    if (!('fault' in outcome)) return outcome
    const { code, message, facts } = outcome.fault
    return { error: { code: codes[code] ?? -32_603, message, ...(facts ? { data: facts } : {}) } }
  }
}
