/**
 * The HTTP services that a wallet modal calls, on one port: the Blockchain API below `/v1`, the project configuration with the
 * wallet list and images, and the analytics.
 *
 * - `GET /state` counts requests by route and events by name, lists the last events and the held requests
 * - `POST /control` takes any of `reset`, `set`, `fail`, `release` (`control.ts`), carried out in this order:
 *   `{"fail": {"/v1/convert": {"status": 429, "retryAfter": 30, "times": 1}}}` makes a route fail (`faults.ts`),
 *   `{"fail": {"/getWallets": {"hold": true}}}` keeps its requests until `{"release": "/getWallets"}`,
 *   `{"set": {"origins": []}}` changes a setting (`settings.ts`), `{"reset": true}` restores everything
 */
import type { AddressInfo } from 'node:net'
import { type HttpBindings, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { SolanaStack } from '../solana/server.ts'
import { exchangePreflight } from './blockchainApi/exchanges.ts'
import { addBlockchainApi } from './blockchainApi/routes.ts'
import { addConfig } from './config/routes.ts'
import { readServicesControl, type ServicesControl } from './control.ts'
import { createFaults } from './faults.ts'
import { createHolds } from './holds.ts'
import { safeJson } from './json.ts'
import { replacement, truncate } from './misbehave.ts'
import { addPulse, type ReceivedEvents } from './pulse.ts'
import { routeOf } from './routes.ts'
import { uuidOf } from './uuid.ts'
import { createWorld } from './world.ts'

/** State of the services: requests by route, analytics events by name, the last whole events, paths of held requests. */
export type ServicesState = ReceivedEvents & { requests: Record<string, number>; held: string[] }

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

/**
 * @param options.port 0 or absent takes any free port
 * @param options.solana the local chain behind balances, history and JSON-RPC; without it accounts are empty
 * @throws the listening error, `EADDRINUSE` when the port is taken
 */
export async function startServices(
  options: { port?: number; host?: string; solana?: SolanaStack } = {},
): Promise<ServicesStack> {
  const { port = 0, host = '127.0.0.1', solana } = options
  const { app, control, state, release } = createApp(solana)
  const server = serve({ fetch: app.fetch, hostname: host, port })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => resolve())
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    control,
    state,
    close: () =>
      new Promise<void>(resolve => {
        release()
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

type App = Hono<{ Bindings: HttpBindings }>

function createApp(solana: SolanaStack | undefined) {
  const world = createWorld(solana)
  const faults = createFaults()
  const holds = createHolds()
  const requests: Record<string, number> = {}
  const received: ReceivedEvents = { events: {}, malformedEvents: 0, lastEvents: [] }
  const state = (): ServicesState => structuredClone({ requests, ...received, held: holds.waiting() })
  const control = ({ reset, set, fail, release }: ServicesControl): void => {
    if (reset) {
      faults.clear()
      holds.release(true)
      world.reset()
    }
    if (set) world.set(set)
    if (fail) faults.set(fail)
    if (release !== undefined) holds.release(release)
  }

  const app: App = new Hono<{ Bindings: HttpBindings }>()
  let answered = 0
  app.use('*', (c, next) => {
    c.header('x-request-id', uuidOf(`request ${++answered}`))
    return next()
  })
  app.options('/v1/json-rpc', c => exchangePreflight(c, world))
  const allowed = { origin: '*', allowHeaders: allowedHeaders, allowMethods: ['GET', 'POST', 'OPTIONS'] }
  // The delay of a refusal must be readable across origins.
  app.use('*', cors({ ...allowed, exposeHeaders: ['retry-after'] }))
  addDoors(app, { control, state })
  app.use('*', async (c, next) => {
    const route = routeOf(c.req.path)
    requests[route] = (requests[route] ?? 0) + 1
    const fault = faults.take(c.req.path)
    if (fault?.hold) await holds.wait(c.req.path)
    if (fault?.latencyMs) await new Promise(resolve => setTimeout(resolve, fault.latencyMs))
    const answer = fault && replacement(c, fault)
    if (answer) c.res = answer
    else await next()
    if (fault?.truncated) await truncate(c)
  })
  addConfig(app, world)
  addPulse(app, world, received)
  addBlockchainApi(app, world)
  app.notFound(c => c.text(`No such service: ${c.req.method} ${c.req.path}`, 404))
  app.onError((error, c) => {
    console.error(`local services: ${c.req.path}: ${error.message}`)
    return c.text('Internal server error', 500)
  })
  return { app, control, state, release: () => holds.release(true) }
}

function addDoors(app: App, doors: { control(control: ServicesControl): void; state(): ServicesState }): void {
  app.post('/control', async c => {
    const control = readServicesControl(safeJson(await c.req.text()))
    if ('error' in control) return c.json(control, 400)
    doors.control(control)
    return c.json({})
  })
  app.get('/state', c => c.json(doors.state()))
}
