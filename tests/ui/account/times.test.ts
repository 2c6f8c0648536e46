import { expect, test } from 'vitest'
import { dayText } from '../../../src/ui/account/times.ts'

test('a day is two digits and the month’s short name', () => {
  const at = Date.parse('2026-05-09T10:00:00Z')
  expect(dayText(at, { language: 'en', timeZone: 'UTC' })).toBe('09 May')
  expect(dayText(at, { language: 'de', timeZone: 'UTC' })).toBe('09. Mai')
  expect(dayText(at, { language: 'ja', timeZone: 'UTC' })).toBe('5月09日')
})
