import { Fault } from '../../../runtime/failure.ts'
import type { DecodedTransaction } from '../../../events/values/solana/transaction.ts'
import { decodeWire } from '../../chains/solana/decode.ts'
import { bytesOfBase58, messageBytes, readTransaction, signatureOf } from '../../chains/solana/wire.ts'
import { isSignedBy, type Verify } from '../../services/signatures.ts'
import type { BytesStore } from '../bytes.ts'

/** A transaction returned by a wallet: stored, verified, decoded. */
type SignedTransaction = { signature: string; bytesRef: string; decoded: DecodedTransaction }

/**
 * Reads a transaction that a wallet signed.
 *
 * @param bytes a whole transaction
 * @param owner order or message that the bytes belong to
 * @throws Fault `bad_response` when it is malformed, not signed by its payer, or the signature is invalid; `reload_needed`
 *   when the signature cannot be verified
 */
export async function readSigned(
  bytes: Uint8Array,
  owner: string,
  { store, verify }: { store: BytesStore; verify: Verify },
): Promise<SignedTransaction> {
  const transaction = readTransaction(bytes)
  const decoded = decodeWire(transaction)
  const signature = signatureOf(transaction, decoded.feePayer)
  if (signature === undefined)
    throw new Fault('bad_response', 'a signed transaction expected the signature of its payer, it has none')
  if (!(await isSignedBy(decoded.feePayer, messageBytes(bytes), bytesOfBase58(signature), verify))) {
    throw new Fault('bad_response', 'a signed transaction expected a signature that fits its message, it does not')
  }
  return { signature, bytesRef: await store.put(bytes, owner), decoded }
}
