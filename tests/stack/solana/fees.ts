import { readLittleEndian } from './bytes.ts'
import {
  COMPUTE_BUDGET,
  ED25519_PROGRAM,
  LOOKUP_TABLE,
  SECP256K1_PROGRAM,
  SECP256R1_PROGRAM,
  SYSTEM,
} from './programs.ts'
import type { WireTransaction } from './wire.ts'

const PRECOMPILES = [ED25519_PROGRAM, SECP256K1_PROGRAM, SECP256R1_PROGRAM]
const BUILTINS = [SYSTEM, COMPUTE_BUDGET, LOOKUP_TABLE, 'Vote111111111111111111111111111111111111111', ...PRECOMPILES]

/** Compute unit limit and price of a transaction; the default limit depends on its instructions. */
export function computeBudget(transaction: WireTransaction): { limit: number; price: bigint } {
  let limit: number | undefined
  let price = 0n
  let standard = 0
  for (const { program, data } of transaction.instructions) {
    const address = transaction.addresses[program] ?? ''
    if (address === COMPUTE_BUDGET && data[0] === 2 && data.length === 5) limit = Number(readLittleEndian(data, 1, 4))
    if (address === COMPUTE_BUDGET && data[0] === 3 && data.length === 9) price = readLittleEndian(data, 1, 8)
    standard += BUILTINS.includes(address) ? 3_000 : 200_000
  }
  return { limit: Math.min(limit ?? standard, 1_400_000), price }
}

/** The fee in lamports: 5000 a signature, precompile signatures included, and limit × price rounded up. */
export function feeOf(transaction: WireTransaction): bigint {
  let signatures = transaction.header.signers
  for (const { program, data } of transaction.instructions)
    if (PRECOMPILES.includes(transaction.addresses[program] ?? '')) signatures += data[0] ?? 0
  const { limit, price } = computeBudget(transaction)
  return BigInt(signatures) * 5_000n + (BigInt(limit) * price + 999_999n) / 1_000_000n
}
