import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { succeeded } from '../../solana/rpc.ts'
import { bodyRecord } from '../json.ts'
import type { World } from '../world.ts'
import { readCaip10 } from './addresses.ts'
import { mismatch, unreadable } from './errors.ts'
import { isProjectId } from './project.ts'

type Exchange = { id: string; name: string; imageUrl: string | null; assets: string[] }

const testAssets = ['eip155:11155111/slip44:60', 'eip155:84532/slip44:60']
const assets = ['eip155:1/slip44:60', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:501']
const exchanges: Exchange[] = [
  { id: 'binance', name: 'Binance', imageUrl: 'https://exchange.example/binance.webp', assets },
  { id: 'coinbase', name: 'Coinbase', imageUrl: null, assets },
  {
    id: 'reown_test',
    name: 'Reown Test Exchange',
    imageUrl: 'https://pay-assets.reown.com/reown_test_128_128.webp',
    assets: testAssets,
  },
]

/** A refusal in JSON-RPC form, with HTTP 400; its sentence begins with the method. */
class ExchangeError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Params = Record<string, unknown>
type Method = (params: Params) => unknown

/** `POST /v1/json-rpc`: payment by an exchange. A payment is in progress when first asked for, then it succeeded. */
export function createExchanges(world: World): (c: Context) => Promise<Response> {
  const payments = new Map<string, number>()
  world.onReset(() => payments.clear())
  const methods: Record<string, Method> = {
    reown_getExchanges: listExchanges,
    reown_getExchangePayUrl: params => payUrl(params, payments),
    reown_getExchangeBuyStatus: params => buyStatus(params, payments),
  }
  return async c => {
    const body = await bodyRecord(c)
    if (!body) return unreadable(c, 'Failed to parse the request body as JSON')
    const { id, jsonrpc, method, params } = body
    if (jsonrpc !== '2.0' || typeof method !== 'string') return mismatch(c)
    const refuse = (code: number, message: string) =>
      c.json({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }, 400)
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!run) return refuse(-32601, 'Method not found')
    allowOrigin(c, world)
    if (!isProjectId(c.req.query('projectId') ?? '')) return refuse(-1, `${method}: Invalid project`)
    if (params === null || typeof params !== 'object') return refuse(-32602, `${method}: Invalid params`)
    try {
      return c.json(succeeded(id, run(params as Params)))
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return refuse(error.code, `${method}: ${error.message}`)
    }
  }
}

/** The preflight names the project's origins; it succeeds for every page. */
export function exchangePreflight(c: Context, { settings }: World): Response {
  c.header('x-allowed-origins', settings().origins.join(','))
  c.header('access-control-allow-origin', '*')
  c.header('access-control-allow-methods', 'POST, OPTIONS')
  c.header('access-control-allow-headers', 'content-type, solana-client, x-sdk-type, x-sdk-version')
  return c.body(null, 204)
}

/** Only pages of the project's origins may read the answer of an exchange. */
function allowOrigin(c: Context, { settings }: World): void {
  const origin = c.req.header('origin') ?? ''
  const isListed = settings().origins.some(entry => {
    const parts = entry.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`).test(origin)
  })
  c.header('access-control-allow-origin', isListed || origin === 'http://localhost:3000' ? origin : undefined)
  c.header('vary', 'Origin')
}

function listExchanges({ includeOnly, exclude, asset }: Params): unknown {
  const isIn = (list: unknown, id: string): boolean => Array.isArray(list) && list.includes(id)
  const found = exchanges
    .filter(({ id }) => (!Array.isArray(includeOnly) || isIn(includeOnly, id)) && !isIn(exclude, id))
    .filter(one => typeof asset !== 'string' || one.assets.includes(asset))
  return { total: found.length, exchanges: found.map(({ id, name, imageUrl }) => ({ id, name, imageUrl })) }
}

function payUrl({ exchangeId, asset, amount, recipient }: Params, payments: Map<string, number>): unknown {
  const exchange = exchanges.find(({ id }) => id === exchangeId)
  if (!exchange) throw new ExchangeError(-7, `Exchange not found: ${String(exchangeId)}`)
  if (typeof asset !== 'string' || !exchange.assets.includes(asset))
    throw new ExchangeError(-7, `Asset not supported: ${String(asset)}`)
  if (typeof amount !== 'string' || !/^(?:\d+(?:\.\d+)?|0x[0-9a-f]+)$/i.test(amount))
    throw new ExchangeError(-7, `Invalid amount: ${String(amount)}`)
  if (typeof recipient !== 'string' || !readCaip10(recipient))
    throw new ExchangeError(-7, `Invalid recipient: ${String(recipient)}`)
  const text = `payment ${payments.size} ${exchange.id} ${asset} ${amount} ${recipient}`
  const sessionId = createHash('sha256').update(text).digest('hex').slice(0, 32)
  payments.set(sessionId, 0)
  const query = new URLSearchParams({ asset, amount, recipient, sessionId })
  return { url: `https://exchange.example/${exchange.id}?${query}`, sessionId }
}

function buyStatus({ sessionId }: Params, payments: Map<string, number>): unknown {
  if (typeof sessionId !== 'string' || sessionId.length > 50) throw new ExchangeError(-8, 'Invalid session id')
  const times = payments.get(sessionId)
  if (times === undefined) return { status: 'UNKNOWN', txHash: null }
  payments.set(sessionId, times + 1)
  return times === 0 ? { status: 'IN_PROGRESS', txHash: null } : { status: 'SUCCESS', txHash: `0x${'ef'.repeat(32)}` }
}
