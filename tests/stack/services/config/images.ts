import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { imageOf } from '../image.ts'

/** The four image routes. */
export function addImages(app: Hono<{ Bindings: HttpBindings }>): void {
  app.get('/getWalletImage/:id', c => image(c))
  app.get('/public/getAssetImage/:id', c => image(c))
  app.get('/public/getCurrencyImage/:id', c => image(c))
  app.get('/public/getTokenImage/:id', c => image(c))
}

function image(c: Context): Response {
  return c.body(imageOf(c.req.param('id') ?? ''), 200, {
    'content-type': 'image/png',
    'cache-control': 'public, max-age=7200',
  })
}
