/** The key a verify service signs with, on P-256; each is another. */
import { generateKeyPairSync, sign } from 'node:crypto'

/** Claims of an attestation: `id` is hex of SHA-256 of the envelope, `exp` Unix seconds. */
export type Claims = { id: string; origin: string; exp: number; isVerified: boolean; isScam: boolean }

export type SigningKey = {
  /** as in `/v3/public-key` */
  publicKey: { kty: 'EC'; crv: 'P-256'; ext: true; key_ops: ['verify']; x: string; y: string }
  /** @returns the attestation, a JWT signed by ES256 */
  attest(claims: Claims): string
}

export function createSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return {
    publicKey: { kty: 'EC', crv: 'P-256', ext: true, key_ops: ['verify'], x, y },
    attest(claims) {
      const text = [{ alg: 'ES256', typ: 'JWT' }, claims].map(part => base64url(JSON.stringify(part))).join('.')
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${text}.${signature.toString('base64url')}`
    },
  }
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
