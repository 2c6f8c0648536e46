/** Verifies attestations with the verify service's public key, which is read with the first attestation. */
import { withinTime } from '../../../runtime/withinTime.ts'
import { Fault } from '../../../runtime/failure.ts'
import {
  type Attestation,
  readAttestation,
  type Validation,
  validationOf,
} from '../../walletconnect/auth/attestation.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import type { Http } from '../http.ts'

/** The verify service's public key on P-256, its coordinates in base64url. */
export type VerifyKey = { x: string; y: string }

type About = Omit<Parameters<typeof validationOf>[1], 'nowMs'>

export type JudgePorts = {
  http: Pick<Http, 'json'>
  now(): number
  /** the service's URL, for its key when none is configured */
  url?: string | undefined
  key?: VerifyKey | undefined
}

type Judge = {
  /**
   * @returns the validation of a message with this attestation; UNKNOWN when it is unreadable, wrongly signed, or cannot be
   *   verified in time. It never rejects, and takes 1.5 s at most
   */
  validationIn(jwt: string, about: About): Promise<Validation>
}

/** Longest wait for the key, ms. */
const patienceMs = 1500
/** Shortest interval between requests for the key, ms. */
const restMs = 60_000
/** Longest lifetime of a cached key, whatever the service says, ms. */
const longestMs = 86_400_000

type Kept = { made: CryptoKey; until: number }

export function createJudge({ http, now, url, key: configured }: JudgePorts): Judge {
  let kept: Kept | undefined
  let reading: Promise<Kept | undefined> | undefined
  let askedAt = -Infinity
  const own = configured && importKey(configured).catch(() => undefined)

  /** Fetches the service's key. @returns the cached one, if any, when there is no URL or the last request was too recent */
  function readKey(): Promise<Kept | undefined> {
    if (!reading) {
      if (url === undefined || Math.abs(now() - askedAt) < restMs) return Promise.resolve(kept)
      askedAt = now()
      reading = keyAt(http, url, askedAt)
        .catch(() => undefined)
        .then(read => {
          reading = undefined
          // An expired key is better than none
          return (kept = read ?? kept)
        })
    }
    const waitMs = askedAt + patienceMs - now()
    return waitMs > 0 ? withinTime(reading, waitMs, () => undefined) : Promise.resolve(undefined)
  }

  async function isSigned(attestation: Attestation): Promise<boolean> {
    if (own) {
      const made = await own
      return made !== undefined && verifies(made, attestation)
    }
    const known = kept && now() < kept.until ? kept : undefined
    if (known && (await verifies(known.made, attestation))) return true
    // No key yet, or the service has rotated it
    const read = await readKey()
    return read !== undefined && read !== known && verifies(read.made, attestation)
  }

  return {
    async validationIn(jwt, about) {
      try {
        const attestation = readAttestation(jwt)
        const validation = validationOf(attestation, { ...about, nowMs: now() })
        return validation !== 'UNKNOWN' && (await isSigned(attestation)) ? validation : 'UNKNOWN'
      } catch (cause) {
        if (cause instanceof Fault) return 'UNKNOWN'
        throw cause
      }
    },
  }
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }

/** @throws DOMException when it is not a point on the curve */
function importKey({ x, y }: VerifyKey): Promise<CryptoKey> {
  return crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, algorithm, false, ['verify'])
}

function verifies(key: CryptoKey, { signature, signed }: Attestation): Promise<boolean> {
  return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature.slice(), signed.slice())
}

/** @throws Fault when the service returns no readable key; DOMException when it is not a point on the curve */
async function keyAt(http: Pick<Http, 'json'>, url: string, nowMs: number): Promise<Kept> {
  const answer = await http.json({ url: `${url}/v3/public-key`, what: 'the verify service’s key', retries: 0 })
  const { publicKey, expiresAt } = isRecord(answer) ? answer : {}
  const { kty, crv, x, y } = isRecord(publicKey) ? publicKey : {}
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string')
    throw new Fault('bad_response', 'the verify service’s key expected a key on P-256')
  if (typeof expiresAt !== 'number' || !Number.isSafeInteger(expiresAt))
    throw new Fault('bad_response', 'the verify service’s key expected expiresAt in Unix seconds')
  return { made: await importKey({ x, y }), until: Math.min(expiresAt * 1000, nowMs + longestMs) }
}
