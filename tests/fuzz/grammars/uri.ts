/** Pairing URIs by the reference's §9.1. */
import { isUtf8 } from 'node:buffer'
import { bytesOf } from './envelope.ts'

export type UriSays = {
  topic: string
  symKey: string
  data: string | undefined
  methods: string[] | undefined
  expiryTimestamp: number | undefined
}

/** @returns the content of a URI a wallet may pair with at that time; undefined otherwise */
export function uriOf(text: string, nowMs: number): UriSays | undefined {
  const uri = text.startsWith('wc:') ? text : unwrapped(text)
  const parts = /^wc:(?:\/\/)?([0-9a-f]{64})@2\?(.*)$/s.exec(uri ?? '')
  const query = queryOf(parts?.[2] ?? '')
  if (!parts || !query || query.get('relay-protocol') !== 'irn') return undefined
  const symKey = query.get('symKey') ?? ''
  if (!/^[0-9a-f]{64}$/i.test(symKey)) return undefined
  const ends = query.get('expiryTimestamp')
  if (ends !== undefined && (!/^(?:0|[1-9]\d{0,14})$/.test(ends) || nowMs >= Number(ends) * 1000)) return undefined
  return {
    topic: parts[1] ?? '',
    symKey,
    data: query.get('relay-data'),
    methods: query.get('methods')?.split(','),
    expiryTimestamp: ends === undefined ? undefined : Number(ends),
  }
}

/** A text without the prefix `wc:` may be base64 of one with it. */
function unwrapped(text: string): string | undefined {
  const bytes = bytesOf(text)
  return bytes && isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/** @returns the parameters; undefined for a duplicate or an invalid form encoding */
function queryOf(query: string): Map<string, string> | undefined {
  const found = new Map<string, string>()
  for (const pair of query.split('&').filter(part => part !== '')) {
    const [name = '', ...rest] = pair.split('=')
    const [key, value] = [formText(name), formText(rest.join('='))]
    if (key === undefined || value === undefined || found.has(key)) return undefined
    found.set(key, value)
  }
  return found
}

/** Percent escapes are bytes of UTF-8; each run must be whole characters. */
function formText(text: string): string | undefined {
  // A lone surrogate is no character
  if (/%(?![0-9a-fA-F]{2})|\p{Surrogate}/u.test(text)) return undefined
  let isWhole = true
  const value = text.replaceAll('+', ' ').replace(/(?:%[0-9a-fA-F]{2})+/g, run => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex')
    isWhole &&= isUtf8(bytes)
    return bytes.toString('utf8')
  })
  return isWhole ? value : undefined
}
