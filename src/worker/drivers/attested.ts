import { Fault } from '../../events/failure.ts'
import { readAttestation, type Validation, validationOf } from '../walletconnect/attestation.ts'

/** The verify service's public key on P-256, its coordinates in base64url. */
export type VerifyKey = { x: string; y: string }

export type About = Parameters<typeof validationOf>[1]

/** @returns how a message with this attestation is judged; whatever cannot be read or was signed by another is unknown */
export async function validationIn(jwt: string, about: About, key: VerifyKey): Promise<Validation> {
  try {
    const attestation = readAttestation(jwt)
    const { signature, signed } = attestation
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const made = await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', ...key }, algorithm, false, ['verify'])
    const isTheirs = await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      made,
      signature.slice(),
      signed.slice(),
    )
    return isTheirs ? validationOf(attestation, about) : 'UNKNOWN'
  } catch (cause) {
    // A key that is none is a matter of this page's settings, not of the message
    if (cause instanceof Fault || cause instanceof DOMException) return 'UNKNOWN'
    throw cause
  }
}
