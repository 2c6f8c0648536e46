/**
 * Batches JSON-RPC calls into requests and assigns the answers. Pure; a driver does the I/O.
 * @see JSON-RPC 2.0, §6
 */
import { isRecord } from '../../runtime/json/isRecord.ts'
import { Fault } from '../../runtime/failure.ts'
import type { Call } from './calls.ts'
import { type NodeError, rpcFault, readNodeError } from './errors.ts'

/** A call on the wire, with its id. */
export type WireCall = Call & { id: number }

/**
 * The outcome of a call. `error` is the node's own, read but not yet translated. `isOfRequest`: the fault is not this call's
 * alone.
 */
export type CallOutcome = { result: unknown } | { error: NodeError } | { fault: Fault; isOfRequest?: true }

/** @returns a text equal only for equal calls */
export function callKey(call: Call): string {
  return `${call.method} ${JSON.stringify(call.params)}`
}

/** @returns the request's body; a single call has no brackets, because some nodes take no batches */
export function requestText(calls: readonly WireCall[]): string {
  const wire = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params }))
  return JSON.stringify(wire.length === 1 ? wire[0] : wire)
}

/**
 * Matches answers to calls by id, whatever their order; an answer with an unknown id is ignored.
 *
 * @param body the response as JSON
 * @param node names the node in errors
 * @returns one outcome for each call, in the calls' order
 */
export function readAnswers(calls: readonly WireCall[], body: unknown, node: string): CallOutcome[] {
  const whole = isRecord(body) ? body : undefined
  const general = whole && readNodeError(whole.error)
  // The whole request was refused: too large, no batches, unreadable. Such an answer has no id, or null
  if (whole && general && (calls.length > 1 || !isId(whole.id))) return calls.map(() => ({ error: general }))
  const byId = new Map<unknown, Readonly<Record<string, unknown>>>()
  for (const entry of Array.isArray(body) ? body : [body]) {
    if (isRecord(entry) && isId(entry.id) && !byId.has(entry.id)) byId.set(entry.id, entry)
  }
  return calls.map(({ id, method }) => {
    const answer = byId.get(id) ?? byId.get(String(id))
    if (!answer) return { fault: new Fault('bad_response', `${node} expected an answer to ${method}, got none`) }
    const error = readNodeError(answer.error)
    if (error) return { error }
    if ('result' in answer && answer.result !== undefined) return { result: answer.result }
    return { fault: new Fault('bad_response', `${node} expected a result of ${method}, got neither result nor error`) }
  })
}

/** @returns the result of an outcome. @throws Fault the call's own, or the node's error translated */
export function resultOf(outcome: CallOutcome, method: string, node: string): unknown {
  if ('result' in outcome) return outcome.result
  throw 'fault' in outcome ? outcome.fault : rpcFault(outcome.error, method, node)
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string'
}
