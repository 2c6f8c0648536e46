/**
 * CACAOs: signed statements of account ownership, the result of one-click auth. This file reads them; the signature check
 * and the comparison with the request are elsewhere.
 *
 * @see CAIP-74, CAIP-122
 */
import { Fault } from '../../../runtime/failure.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { isoMs } from '../../../events/values/isoTime.ts'
import { allowedBy, readRecap, recapIn } from './recap.ts'
import { type SignInFields, signInMessage } from './siwe.ts'

export type Cacao = {
  readonly issuer: Issuer
  readonly fields: SignInFields
  readonly signature: { readonly type: 'eip191' | 'eip1271'; readonly hex: string }
}

/** The signer: a CAIP-2 chain with its two parts, and the address as the wallet wrote it. */
type Issuer = {
  readonly chain: string
  readonly namespace: string
  readonly reference: string
  readonly address: string
}

/** Most CACAOs in an answer, and most resources in a CACAO. The input's schema limits their lengths. */
const most = 100

/** @throws Fault `bad_response` unless it is a list of 1 to `most` valid CACAOs */
export function readCacaos(value: unknown): Cacao[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > most)
    throw new Fault('bad_response', `the wallet's answer expected 1 to ${most} signed statements`)
  return value.map(readCacao)
}

/**
 * @param value parsed JSON
 * @throws Fault `bad_response` naming the missing or malformed member, never its value
 */
export function readCacao(value: unknown): Cacao {
  const { h, p, s } = isRecord(value) ? value : { h: undefined, p: undefined, s: undefined }
  if (!isRecord(h) || (h.t !== 'caip122' && h.t !== 'eip4361')) throw misshapen('h.t to be caip122 or eip4361')
  if (!isRecord(p)) throw misshapen('p to be an object')
  if (!isRecord(s) || (s.t !== 'eip191' && s.t !== 'eip1271')) throw misshapen('s.t to be eip191 or eip1271')
  if (typeof s.s !== 'string' || !/^0x([0-9a-f]{2}){1,4096}$/i.test(s.s)) throw misshapen('s.s to be hex with 0x')
  const resources = p.resources ?? undefined
  if (resources !== undefined && !(Array.isArray(resources) && resources.length <= most && resources.every(isText)))
    throw misshapen('p.resources to be a list of texts')
  const version = text(p, 'version')
  if (version !== '1') throw misshapen('p.version to be 1')
  const optional = (name: 'statement' | 'requestId') => (p[name] ? { [name]: text(p, name) } : {})
  return {
    issuer: readIssuer(p.iss),
    fields: {
      domain: text(p, 'domain'),
      aud: text(p, p.aud ? 'aud' : 'uri'),
      version,
      nonce: text(p, 'nonce'),
      iat: text(p, 'iat'),
      ...optional('statement'),
      ...time(p, 'exp'),
      ...time(p, 'nbf'),
      ...optional('requestId'),
      ...(resources === undefined ? {} : { resources }),
    },
    signature: { type: s.t, hex: s.s },
  }
}

/** @throws Fault `bad_response` when it is not `did:pkh` of an eip155 account */
function readIssuer(iss: unknown): Issuer {
  const [, reference, address] =
    (typeof iss === 'string' && /^did:pkh:eip155:([1-9]\d{0,31}):(0x[0-9a-fA-F]{40})$/.exec(iss)) || []
  if (reference === undefined || address === undefined) throw misshapen('p.iss to be did:pkh of an eip155 account')
  return { chain: `eip155:${reference}`, namespace: 'eip155', reference, address }
}

/** @returns the signed text. @throws Fault as `signInMessage` */
export function messageOf({ fields, issuer }: Cacao): string {
  return signInMessage(fields, issuer)
}

/** @returns methods and chains of its ReCap; undefined when there is none. @throws Fault `bad_response` */
export function allowed({ fields }: Cacao): ReturnType<typeof allowedBy> | undefined {
  const recap = recapIn(fields.resources)
  return recap === undefined ? undefined : allowedBy(readRecap(recap))
}

function text(p: Readonly<Record<string, unknown>>, name: string): string {
  const value = p[name]
  if (!isText(value) || value === '') throw misshapen(`p.${name} to be a text`)
  return value
}

/** @throws Fault `bad_response` on an unreadable time: such a bound would never apply */
function time(p: Readonly<Record<string, unknown>>, name: 'exp' | 'nbf'): { exp?: string; nbf?: string } {
  if (!p[name]) return {}
  const value = text(p, name)
  if (isoMs(value) === undefined) throw misshapen(`p.${name} to be a time in ISO 8601`)
  return { [name]: value }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function misshapen(expected: string): Fault {
  return new Fault('bad_response', `a signed statement expected ${expected}`)
}
