import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { canonicalTerms, readTerms, type Terms } from '../../../../src/events/sale/terms/terms.ts'
import { exampleTerms, exampleTermsHash, exampleTermsText } from '../../values/exampleTerms.ts'

const hashOf = (canonical: string) => bytesToHex(sha256(utf8ToBytes(canonical)))

function refusal(text: string): { code: string; rule: unknown } {
  try {
    readTerms(text)
  } catch (cause) {
    if (cause instanceof Fault) return { code: cause.code, rule: cause.facts?.rule }
    throw cause
  }
  return { code: 'read', rule: '' }
}

const rule = (changes: Partial<Terms>) => refusal(JSON.stringify(exampleTerms(changes))).rule

describe('published terms', () => {
  test('the example has 1454 canonical bytes and its published hash', () => {
    const { canonical } = readTerms(exampleTermsText)
    expect(utf8ToBytes(canonical)).toHaveLength(1454)
    expect(hashOf(canonical)).toBe(exampleTermsHash)
  })

  test('white space and the order of keys do not change the hash', () => {
    const shuffled = JSON.stringify(Object.fromEntries(Object.entries(exampleTerms()).reverse()), null, 4)
    expect(hashOf(readTerms(shuffled).canonical)).toBe(exampleTermsHash)
  })

  test('reading canonical text gives the same canonical text', () => {
    const { terms, canonical } = readTerms(exampleTermsText)
    expect(readTerms(canonical).canonical).toBe(canonical)
    expect(canonicalTerms(terms)).toBe(canonical)
  })
})

describe('an ambiguous document is refused', () => {
  const swap = (from: string, to: string) => refusal(exampleTermsText.replace(from, to))

  test.each([
    ['a key twice', '"version":1,', '"version":1,"version":1,', 'TERMS_DUPLICATE_KEY'],
    ['a key twice, once escaped', '"version":1,', '"version":1,"versi\\u006fn":1,', 'TERMS_DUPLICATE_KEY'],
    ['a prototype key', '"version":1,', '"version":1,"__proto__":{},', 'TERMS_FORBIDDEN_KEY'],
    ['a constructor key deep inside', '"minUnits":{', '"minUnits":{"constructor":"1",', 'TERMS_FORBIDDEN_KEY'],
    ['a backend outside its grammar', '"version":1,', '"version":1,"backend":"Direct",', 'TERMS_SCHEMA'],
    ['an unknown key', '"version":1,', '"version":1,"extra":1,', 'TERMS_SCHEMA'],
    ['a missing key', '"version":1,', '', 'TERMS_SCHEMA'],
    ['a number with a fraction', '"version":1,', '"version":1.0,', 'TERMS_NUMBER'],
    ['a number with an exponent', '"version":1,', '"version":1e0,', 'TERMS_NUMBER'],
    ['a negative zero', '"cliffSeconds":0', '"cliffSeconds":-0', 'TERMS_NUMBER'],
    ['a number with a leading zero', '"version":1,', '"version":01,', 'TERMS_JSON'],
    ['a number beyond 2^53', '"cliffSeconds":0', '"cliffSeconds":9007199254740993', 'TERMS_NUMBER'],
    ['an amount as a number', '"softCap":"200000000000000000"', '"softCap":200', 'TERMS_SCHEMA'],
    ['an amount with a leading zero', '"softCap":"2', '"softCap":"02', 'TERMS_SCHEMA'],
    ['a list in place of amounts', '"minUnits":{"SOL":"1000000","USDC":"10000"}', '"minUnits":[]', 'TERMS_SCHEMA'],
    ['half a surrogate pair', '"name":"Stage 1"', '"name":"\\ud800"', 'TERMS_JSON'],
    ['text behind the end', '"risk"]}}', '"risk"]}} x', 'TERMS_JSON'],
    ['a comma too many', '"risk"]}}', '"risk",]}}', 'TERMS_JSON'],
    ['a broken end', '"risk"]}}', '"risk"', 'TERMS_JSON'],
    ['a byte order mark', '{"format"', '\ufeff{"format"', 'TERMS_JSON'],
    ['a raw line break in a string', 'Stage 1', 'Stage\n1', 'TERMS_JSON'],
    ['a stage name of 41 characters', 'Stage 1', '€'.repeat(41), 'TERMS_SCHEMA'],
  ])('for %s', (_, from, to, expected) => {
    expect(swap(from, to)).toEqual({ code: 'terms_invalid', rule: expected })
  })

  test('more than 64 KiB, counted in UTF-8', () => {
    expect(refusal(exampleTermsText + ' '.repeat(65_536)).rule).toBe('TERMS_SIZE')
    expect(refusal(`"${'€'.repeat(21_845)}"`).rule).toBe('TERMS_SIZE')
  })

  test('more than 8 levels, without running out of stack on many thousands', () => {
    expect(refusal(`${'['.repeat(9)}${']'.repeat(9)}`).rule).toBe('TERMS_DEPTH')
    expect(refusal('['.repeat(60_000)).rule).toBe('TERMS_DEPTH')
    expect(refusal(`${'['.repeat(8)}${']'.repeat(8)}`).rule).toBe('TERMS_SCHEMA')
  })

  test('a stage name of 40 characters outside the basic plane is 40 characters', () => {
    expect(refusal(exampleTermsText.replace('Stage 1', '😀'.repeat(40))).code).toBe('read')
  })
})

describe('each rule beyond the schema has a name', () => {
  const base = exampleTerms()
  const [sol, usdc] = base.assets as [Terms['assets'][0], Terms['assets'][0]]
  const [one, two, three] = base.stages as [Terms['stages'][0], Terms['stages'][0], Terms['stages'][0]]
  const { vesting, refund, referral, token } = base

  /** One base unit of USDC is worth one credit. */
  const wide = (credits: string): Partial<Terms> => ({
    assets: [sol, { ...usdc, creditsPerUnit: '1' }],
    stages: [{ name: 'Wide', credits, price: '2000000000' }],
  })

  test.each<[string, Partial<Terms>]>([
    ['TERMS_BACKEND', { backend: 'meteora' }],
    ['TERMS_BACKEND', { backend: 'constructor' }],
    ['TERMS_BACKEND', { backend: 'meteora', vault: base.treasury } as Partial<Terms>],
    ['TERMS_TEXT', { stages: [{ ...one, name: 'Stage\u202e 1' }, two, three] }],
    ['TERMS_TEXT', { legal: { ...base.legal, url: `${base.legal.url}\u2066` } }],
    ['TERMS_KEY', { treasury: '1'.repeat(33) }],
    ['TERMS_KEY', { cluster: { name: 'localnet', genesisHash: 'z'.repeat(44) } }],
    ['TERMS_TREASURY_AUTHORITY', { treasury: base.authority }],
    ['TERMS_START_END', { start: base.end }],
    ['TERMS_STAGE_TIME', { stages: [{ ...one, endsAt: base.start }, two, three] }],
    ['TERMS_STAGE_TIME', { stages: [{ ...one, endsAt: base.end + 1 }, two, three] }],
    ['TERMS_STAGE_TIME_ORDER', { stages: [{ ...one, endsAt: base.end }, two, { ...three, endsAt: base.end }] }],
    ['TERMS_STAGE_TIME_ORDER', { stages: [{ ...one, endsAt: base.end }, { ...two, endsAt: base.end - 1 }, three] }],
    ['TERMS_STAGE_EMPTY', { stages: [{ ...one, credits: '0' }, two, three] }],
    ['TERMS_STAGE_FREE', { stages: [{ ...one, price: '0' }, two, three] }],
    ['TERMS_STAGE_DIVISIBLE', { stages: [{ ...one, price: '700000001' }, two, three] }],
    ['TERMS_SOFT_CAP', { softCap: '825000000000000001' }],
    ['TERMS_MIN_ORDER', { minOrder: '25000000000000001' }],
    ['TERMS_MAX_BUYER', { maxBuyer: '825000000000000001' }],
    ['TERMS_RATE_ZERO', { assets: [{ ...sol, creditsPerUnit: '0' }, usdc] }],
    ['TERMS_RATE_ABOVE_MIN_ORDER', { assets: [sol, { ...usdc, creditsPerUnit: '10000000000001' }] }],
    ['TERMS_MIN_ORDER_REFUND', { refund: { ...refund, minUnits: { USDC: '1000001' } } }],
    ['TERMS_MIN_ORDER_RENT', { minOrder: '1425407999999', refund: { ...refund, minUnits: {} } }],
    ['TERMS_NATIVE_TWICE', { assets: [sol, { ...sol, symbol: 'SOL2' }] }],
    ['TERMS_ASSET_TWICE', { assets: [usdc, { ...usdc, symbol: 'USDT' }] }],
    ['TERMS_ASSET_TWICE', { assets: [sol, { ...usdc, symbol: 'SOL' }] }],
    ['TERMS_ASSET_MINT', { assets: [{ ...sol, mint: usdc.mint as string }] }],
    ['TERMS_ASSET_MINT', { assets: [{ symbol: 'USDC', kind: 'spl', decimals: 6, creditsPerUnit: '1000000' }] }],
    ['TERMS_ASSET_IS_TOKEN', { assets: [{ ...usdc, mint: token.mint as string }] }],
    ['TERMS_NATIVE_SOL', { assets: [{ ...sol, decimals: 10 }, usdc] }],
    ['TERMS_NATIVE_SOL', { assets: [{ ...sol, symbol: 'USDC' }] }],
    ['TERMS_NATIVE_SOL', { assets: [{ ...usdc, symbol: 'SOL' }] }],
    ['TERMS_TOKEN_SYMBOL', { token: { ...token, symbol: 'SOL' } }],
    ['TERMS_TOKEN_SYMBOL', { token: { ...token, symbol: 'USDC' }, assets: [sol] }],
    ['TERMS_TOKEN_SYMBOL', { assets: [sol, { ...usdc, symbol: 'MAI' }] }],
    ['TERMS_UNIT', { unit: { symbol: 'EUR', decimals: 12 } }],
    ['TERMS_USDC_MINT', { assets: [sol, { ...usdc, mint: base.authority }] }],
    ['TERMS_TGE_SHARE', { vesting: { ...vesting, tgeBps: 10_000 } }],
    ['TERMS_TGE_SHARE', { vesting: { ...vesting, periods: 0 } }],
    ['TERMS_TGE_TIME', { vesting: { ...vesting, tgeAt: base.end - 1 } }],
    ['TERMS_VESTING_TIME', { vesting: { ...vesting, cliffSeconds: 253_402_300_799 } }],
    ['TERMS_ALLOWLIST', { access: { mode: 'allowlist', url: 'https://example.org/list' } }],
    ['TERMS_ALLOWLIST', { access: { mode: 'allowlist', sha256: base.legal.sha256 } }],
    ['TERMS_TOKENS_RANGE', { referral: { ...referral, pool: '17696744073709551616' } }],
    ['TERMS_UNITS_RANGE', { stages: [{ name: 'Wide', credits: `4${'0'.repeat(24)}`, price: `1${'0'.repeat(20)}` }] }],
    ['TERMS_UNITS_RANGE', wide('18446744073709551616')],
  ])('with a breach of %s is refused under that name (%#)', (expected, changes) => {
    expect(rule(changes)).toBe(expected)
  })

  test('terms that name the first backend are accepted, as other terms than those that name none', () => {
    const named = readTerms(JSON.stringify({ ...base, backend: 'direct' }))
    expect(named.terms.backend).toBe('direct')
    expect(named.canonical).not.toBe(readTerms(exampleTermsText).canonical)
  })

  test('terms at the edge of each rule are accepted', () => {
    const edge = exampleTerms({
      softCap: '825000000000000000',
      maxBuyer: '825000000000000000',
      minOrder: '1600000000000',
      refund: { ...refund, minUnits: { SOL: '1000000', USDC: '160000' } },
      referral: { ...referral, pool: '17696744073709551615' },
      stages: [{ ...one, endsAt: base.start + 1 }, two, { ...three, endsAt: base.end }],
    })
    expect(refusal(JSON.stringify(edge)).code).toBe('read')
  })

  test.each<[string, Partial<Terms>]>([
    ['minOrder of ten rent minimums', { minOrder: '1425408000000', refund: { ...refund, minUnits: {} } }],
    [
      'a unit that is worth minOrder',
      { assets: [sol, { ...usdc, creditsPerUnit: base.minOrder }], refund: { ...refund, minUnits: {} } },
    ],
    ['minOrder that is maxBuyer', { maxBuyer: base.minOrder }],
    ['tokens from the end on', { vesting: { ...vesting, tgeAt: base.end } }],
    ['units just below 2^64', wide('18446744073709551614')],
  ])('terms with %s are accepted', (_name, changes) => {
    expect(rule(changes)).toBe('')
  })

  test('a document of 64 KiB is accepted, with a byte more it is not', () => {
    expect(refusal(exampleTermsText.padEnd(65_536)).code).toBe('read')
    expect(refusal(exampleTermsText.padEnd(65_537)).rule).toBe('TERMS_SIZE')
  })
})

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Every document that differs from this one at one place: a value changed or of another kind, a key or an entry more or less. */
function neighbours(value: Json): Json[] {
  const others: Json[] = [null, true, 0, '', 'x', [], {}]
  const changed: Json[] = typeof value === 'number' ? [value + 1, -value, value + 0.5] : []
  if (typeof value === 'string') {
    const last = String.fromCodePoint((value.codePointAt(value.length - 1) ?? 64) + 1)
    changed.push(
      `${value} `,
      `${value}0`,
      `0${value}`,
      value.slice(0, -1),
      `${value.slice(0, -1)}${last}`,
      value.toUpperCase(),
    )
  }
  if (Array.isArray(value)) {
    changed.push([...value].reverse())
    for (const [at, entry] of value.entries()) {
      changed.push([...value.slice(0, at), ...value.slice(at + 1)], [...value.slice(0, at), entry, ...value.slice(at)])
      changed.push(...neighbours(entry).map(one => [...value.slice(0, at), one, ...value.slice(at + 1)]))
    }
  } else if (typeof value === 'object' && value !== null) {
    changed.push({ ...value, more: 1 })
    for (const [key, entry] of Object.entries(value)) {
      const { [key]: _, ...rest } = value
      changed.push(rest, ...neighbours(entry).map(one => ({ ...value, [key]: one })))
    }
  }
  const own = JSON.stringify(value)
  return [...others, ...changed].filter(one => JSON.stringify(one) !== own)
}

test('each single field changed, added or left out is refused or changes the hash', () => {
  const documents = neighbours(JSON.parse(exampleTermsText) as Json).map(one => JSON.stringify(one))
  const read = documents.filter(text => refusal(text).code === 'read')
  expect(documents.length).toBeGreaterThan(500)
  expect(read.length).toBeGreaterThan(50)
  expect(read.filter(text => hashOf(readTerms(text).canonical) === exampleTermsHash)).toEqual([])
  expect(documents.filter(text => !['read', 'terms_invalid'].includes(refusal(text).code))).toEqual([])
})

describe('arbitrary terms', () => {
  test('a byte changed anywhere is refused or changes the hash', () => {
    const { canonical } = readTerms(exampleTermsText)
    fc.assert(
      fc.property(fc.nat(canonical.length - 1), fc.integer({ min: 32, max: 126 }), (at, code) => {
        const changed = canonical.slice(0, at) + String.fromCharCode(code) + canonical.slice(at + 1)
        if (changed === canonical) return
        let read: string | undefined
        try {
          read = readTerms(changed).canonical
        } catch (cause) {
          expect(cause).toBeInstanceOf(Fault)
        }
        expect(read).not.toBe(canonical)
      }),
      { numRuns: 600 },
    )
  })

  test('any text either reads or is refused with a Fault', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.json({ maxDepth: 12 })), text => {
        expect(refusal(text).code).toBe('terms_invalid')
      }),
      { numRuns: 400 },
    )
  })
})
