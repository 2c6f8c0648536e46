import { concat, littleEndian } from '../../bytes.ts'
import type { Chain } from '../../chain.ts'
import { addressBytes, type Keypair, seededKeypair } from '../../keys.ts'
import { associatedAccount, SYSTEM, TOKEN } from '../../programs.ts'
import { readTokenAccount } from '../../tokens.ts'

const FEES = 100_000_000n

/** The people of a filled sale: buyers, who are on its list if it has one, and others. */
export type Crowd = {
  /** a buyer who never came before */
  newBuyer(): Keypair
  newOutsider(): Keypair
  /** the account of an owner for the sale's USDC */
  usdcOf(owner: string): string
  /** gives an account units for a payment, and lamports for fees */
  fund(owner: string, asset: 'SOL' | 'USDC', units: bigint): void
  /** makes a USDC account whose tokens a delegate may move */
  delegate(owner: string, delegate: string, units: bigint): void
  /** writes what was given away into the mint's supply */
  settle(): void
}

/** The addresses of the first buyers of a crowd. */
export const buyersOf = (seed: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => buyerOf(seed, place).address)

const buyerOf = (seed: string, place: number) => seededKeypair(seed, `crowd buyer ${place}`)

/** Money before a sale is written straight into the accounts: its transactions would outnumber the sale's. */
export function openCrowd(chain: Chain, usdcMint: string, seed: string): Crowd {
  const { accounts, vm } = chain
  const rent = vm.minimumRent(165)
  let [buyers, outsiders, given] = [0, 0, 0n]

  const addLamports = (address: string, lamports: bigint) => {
    const account = accounts.now(address) ?? { lamports: 0n, owner: SYSTEM, data: new Uint8Array(0), executable: false }
    accounts.place(address, { ...account, lamports: account.lamports + lamports })
  }
  const addTokens = (owner: string, units: bigint, delegate?: string) => {
    const address = associatedAccount(owner, usdcMint)
    const amount = (readTokenAccount(accounts.now(address))?.amount ?? 0n) + units
    const data = tokenAccountData({ mint: usdcMint, owner, amount, ...(delegate && { delegate }) })
    accounts.place(address, { lamports: rent, owner: TOKEN, data, executable: false })
    given += units
  }
  return {
    newBuyer: () => buyerOf(seed, buyers++),
    newOutsider: () => seededKeypair(seed, `crowd outsider ${outsiders++}`),
    usdcOf: owner => associatedAccount(owner, usdcMint),
    fund(owner, asset, units) {
      addLamports(owner, FEES + (asset === 'SOL' ? units : 0n))
      if (asset === 'USDC') addTokens(owner, units)
    },
    delegate(owner, delegate, units) {
      addLamports(delegate, FEES)
      addTokens(owner, units, delegate)
    },
    settle() {
      const mint = accounts.now(usdcMint)
      if (!mint) throw new Error(`mint ${usdcMint} expected on the chain, which lacks it`)
      const supply = Buffer.from(mint.data).readBigUInt64LE(36) + given
      given = 0n
      const data = concat(mint.data.slice(0, 36), littleEndian(supply, 8), mint.data.slice(44))
      accounts.place(usdcMint, { ...mint, data })
    },
  }
}

/** The 165 bytes of a token account. */
function tokenAccountData(token: { mint: string; owner: string; amount: bigint; delegate?: string }): Uint8Array {
  const { mint, owner, amount, delegate } = token
  const initialized = 1
  return concat(
    addressBytes(mint),
    addressBytes(owner),
    littleEndian(amount, 8),
    littleEndian(delegate ? 1 : 0, 4),
    delegate ? addressBytes(delegate) : new Uint8Array(32),
    Uint8Array.of(initialized),
    new Uint8Array(12),
    littleEndian(delegate ? amount : 0n, 8),
    new Uint8Array(36),
  )
}
