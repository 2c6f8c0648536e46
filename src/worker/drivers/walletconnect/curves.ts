/**
 * Ed25519 and X25519 by the browser: immediate, where a script takes tens of milliseconds the first time. Browsers that lack a
 * curve (Chromium before 137, Firefox before 130, Safari before 17) load ours.
 *
 * @see W3C "Secure Curves in the Web Cryptography API"
 */
import { Fault } from '../../../runtime/failure.ts'
import { requireLength } from '../../walletconnect/crypto/crypto.ts'
import { fromBase64url } from '../../walletconnect/crypto/encoding.ts'
import type { Signer } from '../../walletconnect/crypto/jwt.ts'
import { later } from '../../../runtime/later.ts'

/** Both throw Fault `reload_needed` when the browser lacks the curve and ours cannot be loaded. */
export type Curves = {
  /** @param seed 32-byte Ed25519 seed, secret. @throws Fault `bad_input` on another length */
  signer(seed: Uint8Array): Promise<Signer>
  /**
   * @param privateKey X25519, 32 bytes, secret
   * @param publicKey the peer's, 32 bytes
   * @returns the shared secret, 32 bytes
   * @throws Fault `bad_input` on a wrong length, `bad_response` when the public key is of low order: the secret would be all
   *   zero and public (RFC 7748 §6.1)
   */
  agree(privateKey: Uint8Array, publicKey: Uint8Array): Promise<Uint8Array>
}

/** Injected dependencies; tests pass a browser without the curves. */
type CurvesPorts = {
  subtle?: Pick<SubtleCrypto, 'importKey' | 'exportKey' | 'sign' | 'deriveBits'>
  /** loads the curves for browsers without; default their own chunk */
  loadOwn?: () => Promise<Curves>
}

const curves = {
  // Bytes before the private key's 32 in PKCS #8 (RFC 8410 §7)
  Ed25519: { usage: 'sign', prefix: [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20] },
  X25519: { usage: 'deriveBits', prefix: [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20] },
} as const
type Curve = keyof typeof curves

/** @returns the browser's curves; ours where it lacks one */
export function createCurves(ports: CurvesPorts = {}): Curves {
  const { subtle = crypto.subtle, loadOwn = () => import('./curvesNoble.ts').then(part => part.curvesNoble) } = ports
  const own = later('making a key', loadOwn)
  const known = new Map<Curve, Promise<boolean>>()

  /** @param key 32 bytes; any are a private key */
  const privateKeyOn = (curve: Curve, key: Uint8Array) => {
    const { prefix, usage } = curves[curve]
    // A signing key is extractable, as its public half is exported from it
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
