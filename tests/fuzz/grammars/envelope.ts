/** Envelopes by the reference's §7 and §8, opened with Node's own cryptography. */
import { createDecipheriv, createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto'
import { isUtf8 } from 'node:buffer'

export type Key = { symKey: Uint8Array } | { privateKey: Uint8Array }

/** @returns the bytes of standard, padded base64; undefined for any other text, including non-canonical encodings */
export function bytesOf(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 ? bytes : undefined
}

/** Like `bytesOf`, for base64url without padding. */
export function linkBytesOf(base64url: string): Buffer | undefined {
  const bytes = Buffer.from(base64url, 'base64url')
  return bytes.toString('base64url') === base64url ? bytes : undefined
}

/** @returns the text inside an envelope; undefined when it must be refused */
export function textInside(base64: string, key: Key, way: 'relay' | 'link' = 'relay'): string | undefined {
  const bytes = way === 'relay' ? bytesOf(base64) : linkBytesOf(base64)
  if (!bytes) return undefined
  const [type] = bytes
  if (type === 0 && 'symKey' in key) return unseal(bytes.subarray(1), key.symKey)
  if (type !== 1 || !('privateKey' in key) || bytes.length < 33) return undefined
  const symKey = agreed(key.privateKey, bytes.subarray(1, 33))
  return symKey && unseal(bytes.subarray(33), symKey)
}

function unseal(bytes: Buffer, key: Uint8Array): string | undefined {
  if (bytes.length < 12 + 16) return undefined
  const opening = createDecipheriv('chacha20-poly1305', key, bytes.subarray(0, 12), { authTagLength: 16 })
  opening.setAuthTag(bytes.subarray(-16))
  try {
    const plain = Buffer.concat([opening.update(bytes.subarray(12, -16)), opening.final()])
    return isUtf8(plain) ? plain.toString('utf8') : undefined
  } catch {
    return undefined
  }
}

const pkcs8 = Buffer.from('302e020100300506032b656e04220420', 'hex')
const spki = Buffer.from('302a300506032b656e032100', 'hex')

/** @returns HKDF-SHA-256 of the X25519 secret; undefined for an all-zero secret */
function agreed(own: Uint8Array, theirs: Uint8Array): Uint8Array | undefined {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, own]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey({ key: Buffer.concat([spki, theirs]), format: 'der', type: 'spki' })
  try {
    const secret = diffieHellman({ privateKey, publicKey })
    return secret.every(byte => byte === 0) ? undefined : new Uint8Array(hkdfSync('sha256', secret, '', '', 32))
  } catch {
    return undefined
  }
}
