/** A record in one readable line. Untrusted text is made printable first. */
import type { FactRecord, InputRecord, PageRecord } from '../log/record.ts'

const mostFields = 5
const longestValue = 44

/**
 * @returns such as `09:40:12.003  order.signed  orderId order-1.3, signature 4kQmV…Zt7B`; the time is UTC
 */
export function describe(record: FactRecord | PageRecord | InputRecord): string {
  return `${clockText(record.at)}  ${printable(record.type)}${details(record)}`
}

/** @returns the first fields, or nothing; begins with two spaces. `most`: number of fields before the rest is counted */
export function details({ data }: { data: Record<string, unknown> }, most = mostFields): string {
  const told = Object.entries(data).flatMap(([name, value]) => {
    const text = brief(value)
    return text === undefined ? [] : [`${printable(name)} ${text}`]
  })
  const shown = told.slice(0, most).join(', ')
  const more = told.length > most ? `, ${told.length - most} more` : ''
  return shown === '' ? '' : `  ${shown}${more}`
}

/** @returns 09:40:12.003 in UTC; `at` is ms since the Unix epoch */
export function clockText(at: number): string {
  const day = 86_400_000
  const ms = ((at % day) + day) % day
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`
}

/** @returns 1:02:03.400 or 02:03.400 for a span in ms */
export function span(ms: number): string {
  const text = clockText(Math.max(0, ms))
  return text.startsWith('00:') ? text.slice(3) : text
}

/** @returns the text without characters that steer a terminal or turn the text's direction */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '·')
}

function brief(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : shorten(printable(value))
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    const only = value.length === 1 ? brief(value[0]) : undefined
    return only ?? `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`
  }
  const { code, message, name } = value as Record<string, unknown>
  if (typeof code === 'string')
    return typeof message === 'string' ? `${printable(code)} (${printable(message).slice(0, 120)})` : printable(code)
  if (typeof name === 'string') return shorten(printable(name))
  return undefined
}

/** Sentences keep their beginning; ids and addresses keep both ends. */
function shorten(text: string): string {
  if (text.length <= longestValue) return text
  return text.includes(' ') ? `${text.slice(0, longestValue)}…` : `${text.slice(0, 6)}…${text.slice(-4)}`
}
