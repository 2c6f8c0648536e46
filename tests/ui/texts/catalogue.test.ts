import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accountArea } from '../../../src/ui/texts/account/en.ts'
import { activityArea } from '../../../src/ui/texts/activity/en.ts'
import { alertsArea } from '../../../src/ui/texts/alerts/en.ts'
import { sendArea } from '../../../src/ui/texts/send/en.ts'
import { agreementArea } from '../../../src/ui/texts/agreement/en.ts'
import { basics } from '../../../src/ui/texts/basics/en.ts'
import { buyArea } from '../../../src/ui/texts/buy/en.ts'
import { buttonsArea } from '../../../src/ui/texts/buttons/en.ts'
import { connectArea } from '../../../src/ui/texts/connect/en.ts'
import { feedArea } from '../../../src/ui/texts/feed/en.ts'
import { holdingArea } from '../../../src/ui/texts/holding/en.ts'
import { invoiceArea } from '../../../src/ui/texts/invoice/en.ts'
import { ledgerArea } from '../../../src/ui/texts/ledger/en.ts'
import { modalArea } from '../../../src/ui/texts/modal/en.ts'
import { networksArea } from '../../../src/ui/texts/networks/en.ts'
import { noticesArea } from '../../../src/ui/texts/notices/en.ts'
import { numbersIn } from '../../../src/ui/texts/numbers.ts'
import { orderArea } from '../../../src/ui/texts/order/en.ts'
import { recoveryArea } from '../../../src/ui/texts/recovery/en.ts'
import { relayArea } from '../../../src/ui/texts/relay/en.ts'
import { saleArea } from '../../../src/ui/texts/sale/en.ts'
import { signInArea } from '../../../src/ui/texts/signin/en.ts'
import { start } from '../../../src/ui/texts/start/en.ts'
import {
  addSurface,
  type Area,
  languageOf,
  languages,
  preferredTag,
  readTexts,
  textsIn,
} from '../../../src/ui/texts/language.tsx'
import { modalTexts, pageTexts } from '../../../src/ui/texts/surfaces/surfaces.ts'

const areas: Area<object>[] = [
  accountArea,
  activityArea,
  agreementArea,
  alertsArea,
  basics,
  buttonsArea,
  buyArea,
  connectArea,
  feedArea,
  holdingArea,
  invoiceArea,
  ledgerArea,
  modalArea,
  networksArea,
  noticesArea,
  orderArea,
  recoveryArea,
  relayArea,
  saleArea,
  sendArea,
  signInArea,
  start,
]
/** Texts whose parameters are lists or name one of several forms. */
const special = new Set(['oneOf', 'split', 'noAnswerFrom', 'tick'])
const others = languages.filter(language => language !== 'en')

/** All texts below a value, by their path; a function gets samples that no language writes by itself. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const samples = Array.from({ length: value.length }, (_, at) => `«${at}»`)
    return special.has(path.split('.').at(-1) ?? '') ? [] : textsOf(value(...samples), path)
  }
  return Object.entries(value as object).flatMap(([name, part]) => textsOf(part, path ? `${path}.${name}` : name))
}

const valuesOf = (text: string) => [...new Set(text.match(/«\d»/g))].sort().join()

describe('the catalogue', () => {
  test.each(others)('in %s holds each text with the values of the English one', async language => {
    addSurface(pageTexts)
    addSurface(modalTexts)
    expect(await readTexts(language)).toBe(true)
    for (const area of areas) {
      const [english, own] = [textsOf(area.english), textsOf(textsIn(area, language))]
      expect(textsIn(area, language)).not.toBe(area.english)
      expect(own.map(([path]) => path)).toEqual(english.map(([path]) => path))
      for (const [at, [path, text]] of own.entries()) {
        const wanted = valuesOf(english[at]?.[1] ?? '')
        // A plural may say one and two in words
        if (wanted !== '' && !/\.?(lying|judgedWithout|longerWithout)$/.test(path))
          expect(`${area.name}.${path}: ${valuesOf(text)}`).toBe(`${area.name}.${path}: ${wanted}`)
      }
    }
  })

  test('in English uses none of the phrases that were found odd', () => {
    const odd = [
      /\brelay/i,
      /\bgoes on\b/,
      /^Reading (the sale$|only)/,
      /Asking again|Not the latest/,
      /taken once only|can be taken once/,
      /To be counted|Counted at the next/,
      /Not charged\. Pay again|I did not approve/,
      /\d SOL are\b/,
      /others are faster|minimum protected/,
      /It waits in your wallet/,
      /not the announced ones/,
      /when it is set up/,
      /Nobody who/,
      /Digits and one point/,
      /\(copies\)/,
      /tolerance/i,
      /Save a recording|comes from there/,
    ]
    const texts = areas.flatMap(area => textsOf(area.english).map(([path, text]) => `${area.name}.${path}: ${text}`))
    expect(texts.filter(text => odd.some(phrase => phrase.test(text.slice(text.indexOf(' ') + 1))))).toEqual([])
  })

  test('in English has no space before a percent sign, nor has the replayer', () => {
    const replayer = join(import.meta.dirname, '../../../src/ui/replayer')
    const files = readdirSync(replayer, { recursive: true, encoding: 'utf8' }).filter(path => /\.tsx?$/.test(path))
    const lines = files.flatMap(path => readFileSync(join(replayer, path), 'utf8').split('\n'))
    expect(lines.length).toBeGreaterThan(1000)
    const texts = [...lines, ...areas.flatMap(area => textsOf(area.english).map(([, text]) => text))]
    expect(texts.filter(text => /[\d}»] %(?! \w)/.test(text))).toEqual([])
  })

  test('Arabic has six forms of a number', async () => {
    await readTexts('ar')
    const { refundWithin } = textsIn(saleArea, 'ar')
    expect(new Set([0, 1, 2, 3, 11, 100].map(count => refundWithin(count).replace(/\d+/, 'n'))).size).toBeGreaterThan(4)
    expect(refundWithin(2)).toContain('يومين')
    expect(refundWithin(3)).toContain('3 أيام')
    expect(refundWithin(11)).toContain('11 يومًا')
  })

  test('a language that cannot be loaded leaves English', async () => {
    const lost = async () => Promise.reject(new Error('gone'))
    addSurface(async () => ({ default: { de: lost, es: lost, ja: lost, ar: lost } }))
    expect(await readTexts('ja')).toBe(false)
    expect(textsIn({ name: 'none', english: { a: 'A' } }, 'ja')).toEqual({ a: 'A' })
  })
})

test.each([
  [['de-AT', 'en'], 'de-AT', 'de'],
  [['fr', 'ES-mx'], 'ES-mx', 'es'],
  [['fr'], 'en', 'en'],
  [['arn', 'den'], 'en', 'en'],
  [[], 'en', 'en'],
] as const)('languages: of %j the page speaks %s', (tags, tag, language) => {
  expect(preferredTag(tags)).toBe(tag)
  expect(languageOf(tag)).toBe(language)
})

test('numbers: exact in each language, whatever their length', () => {
  const units = '12345678901234567890123456789'
  expect(languages.map(language => numbersIn(language).amount(units, 9))).toEqual([
    '12,345,678,901,234,567,890.123456789',
    '12.345.678.901.234.567.890,123456789',
    '12.345.678.901.234.567.890,123456789',
    '12,345,678,901,234,567,890.123456789',
    '12,345,678,901,234,567,890.123456789',
  ])
  expect(numbersIn('de').money('1234500000000000')).toBe('1.234,5\u00a0$')
  expect(numbersIn('en').day(Date.UTC(2026, 8, 7))).toBe('7 Sep 2026')
})
