import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { createFaults, readServicesControl, type ServicesControl } from './faults.ts'
import { imageOf } from './image.ts'
import { listedWallets, walletPage } from './wallets.ts'

/** State of the services: requests by path (images by their route), analytics events by name. */
export type ServicesState = {
  requests: Record<string, number>
  events: Record<string, number>
  malformedEvents: number
}

/** The running services. `url` has no slash at its end. */
export type ServicesStack = {
  url: string
  port: number
  control(control: ServicesControl): void
  state(): ServicesState
  close(): Promise<void>
}

const allowedHeaders = [
  'content-type',
  'user-agent',
  'referer',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'solana-client',
  'sec-fetch-mode',
  'x-project-id',
  'x-sdk-type',
  'x-sdk-version',
]
/** Features whose `config` is null defer to the page's own settings. */
const featureIds = ['social_login', 'swap', 'onramp', 'activity', 'multi_wallet', 'reown_branding']

/**
 * Starts the HTTP services a wallet modal calls: wallet listing, images, project config, analytics.
 * `POST /control {"fail": {"/getWallets": {"status": 503, "times": 1}}}` makes a path fail, `GET /state` counts.
 *
 * @param options.port 0 or absent takes any free port
 * @throws the listening error, `EADDRINUSE` when the port is taken
 */
export async function startServices(options: { port?: number; host?: string } = {}): Promise<ServicesStack> {
  const { port = 0, host = '127.0.0.1' } = options
  const faults = createFaults()
  const counted: ServicesState = { requests: {}, events: {}, malformedEvents: 0 }
  const app = createApp({ faults, counted })
  const server = serve({ fetch: app.fetch, hostname: host, port })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => resolve())
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    control: faults.set,
    state: () => structuredClone(counted),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

function createApp({ faults, counted }: { faults: ReturnType<typeof createFaults>; counted: ServicesState }): Hono {
  const app = new Hono()
  const all = listedWallets()
  let requests = 0

  app.use('*', cors({ origin: '*', allowHeaders: allowedHeaders, allowMethods: ['GET', 'POST', 'OPTIONS'] }))
  app.post('/control', async c => {
    const control = readServicesControl(safeJson(await c.req.text()))
    if ('error' in control) return c.json(control, 400)
    faults.set(control)
    return c.json({})
  })
  app.get('/state', c => c.json(counted))
  app.use('*', async (c, next) => {
    const route = c.req.path.replace(/^((?:\/public)?\/get\w+Image)\/.*$/, '$1')
    counted.requests[route] = (counted.requests[route] ?? 0) + 1
    c.header('x-request-id', requestId(++requests))
    const fault = faults.take(c.req.path)
    if (fault?.latencyMs) await new Promise(resolve => setTimeout(resolve, fault.latencyMs))
    if (fault?.html) return c.html('<!doctype html><title>Please wait</title><p>Checking your browser.')
    if (fault?.shape)
      return c.json({ count: 'many', data: [null, 7, { id: {} }], features: {}, isAnalyticsEnabled: 'perhaps' })
    if (fault?.status) return c.text(`The service answers ${fault.status}`, fault.status as 503)
    await next()
  })

  app.get('/getWallets', c => projectProblem(c) ?? wallets(c, all))
  app.get('/getWalletImage/:id', c => image(c))
  app.get('/public/getAssetImage/:id', c => image(c))
  app.get('/public/getCurrencyImage/:id', c => image(c))
  app.get('/public/getTokenImage/:id', c => image(c))
  app.get('/getAnalyticsConfig', c => c.json({ isAnalyticsEnabled: true }))
  app.get('/appkit/v1/config', c => {
    const features = featureIds.map(id => ({ id, isEnabled: true, config: null }))
    return projectProblem(c) ?? c.json({ features })
  })
  app.get('/projects/v1/origins', c => {
    return projectProblem(c) ?? c.json({ allowedOrigins: ['http://localhost:*', 'http://127.0.0.1:*'] })
  })
  app.post('/e', async c => {
    const event = safeJson(await c.req.text()) as { props?: { event?: unknown } } | undefined
    const name = event?.props?.event
    if (typeof name === 'string') counted.events[name] = (counted.events[name] ?? 0) + 1
    else counted.malformedEvents += 1
    return c.json({}, 202)
  })
  app.notFound(c => c.text(`No such service: ${c.req.method} ${c.req.path}`, 404))
  return app
}

/** An absent project id is a 400, a malformed one a 403, as on the real service. */
function projectProblem(c: Context): Response | undefined {
  const id = c.req.query('projectId')
  if (!id) return c.text('projectId must be 32 characters long', 400)
  return /^[0-9a-f]{32}$/i.test(id) ? undefined : c.text('Forbidden', 403)
}

function wallets(c: Context, all: ReturnType<typeof listedWallets>): Response {
  const numberOf = (name: string, fallback: number): number => Number(c.req.query(name) || fallback)
  const listOf = (name: string): string[] | undefined => c.req.query(name)?.split(',').filter(Boolean)
  const [page, entries] = [numberOf('page', 1), numberOf('entries', 40)]
  if (!Number.isInteger(page) || !Number.isInteger(entries) || page < 1 || entries < 1 || entries > 1000) {
    return c.text(
      `page and entries must be whole numbers from 1, got ${c.req.query('page')} and ${c.req.query('entries')}`,
      400,
    )
  }
  const badge = c.req.query('badge_type') ?? c.req.query('badge')
  if (badge !== undefined && badge !== 'certified' && badge !== 'none')
    return c.text(`badge_type must be certified or none, got ${badge}`, 400)
  const stranger = listOf('chains')?.find(chain => !/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(chain))
  if (stranger !== undefined) return c.text(`chains must be CAIP-2 ids, got ${stranger}`, 400)
  const optional = Object.entries({
    include: listOf('include'),
    exclude: listOf('exclude'),
    chains: listOf('chains'),
    search: c.req.query('search')?.trim(),
    badge,
  }).filter(([, value]) => value !== undefined && value.length > 0)
  return c.json(walletPage(all, { page, entries, ...Object.fromEntries(optional) }))
}

function image(c: Context): Response {
  return c.body(imageOf(c.req.param('id') ?? ''), 200, {
    'content-type': 'image/png',
    'cache-control': 'public, max-age=7200',
  })
}

/** A version 4 UUID derived from a counter, for reproducible runs. */
function requestId(n: number): string {
  const hash = createHash('sha256').update(`request ${n}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
