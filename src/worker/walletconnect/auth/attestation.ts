import { Fault } from '../../../runtime/failure.ts'
import { asResponse, fromBase64url, fromUtf8, toUtf8 } from '../crypto/encoding.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { readJson } from '../../../runtime/json/readJson.ts'

/**
 * Attestations of the verify service: a JWT that names the origin a message was sent from.
 * An attestation only advises the person; a missing one blocks nothing.
 *
 * @see WalletConnect specs, verify
 */
export type Attestation = {
  /** hex of SHA-256 of the envelope it attests */
  readonly id: string
  readonly origin: string
  /** Unix seconds */
  readonly exp: number
  /** whether the service verified that the origin belongs to the sender's project */
  readonly isVerified: boolean
  readonly isScam: boolean
  /** signed bytes, and the signature as r and s */
  readonly signed: Uint8Array
  readonly signature: Uint8Array
}

export type Validation = 'UNKNOWN' | 'VALID' | 'INVALID' | 'THREAT'

const longest = 8_192

/** @throws Fault `bad_response` when it is not such a JWT; the signature is not verified here */
export function readAttestation(jwt: string): Attestation {
  if (jwt.length > longest) throw misshapen(`at most ${longest} characters`)
  const [head = '', body = '', signature = '', ...more] = jwt.split('.')
  if (more.length > 0 || signature === '') throw misshapen('three parts')
  const header = part(head)
  if (header.alg !== 'ES256') throw misshapen('alg to be ES256')
  const { id, origin, exp, isVerified, isScam } = part(body)
  if (typeof id !== 'string' || !/^[0-9a-f]{64}$/.test(id)) throw misshapen('id to be 64 hex digits')
  if (typeof origin !== 'string' || origin === '') throw misshapen('origin to be a text')
  if (typeof exp !== 'number' || !Number.isSafeInteger(exp)) throw misshapen('exp in Unix seconds')
  const bytes = asResponse(() => fromBase64url(signature, 'attestation'))
  if (bytes.length !== 64) throw misshapen('a signature of 64 bytes')
  return {
    id,
    origin,
    exp,
    isVerified: isVerified === true,
    isScam: isScam === true,
    signed: toUtf8(`${head}.${body}`),
    signature: bytes,
  }
}

/**
 * @param attestation with a verified signature
 * @param about hex of SHA-256 of the envelope, the page URL the sender claims, the time in ms
 */
export function validationOf(
  { id, origin, exp, isVerified, isScam }: Attestation,
  about: { envelopeHash: string; peerUrl: string | undefined; nowMs: number },
): Validation {
  if (id !== about.envelopeHash || exp * 1000 <= about.nowMs || !isVerified) return 'UNKNOWN'
  // A scam verdict applies whichever page the sender claims
  if (isScam) return 'THREAT'
  const claimed = about.peerUrl === undefined ? undefined : originOf(about.peerUrl)
  if (claimed === undefined) return 'UNKNOWN'
  return claimed === origin ? 'VALID' : 'INVALID'
}

/** @returns the validation of a message that came by a link: the wallet's universal link must be of the origin it claims */
export function validationOfLink(universal: string | undefined, peerUrl: string | undefined): Validation {
  const [link, claimed] = [universal, peerUrl].map(url => (url === undefined ? undefined : originOf(url)))
  return link !== undefined && link === claimed ? 'VALID' : 'INVALID'
}

/** @returns scheme, host and port in lower case; undefined when there is no host */
function originOf(url: string): string | undefined {
  const match = /^(https?):\/\/([^/?#@\s]+)/i.exec(url)
  if (!match?.[1] || !match[2]) return undefined
  const scheme = match[1].toLowerCase()
  return `${scheme}://${match[2].toLowerCase().replace(scheme === 'https' ? /:443$/ : /:80$/, '')}`
}

function part(text: string): Readonly<Record<string, unknown>> {
  const decoded = asResponse(() => fromUtf8(fromBase64url(text, 'attestation'), 'attestation'))
  const value = readJson(decoded, { name: 'attestation' })
  if (!isRecord(value)) throw misshapen('parts that are objects')
  return value
}

function misshapen(expected: string): Fault {
  return new Fault('bad_response', `an attestation expected ${expected}`)
}
