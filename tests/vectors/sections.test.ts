/** Every section of the published vectors is used by a test that is named here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import vectors from './walletconnect.json'

const folder = 'tests/worker/walletconnect'

/** Which test uses a section. */
const uses: Readonly<Record<string, string>> = {
  keyAgreement: 'crypto.test.ts',
  hashKey: 'crypto.test.ts',
  hashMessage: 'crypto.test.ts',
  'envelopes.type0': 'envelope.test.ts',
  'envelopes.type1': 'envelope.test.ts',
  'envelopes.type2': 'envelope.test.ts',
  'envelopes.bad': 'envelope.test.ts',
  didKey: 'clientId.test.ts',
  jwt: 'jwt.test.ts',
  relayUrl: 'relayUrl.test.ts',
  subscriptionId: 'subscriptionId.test.ts',
  'uri.parse': 'uri.test.ts',
  'uri.format': 'uri.test.ts',
  'uri.isValidUrl': 'uri.test.ts',
  'uri.pair': 'uri.test.ts',
  sdkErrors: 'errors.test.ts',
  internalErrors: 'errors.test.ts',
  'namespaces.validSession': 'namespaces.test.ts',
  'namespaces.validProposal': 'namespaces.test.ts',
  'namespaces.conforming': 'namespaces.test.ts',
  'namespaces.merge': 'namespaces.test.ts',
  'namespaces.build': 'namespaces.test.ts',
  'time.calcExpiry': 'time.test.ts',
  'time.requestExpiry': 'time.test.ts',
  deepLinks: 'deepLink.test.ts',
  'auth.recap': 'cacao.test.ts',
  'auth.messages': 'cacao.test.ts',
  'auth.badStatement': 'cacao.test.ts',
  'auth.populate': 'cacao.test.ts',
  'rpcIds.wcExample': 'ids.test.ts',
  'rpcIds.relayExample': 'ids.test.ts',
  'transcripts.happySession': 'recordedExchange.test.ts',
  'transcripts.rejection': 'recordedExchange.test.ts',
  'transcripts.oneClickAuth': 'recordedExchange.test.ts',
  'transcripts.oneClickAuthRejected': 'recordedExchange.test.ts',
}

/** What tells about the vectors and holds none. */
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
  test('are known section by section', () => {
    expect(sections().sort()).toEqual([...Object.keys(uses), ...words].sort())
  })

  test.each(Object.entries(uses))('%s are used by %s', (section, file) => {
    expect(isUsed(readFileSync(join(folder, file), 'utf8'), section)).toBe(true)
  })

  test('count as unused where a test only speaks of them', () => {
    expect(isUsed('// vectors.jwt', 'jwt')).toBe(false)
    expect(isUsed('const { type0 } = vectors.envelopes', 'envelopes.type0')).toBe(false)
    expect(isUsed('const { type0: given } = vectors.envelopes\ntest.each(given)', 'envelopes.type0')).toBe(true)
  })

  test('are the vectors of the clients they name, in full', () => {
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
