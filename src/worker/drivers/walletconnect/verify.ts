import type { Verify } from '../../services/signatures.ts'
import { later } from '../../../runtime/later.ts'

/** The curve's base point, a key that every browser with Ed25519 accepts. @see RFC 8032, §5.1 */
export const somePoint = () => new Uint8Array(32).fill(0x66).fill(0x58, 0, 1)

/** Injected dependencies; tests pass a browser without Ed25519. */
type VerifyPorts = {
  subtle?: Pick<SubtleCrypto, 'importKey' | 'verify'>
  /** loads the check for browsers without; default its own chunk */
  loadOwn?: () => Promise<Verify>
}

/** @returns the browser's check of Ed25519 signatures; ours where it lacks one */
export function createVerify(ports: VerifyPorts = {}): Verify {
  const { subtle = crypto.subtle, loadOwn = () => import('./curvesNoble.ts').then(part => part.verifyNoble) } = ports
  const own = later('checking a signature', loadOwn)
  const keyOf = (bytes: Uint8Array) => subtle.importKey('raw', bytes.slice(), 'Ed25519', false, ['verify'])
  let known: Promise<boolean> | undefined
  /** the last key, as one wallet signs repeatedly */
  let last: { name: string; key: Promise<CryptoKey> } | undefined
  return async (signature, message, publicKey) => {
    known ??= keyOf(somePoint()).then(
      () => true,
      () => false,
    )
    if (!(await known)) return (await own.get())(signature, message, publicKey)
    try {
      const name = publicKey.join()
      if (last?.name !== name) last = { name, key: keyOf(publicKey) }
      return await subtle.verify('Ed25519', await last.key, signature.slice(), message.slice())
    } catch (cause) {
      // The browser lacks the algorithm, although it imported a key before
      if (cause instanceof DOMException && cause.name === 'NotSupportedError')
        return (await own.get())(signature, message, publicKey)
      // Some browsers reject keys that are not points of the curve; such a key has no valid signatures
      return false
    }
  }
}
