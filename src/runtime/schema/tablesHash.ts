import { shortHash } from '../log/shortHash.ts'
import type { Definitions, Field, Fields } from './registry.ts'

/**
 * @returns 8 hex digits over every type's name and version and its fields' names, classes and nesting
 *
 * The order of types does not count; that of fields does, as in a line.
 */
export function tablesHash(tables: readonly Definitions[]): string {
  const texts = tables.map(table =>
    Object.keys(table)
      .sort()
      .map(type => `${type}@${table[type]?.version ?? 0}${fieldsText(table[type]?.fields ?? {})}`)
      .join('\n'),
  )
  return shortHash(texts.join('\n\n'))
}

function fieldsText(fields: Fields): string {
  return `{${Object.entries(fields)
    .map(([name, field]) => `${name}${field.optional ? '?' : ''}:${fieldText(field)}`)
    .join(',')}}`
}

function fieldText(field: Field): string {
  if (field.parts) return fieldsText(field.parts)
  if (field.list) return `[${fieldText(field.list)}]`
  if (field.map) return `<${field.keys ? `${fieldText(field.keys)}:` : ''}${fieldText(field.map)}>`
  if (field.variants) {
    const { tag, of } = field.variants
    return `${tag}(${Object.entries(of).map(([word, fields]) => `${word}${fieldsText(fields)}`)})`
  }
  return `${field.cls ?? 'unclassed'}${field.after ? `(${field.after})` : ''}`
}
