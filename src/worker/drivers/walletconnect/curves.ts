/**
 * Keys on Ed25519 and X25519, by the browser: at once, where script takes tens of milliseconds the first time. Ours are fetched
 * by a browser that lacks one of the curves (Chromium before 137, Firefox before 130, Safari before 17).
 *
 * @see W3C "Secure Curves in the Web Cryptography API"
 */
import { Fault } from '../../../events/failure.ts'
import { requireLength } from '../../walletconnect/crypto/crypto.ts'
import { fromBase64url } from '../../walletconnect/crypto/encoding.ts'
import type { Signer } from '../../walletconnect/crypto/jwt.ts'
import { later } from '../later.ts'

/** Both throw Fault `reload_needed` when the browser lacks the curve and ours cannot be had. */
export type Curves = {
  /** @param seed 32-byte Ed25519 seed, secret. @throws Fault `bad_input` when the length is another */
  signer(seed: Uint8Array): Promise<Signer>
  /**
   * @param privateKey X25519, 32 bytes, secret
   * @param publicKey the other side's, 32 bytes
   * @returns the secret both sides come to, 32 bytes
   * @throws Fault `bad_input` on a wrong length, `bad_response` when the public key is of low order, so that the secret would
   *   be all zero and known to everybody (RFC 7748 §6.1)
   */
  agree(privateKey: Uint8Array, publicKey: Uint8Array): Promise<Uint8Array>
}

/** What the outside lends; tests hand in a browser that lacks the curves. */
type CurvesPorts = {
  subtle?: Pick<SubtleCrypto, 'importKey' | 'exportKey' | 'sign' | 'deriveBits'>
  /** brings the curves for browsers without; default their own chunk */
  loadOwn?: () => Promise<Curves>
}

const curves = {
  // What stands before the 32 bytes of a private key in PKCS #8 (RFC 8410 §7)
  Ed25519: { usage: 'sign', prefix: [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20] },
  X25519: { usage: 'deriveBits', prefix: [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20] },
} as const
type Curve = keyof typeof curves

/** @returns the browser's curves; ours in the place of one that it lacks */
export function createCurves(ports: CurvesPorts = {}): Curves {
  const { subtle = crypto.subtle, loadOwn = () => import('./curvesNoble.ts').then(part => part.curvesNoble) } = ports
  const own = later('making a key', loadOwn)
  const known = new Map<Curve, Promise<boolean>>()

  /** @param key 32 bytes; any are a private key */
  const privateKeyOn = (curve: Curve, key: Uint8Array) => {
    const { prefix, usage } = curves[curve]
    // The public half of a signing key is read from it
    return subtle.importKey('pkcs8', Uint8Array.of(...prefix, ...key), curve, curve === 'Ed25519', [usage])
  }

  function has(curve: Curve): Promise<boolean> {
    const told = known.get(curve)
    if (told) return told
    const asked = privateKeyOn(curve, new Uint8Array(32).fill(1)).then(
      () => true,
      () => false,
    )
    known.set(curve, asked)
    return asked
  }

  async function nativeSigner(seed: Uint8Array): Promise<Signer> {
    const key = await privateKeyOn('Ed25519', seed)
    const { x = '' } = await subtle.exportKey('jwk', key)
    return {
      publicKey: fromBase64url(x, 'Ed25519 public key'),
      sign: async message => new Uint8Array(await subtle.sign('Ed25519', key, message.slice())),
    }
  }

  async function nativeAgree(privateKey: Uint8Array, publicKey: Uint8Array): Promise<Uint8Array> {
    const [ours, theirs] = await Promise.all([
      privateKeyOn('X25519', privateKey),
      subtle.importKey('raw', publicKey.slice(), 'X25519', false, []),
    ])
    return new Uint8Array(await subtle.deriveBits({ name: 'X25519', public: theirs }, ours, 256))
  }

  return {
    async signer(seed) {
      requireLength(seed, 32, 'Ed25519 seed')
      return (await has('Ed25519')) ? nativeSigner(seed) : (await own.get()).signer(seed)
    },
    async agree(privateKey, publicKey) {
      requireLength(privateKey, 32, 'X25519 private key')
      requireLength(publicKey, 32, 'X25519 public key of the peer')
      const agree = (await has('X25519')) ? nativeAgree : (await own.get()).agree
      const secret = await agree(privateKey, publicKey).catch(() => undefined)
      if (!secret || secret.every(byte => byte === 0))
        throw new Fault('bad_response', 'X25519 public key of the peer gives an all-zero shared secret')
      return secret
    },
  }
}
