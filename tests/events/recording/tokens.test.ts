import { expect, test } from 'vitest'
import { createTokens } from '../../../src/events/recording/tokens.ts'

const hash = 'ab12cd34ef56ab12'.repeat(4)
const beginning = hash.slice(0, 16)

test.each([
  ['before', [beginning, hash]],
  ['after', [hash, beginning]],
])('a hash and its beginning keep together, the beginning seen %s it', (_, values) => {
  const { of } = createTokens('a key', new Set(), memo => memo)
  for (const value of values) of(value)
  expect(of(hash)).toMatch(/^[0-9a-f]{64}$/)
  expect(of(hash)).not.toBe(hash)
  expect(of(beginning)).toBe(of(hash).slice(0, 16))
})

test('a memo that is read before its terms names them all the same', () => {
  const { of } = createTokens('a key', new Set(), memo => memo)
  const memo = of(`mai1:${beginning}:00112233445566ff:SOL:2500000000:1000:900`)
  expect(memo.split(':')[1]).toBe(of(hash).slice(0, 16))
})
