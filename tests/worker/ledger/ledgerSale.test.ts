import { describe, expect, test } from 'vitest'
import { readTerms } from '../../../src/events/sale/terms/terms.ts'
import { ledgerSaleOf } from '../../../src/worker/ledger/ledgerSale.ts'
import { exampleTerms, exampleTermsHash, exampleTermsText } from '../../events/values/exampleTerms.ts'
import { associatedAccount } from '../../stack/solana/programs.ts'

const { terms } = readTerms(exampleTermsText)
const first = { terms, hash: exampleTermsHash }
const second = { terms: { ...terms, version: 2 }, hash: 'b'.repeat(64) }

describe('a sale whose ledger is computed', () => {
  test('watches the treasury and its token accounts, and finds notices by their reference', () => {
    const sale = ledgerSaleOf([second, first])
    const usdc = associatedAccount(terms.treasury, terms.assets[1]?.mint ?? '')
    expect(sale.watched).toEqual([
      { asset: 'SOL', address: terms.treasury },
      { asset: 'USDC', address: usdc },
    ])
    expect(sale.first).toBe(first)
    expect(sale.noticeRef).toBe('8kyiMfQWSLCH1VXS2QcstArTxoa5riSF5t4zkYJeuVMG')
  })

  const allowlist = exampleTerms({ access: { mode: 'allowlist', sha256: '0'.repeat(64), url: 'https://a.example' } })

  test.each([
    ['no terms', [], 'version 1 of the terms, got none'],
    ['no first version', [second], 'version 1 of the terms, got 2'],
    ['a version twice', [first, second, second], 'version 2 twice'],
    ['another sale', [first, { ...second, terms: { ...second.terms, id: 'other' } }], 'mai-presale-1 and other'],
    ['an allowlist without its file', [{ ...first, terms: allowlist }], 'expected its file, got none'],
  ])('is refused with %s', (_name, versions, sentence) => {
    expect(() => ledgerSaleOf(versions)).toThrow(sentence)
  })

  test('of an open sale admits everyone, whatever list is given', () => {
    expect(ledgerSaleOf([first], new Set()).admitted).toBeUndefined()
  })
})
