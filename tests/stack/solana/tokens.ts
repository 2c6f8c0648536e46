import { base58, readLittleEndian } from './bytes.ts'
import { TOKEN, TOKEN_2022 } from './programs.ts'
import type { Account } from './vm.ts'

export type TokenAccount = {
  mint: string
  owner: string
  amount: bigint
  state: 'uninitialized' | 'initialized' | 'frozen'
  isNative: boolean
  rentReserve: bigint
  delegate: string | undefined
  delegated: bigint
  closeAuthority: string | undefined
}

export type Mint = {
  supply: bigint
  decimals: number
  isInitialized: boolean
  mintAuthority: string | undefined
  freezeAuthority: string | undefined
}

const STATES = ['uninitialized', 'initialized', 'frozen'] as const

/** Whether an address is one of the two token programs. */
export const isTokenProgram = (address: string): boolean => address === TOKEN || address === TOKEN_2022

/** Reads a token account of either token program, or undefined when the account is something else. */
export function readTokenAccount(account: Account | undefined): TokenAccount | undefined {
  if (!account || !isTokenProgram(account.owner)) return undefined
  const { data } = account
  // Token-2022 writes the kind of account after the classic 165 bytes: 1 is a mint, 2 a token account.
  if (data.length < 165 || (data.length > 165 && data[165] !== 2)) return undefined
  const state = STATES[data[108] ?? 0]
  if (!state || state === 'uninitialized') return undefined
  return {
    mint: base58(data.slice(0, 32)),
    owner: base58(data.slice(32, 64)),
    amount: readLittleEndian(data, 64, 8),
    state,
    isNative: data[109] === 1,
    rentReserve: readLittleEndian(data, 113, 8),
    delegate: optionalKey(data, 72),
    delegated: readLittleEndian(data, 121, 8),
    closeAuthority: optionalKey(data, 129),
  }
}

/** Reads a mint of either token program, or undefined. */
export function readMint(account: Account | undefined): Mint | undefined {
  if (!account || !isTokenProgram(account.owner)) return undefined
  const { data } = account
  if (data.length !== 82 && (data.length <= 165 || data[165] !== 1)) return undefined
  if (data[45] !== 1) return undefined
  return {
    supply: readLittleEndian(data, 36, 8),
    decimals: data[44] ?? 0,
    isInitialized: true,
    mintAuthority: optionalKey(data, 0),
    freezeAuthority: optionalKey(data, 46),
  }
}

function optionalKey(data: Uint8Array, offset: number): string | undefined {
  return data[offset] === 1 ? base58(data.slice(offset + 4, offset + 36)) : undefined
}

/** A token amount as RPC answers write it; `uiAmount` is for display only and null when the balance entry is zero. */
export function tokenAmount(
  amount: bigint,
  decimals: number,
): {
  amount: string
  decimals: number
  uiAmount: number
  uiAmountString: string
} {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  const uiAmountString = part ? `${whole}.${part}` : whole
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}
