/** Times as signed statements write them, RFC 3339, read and written without the device's clock or calendar. */

export const dayMs = 86_400_000
const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/i

/** @returns ms since the Unix epoch; undefined when the text is no date and time with its zone */
export function isoMs(text: string): number | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const [fraction = '', sign, zoneHour = '0', zoneMinute = '0'] = match.slice(7)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59)
    return undefined
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3))
  const zoneMs = (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000 * (sign === '-' ? -1 : 1)
  return daysTo(year, month, day) * dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + ms - zoneMs
}

/** Days from 1970-01-01, in the proleptic Gregorian calendar. */
export function daysTo(year: number, month: number, day: number): number {
  const before = year - 1
  const leaps = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  let days = before * 365 + leaps - 719_162 + day - 1
  for (let one = 1; one < month; one++) days += daysIn(year, one)
  return days
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
