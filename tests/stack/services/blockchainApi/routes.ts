import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { World } from '../world.ts'
import { accountBalance } from './balance.ts'
import { accountHistory } from './history/history.ts'
import { identity } from './identity.ts'
import { fungiblePrice } from './fungiblePrice.ts'
import { servedIds, socketIds } from './networks.ts'
import { forProject } from './project.ts'

/** The Blockchain API. */
export function addBlockchainApi(app: Hono<{ Bindings: HttpBindings }>, world: World): void {
  app.get('/v1/supported-chains', c => {
    c.header('cache-control', 'public, max-age=86400, s-maxage=86400')
    return c.json({ http: servedIds(world), ws: socketIds })
  })
  app.get(
    '/v1/identity/:address',
    forProject(c => identity(c, world)),
  )
  app.get(
    '/v1/account/:address/history',
    forProject(c => accountHistory(c, world)),
  )
  app.get(
    '/v1/account/:address/balance',
    forProject(c => accountBalance(c, world)),
  )
  app.post('/v1/fungible/price', c => fungiblePrice(c, world))
}
