import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { decoded, stills } from '../../../main/drivers/pictures/samples.ts'
import { imageOf } from '../image.ts'
import { evmCoin, evmTokens, namedTokens, sol } from '../tokens.ts'

const currencies = ['USD', 'EUR']
const evm = [evmCoin('eip155:1'), evmCoin('eip155:137'), ...evmTokens]
const tokens = ['MAI', 'TICKET', ...[sol, ...evm, ...namedTokens({ solana: undefined })].map(({ symbol }) => symbol)]

/** Pictures of ids that begin with their format's name, as `jpeg-1`; every other id has its own PNG. */
const formats: Record<string, { type: string; bytes: Uint8Array<ArrayBuffer> }> = {
  jpeg: { type: 'image/jpeg', bytes: decoded(stills.jpeg) },
  webp: { type: 'image/webp', bytes: decoded(stills.webp) },
  gif: { type: 'image/gif', bytes: decoded(stills.gif) },
  avif: { type: 'image/avif', bytes: decoded(stills.avif) },
  svg: {
    type: 'image/svg+xml',
    bytes: new TextEncoder().encode(
      '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16"><rect width="24" height="16" fill="#247"/></svg>',
    ),
  },
}

/** The four image routes. Currencies and tokens without an image are 404. */
export function addImages(app: Hono<{ Bindings: HttpBindings }>): void {
  app.get('/getWalletImage/:id', c => image(c))
  app.get('/public/getAssetImage/:id', c => image(c))
  app.get('/public/getCurrencyImage/:id', c => image(c, currencies))
  app.get('/public/getTokenImage/:id', c => image(c, tokens))
}

function image(c: Context, known?: readonly string[]): Response {
  const id = c.req.param('id') ?? ''
  const named = /^([a-z]+)-/.exec(id)?.[1] ?? ''
  const format = Object.hasOwn(formats, named) ? formats[named] : undefined
  if (!format && known && !known.includes(id)) return c.text('Not Found', 404)
  const { type, bytes } = format ?? { type: 'image/png', bytes: imageOf(id) }
  return c.body(bytes, 200, { 'content-type': type, 'cache-control': 'public, max-age=7200' })
}
