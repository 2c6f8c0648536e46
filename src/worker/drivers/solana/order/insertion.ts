import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { bytesOfBase58, withSignature } from '../../../chains/solana/wire.ts'
import type { Verify } from '../../../services/signatures.ts'
import type { BytesStore } from '../../bytes.ts'
import { answered, drive } from '../../drive.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import { readSigned } from '../../walletconnect/signed.ts'

/** Inserts a bare signature into the stored bytes and reads the result; a failure answers `effect.failed`. */
export function createInsertion(means: { store: BytesStore; verify: Verify }): { 'chain.insertSignature': Drive } {
  return {
    'chain.insertSignature': drive<EffectData['chain.insertSignature']>(
      async ({ orderId, bytesRef, account, signature }) => {
        const unsigned = await means.store.get(bytesRef)
        if (!unsigned) throw new Fault('expired', 'a signature expected the bytes it signs to be kept, they are gone')
        const signed = withSignature(unsigned, account, bytesOfBase58(signature))
        return answered({ type: 'wallet.signed', data: await readSigned(signed, orderId, means) })
      },
    ),
  }
}
