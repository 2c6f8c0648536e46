/** Loaded only for a wallet that takes objects of web3.js. */
import { VersionedTransaction } from '@solana/web3.js'

/** @returns wire bytes as an object of web3.js */
export function parsedTransaction(bytes: Uint8Array): VersionedTransaction {
  return VersionedTransaction.deserialize(bytes)
}
