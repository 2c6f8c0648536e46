import type { Verify } from '../../services/signatures.ts'
import { later } from '../later.ts'

/** The curve's base point, a key that every browser with Ed25519 takes. @see RFC 8032, §5.1 */
export const somePoint = () => new Uint8Array(32).fill(0x66).fill(0x58, 0, 1)

/** What the outside lends; tests hand in a browser that knows no Ed25519. */
type VerifyPorts = {
  subtle?: Pick<SubtleCrypto, 'importKey' | 'verify'>
  /** brings the check for browsers that have none of their own; default its own chunk */
  loadOwn?: () => Promise<Verify>
}

/** @returns the browser's check of Ed25519 signatures; ours in a browser without one */
export function createVerify(ports: VerifyPorts = {}): Verify {
  const { subtle = crypto.subtle, loadOwn = () => import('./curvesNoble.ts').then(part => part.verifyNoble) } = ports
  const own = later('checking a signature', loadOwn)
  const keyOf = (bytes: Uint8Array) => subtle.importKey('raw', bytes.slice(), 'Ed25519', false, ['verify'])
  let known: Promise<boolean> | undefined
  /** one wallet signs again and again */
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
      // The browser cannot say, although it took a key before
      if (cause instanceof DOMException && cause.name === 'NotSupportedError')
        return (await own.get())(signature, message, publicKey)
      // Some browsers refuse bytes that are no point of the curve; nobody can have signed with those.
      return false
    }
  }
}
