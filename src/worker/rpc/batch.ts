/**
 * Joining JSON-RPC calls into requests and handing their answers back. Decisions only; a driver holds the socket.
 * @see JSON-RPC 2.0, §6
 */
import { Fault } from '../../events/failure.ts'
import { type RpcError, rpcFault, readRpcError } from './errors.ts'

/** One call. `params` is plain JSON, a list almost everywhere. */
export type Call = { method: string; params: unknown }

/** A call on the wire, with the id its answer must carry. */
export type WireCall = Call & { id: number }

/** What became of one call. `error` is the node's own, read but not yet translated. */
export type CallOutcome = { result: unknown } | { error: RpcError } | { fault: Fault }

/** Calls in one request at most. */
const maxBatch = 1000

/** @returns a text that two calls share only when they ask the same */
export function callKey(call: Call): string {
  return `${call.method} ${JSON.stringify(call.params)}`
}

/** @returns the calls in requests of at most `size`, in order */
export function splitCalls<T>(calls: readonly T[], size: number = maxBatch): T[][] {
  const requests: T[][] = []
  for (let at = 0; at < calls.length; at += size) requests.push(calls.slice(at, at + size))
  return requests
}

/** @returns the request's body; one call alone goes without brackets, because some nodes take no batches */
export function requestText(calls: readonly WireCall[]): string {
  const wire = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params }))
  return JSON.stringify(wire.length === 1 ? wire[0] : wire)
}

/**
 * Finds every call's answer. Order in the batch means nothing, the id does; an answer nobody asked for is passed over.
 *
 * @param body the response as JSON
 * @param node who answered, for sentences
 * @returns one outcome for each call, in the calls' order
 */
export function readAnswers(calls: readonly WireCall[], body: unknown, node: string): CallOutcome[] {
  const whole = recordOf(body)
  const general = whole && readRpcError(whole.error)
  // Refused as a whole: too large, no batches, unreadable. Such an answer has no id, or null.
  if (whole && general && (calls.length > 1 || !isId(whole.id))) return calls.map(() => ({ error: general }))
  const byId = new Map<unknown, Record<string, unknown>>()
  for (const entry of Array.isArray(body) ? body : [body]) {
    const answer = recordOf(entry)
    if (answer && isId(answer.id) && !byId.has(answer.id)) byId.set(answer.id, answer)
  }
  return calls.map(({ id, method }) => {
    const answer = byId.get(id) ?? byId.get(String(id))
    if (!answer) return { fault: new Fault('bad_response', `${node} expected an answer to ${method}, got none`) }
    const error = readRpcError(answer.error)
    if (error) return { error }
    if ('result' in answer && answer.result !== undefined) return { result: answer.result }
    return { fault: new Fault('bad_response', `${node} expected a result of ${method}, got neither result nor error`) }
  })
}

/** @returns the result of an outcome @throws Fault the call's own, or the node's error translated */
export function resultOf(outcome: CallOutcome, method: string, node: string): unknown {
  if ('result' in outcome) return outcome.result
  throw 'fault' in outcome ? outcome.fault : rpcFault(outcome.error, method, node)
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string'
}
