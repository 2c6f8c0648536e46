import { createPublicKey, verify } from 'node:crypto'
import bs58 from 'bs58'

/** Allowed lead of a client's clock, s. */
const skewSeconds = 120

/** The client of the socket, or the reason to close it. */
export type Auth = { ok: true; clientId: string } | { ok: false; reason: string }

/**
 * Checks a client's token: an EdDSA JWT whose issuer is the Ed25519 key itself.
 *
 * @param options.token the query parameter `auth`, or the bearer token
 * @param options.hosts `host:port` texts of this relay; the host of `aud` must be one of them, its path and query are free
 * @param options.nowMs milliseconds since the Unix epoch
 * @see WalletConnect specs, relay authentication
 */
export function checkAuth({ token, hosts, nowMs }: { token: string; hosts: string[]; nowMs: number }): Auth {
  const parts = token.split('.')
  const [header, claims, signature] = parts
  if (parts.length !== 3 || !header || !claims || !signature) return refuse('expected a JWT of three parts')
  const head = readPart(header)
  if (head?.['alg'] !== 'EdDSA' || head['typ'] !== 'JWT') return refuse('expected alg EdDSA and typ JWT')
  const body = readPart(claims)
  if (!body) return refuse('expected claims as a JSON object')
  const { iss, sub, aud, iat, exp } = body
  const key = typeof iss === 'string' ? publicKeyOf(iss) : undefined
  if (!key) return refuse('expected iss as did:key of an Ed25519 key')
  if (typeof sub !== 'string' || !/^[0-9a-f]{64}$/.test(sub)) return refuse('expected sub as 64 hex digits')
  if (typeof aud !== 'string' || !sameRelay(aud, hosts))
    return refuse(`expected aud to be this relay, got ${String(aud)}`)
  const now = Math.floor(nowMs / 1000)
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return refuse('expected iat and exp in whole seconds')
  if ((iat as number) > now + skewSeconds)
    return refuse(`token is issued ${(iat as number) - now} s ahead of the relay`)
  if ((exp as number) <= now) return refuse(`token expired ${now - (exp as number)} s ago`)
  const signed = verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))
  return signed ? { ok: true, clientId: iss as string } : refuse('signature does not match iss')
}

function refuse(reason: string): Auth {
  return { ok: false, reason: `relay auth: ${reason}` }
}

function readPart(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** `did:key:z` + base58 of `ed 01` and the 32 key bytes. */
function publicKeyOf(did: string) {
  const encoded = /^did:key:z([1-9A-HJ-NP-Za-km-z]+)$/.exec(did)?.[1]
  const bytes = encoded ? bs58.decode(encoded) : undefined
  if (bytes?.length !== 34 || bytes[0] !== 0xed || bytes[1] !== 0x01) return undefined
  const x = Buffer.from(bytes.subarray(2)).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

function sameRelay(aud: string, hosts: string[]): boolean {
  const url = safeUrl(aud)
  return url !== null && (url.protocol === 'ws:' || url.protocol === 'wss:') && hosts.includes(url.host)
}

function safeUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
