import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { Fault } from '../../../runtime/failure.ts'
import { encodeBase58 } from '../../../events/values/solana/base58.ts'
import { keyBytes } from './keyBytes.ts'
import { programs } from './programs.ts'

/**
 * The default token account of `owner` for `mint`.
 *
 * @param owner base58; a wallet, or another program's address such as a multisig vault
 * @param tokenProgram base58 of the mint's token program; default the classic one
 * @returns base58
 * @throws Fault `bad_input` when a key is not base58 of 32 bytes
 */
export function associatedTokenAddress(owner: string, mint: string, tokenProgram: string = programs.token): string {
  const seeds = [keyBytes('owner', owner), keyBytes('token program', tokenProgram), keyBytes('mint', mint)]
  return programAddress(seeds, keyBytes('program', programs.associatedToken))
}

/**
 * The address a program controls for these seeds: the first hash off the curve, counting the last seed byte down from 255.
 * Off the curve no private key can exist for it.
 *
 * @param seeds at most 15, of at most 32 bytes each
 * @throws Fault `bad_input` when all 256 hashes are on the curve
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

const p = 2n ** 255n - 19n
/** The curve's d, which is -121665/121666 modulo p. @see RFC 8032, §5.1 */
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/**
 * A coordinate y belongs to a point when x² = (y² - 1) / (dy² + 1) has a root. The divisor is never 0, and a quotient is
 * a square exactly when the product is: by Euler's criterion, when its power of (p - 1) / 2 is 0 or 1.
 *
 * @returns whether 32 bytes are a point of Ed25519, decoded as leniently as the chain does (ZIP 215): y may be p or more, and
 *   the sign of x is ignored
 * @see RFC 8032, §5.1.3
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false
  let y = 0n
  for (let at = 31; at >= 0; at -= 1) y = (y << 8n) | BigInt(bytes[at] ?? 0)
  const square = (y & (2n ** 255n - 1n)) ** 2n % p
  return power(((square + p - 1n) * (d * square + 1n)) % p, (p - 1n) / 2n) <= 1n
}

/** @returns base to the exponent, modulo p */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base, left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % p
    square = (square * square) % p
  }
  return result
}
