import { Fault } from '../../../events/failure.ts'
import { fromBase64url, fromUtf8, toUtf8 } from '../crypto/encoding.ts'
import { isRecord } from '../isRecord.ts'
import { readJson } from '../relay/json.ts'

/**
 * Attestations of the verify service: a JWT that says from which origin a message was sent. It is advice for a person's
 * eyes; nothing is refused for the want of one.
 *
 * @see WalletConnect specs, verify
 */
export type Attestation = {
  /** hex of SHA-256 of the envelope it is about */
  readonly id: string
  readonly origin: string
  /** Unix seconds */
  readonly exp: number
  /** whether the service knows the origin for the sender's own */
  readonly isVerified: boolean
  readonly isScam: boolean
  /** what the signature is over, and the signature, r and s */
  readonly signed: Uint8Array
  readonly signature: Uint8Array
}

export type Validation = 'UNKNOWN' | 'VALID' | 'INVALID' | 'THREAT'

const longest = 8_192

/** @throws Fault `bad_response` when it is no JWT of this kind; its signature is not looked at */
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
 * @param attestation whose signature is the service's
 * @param about hex of SHA-256 of the envelope it came with, what the sender says its page is, and the time, ms
 */
export function validationOf(
  { id, origin, exp, isVerified, isScam }: Attestation,
  about: { envelopeHash: string; peerUrl: string | undefined; nowMs: number },
): Validation {
  if (id !== about.envelopeHash || exp * 1000 <= about.nowMs || !isVerified) return 'UNKNOWN'
  // What the service knows of an origin holds whatever page the sender names
  if (isScam) return 'THREAT'
  const claimed = about.peerUrl === undefined ? undefined : originOf(about.peerUrl)
  if (claimed === undefined) return 'UNKNOWN'
  return claimed === origin ? 'VALID' : 'INVALID'
}

/** @returns how a message that came by a link is judged: the wallet's own link must be of the origin it names */
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
  const value = readJson(
    asResponse(() => fromUtf8(fromBase64url(text, 'attestation'), 'attestation')),
    'attestation',
  )
  if (!isRecord(value)) throw misshapen('parts that are objects')
  return value
}

function asResponse<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof Fault ? new Fault('bad_response', cause.message) : cause
  }
}

function misshapen(expected: string): Fault {
  return new Fault('bad_response', `an attestation expected ${expected}`)
}
