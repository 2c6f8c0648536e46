import { addressBytes, programAddress } from './keys.ts'
import { concat, littleEndian } from './bytes.ts'

/** Addresses that are the same on every Solana cluster. */
export const SYSTEM = '11111111111111111111111111111111'
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const MEMO_V1 = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const LOOKUP_TABLE = 'AddressLookupTab1e1111111111111111111111111'
export const ED25519_PROGRAM = 'Ed25519SigVerify111111111111111111111111111'
export const SECP256K1_PROGRAM = 'KeccakSecp256k11111111111111111111111111111'
export const SECP256R1_PROGRAM = 'Secp256r1SigVerify1111111111111111111111111'
export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111'

/** One account of an instruction. */
export type AccountUse = { address: string; signer?: boolean; writable?: boolean }

/** One instruction before it is compiled into a message. */
export type Instruction = { program: string; accounts: AccountUse[]; data: Uint8Array }

const signer = (address: string): AccountUse => ({ address, signer: true, writable: true })
const writable = (address: string): AccountUse => ({ address, writable: true })
const reader = (address: string): AccountUse => ({ address })

/** SetComputeUnitLimit. */
export const computeUnitLimit = (units: number): Instruction => ({
  program: COMPUTE_BUDGET,
  accounts: [],
  data: concat(Uint8Array.of(2), littleEndian(units, 4)),
})

/** SetComputeUnitPrice, in micro-lamports a unit. */
export const computeUnitPrice = (microLamports: bigint): Instruction => ({
  program: COMPUTE_BUDGET,
  accounts: [],
  data: concat(Uint8Array.of(3), littleEndian(microLamports, 8)),
})

/** Memo with no accounts: the memo program wants a signature from every account it is given. */
export const memo = (text: string): Instruction => ({
  program: MEMO,
  accounts: [],
  data: new Uint8Array(Buffer.from(text)),
})

/** System transfer in lamports; `references` are added as read-only non-signers. */
export const transfer = (from: string, to: string, lamports: bigint, references: string[] = []): Instruction => ({
  program: SYSTEM,
  accounts: [signer(from), writable(to), ...references.map(reader)],
  data: concat(littleEndian(2, 4), littleEndian(lamports, 8)),
})

/** System CreateAccount: the new account signs too. */
export const createAccount = (
  payer: string,
  address: string,
  shape: { lamports: bigint; space: number; owner: string },
): Instruction => ({
  program: SYSTEM,
  accounts: [signer(payer), signer(address)],
  data: concat(
    littleEndian(0, 4),
    littleEndian(shape.lamports, 8),
    littleEndian(shape.space, 8),
    addressBytes(shape.owner),
  ),
})

/** InitializeMint2 with both authorities set to the same key. */
export const initializeMint = (mint: string, decimals: number, authority: string): Instruction => ({
  program: TOKEN,
  accounts: [writable(mint)],
  data: concat(Uint8Array.of(20, decimals), addressBytes(authority), Uint8Array.of(1), addressBytes(authority)),
})

/** MintTo, in base units. */
export const mintTo = (mint: string, account: string, authority: string, amount: bigint): Instruction => ({
  program: TOKEN,
  accounts: [writable(mint), writable(account), { address: authority, signer: true }],
  data: concat(Uint8Array.of(7), littleEndian(amount, 8)),
})

/** SetAuthority to none: `minting` is authority type 0, `freezing` type 1. */
export const revokeAuthority = (mint: string, authority: string, kind: 'minting' | 'freezing'): Instruction => ({
  program: TOKEN,
  accounts: [writable(mint), { address: authority, signer: true }],
  data: Uint8Array.of(6, kind === 'minting' ? 0 : 1, 0),
})

/** TransferChecked between two token accounts, with references after the authority. */
export const transferChecked = (move: {
  from: string
  mint: string
  to: string
  authority: string
  amount: bigint
  decimals: number
  references?: string[]
}): Instruction => ({
  program: TOKEN,
  accounts: [
    writable(move.from),
    reader(move.mint),
    writable(move.to),
    { address: move.authority, signer: true },
    ...(move.references ?? []).map(reader),
  ],
  data: concat(Uint8Array.of(12), littleEndian(move.amount, 8), Uint8Array.of(move.decimals)),
})

/** The associated token account of an owner for a mint of the classic token program. */
export const associatedAccount = (owner: string, mint: string): string =>
  programAddress([addressBytes(owner), addressBytes(TOKEN), addressBytes(mint)], ASSOCIATED_TOKEN)

/** Creates the associated token account unless it is there already. */
export const createAssociatedAccount = (payer: string, owner: string, mint: string): Instruction => ({
  program: ASSOCIATED_TOKEN,
  accounts: [
    signer(payer),
    writable(associatedAccount(owner, mint)),
    reader(owner),
    reader(mint),
    reader(SYSTEM),
    reader(TOKEN),
  ],
  data: Uint8Array.of(1),
})
