import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { refused } from './blockchainApi/errors.ts'
import type { Fault } from './faults.ts'

/** Fields of the error envelope by status, as the Blockchain API names them. */
const reasons: Record<number, [field: string, description: string]> = {
  401: ['authentication', 'We failed to authenticate your request'],
  403: ['authentication', 'This origin is not allowed'],
  429: ['rate_limited', 'Requests per second limit exceeded'],
  503: ['chainId', 'The upstream provider is unavailable'],
}

/** @returns the answer of a fault that replaces the service's own; undefined if the service answers */
export function replacement(c: Context, fault: Fault): Response | undefined {
  if (fault.html) return c.html('<!doctype html><title>Please wait</title><p>Checking your browser.')
  if (fault.shape)
    return c.json({ count: 'many', data: [null, 7, { id: {} }], features: {}, isAnalyticsEnabled: 'perhaps' })
  if (fault.malformed) return c.body('{"count": 1, "data": [{"id"', 200, { 'content-type': 'application/json' })
  if (fault.empty) return c.body(null, 200, { 'content-type': 'application/json' })
  if (fault.oversized !== undefined) return c.json('a'.repeat(fault.oversized))
  return fault.status ? statusAnswer(c, fault.status, fault) : undefined
}

function statusAnswer(c: Context, status: number, { text, retryAfter }: Fault): Response {
  if (retryAfter !== undefined) c.header('retry-after', String(retryAfter))
  const [field, description] = reasons[status] ?? []
  if (text === undefined && field !== undefined && description !== undefined && c.req.path.startsWith('/v1'))
    return refused(c, status, field, description)
  return c.text(text ?? `The service answers ${status}`, status as 503)
}

/** Announces a whole answer, sends its first half and cuts the connection. */
export async function truncate(c: Context<{ Bindings: HttpBindings }>): Promise<void> {
  const { outgoing } = c.env
  const whole = Buffer.from(await c.res.arrayBuffer())
  const headers = Object.fromEntries(c.res.headers)
  outgoing.writeHead(c.res.status, { ...headers, 'content-length': Math.max(whole.length, 2) })
  await new Promise<void>(sent => {
    outgoing.write(whole.subarray(0, Math.max(whole.length >> 1, 1)), () => sent())
  })
  outgoing.destroy()
  c.res = new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
}
