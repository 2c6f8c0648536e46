/** What of a log is about somebody, by the classes of its fields. */
import { definitionOf, encode } from '../../src/events/codec.ts'
import type { LogRecord } from '../../src/events/record.ts'
import type { Field, Fields } from '../../src/events/registry.ts'

/** Of `silence:order-…` nothing is personal, of `session:<topic>` the topic is. */
function isAboutSomebody({ after }: Field, value: string): boolean {
  return after === undefined || after.includes(value.slice(0, value.indexOf(':')))
}

/** Of an account its address, of a memo the order's key and the referrer, of JSON all of it. */
function partsOf(value: string): string[] {
  if (value.includes('"')) return [value]
  const parts = value.split(':')
  return value.startsWith('mai1:') ? [parts[2] ?? '', parts[7] ?? ''] : [parts.at(-1) ?? '']
}

/** Every personal value of a log that is long enough to know a person by. */
export function personals(records: readonly LogRecord[]): Set<string> {
  const found = new Set<string>()
  const inFields = (fields: Fields, data: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(data)) if (fields[name]) inField(fields[name], value)
  }
  const inField = (field: Field, value: unknown): void => {
    if (field.list) for (const member of value as unknown[]) inField(field.list, member)
    else if (field.map) for (const member of Object.values(value as object)) inField(field.map, member)
    else if (field.parts) inFields(field.parts, value as Record<string, unknown>)
    else if (field.variants) {
      const data = value as Record<string, unknown>
      inFields(field.variants.of[String(data[field.variants.tag])] ?? {}, data)
    } else if (field.cls === 'personal' && typeof value === 'string' && isAboutSomebody(field, value))
      for (const part of partsOf(value)) if (part.length >= 16) found.add(part)
  }
  for (const record of records) {
    if (record.k === 'e' || record.k === 'c' || record.k === 'r') continue
    const definition = definitionOf(record.k, record.type)
    if (definition) inFields(definition.fields, record.data)
  }
  return found
}

/** What stands in the published terms is public, and so is what the terms are hashed to, and the links that a host lists. */
export function publics(records: readonly LogRecord[]): string {
  return records
    .map(record => {
      if (record.k !== 'i') return ''
      if (record.type === 'core.boot') return JSON.stringify(record.data.links ?? '')
      return record.type === 'chain.terms' ? encode(record) : ''
    })
    .join('\n')
}
