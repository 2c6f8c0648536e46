import type { WireTransaction } from '../chains/solana/wire.ts'

/** The signers of a transaction, the payer of the fee first, and its top-level instructions; all addresses base58. */
export type TopLevel = {
  signers: string[]
  instructions: { program: string; accounts: string[]; data: Uint8Array }[]
}

/** @param addresses those of the message, then those from lookup tables, writable ones first */
export function topLevelIn(
  { accountKeys, header, instructions }: WireTransaction,
  addresses: readonly string[],
): TopLevel {
  return {
    signers: accountKeys.slice(0, header.signers),
    instructions: instructions.map(({ program, accounts, data }) => ({
      program: addresses[program] ?? '',
      accounts: accounts.map(at => addresses[at] ?? ''),
      data,
    })),
  }
}
