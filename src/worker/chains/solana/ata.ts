import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { Fault } from '../../../events/failure.ts'
import { decodeBase58, encodeBase58 } from '../../../events/values/base58.ts'
import { programs } from './programs.ts'

/**
 * The account in which `owner` holds tokens of `mint` by default.
 *
 * @param owner base58; a wallet, or another program's address such as a multisig vault
 * @param tokenProgram base58 of the token program that made the mint; default the classic one
 * @returns base58
 * @throws Fault `bad_input` when a key is not base58 of 32 bytes
 */
export function associatedTokenAddress(owner: string, mint: string, tokenProgram: string = programs.token): string {
  const seeds = [key('owner', owner), key('token program', tokenProgram), key('mint', mint)]
  return programAddress(seeds, key('program', programs.associatedToken))
}

/**
 * The address a program controls for these seeds: the first hash, counting a last seed byte down from 255, that is not
 * a point of the curve, so that no private key can exist for it.
 *
 * @param seeds at most 15, of at most 32 bytes each
 * @see Solana documentation, program derived addresses
 */
export function programAddress(seeds: readonly Uint8Array[], program: Uint8Array): string {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = sha256.create()
    for (const seed of seeds) hash.update(seed)
    const address = hash
      .update(Uint8Array.of(bump))
      .update(program)
      .update(utf8ToBytes('ProgramDerivedAddress'))
      .digest()
    if (!isOnCurve(address)) return encodeBase58(address)
  }
  throw new Fault('bad_input', 'these seeds have no program address')
}

/** @returns whether 32 bytes are a point of Ed25519, read as leniently as the chain reads them (ZIP 215) */
export function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}

function key(name: string, text: string): Uint8Array {
  const bytes = text.length <= 44 ? decodeBase58(text) : undefined
  if (bytes?.length !== 32) {
    throw new Fault('bad_input', `${name} expected base58 of 32 bytes, got "${text.slice(0, 60)}"`)
  }
  return bytes
}
