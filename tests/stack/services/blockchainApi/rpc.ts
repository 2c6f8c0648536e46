import type { Context } from 'hono'
import { failed, succeeded } from '../../solana/rpc.ts'
import { RpcError } from '../../solana/errors.ts'
import { safeJson } from '../json.ts'
import type { World } from '../world.ts'
import { refused } from './errors.ts'
import { servedIds, solanaIds } from './networks.ts'
import { projectRefusal, required } from './project.ts'

/**
 * `POST /v1?chainId&projectId`: forwards to the local chain for every Solana id. Another chain has no node here: it answers its
 * cached methods and the probe, else 503.
 */
export async function chainRpc(c: Context, world: World): Promise<Response> {
  const chainId = required(c, 'chainId')
  if (chainId instanceof Response) return chainId
  const refusal = projectRefusal(c)
  if (refusal) return refusal
  if (!servedIds(world).includes(chainId))
    return refused(c, 400, 'chainId', `We don't support the chainId you provided: ${chainId}`)
  const body = await c.req.text()
  if (!solanaIds(world).includes(chainId)) return fromCache(c, chainId, body)
  return world.solana ? forward(c, world.solana.url, body) : refused(c, 503, 'chainId', 'No local chain is running')
}

async function forward(c: Context, url: string, body: string): Promise<Response> {
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    const type = answer.headers.get('content-type') ?? 'application/json'
    const retryAfter = answer.headers.get('retry-after')
    if (retryAfter !== null) c.header('retry-after', retryAfter)
    return c.body(await answer.text(), answer.status as 200, { 'content-type': type })
  } catch {
    return refused(c, 503, 'transport', 'The chain closed the connection')
  }
}

function fromCache(c: Context, chainId: string, body: string): Response {
  const request = safeJson(body) as { id?: unknown; method?: unknown } | undefined
  if (typeof request?.method !== 'string') return c.json(failed(null, new RpcError(-32600, 'Invalid request')), 400)
  const reference = chainId.split(':')[1] ?? ''
  if (chainId.startsWith('eip155:')) {
    if (request.method === 'eth_chainId') return c.json(succeeded(request.id, `0x${BigInt(reference).toString(16)}`))
    if (request.method === 'net_version') return c.json(succeeded(request.id, reference))
    if (request.method === 'net_listening') return c.json(succeeded(request.id, true))
  }
  if (request.method === 'test') return c.json(failed(request.id, new RpcError(-32601, 'Method not found')))
  return refused(c, 503, 'chainId', `No local node serves ${chainId}`)
}
