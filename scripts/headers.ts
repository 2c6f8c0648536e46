/**
 * The security headers, in one place for the development server, the preview, the journeys and whoever publishes the
 * build. They go on every response: a worker takes its policy from its own script's response.
 */
import { type Addresses, connectOrigins, frameOrigins } from './addresses.ts'

export type Headers = Record<string, string>

/** The fixed nonce of the development server, where Vite puts scripts and styles inline. Never in a build. */
export const devNonce = 'dev'

/** Every feature that current browsers know by name and this page never needs; an unknown name would be a console warning. */
const refusedFeatures = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

type Published = { addresses: Addresses; https: boolean; inline?: readonly string[] }

/**
 * Headers of the built pages.
 *
 * @param options.addresses what `connect-src` and `frame-src` are built from
 * @param options.https whether the site is served over https; a promise to stay there makes no sense over http
 * @param options.inline hashes of the inline scripts that the pages hold: their import maps
 */
export function productionHeaders({ addresses, https, inline = [] }: Published): Headers {
  return {
    'Content-Security-Policy': policy({ addresses, scripts: inline.map(hash => ` '${hash}'`).join(''), sockets: '' }),
    ...otherHeaders,
    ...(https ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/** Headers of the development server: the same but for the nonce of Vite's inline tags and its socket. */
export function devHeaders(addresses: Addresses): Headers {
  const nonce = ` 'nonce-${devNonce}'`
  return {
    'Content-Security-Policy': policy({ addresses, scripts: nonce, styles: nonce, sockets: ' ws:' }),
    ...otherHeaders,
  }
}

const otherHeaders: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': [...refusedFeatures.map(name => `${name}=()`), 'clipboard-write=(self)'].join(', '),
}

type Allowed = { addresses: Addresses; scripts: string; styles?: string; sockets: string }

function policy({ addresses, scripts, styles = '', sockets }: Allowed): string {
  const frames = frameOrigins(addresses)
  return [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    `style-src 'self'${styles}`,
    "img-src 'self' data: blob:",
    'font-src data:',
    "worker-src 'self'",
    `connect-src ${["'self'", ...connectOrigins(addresses)].join(' ')}${sockets}`,
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types app',
  ].join('; ')
}
