import { describe, expect, test } from 'vitest'
import { changesSincePin, frozenChanges } from '../../../src/events/sale/saleChanges.ts'
import { exampleTerms } from '../values/exampleTerms.ts'

const terms = exampleTerms()
const [first, ...others] = terms.stages

describe('a change of announced terms', () => {
  test.each([
    ['the treasury', { treasury: terms.authority }, 'treasury', terms.treasury, terms.authority],
    ['a price', { stages: [{ ...first, price: '1' }, ...others] }, 'stages.0.price', '600000000', '1'],
    ['a stage less', { stages: terms.stages.slice(0, 2) }, 'stages.2.price', '1500000000', ''],
    ['the token’s mint', { token: { ...terms.token, mint: null } }, 'token.mint', terms.token.mint, ''],
    ['an earlier end', { end: terms.end - 1 }, 'end', String(terms.end), String(terms.end - 1)],
    ['an earlier version', { version: 0 }, 'version', '1', '0'],
  ])('may not touch %s', (_name, changed, path, before, after) => {
    expect(frozenChanges(terms, exampleTerms(changed as never))).toContainEqual({ path, before, after })
  })

  test('needs a greater version, whatever it touches', () => {
    const path = 'version'
    const legal = { ...terms.legal, url: 'https://example.org/other' }
    expect(frozenChanges(terms, exampleTerms({ legal }))).toEqual([{ path, before: '1', after: '1' }])
    expect(frozenChanges(terms, exampleTerms({ version: 2, legal }))).toEqual([])
    expect(frozenChanges(terms, exampleTerms())).toEqual([])
  })

  test('is not shown to a device by a version that is the same', () => {
    const pins = { [terms.id]: { terms, termsHash: '' } }
    const since = (changes: object) =>
      changesSincePin({ pins, terms: { phase: 'read', terms: exampleTerms(changes) } } as never)
    expect(since({ legal: { ...terms.legal, url: 'https://example.org/other' } })).toEqual([])
    expect(since({ softCap: '1' }).map(({ path }) => path)).toEqual(['softCap'])
  })

  test('may touch the version, a later end, the rates and the legal documents', () => {
    const assets = terms.assets.map(asset => ({ ...asset, creditsPerUnit: '7' }))
    const legal = { ...terms.legal, url: 'https://example.org/other', acknowledge: [] }
    expect(frozenChanges(terms, exampleTerms({ version: 2, end: terms.end + 1, assets, legal }))).toEqual([])
  })
})
