import { Fault } from '../../runtime/failure.ts'
import { toHex } from '../../runtime/hex.ts'

/**
 * @returns sha256 of a text's UTF-8, as 64 lower-case hex characters
 * @throws Fault `unsupported` on a page without WebCrypto
 */
export async function sha256Hex(text: string): Promise<string> {
  if (!globalThis.crypto?.subtle)
    throw new Fault('unsupported', 'sha256 expected WebCrypto: open this page over https or on localhost')
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
