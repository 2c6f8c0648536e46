/** Times in the chosen language. */
import { countsIn, localeOf } from '../../texts/amounts.ts'
import type { Language } from '../../texts/language.tsx'

type Place = { language: Language; timeZone?: string }

/** Lengths of the units, longest first, ms. A month counts 30 days, a year 365. */
const units = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** The specification's English units; those of `Intl` differ. */
const english = { year: 'yr', month: 'mo', day: 'd', hour: 'hr', minute: 'min', second: 'sec' } as const

/** @returns how long ago, in one unit, as in `5 sec`, `1 min`, `3 hr`, `1 d`; a time to come counts as now */
export function timeSince(at: number, { language, now }: { language: Language; now: number }): string {
  const passed = Math.max(0, now - at)
  const [unit, ms] = units.find(([, length]) => passed >= length) ?? (['second', 1000] as const)
  const count = Math.floor(passed / ms)
  if (language === 'en') return `${countsIn(language)(count)} ${english[unit]}`
  return new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'short' }).format(count)
}

/** @returns day and month, as in `05 May` */
export function dayText(at: number, { language, timeZone }: Place): string {
  return formatOf(language, { day: '2-digit', month: 'short', timeZone }).format(at)
}

/** @returns the name of a time's month, with the year when it is not the current one */
export function monthTitle(at: number, { language, timeZone, now }: Place & { now: number }): string {
  const isThisYear = yearOf(at, timeZone) === yearOf(now, timeZone)
  return formatOf(language, { month: 'long', timeZone, ...(!isThisYear && { year: 'numeric' }) }).format(at)
}

/** @returns a time's year and month, as in `2026-05` */
export function monthOf(at: number, { timeZone }: Pick<Place, 'timeZone'>): string {
  return `${yearOf(at, timeZone)}-${partOf(at, { month: '2-digit', timeZone })}`
}

function yearOf(at: number, timeZone: string | undefined): string {
  return partOf(at, { year: 'numeric', timeZone })
}

function partOf(at: number, options: Options): string {
  return formatOf('en', options).format(at)
}

type Options = Omit<Intl.DateTimeFormatOptions, 'timeZone'> & { timeZone: string | undefined }

/** English without a country has the day first, as the other languages do. */
function formatOf(language: Language, { timeZone, ...options }: Options): Intl.DateTimeFormat {
  const place = language === 'en' ? 'en-GB' : localeOf(language)
  return new Intl.DateTimeFormat(place, { ...options, ...(timeZone !== undefined && { timeZone }) })
}
