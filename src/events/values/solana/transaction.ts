/** A Solana transaction as the core sees it: decoded fields only, never bytes. Amounts in base units. */
export type DecodedInstruction =
  | { kind: 'computeLimit'; units: number }
  | { kind: 'computePrice'; microLamports: string }
  | { kind: 'memo'; text: string }
  | { kind: 'transfer'; from: string; to: string; lamports: string; references: string[] }
  | {
      kind: 'tokenTransfer'
      source: string
      mint: string
      destination: string
      owner: string
      amount: string
      decimals: number
      references: string[]
      /** token program; absent: the classic one */
      program?: string
    }
  | { kind: 'createTokenAccount'; payer: string; account: string; owner: string; mint: string; program: string }
  | { kind: 'other'; program: string; name?: string }

/** `signers` are all accounts that must sign; `tables` counts the lookup tables, absent without any. */
export type DecodedTransaction = {
  feePayer: string
  blockhash: string
  instructions: DecodedInstruction[]
  signers?: string[]
  tables?: number
}

/** A payment instruction: the one thing a signed order must still do. */
export type ExpectedTransfer = Extract<DecodedInstruction, { kind: 'transfer' | 'tokenTransfer' }>

/**
 * One deviation of a signed transaction from the agreed one: addresses and memos (none: absent), an amount in base units (none:
 * absent), or a word of ours.
 */
export type TransactionDifference = { field: string } & (
  | { of: 'keys'; expected: string[]; got: string[] }
  | { of: 'amount'; expected?: string; got?: string }
  | { of: 'word'; expected: string; got: string }
)
