import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { confusablesFile, confusablesText } from '../../../scripts/confusables.ts'
import { looksAlike } from '../../../src/events/values/text/lookalike.ts'

test('lookalike: the table equals the script’s output from Unicode’s data', () => {
  expect(readFileSync(confusablesFile, 'utf8')).toBe(confusablesText())
})

describe('lookalike: names that look like Phantom', () => {
  test.each([
    ['another case', 'PHANTOM'],
    ['a Cyrillic a', 'Ph\u0430ntom'],
    ['Greek and Cyrillic letters', '\u03a1h\u0430nt\u03bfm'],
    ['a Hangul filler', 'Phantom\u3164'],
    ['a braille blank', 'Phan\u2800tom'],
    ['a variation selector', 'Phantom\ufe0f'],
    ['a zero-width space', 'Ph\u200bantom'],
    ['a zero-width joiner and a word joiner', 'Ph\u200dan\u2060tom'],
    ['a right-to-left mark', 'Phantom\u200f'],
    ['a right-to-left override', '\u202ePhantom\u202c'],
    ['fullwidth letters', 'Ｐｈａｎｔｏｍ'],
    ['mathematical letters', '𝐏𝒽𝓪𝔫𝕥𝖔𝚖'],
    ['circled letters', 'Ⓟⓗⓐⓝⓣⓞⓜ'],
    ['combining marks', 'Pha\u0323n\u0301tom\u0336'],
    ['accents', 'Phàntöm'],
    ['a digit', 'Phant0m'],
    ['rn', 'Phantorn'],
    ['a blank and a full stop', 'Phan tom.'],
    ['a tag character', 'Phantom\u{e0041}'],
    ['a soft hyphen', 'Phan\u00adtom'],
    ['small capitals', 'ᴘʜᴀɴᴛᴏᴍ'],
    ['small Cyrillic letters like capitals', 'Ph\u0430n\u0442o\u043c'],
    ['Cyrillic capitals', '\u0420\u041d\u0410N\u0422\u041e\u041c'],
    ['a Greek tau', 'Phan\u03c4om'],
    ['a tick', 'Phantom \u2713'],
    ['a trade mark', 'Phantom\u2122'],
    ['a registered mark', 'Phantom\u00ae'],
    ['a picture', '\u{1f47b} Phantom'],
    ['a note that draws nothing', 'Phantom\u{1d159}'],
    ['an object that is not there', 'Phantom\ufffc'],
    ['a grave accent', 'Phantom`'],
    ['a modifier letter', 'Phantom\u02bc'],
    ['a raised letter', 'Phantom\u1d43'],
  ])('with %s', (_, name) => {
    expect(looksAlike(name, 'Phantom')).toBe(true)
    expect(looksAlike('phantom', name)).toBe(true)
  })

  test.each([
    ['l and I', 'Iedger', 'Ledger'],
    ['l and a stroke', 'So|flare', 'Solflare'],
    ['k and a Cyrillic one', 'Kra\u043aen', 'Kraken'],
    ['one sign alone', '\u2713', '\u2713\ufe0f'],
    ['1 and l', 'So1flare', 'Solflare'],
    ['capitals', 'TIDE', 'tide'],
    ['nothing but blanks', '\u3164', '\u3164'],
  ])('%s', (_, one, other) => {
    expect(looksAlike(one, other)).toBe(true)
  })
})

test.each([
  ['Phantom', 'Solflare'],
  ['Phantom', 'Phantom Pro'],
  ['Quill', 'Quilt'],
  ['Trust', 'Thrust'],
  ['Ключ', 'Кошелёк'],
  ['钱包', '錢袋'],
  ['!', '?'],
  ['\u2713', '\u2717'],
])('lookalike: %s and %s are different names', (one, other) => {
  expect(looksAlike(one, other)).toBe(false)
})
