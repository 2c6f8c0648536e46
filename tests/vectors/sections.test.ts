/** Every section of the published vectors is used by a test that is named here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import vectors from './walletconnect.json'

const folder = 'tests/worker'

/** Which test uses a section. */
const uses: Readonly<Record<string, string>> = {
  keyAgreement: 'walletconnect/crypto/crypto.test.ts',
  hashKey: 'walletconnect/crypto/crypto.test.ts',
  hashMessage: 'walletconnect/crypto/crypto.test.ts',
  'envelopes.type0': 'walletconnect/crypto/envelope.test.ts',
  'envelopes.type1': 'walletconnect/crypto/envelope.test.ts',
  'envelopes.type2': 'walletconnect/crypto/envelope.test.ts',
  'envelopes.bad': 'walletconnect/crypto/envelope.test.ts',
  didKey: 'walletconnect/crypto/clientId.test.ts',
  jwt: 'walletconnect/crypto/jwt.test.ts',
  relayUrl: 'walletconnect/relay/relayUrl.test.ts',
  subscriptionId: 'walletconnect/relay/subscriptionId.test.ts',
  'uri.parse': 'walletconnect/link/uri.test.ts',
  'uri.format': 'walletconnect/link/uri.test.ts',
  'uri.isValidUrl': 'walletconnect/link/uri.test.ts',
  'uri.pair': 'walletconnect/link/uri.test.ts',
  sdkErrors: 'walletconnect/relay/errors.test.ts',
  internalErrors: 'walletconnect/relay/errors.test.ts',
  'namespaces.validSession': 'walletconnect/session/namespaces.test.ts',
  'namespaces.validProposal': 'walletconnect/session/namespaces.test.ts',
  'namespaces.conforming': 'walletconnect/session/namespaces.test.ts',
  'namespaces.merge': 'walletconnect/session/namespaces.test.ts',
  'namespaces.build': 'walletconnect/session/namespaces.test.ts',
  'time.calcExpiry': 'walletconnect/time.test.ts',
  'time.requestExpiry': 'walletconnect/time.test.ts',
  deepLinks: 'walletconnect/link/deepLink.test.ts',
  'auth.recap': 'walletconnect/auth/cacao.test.ts',
  'auth.messages': 'walletconnect/auth/cacao.test.ts',
  'auth.badStatement': 'walletconnect/auth/cacao.test.ts',
  'auth.populate': 'walletconnect/auth/cacao.test.ts',
  'rpcIds.wcExample': 'walletconnect/relay/ids.test.ts',
  'rpcIds.relayExample': 'walletconnect/relay/ids.test.ts',
  'transcripts.happySession': 'walletconnect/recordedExchange.test.ts',
  'transcripts.rejection': 'walletconnect/recordedExchange.test.ts',
  'transcripts.oneClickAuth': 'walletconnect/recordedExchange.test.ts',
  'transcripts.oneClickAuthRejected': 'walletconnect/recordedExchange.test.ts',
}

/** Keys that describe the vectors and hold none. */
const words = ['meta', 'rpcIds.note', 'rpcIds.staleRule']

/** Sections one below the top, where the top has no list or table of its own. */
const divided = ['envelopes', 'uri', 'namespaces', 'time', 'auth', 'rpcIds', 'transcripts']

function sections(): string[] {
  return Object.entries(vectors).flatMap(([name, part]) =>
    divided.includes(name) ? Object.keys(part).map(below => `${name}.${below}`) : [name],
  )
}

/** @returns whether a source takes a section out of the vectors and does something with it */
function isUsed(source: string, section: string): boolean {
  const [top = '', below] = section.split('.')
  const text = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  if (below === undefined) return new RegExp(`\\bvectors\\.${top}\\b`).test(text)
  if (new RegExp(`\\bvectors\\.${top}\\.${below}\\b`).test(text)) return true
  const taken = [...text.matchAll(new RegExp(`const \\{([^}]*)\\} = vectors\\.${top}\\b`, 'g'))].map(([, names = '']) => names)
  const named = taken.flatMap(names => names.split(',').map(one => one.trim().split(/\s*:\s*/)))
  const name = named.find(([key]) => key === below)?.at(-1)
  if (name !== undefined) return text.split(new RegExp(`\\b${name}\\b`)).length > 2
  // The whole part under its own name
  if (new RegExp(`const \\{[^}]*\\b${top}\\b[^}]*\\} = vectors\\b`).test(text))
    return new RegExp(`\\b${top}\\.${below}\\b`).test(text)
  return new RegExp(`\\bvectors\\.${top}\\[`).test(text) && text.includes(`'${below}'`)
}

describe('the published vectors', () => {
  test('are known, section by section', () => {
    expect(sections().sort()).toEqual([...Object.keys(uses), ...words].sort())
  })

  test.each(Object.entries(uses))('%s are used by %s', (section, file) => {
    expect(isUsed(readFileSync(join(folder, file), 'utf8'), section)).toBe(true)
  })

  test('count as unused where a test only mentions them', () => {
    expect(isUsed('// vectors.jwt', 'jwt')).toBe(false)
    expect(isUsed('const { type0 } = vectors.envelopes', 'envelopes.type0')).toBe(false)
    expect(isUsed('const { type0: given } = vectors.envelopes\ntest.each(given)', 'envelopes.type0')).toBe(true)
  })

  test('are those of the clients they name, complete', () => {
    const counts = Object.fromEntries(sections().map(section => [section, sizeOf(section)]))
    expect(counts).toMatchObject({
      'transcripts.happySession': 6,
      sdkErrors: 21,
      internalErrors: 9,
      'uri.parse': 13,
      'namespaces.validSession': 10,
    })
    expect(Object.values(vectors.transcripts).map(({ frames }) => frames.length)).toEqual([92, 12, 24, 20])
  })
})

function sizeOf(section: string): number {
  const [top = '', below] = section.split('.')
  const part = (vectors as Record<string, unknown>)[top] as Record<string, unknown>
  const value = below === undefined ? part : part[below]
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1
}
