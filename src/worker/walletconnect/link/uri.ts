import { Fault } from '../../../runtime/failure.ts'
import { fromBase64 } from '../crypto/base64.ts'
import { fromUtf8 } from '../crypto/encoding.ts'
import { wcError } from '../relay/errors.ts'
import { fromForm, toQuery } from '../auth/formText.ts'
import { isExpired } from '../time.ts'

/**
 * The pairing URI: `wc:<topic>@2?expiryTimestamp=…&relay-protocol=irn&symKey=…`. It contains the pairing's key and is
 * secret: it goes into a QR code and the clipboard, never into a fact, a message or an error.
 *
 * @see WalletConnect specs, pairing URI (EIP-1328)
 */
export type PairingUri = {
  /** 64 hex digits */
  readonly topic: string
  readonly version: 2
  /** 64 hex digits, secret */
  readonly symKey: string
  readonly relay: { readonly protocol: string; readonly data?: string }
  /** methods of the pairing's first request; only one-click auth writes them */
  readonly methods?: readonly string[]
  /** Unix seconds */
  readonly expiryTimestamp?: number
}

/** A parsed, unchecked URI: any part may be missing, a number may be NaN. */
type UriParts = {
  readonly topic: string
  readonly version: number
  readonly symKey?: string
  readonly relay: { readonly protocol?: string; readonly data?: string }
  readonly methods?: readonly string[]
  readonly expiryTimestamp?: number
}

/** @returns the URI, parameters sorted by name */
export function formatUri(uri: PairingUri): string {
  const query = toQuery({
    expiryTimestamp: uri.expiryTimestamp?.toString(),
    methods: uri.methods?.join(','),
    'relay-data': uri.relay.data,
    'relay-protocol': uri.relay.protocol,
    symKey: uri.symKey,
  })
  return `wc:${uri.topic}@${uri.version}?${query}`
}

/**
 * Parses a URI; `requirePairingUri` checks whether it may be used. Parameters in any order, unknown ones ignored,
 * `wc://` accepted; a text without `wc:` is read as base64 of a URI.
 *
 * @throws Fault `bad_input` when it is neither, repeats a parameter or has a broken percent sign
 */
export function parseUri(text: string): UriParts {
  const uri = text.startsWith('wc:') ? text : unwrap(text)
  const [path = '', ...rest] = uri.replace(/^wc:(\/\/)?/, '').split('?')
  const [topic = '', ...version] = path.split('@')
  const values = readQuery(rest.join('?'))
  const symKey = values.get('symKey')
  const protocol = values.get('relay-protocol')
  const data = values.get('relay-data')
  const methods = values.get('methods')
  const expiry = values.get('expiryTimestamp')
  return {
    topic,
    version: wholeNumber(version.join('@')),
    relay: { ...(protocol === undefined ? {} : { protocol }), ...(data === undefined ? {} : { data }) },
    ...(symKey === undefined ? {} : { symKey }),
    ...(methods === undefined ? {} : { methods: methods.split(',') }),
    ...(expiry === undefined ? {} : { expiryTimestamp: wholeNumber(expiry) }),
  }
}

type PairingMoment = {
  readonly nowMs: number
  /** whether a pairing with that topic is active */
  readonly isActive?: (topic: string) => boolean
}

/**
 * A wallet's checks of a URI before it pairs. The texts are the official wallet's.
 *
 * @throws Fault `expired`, `unsupported` on another version or relay, else `bad_input`
 */
export function requirePairingUri(text: unknown, moment: PairingMoment): PairingUri {
  if (typeof text !== 'string' || !isValidUrl(text)) throw refuse('MISSING_OR_INVALID', `uri: ${shown(text)}`)
  const { topic, version, symKey, relay, methods, expiryTimestamp } = parseUri(text)
  if (!relay.protocol) throw refuse('MISSING_OR_INVALID', 'uri#relay-protocol')
  if (!symKey) throw refuse('MISSING_OR_INVALID', 'uri#symKey')
  if (!/^[0-9a-f]{64}$/i.test(symKey)) throw refuse('MISSING_OR_INVALID', 'uri#symKey, expected 64 hex digits')
  if (!/^[0-9a-f]{64}$/.test(topic)) throw refuse('MISSING_OR_INVALID', 'uri#topic, expected 64 hex digits')
  if (version !== 2) throw new Fault('unsupported', `pairing uri expected version 2, got ${version}`)
  if (relay.protocol !== 'irn') throw new Fault('unsupported', 'pairing uri expected relay-protocol irn, got another')
  if (Number.isNaN(expiryTimestamp)) throw refuse('MISSING_OR_INVALID', 'uri#expiryTimestamp, expected seconds')
  if (expiryTimestamp !== undefined && isExpired(expiryTimestamp, moment.nowMs)) {
    throw new Fault('expired', wcError('EXPIRED', `pair() URI has expired. ${again}`).message)
  }
  if (moment.isActive?.(topic)) throw new Fault('bad_input', `Pairing already exists: ${topic}. ${again}`)
  const { protocol, data } = relay
  return {
    topic,
    version,
    symKey,
    relay: data === undefined ? { protocol } : { protocol, data },
    ...(methods ? { methods } : {}),
    ...(expiryTimestamp === undefined ? {} : { expiryTimestamp }),
  }
}

/** @returns whether a text is a URL or base64 of one: it has a scheme, and web schemes a host */
export function isValidUrl(text: string): boolean {
  if (hasScheme(text)) return true
  try {
    return hasScheme(fromUtf8(fromBase64(text)))
  } catch {
    return false
  }
}

const again = 'Please try again with a new connection URI.'

function refuse(name: 'MISSING_OR_INVALID', what: string): Fault {
  return new Fault('bad_input', wcError(name, `pair() ${what}`).message)
}

/** Quotes a short text only; a long one may contain a key. */
function shown(text: unknown): string {
  if (typeof text !== 'string') return text === null || text === undefined ? 'undefined' : typeof text
  return text.length <= 32 ? text : `${text.length} characters`
}

function unwrap(text: string): string {
  let inner: string
  try {
    inner = fromUtf8(fromBase64(text))
  } catch {
    throw new Fault('bad_input', 'Invalid character: pairing uri expected wc: in front, or base64 of such a text')
  }
  if (inner.startsWith('wc:')) return inner
  throw new Fault('bad_input', 'pairing uri in base64 expected wc: in front, got another text')
}

function readQuery(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = fromForm(at < 0 ? pair : pair.slice(0, at), 'pairing uri')
    if (values.has(name)) throw new Fault('bad_input', 'pairing uri expected each parameter once')
    values.set(name, at < 0 ? '' : fromForm(pair.slice(at + 1), 'pairing uri'))
  }
  return values
}

function wholeNumber(text: string): number {
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN
}

function hasScheme(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return false
  return !/^(https?|wss?|ftp)$/.test(scheme) || /^[a-z]+:[/\\]*[^/\\\s?#]/i.test(text)
}
