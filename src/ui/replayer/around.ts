/** The part of a model a log line refers to. */
import { isRecord } from '../../runtime/json/isRecord.ts'
import { printable } from '../../runtime/replay/describe.ts'
import { subjectOf } from '../../runtime/log/subjectOf.ts'
import { shortValue } from './changes.ts'

/** Limits on entities and on fields of each. */
const [mostThings, mostFields] = [3, 8]

/**
 * @param line a record's line
 * @returns such as `order.order-1.18.b02ad26d: phase "asked", units "1000000000"` for each entity the line names, else for its
 *   subject
 */
export function around(model: object, line: string): string[] {
  const record = line === '' ? {} : (JSON.parse(line) as { type?: unknown; data?: unknown })
  const data = isRecord(record.data) ? record.data : {}
  const names = new Set(Object.values(data).filter(value => typeof value === 'string'))
  const found: string[] = []
  for (const [subject, view] of Object.entries(model)) {
    if (!isRecord(view)) continue
    for (const name of names) if (Object.hasOwn(view, name)) found.push(told(`${subject}.${name}`, view[name]))
  }
  const subject = typeof record.type === 'string' ? subjectOf(record.type) : ''
  const own = (model as Record<string, unknown>)[subject]
  if (found.length === 0 && Object.hasOwn(model, subject)) found.push(told(subject, own))
  return found.slice(0, mostThings).map(printable)
}

function told(path: string, value: unknown): string {
  if (!isRecord(value)) return `${path}: ${shortValue(value)}`
  const fields = Object.entries(value)
  const shown = fields.slice(0, mostFields).map(([name, member]) => `${name} ${shortValue(member)}`)
  if (fields.length > mostFields) shown.push(`${fields.length - mostFields} more`)
  return `${path}: ${shown.join(', ') || 'nothing'}`
}
