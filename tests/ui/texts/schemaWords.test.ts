/** Words of our own schemas that a person is shown have a name in each language: conditions of the terms, fields of a transaction. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { frozenChanges } from '../../../src/events/sale/saleChanges.ts'
import type { Terms } from '../../../src/events/sale/terms/termsShape.ts'
import type { DecodedInstruction, DecodedTransaction } from '../../../src/events/values/solana/transaction.ts'
import { saleWordsIn } from '../../../src/ui/presale/saleWords.ts'
import { addSurface, languages, readTexts } from '../../../src/ui/texts/language.tsx'
import { pageTexts } from '../../../src/ui/texts/surfaces/surfaces.ts'
import { checkBuilt, checkSigned, type ExpectedOrder } from '../../../src/worker/chains/solana/check.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { exampleTerms } from '../../events/values/exampleTerms.ts'

beforeAll(async () => {
  addSurface(pageTexts)
  for (const language of languages) await readTexts(language)
})

type Whole<T> = { [K in keyof T]-?: Whole<T[K]> }
const { mint } = exampleTerms().assets[1] ?? {}
/** With every field that terms may have. */
const whole = {
  ...exampleTerms(),
  access: { mode: 'allowlist', sha256: 'ab'.repeat(32), url: 'https://a.example/list' },
  assets: exampleTerms().assets.map(asset => ({ ...asset, mint: mint ?? '' })),
  stages: exampleTerms().stages.map(stage => ({ ...stage, endsAt: 1_799_000_000 })),
  backend: 'direct',
} satisfies Whole<Terms>
const conditions = [...new Set(frozenChanges(whole, {} as Terms).map(({ path }) => path.replace(/\.\d+\./, '.')))]

const account = (letter: string) => letter.repeat(44)
const [buyer, other] = [account('b'), account('o')]
type Transfer = ExpectedOrder['transfer']
const native: Transfer = { kind: 'transfer', from: buyer, to: account('t'), lamports: '5', references: ['r'] }
const token = {
  kind: 'tokenTransfer' as const,
  source: account('s'),
  mint: account('m'),
  destination: account('d'),
  owner: buyer,
  amount: '5',
  decimals: 6,
  references: ['r'],
  program: programs.token,
} satisfies Transfer
const created = {
  kind: 'createTokenAccount',
  payer: buyer,
  account: token.destination,
  owner: account('w'),
  mint: token.mint,
  program: token.program,
} as const
const order = (transfer: Transfer, more: Partial<ExpectedOrder> = {}): ExpectedOrder => {
  return { buyer, memo: 'text', fee: '5000', blockhash: 'hash', transfer, ...more }
}
const transaction = (instructions: readonly object[], more: Partial<DecodedTransaction> = {}): DecodedTransaction => {
  return { feePayer: buyer, blockhash: 'hash', signers: [buyer], ...more, instructions: instructions as never }
}
/** Each field with another value. */
const altered = (one: object): object =>
  Object.fromEntries(Object.entries(one).map(([field, value]) => [field, field === 'kind' ? value : `other ${value}`]))
const budget = (name: string): DecodedInstruction => ({ kind: 'other', program: programs.computeBudget, name })
const settings = [
  { kind: 'computeLimit', units: 1_400_000 },
  { kind: 'computePrice', microLamports: '900000000' },
  budget('requestHeapFrame'),
  budget('setLoadedAccountsDataSizeLimit'),
]
const memo = { kind: 'memo', text: 'text' }
/** Transactions with every deviation, beside their orders. */
const deviations: [DecodedTransaction, ExpectedOrder][] = [
  [
    transaction([...settings, ...settings, { kind: 'other', program: other }], {
      feePayer: other,
      blockhash: 'other',
      signers: [],
      tables: 1,
    }),
    order(native),
  ],
  ...[native, token].map((transfer): [DecodedTransaction, ExpectedOrder] => [
    transaction([{ ...memo, text: 'other' }, altered(transfer)]),
    order(transfer),
  ]),
  [transaction([memo, token]), order(native)],
  [transaction([memo, altered(created), token]), order(token, { createdFor: created.owner })],
  [transaction([memo, token]), order(token, { createdFor: created.owner })],
]
const differences = deviations.flatMap(([decoded, expected]) =>
  [checkBuilt(decoded, expected), checkSigned(decoded, expected)].flatMap(check => (check.ok ? [] : check.differences)),
)
const fields = [...new Set(differences.map(({ field }) => field))]

describe.each(languages)('in %s', language => {
  test('each frozen condition of the terms has a name', () => {
    const { sale } = saleWordsIn(language)
    const isNamed = (path: string) => path.startsWith('refund.minUnits.') || Object.hasOwn(sale.conditions, path)
    expect(conditions.length).toBeGreaterThan(35)
    expect(conditions.filter(path => !isNamed(path))).toEqual([])
    expect(sale.leastRefund('SOL')).toContain('SOL')
  })

  test('each field of a changed transaction has a name, and each word of the comparison', () => {
    const { order: texts } = saleWordsIn(language)
    expect(fields.filter(field => !Object.hasOwn(texts.fields, field))).toEqual([])
    const words = ['none beside the payment', '1 at most', 'absent', native.kind, token.kind]
    const said = new Set(differences.flatMap(one => (one.of === 'word' ? [one.expected, one.got] : [])))
    for (const word of words) {
      expect([...said]).toContain(word)
      expect(Object.hasOwn(texts.values, word)).toBe(true)
    }
  })
})

test('the deviations above have every field that the comparison names', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../src/worker/chains/solana/check.ts'), 'utf8')
  const named = [...source.matchAll(/(?:(?:word|keys)\(|field: )'([^']+)'/g)].map(([, field]) => field)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(field => !fields.includes(field ?? ''))).toEqual([])
  const parts = (of: string, one: object) => Object.keys(one).map(field => `${of}.${field}`)
  const all = [...parts('transfer', native), ...parts('transfer', token), ...parts('account', created)]
  expect(all.filter(field => field !== 'account.kind' && !fields.includes(field))).toEqual([])
})
