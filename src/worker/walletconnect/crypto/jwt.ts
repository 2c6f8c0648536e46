import { Fault } from '../../../runtime/failure.ts'
import { clientIdOf } from './clientId.ts'
import { toBase64url, toUtf8 } from './encoding.ts'

/** Life of a relay token, seconds. */
const relayTokenTtl = 86_400

/** Signs with an Ed25519 key. */
export type Signer = {
  /** 32 bytes */
  readonly publicKey: Uint8Array
  /** @returns 64 bytes */
  sign(message: Uint8Array): Promise<Uint8Array>
}

type RelayClaims = {
  /** its key signs the token */
  readonly signer: Signer
  /** 32 random bytes as hex, new for each life of the client */
  readonly sub: string
  /** relay URL exactly as configured, with its query */
  readonly aud: string
  /** issued at, Unix seconds */
  readonly iat: number
  /** seconds; default one day */
  readonly ttl?: number
}

/**
 * Signs the token that opens a relay connection, a fresh one for each attempt. The token is a credential.
 * Claims are in the order `iss, sub, aud, iat, exp`, and Ed25519 is deterministic: same claims, same text.
 *
 * @returns `header.claims.signature`, base64url
 * @throws Fault `bad_input` when `sub` or the times are malformed
 * @see WalletConnect specs, relay client auth; RFC 7519, RFC 8037
 */
export async function relayJwt(claims: RelayClaims): Promise<string> {
  const { signer, sub, aud, iat, ttl = relayTokenTtl } = claims
  if (!/^[0-9a-f]{64}$/.test(sub)) throw new Fault('bad_input', 'relay token expected sub of 64 hex digits')
  if (!Number.isSafeInteger(iat) || iat < 0)
    throw new Fault('bad_input', `relay token expected iat in seconds, got ${iat}`)
  if (!Number.isSafeInteger(ttl) || ttl <= 0)
    throw new Fault('bad_input', `relay token expected a ttl in seconds, got ${ttl}`)
  const header = part({ alg: 'EdDSA', typ: 'JWT' })
  const body = part({ iss: clientIdOf(signer.publicKey), sub, aud, iat, exp: iat + ttl })
  const signed = `${header}.${body}`
  return `${signed}.${toBase64url(await signer.sign(toUtf8(signed)))}`
}

function part(value: Record<string, string | number>): string {
  return toBase64url(toUtf8(JSON.stringify(value)))
}
