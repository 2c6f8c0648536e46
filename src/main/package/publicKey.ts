/** An account's key with the text methods of web3.js's class; `new PublicKey(key.toBase58())` makes one of it. */
export type WalletPublicKey = { toBase58(): string; toString(): string }

/** @param address an account's, in base58 */
export function walletPublicKey(address: string): WalletPublicKey {
  const written = () => address
  return { toBase58: written, toString: written }
}
