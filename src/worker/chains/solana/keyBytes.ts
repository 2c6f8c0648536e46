import { decodeBase58 } from '../../../events/values/solana/base58.ts'
import { Fault } from '../../../runtime/failure.ts'

/** @returns a key's bytes. @throws Fault `bad_input` when the text is not base58 of 32 bytes */
export function keyBytes(name: string, key: string): Uint8Array {
  const bytes = key.length <= 44 ? decodeBase58(key) : undefined
  if (bytes?.length !== 32) {
    throw new Fault('bad_input', `${name} expected base58 of 32 bytes, got ${key.length} characters`)
  }
  return bytes
}
