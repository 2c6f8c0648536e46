/** An account's key with the methods of web3.js's class; `new PublicKey(key.toBytes())` makes one of it. */
export type WalletPublicKey = { toBase58(): string; toString(): string; toBytes(): Uint8Array }

const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** @param address an account's, 32 bytes in base58: the modal decodes more, with a library that the entry does without */
export function walletPublicKey(address: string): WalletPublicKey {
  const written = () => address
  const bytes = () => {
    let rest = 0n
    for (const letter of address) rest = rest * 58n + BigInt(letters.indexOf(letter))
    return Uint8Array.from({ length: 32 }, (_, at) => Number((rest >> BigInt(8 * (31 - at))) & 255n))
  }
  return { toBase58: written, toString: written, toBytes: bytes }
}
