import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { listedWallets } from '../wallets.ts'
import type { World } from '../world.ts'
import { addImages } from './images.ts'
import { configRefusal } from './refusals.ts'
import { walletList } from './walletList.ts'

/** The project configuration service: features, origins, analytics switch, wallet list, images. */
export function addConfig(app: Hono<{ Bindings: HttpBindings }>, world: World): void {
  const all = listedWallets()
  app.get('/getWallets', c => configRefusal(c, world) ?? walletList(c, all))
  app.get('/appkit/v1/config', c => configRefusal(c, world) ?? c.json({ features: world.settings().features }))
  app.get('/projects/v1/origins', c => {
    return configRefusal(c, world) ?? c.json({ allowedOrigins: world.settings().origins })
  })
  app.get('/getAnalyticsConfig', c => c.json({ isAnalyticsEnabled: world.settings().analytics }))
  addImages(app)
}
