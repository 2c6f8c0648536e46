import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskedWithin, maskText } from '../../../src/events/analytics/maskText.ts'
import { quoting, someSecrets } from './secrets.ts'

const topic = 'f9a0c7d2'.repeat(8)
const solana = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri'
const ethereum = '0x2aae531a81461f029cd55cb46703211c9227ba05'

test.each([
  [`account ${solana} is unknown`, 'account … is unknown'],
  [`${ethereum}: insufficient funds`, '…: insufficient funds'],
  [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}`, 'solana:…:…'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq paid', '… paid'],
  [`cannot open wc:${topic}@2?symKey=${topic} now`, 'cannot open … now'],
  [`phantom://wc?uri=wc%3A${topic}%402`, 'phantom://wc'],
  ['uri%3Dwc%253Aabc%25402 fails', 'uri%3D… fails'],
  ['symKey=abc is short', '… is short'],
  [`topic ${topic.toUpperCase()}!`, 'topic …!'],
  ['at buy (https://shop.example/a.js?token=1#x:10:5)', 'at buy (https://shop.example/a.js'],
  ['https://me:word@shop.example/a', 'https://shop.example/a'],
  ['token eyJhbGciOiJFZERTQSJ9.eyJpc3MiOi.c-_x is over', 'token … is over'],
  ['mail of a.b+c@shop.example came', 'mail of … came'],
])('mask: %s', (text, masked) => {
  expect(maskText(text)).toBe(masked)
})

test.each([
  'User rejected the request',
  'at connect@https://shop.example/assets/main-Bq3x9a.js:1:2345',
  'projectId 0123456789abcdef is short',
  'request 0f0b2b1e-3c4d-4e5f-8a9b-0c1d2e3f4a5b expected an answer within 10000 ms, got none',
])('mask: leaves %s', text => {
  expect(maskText(text)).toBe(text)
})

test('mask: no key, topic or address is left of any text that quotes them', () => {
  fc.assert(
    fc.property(
      someSecrets.chain(secrets => fc.tuple(fc.constant(secrets), quoting(secrets))),
      ([secrets, text]) => {
        const masked = maskText(text).toLowerCase()
        for (const secret of Object.values(secrets)) expect(masked).not.toContain(secret.toLowerCase())
      },
    ),
    { seed: 71, numRuns: 500 },
  )
})

test('mask: a text masked twice is the text masked once', () => {
  const texts = fc.oneof(
    someSecrets.chain(quoting),
    fc.string({ unit: fc.constantFrom('wc', ':', '%3a', '://', '?', '#', '@', '.', 'a', 'eyJ', ' ', 'x'.repeat(20)) }),
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, most) => {
      expect(maskText(maskText(text))).toBe(maskText(text))
      expect(maskedWithin(maskedWithin(text, most), most)).toBe(maskedWithin(text, most))
    }),
    { seed: 72, numRuns: 500 },
  )
})

test('mask: a long text is cut between words', () => {
  expect(maskedWithin('one two three', 13)).toBe('one two three')
  expect(maskedWithin('one two three', 9)).toBe('one two…')
  expect(maskedWithin('one\ntwo three', 6)).toBe('one…')
  expect(maskedWithin('onetwothree', 5)).toBe('…')
  expect(maskedWithin(`for ${solana} or`, 20)).toBe('for…')
  expect(maskedWithin(`for ${solana} or`, 49)).toBe('for ……')
})

test('mask: a huge text is cut before it is read', () => {
  for (const piece of ['://', 'wc', 'a@', 'eyJ', 'x:'])
    expect(maskedWithin(`one ${piece.repeat(500_000)} ${piece}`, 1024)).toBe('one…')
})
