import { decodeBase58 } from '../../events/values/solana/base58.ts'

/** An account's key with the methods of web3.js's class; `new PublicKey(key.toBytes())` makes one of it. */
export type WalletPublicKey = { toBase58(): string; toString(): string; toBytes(): Uint8Array }

/** @param address an account's, 32 bytes in base58 */
export function walletPublicKey(address: string): WalletPublicKey {
  const written = () => address
  return { toBase58: written, toString: written, toBytes: () => decodeBase58(address) ?? new Uint8Array() }
}
