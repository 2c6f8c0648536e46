import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText, protocolName, writtenOut } from '../../../src/events/values/text/cleanText.ts'

test.each([
  ['bidi controls', '\u202eTorch\u202c \u2066x\u2069\u200f', 'Torch x'],
  ['line ends', 'Torch\nand\r\nmore\u2028of\u2029it\u0085', 'Torch and more of it'],
  ['control characters', '\u0000To\u0007rch\u007f\u009f', 'Torch'],
  ['what draws nothing', 'To\u200b\u2060\ufe0f\u3164\u115f\u00ad\ufffcrch\u{e0041}\u{1d159}', 'Torch'],
  ['blanks of any kind', '\u2800 Torch\u00a0\u3000 \u200b Pro ', 'Torch Pro'],
  ['a flood of marks', `a${'\u0301'.repeat(100)}b`, '\u00e1\u0301\u0301\u0301b'],
  ['marks before any letter', '\u0301\u0489Torch', 'Torch'],
  ['private use and lone surrogates', '\ue000To\ud800rch', 'Torch'],
  ['nothing to clean', 'Größe 钱包 🦊 Ключ', 'Größe 钱包 🦊 Ключ'],
])('cleanText: %s', (_, text, clean) => {
  expect(cleanText(text, 100)).toBe(clean)
})

test('cleanText: the limit counts characters and never cuts one in two', () => {
  expect(cleanText('🦊🦊🦊', 2)).toBe('🦊🦊')
})

test('cleanText: cleaning twice equals cleaning once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
      const once = cleanText(text, 40)
      expect(cleanText(once, 40)).toBe(once)
    }),
    { seed: 14 },
  )
})

test.each([
  ['what is seen as it is', 'Größe 钱包 🦊 mai1:0:1', 'Größe 钱包 🦊 mai1:0:1'],
  ['direction marks', '\u202eabc\u2066', '\\u{202e}abc\\u{2066}'],
  ['control characters and line ends', 'a\u0000b\u001b[31m\n\u2028', 'a\\u{0}b\\u{1b}[31m\\u{a}\\u{2028}'],
  ['what is beside a blank, and other blanks', 'a b\u2800c\u00a0d', 'a b\\u{2800}c\\u{a0}d'],
  ['marks upon marks', `a${'\u0301'.repeat(5)}`, `a${'\u0301'.repeat(3)}\\u{301}\\u{301}`],
  ['what is beyond the first plane', '\u{e0041}x', '\\u{e0041}x'],
])('writtenOut: %s', (_, text, told) => {
  expect(writtenOut(text)).toBe(told)
})

test('protocolName: a name is kept unchanged or dropped', () => {
  expect(['eth_sign', 'my event', '', 'a\u200bb', 'x'.repeat(201)].map(protocolName)).toEqual([
    'eth_sign',
    'my event',
    '(unreadable)',
    '(unreadable)',
    '(unreadable)',
  ])
})
