import { expect, test, vi } from 'vitest'
import { dayText, monthTitle, timeSince } from '../../../src/ui/account/activity/times.ts'
import type { Language } from '../../../src/ui/texts/language.tsx'

const now = Date.parse('2026-11-25T12:00:00Z')
const since = (ms: number, language: Language = 'en') => timeSince(now - ms, { language, now })

test('a time since is told in its largest unit', () => {
  expect([0, 59_000, 60_000, 3_599_000, 3_600_000].map(ms => since(ms))).toEqual([
    '0 sec',
    '59 sec',
    '1 min',
    '59 min',
    '1 hr',
  ])
  const day = 86_400_000
  expect([day, 29 * day, 30 * day, 364 * day, 365 * day].map(ms => since(ms))).toEqual([
    '1 d',
    '29 d',
    '1 mo',
    '12 mo',
    '1 yr',
  ])
})

test('a time ahead of this device’s clock is now', () => {
  expect(since(-5000)).toBe('0 sec')
})

test('times are told in the chosen language', () => {
  expect(since(5000, 'de')).toBe('5 Sek.')
  expect(since(3_600_000, 'ja')).toBe('1 時間')
})

test('a day is two digits and the month’s short name', () => {
  const at = Date.parse('2026-05-09T10:00:00Z')
  expect(dayText(at, { language: 'en', timeZone: 'UTC' })).toBe('09 May')
  expect(dayText(at, { language: 'de', timeZone: 'UTC' })).toBe('09. Mai')
  expect(dayText(at, { language: 'ja', timeZone: 'UTC' })).toBe('5月09日')
})

test('the digits of Arabic are those of amounts, in engines whose Arabic has others, too', () => {
  const places: unknown[] = []
  const noting: ProxyHandler<() => void> = {
    construct(made, given: unknown[]) {
      places.push(given[0])
      return Reflect.construct(made, given) as object
    },
  }
  const { DateTimeFormat, NumberFormat } = Intl as unknown as Record<string, () => void>
  if (!DateTimeFormat || !NumberFormat) throw new Error('expected an engine with Intl')
  vi.stubGlobal('Intl', {
    DateTimeFormat: new Proxy(DateTimeFormat, noting),
    NumberFormat: new Proxy(NumberFormat, noting),
  })
  dayText(now, { language: 'ar' })
  monthTitle(now, { language: 'ar', now })
  since(5000, 'ar')
  // Years are compared in English
  expect(places.filter(place => place !== 'en-GB')).toEqual(['ar-u-nu-latn', 'ar-u-nu-latn', 'ar-u-nu-latn'])
  vi.unstubAllGlobals()
})
