import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoOf } from '../../../src/events/values/isoOf.ts'
import { isoMs } from '../../../src/events/values/isoTime.ts'

const moment = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) })

test('isoTime: a time is written as by the device, and read back', () => {
  fc.assert(
    fc.property(moment, at => {
      expect(isoOf(at)).toBe(new Date(at).toISOString())
      expect(isoMs(isoOf(at))).toBe(at)
    }),
    { numRuns: 2000 },
  )
})

test('isoTime: a time in another zone is the same moment', () => {
  expect(isoMs('2026-01-01T00:00:00Z')).toBe(1_767_225_600_000)
  expect(isoMs('2026-01-01T01:30:00.5+01:30')).toBe(1_767_225_600_500)
  expect(isoMs('2025-12-31t19:00:00.123456789-05:00')).toBe(1_767_225_600_123)
})

test.each([
  '',
  'now',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-13-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:00+24:00',
  ' 2026-01-01T00:00:00Z',
])('isoTime: "%s" is refused', text => {
  expect(isoMs(text)).toBeUndefined()
})
