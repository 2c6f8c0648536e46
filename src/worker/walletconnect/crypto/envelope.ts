import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { Fault } from '../../../runtime/failure.ts'
import { requireLength } from './crypto.ts'
import { fromBase64 } from './base64.ts'
import { asResponse, fromBase64url, fromUtf8, toBase64, toBase64url, toUtf8 } from './encoding.ts'

/**
 * Envelopes, the messages between two clients: ChaCha20-Poly1305 (RFC 8439), no associated data; base64 with padding over
 * the relay, base64url without it in links.
 *
 * type 0: `00` · IV (12) · ciphertext with tag (16), between clients that share the topic's key
 * type 1: `01` · sender's X25519 public key (32) · IV (12) · ciphertext with tag, the receiver derives the key
 * type 2: `02` · plain text, only for a dapp's first request in a link. Received ones are refused: anyone who can publish on a
 * topic, or open a link to this page, could forge one
 *
 * @see WalletConnect specs, "Envelopes" (clients core, crypto)
 */

const ivLength = 12
const tagLength = 16
const keyLength = 32
/** Gap before an envelope, bytes, that aligns its ciphertext to a word, for either type. */
const wordGap = 3

/** The transport of an envelope; it decides the base64 alphabet. */
export type Way = 'relay' | 'link'

type Sealing = {
  /** JSON-RPC text */
  readonly text: string
  /** 32-byte symmetric key */
  readonly symKey: Uint8Array
  /** 12 bytes, never reused with this key; a retry sends the same envelope instead of sealing again */
  readonly iv: Uint8Array
  /** our X25519 public key makes it type 1; without it, type 0 */
  readonly senderPublicKey?: Uint8Array
  /** default `relay` */
  readonly way?: Way
}

/** The 32-byte key of an envelope: the topic's key for type 0, the key agreed on with the sender for type 1. */
type Opener = { readonly symKey: Uint8Array } | { readonly agreedKey: Uint8Array }

/**
 * @returns the envelope in the base64 of its transport
 * @throws Fault `bad_input` when a key or IV has another length
 */
export function sealEnvelope(sealing: Sealing): string {
  const { text, symKey, iv, senderPublicKey, way = 'relay' } = sealing
  requireLength(symKey, keyLength, 'symmetric key')
  requireLength(iv, ivLength, 'envelope IV')
  if (senderPublicKey) requireLength(senderPublicKey, keyLength, 'sender public key')
  const plain = toUtf8(text)
  const sealedAt = 1 + (senderPublicKey ? keyLength : 0) + ivLength
  // The cipher is fastest on word-aligned bytes, and writes straight into the envelope
  const aligned = new Uint8Array(wordGap + sealedAt + plain.length + tagLength)
  const bytes = aligned.subarray(wordGap)
  if (senderPublicKey) {
    bytes[0] = 1
    bytes.set(senderPublicKey, 1)
  }
  bytes.set(iv, sealedAt - ivLength)
  chacha20poly1305(symKey, iv).encrypt(plain, bytes.subarray(sealedAt))
  return way === 'relay' ? toBase64(bytes) : toBase64url(bytes)
}

/** @returns an unencrypted envelope of type 2, for a link */
export function plainEnvelope(text: string): string {
  return toBase64url(Uint8Array.of(2, ...toUtf8(text)))
}

/**
 * Opens an envelope.
 *
 * @param envelope base64 text of its transport, or its bytes
 * @returns the JSON-RPC text inside
 * @throws Fault `bad_response` when it is not base64, too short, of another type than the opener's, does not open with
 *   the key or is not UTF-8; `bad_input` when our own key has a wrong length
 */
export function openEnvelope(envelope: string | Uint8Array, opener: Opener, way: Way = 'relay'): string {
  const name = `${way} envelope`
  const bytes = typeof envelope === 'string' ? bytesOf(envelope, way) : envelope
  const type = typeOf(bytes, way)
  if (type === 0) {
    if (!('symKey' in opener)) throw new Fault('bad_response', `${name} expected type 1 on this topic, got type 0`)
    return unseal(bytes, 1, opener.symKey, name)
  }
  if (!('agreedKey' in opener)) throw new Fault('bad_response', `${name} expected type 0 on this topic, got type 1`)
  return unseal(bytes, 1 + keyLength, opener.agreedKey, name)
}

/**
 * @returns the sender's X25519 public key in an envelope of type 1, 32 bytes
 * @throws Fault `bad_response` when it is not base64, too short or of another type
 */
export function senderOf(envelope: string, way: Way = 'relay'): Uint8Array {
  const bytes = bytesOf(envelope, way)
  if (typeOf(bytes, way) === 0)
    throw new Fault('bad_response', `${way} envelope expected type 1 on this topic, got type 0`)
  return bytes.slice(1, 1 + keyLength)
}

/**
 * @returns the type of an envelope that is long enough for it; nothing is decrypted
 * @throws Fault `bad_response` on type 2, unknown types and too few bytes
 */
export function typeOf(bytes: Uint8Array, way: Way = 'relay'): 0 | 1 {
  const type = bytes[0]
  const name = `${way} envelope`
  if (type === undefined) throw new Fault('bad_response', `${name} expected at least 29 bytes, got 0`)
  if (type === 2) {
    const why = way === 'relay' ? 'which is for links only' : 'which nobody sealed'
    throw new Fault('bad_response', `${name} expected type 0 or 1, got type 2, ${why}`)
  }
  if (type !== 0 && type !== 1) throw new Fault('bad_response', `${name} expected type 0 or 1, got ${type}`)
  const least = 1 + (type === 1 ? keyLength : 0) + ivLength + tagLength
  if (bytes.length < least)
    throw new Fault('bad_response', `${name} of type ${type} expected at least ${least} bytes, got ${bytes.length}`)
  return type
}

function unseal(bytes: Uint8Array, ivAt: number, symKey: Uint8Array, name: string): string {
  requireLength(symKey, keyLength, 'symmetric key')
  const sealedAt = ivAt + ivLength
  let plain: Uint8Array
  try {
    plain = chacha20poly1305(symKey, bytes.slice(ivAt, sealedAt)).decrypt(bytes.slice(sealedAt))
  } catch {
    throw new Fault('bad_response', `${name} does not open with the key of its topic: invalid tag`)
  }
  return asResponse(() => fromUtf8(plain, name))
}

function bytesOf(envelope: string, way: Way): Uint8Array {
  return asResponse(() => (way === 'relay' ? fromBase64 : fromBase64url)(envelope, `${way} envelope`))
}
