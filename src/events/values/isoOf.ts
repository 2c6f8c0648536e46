import { dayMs, daysTo } from './isoTime.ts'

/** @param at ms since the Unix epoch, between the years 1970 and 9999. @returns `2026-01-01T00:00:00.000Z` */
export function isoOf(at: number): string {
  const days = Math.floor(at / dayMs)
  let year = 1970 + Math.floor(days / 366)
  while (daysTo(year + 1, 1, 1) <= days) year += 1
  let month = 1
  while (month < 12 && daysTo(year, month + 1, 1) <= days) month += 1
  const day = days - daysTo(year, month, 1) + 1
  const left = at - days * dayMs
  const clock = [Math.floor(left / 3_600_000), Math.floor(left / 60_000) % 60, Math.floor(left / 1000) % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${clock.map(two).join(':')}.${String(left % 1000).padStart(3, '0')}Z`
}
