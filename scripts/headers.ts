/**
 * The security headers, in one place for the development server, the preview, the journeys and the published build. They go on
 * every response: a worker takes its policy from its own script's response.
 */
import { type Addresses, connectOrigins, frameOrigins } from './addresses.ts'

export type Headers = Record<string, string>

/** Fixed nonce of the development server, where Vite inlines scripts and styles. Never in a build. */
export const devNonce = 'dev'

/** Browser features this page never needs. Only names current browsers know: an unknown one logs a warning. */
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
 * @param options.addresses source of `connect-src` and `frame-src`
 * @param options.https the site is served over https; HSTS makes no sense over http
 * @param options.inline hashes of the pages' inline scripts: their import maps
 */
export function productionHeaders({ addresses, https, inline = [] }: Published): Headers {
  return {
    'Content-Security-Policy': policy({ addresses, scripts: inline.map(hash => ` '${hash}'`).join(''), sockets: '' }),
    ...otherHeaders,
    ...(https ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/** Headers of the development server: the same, plus a nonce for Vite's inline tags, and its socket. */
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
    // Wallet apps of an Android device listen at a port of the device itself
    `connect-src ${["'self'", ...connectOrigins(addresses)].join(' ')} ws://localhost:*${sockets}`,
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types app',
  ].join('; ')
}
