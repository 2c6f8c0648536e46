import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { World } from '../world.ts'
import { accountBalance } from './balance.ts'
import { createBundler } from './bundler.ts'
import { allowance, buildApprove, buildTransaction, gasPrice } from './convert/build.ts'
import { convertQuotes } from './convert/quotes.ts'
import { convertTokens } from './convert/tokens.ts'
import { fungiblePrice } from './fungiblePrice.ts'
import { createExchanges } from './exchanges.ts'
import { accountHistory } from './history/history.ts'
import { identity } from './identity.ts'
import { servedIds, socketIds } from './networks.ts'
import { onrampOptions, onrampQuote, onrampUrl } from './onramp.ts'
import { profileOf, reverse, suggestions } from './profile/lookups.ts'
import { createNames } from './profile/names.ts'
import { register } from './profile/register.ts'
import { forProject } from './project.ts'
import { chainRpc } from './rpc.ts'
import { createSessions } from './sessions.ts'

type App = Hono<{ Bindings: HttpBindings }>

/** The Blockchain API. */
export function addBlockchainApi(app: App, world: World): void {
  app.get('/v1/supported-chains', c => {
    c.header('cache-control', 'public, max-age=86400, s-maxage=86400')
    return c.json({ http: servedIds(world), ws: socketIds })
  })
  addAccount(app, world)
  addConvert(app, world)
  addProfile(app, world)
  addOnramp(app)
  const sessions = createSessions(world)
  app.get('/v1/sessions/:address', forProject(sessions.list))
  app.post('/v1/sessions/:address/revoke', forProject(sessions.revoke))
  app.post('/v1/bundler', createBundler(world))
  app.post('/v1/json-rpc', createExchanges(world))
  for (const path of ['/v1', '/v1/']) {
    app.post(path, c => chainRpc(c, world))
    app.get(path, c => c.body(null, 426))
  }
}

function addAccount(app: App, world: World): void {
  const path = '/v1/account/:address'
  app.get(
    '/v1/identity/:address',
    forProject(c => identity(c, world)),
  )
  app.get(
    `${path}/history`,
    forProject(c => accountHistory(c, world)),
  )
  app.get(
    `${path}/balance`,
    forProject(c => accountBalance(c, world)),
  )
  app.post('/v1/fungible/price', c => fungiblePrice(c, world))
}

function addConvert(app: App, world: World): void {
  app.get('/v1/convert/tokens', forProject(convertTokens))
  app.get(
    '/v1/convert/quotes',
    forProject(c => convertQuotes(c, world)),
  )
  app.get('/v1/convert/allowance', forProject(allowance))
  app.get('/v1/convert/gas-price', forProject(gasPrice))
  app.get('/v1/convert/build-approve', forProject(buildApprove))
  app.post('/v1/convert/build-transaction', c => buildTransaction(c, world))
}

function addProfile(app: App, world: World): void {
  const names = createNames(world)
  app.get(
    '/v1/profile/account/:name',
    forProject(c => profileOf(c, names)),
  )
  app.get(
    '/v1/profile/reverse/:address',
    forProject(c => reverse(c, names)),
  )
  app.get(
    '/v1/profile/suggestions/:name',
    forProject(c => suggestions(c, names)),
  )
  app.post('/v1/profile/account', c => register(c, world, names))
}

function addOnramp(app: App): void {
  app.post('/v1/generators/onrampurl', forProject(onrampUrl))
  app.get('/v1/onramp/options', forProject(onrampOptions))
  app.post('/v1/onramp/quote', forProject(onrampQuote))
}
