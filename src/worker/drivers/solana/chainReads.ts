/**
 * A host's calls to a chain's own node. Nothing of them is recorded, and errors name only the URL's host, as hosts put API
 * keys into such URLs.
 */
import { exactIntegers } from '../../../runtime/json/bigIntegers.ts'
import type { FailureCode } from '../../../runtime/failure.ts'
import type { ChainAnswer, ChainQuestion } from '../../../events/wire.ts'
import type { CallOutcome } from '../../rpc/batch.ts'
import type { Pool } from '../transport/pools.ts'
import type { RequestTransport } from '../transport/transport.ts'

/** Largest answer, bytes: a chain's logs can be long. */
const maxBytes = 16_000_000
/** A host gets the node's answer unchanged, whatever it holds. */
const reading = { bigIntegers: exactIntegers, prototypeKeys: 'kept', maxDepth: Number.POSITIVE_INFINITY } as const
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

/** A node, and the probe of it that a host has asked for. */
type Node = { pool: Pool; probe?: Promise<CallOutcome> }

/** @returns whether no node answered; any HTTP answer is one, an error's too */
function isSilent(outcome: CallOutcome): outcome is Extract<CallOutcome, { fault: unknown }> {
  return 'fault' in outcome && outcome.fault.code !== 'bad_response' && outcome.fault.facts?.status === undefined
}

/** @returns calls a node; it never rejects. @param create makes the transport of one node */
export function createChainReads(
  create: (limits: { maxBytes: number }) => RequestTransport,
): (question: ChainQuestion) => Promise<ChainAnswer> {
  const nodes = new Map<string, Node>()

  function nodeAt(url: string): Node {
    const known = nodes.get(url)
    if (known) return known
    const made = { pool: create({ maxBytes }).pool({ name: 'node', urls: [url], what: 'the RPC', reading }) }
    const [oldest] = nodes.keys()
    if (nodes.size >= maxNodes && oldest !== undefined) nodes.delete(oldest)
    nodes.set(url, made)
    return made
  }

  /** Probes a node until it has answered once. @returns the outcome of the latest probe */
  async function probe(node: Node): Promise<CallOutcome> {
    const asked = (node.probe ??= node.pool.once({ method: 'test', params: [] }))
    const outcome = await asked
    if (isSilent(outcome) && node.probe === asked) delete node.probe
    return outcome
  }

  return async ({ url, method, params, ping }) => {
    const node = nodeAt(url)
    const call = { method, params }
    const probed = ping ? await probe(node) : undefined
    const isLost = probed !== undefined && isSilent(probed)
    const outcome = isLost ? probed : await (doing.test(method) ? node.pool.once(call) : node.pool.call(call))
    if (!('fault' in outcome)) return outcome
    const { code, message, facts } = outcome.fault
    return { error: { code: codes[code] ?? -32_603, message, ...(facts ? { data: facts } : {}) } }
  }
}
