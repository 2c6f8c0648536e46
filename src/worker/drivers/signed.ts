import { ed25519 } from '@noble/curves/ed25519.js'
import { Fault } from '../../events/failure.ts'
import type { DecodedTransaction } from '../../events/values/transaction.ts'
import { decode } from '../chains/solana/decode.ts'
import { bytesOfBase58, messageBytes, readTransaction, signatureOf } from '../chains/solana/wire.ts'
import type { BytesStore } from './bytes.ts'

/** A transaction that a wallet returned: its bytes kept, its signature checked, its fields read. */
export type SignedTransaction = { signature: string; bytesRef: string; decoded: DecodedTransaction }

/**
 * Reads what a wallet signed.
 *
 * @param bytes a whole transaction
 * @throws Fault `bad_response` when it is none, when its payer has not signed it, or the signature does not fit
 */
export async function readSigned(bytes: Uint8Array, store: BytesStore): Promise<SignedTransaction> {
  const transaction = readTransaction(bytes)
  const decoded = decode(transaction)
  const signature = signatureOf(transaction, decoded.feePayer)
  if (signature === undefined)
    throw new Fault('bad_response', 'a signed transaction expected the signature of its payer, it has none')
  if (!ed25519.verify(bytesOfBase58(signature), messageBytes(bytes), bytesOfBase58(decoded.feePayer))) {
    throw new Fault('bad_response', 'a signed transaction expected a signature that fits its message, it does not')
  }
  return { signature, bytesRef: await store.put(bytes), decoded }
}
