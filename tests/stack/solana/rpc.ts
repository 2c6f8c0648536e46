import { toJson } from './bytes.ts'
import { RpcError } from './errors.ts'
import { historyMethods } from './methods/history.ts'
import { lineMethods } from './methods/line.ts'
import type { Call, Method } from './methods/params.ts'
import { sendMethods } from './methods/send.ts'
import { stateMethods } from './methods/state.ts'

/** Every method the local node answers. */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...lineMethods, ...stateMethods, ...historyMethods, ...sendMethods }),
)

/** Limit of calls per batch. */
const MAX_BATCH = 1_000

/** Provides a method's surroundings; throws RpcError if a fault says so. */
export type Serve = (method: string, params: unknown[], run: (surroundings: Omit<Call, 'params'>) => unknown) => unknown

/**
 * Answers the text of a JSON-RPC request or batch.
 *
 * @param isTwice whether an answer to this method stands twice in its batch
 * @returns the answer's text, or undefined when nothing is to be answered (only notifications)
 */
export function answerText(text: string, serve: Serve, isTwice: (method: string) => boolean): string | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return toJson(failed(null, new RpcError(-32700, 'Parse error')))
  }
  if (!Array.isArray(parsed)) {
    const answer = answerOne(parsed, serve)
    return answer === undefined ? undefined : toJson(answer)
  }
  if (parsed.length === 0 || parsed.length > MAX_BATCH)
    return toJson(failed(null, new RpcError(-32600, 'Invalid request')))
  const answers = parsed.flatMap(request => {
    const answer = answerOne(request, serve)
    if (answer === undefined) return []
    return isTwice(String(request?.method)) ? [answer, answer] : [answer]
  })
  return answers.length === 0 ? undefined : toJson(answers)
}

/** The methods a request text names, for faults that act before the request is answered. */
export function methodsNamed(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text)
    const list = Array.isArray(parsed) ? parsed : [parsed]
    return list.flatMap(request => (typeof request?.method === 'string' ? [request.method as string] : []))
  } catch {
    return []
  }
}

/** One request as checked: `id` is absent in a notification. */
export type Request = { id?: string | number | null; method: string; params: unknown[] }

/** Reads one request, or gives the error answer it deserves. */
export function readRequest(value: unknown): Request | { error: unknown } {
  const invalid = (id: unknown) => ({ error: failed(isId(id) ? id : null, new RpcError(-32600, 'Invalid request')) })
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return invalid(null)
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  if (jsonrpc !== '2.0' || typeof method !== 'string') return invalid(id)
  if (id !== undefined && !isId(id)) return invalid(null)
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    if (typeof params !== 'object') return invalid(id)
    return {
      error: failed(id ?? null, new RpcError(-32602, 'Invalid params: expected a sequence, got named parameters')),
    }
  }
  return { ...(id === undefined ? {} : { id }), method, params: params ?? [] }
}

/** The answer to a request that went well. */
export const succeeded = (id: unknown, result: unknown): unknown => ({ jsonrpc: '2.0', result: result ?? null, id })

/** The answer to a failed request; an unexpected error becomes an internal error with its sentence. */
export function failed(id: unknown, error: unknown): unknown {
  const code = error instanceof RpcError ? error.code : -32603
  const message = error instanceof RpcError ? error.message : `Internal error: ${(error as Error).message}`
  const data = error instanceof RpcError && error.data !== undefined ? { data: error.data } : {}
  return { jsonrpc: '2.0', error: { code, message, ...data }, id: id ?? null }
}

function answerOne(value: unknown, serve: Serve): unknown {
  const request = readRequest(value)
  if ('error' in request) return request.error
  if (request.id === undefined) return undefined
  const method = METHODS.get(request.method)
  if (!method) return failed(request.id, new RpcError(-32601, 'Method not found'))
  try {
    const { params } = request
    return succeeded(
      request.id,
      serve(request.method, params, around => method({ ...around, params })),
    )
  } catch (error) {
    return failed(request.id, error)
  }
}

const isId = (id: unknown): id is string | number | null =>
  id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))
