/** Values of a log that lead to a person, by the classes and scales of its fields. */
import { codec, encode } from '../../src/events/log/codec.ts'
import type { LogRecord } from '../../src/runtime/log/record.ts'
import { type Field, type Fields } from '../../src/runtime/schema/registry.ts'
import { scaleOf } from '../../src/events/schema/scales.ts'
import { isSolanaAddress } from '../../src/events/values/solana/address.ts'

/** Nothing in `silence:order-…` is personal; in `session:<topic>` the topic is. */
function isAboutSomebody(field: Field, value: string): boolean {
  if (scaleOf(field) === 'key') return true
  const { cls, after } = field
  return cls === 'personal' && (after === undefined || after.includes(value.slice(0, value.indexOf(':'))))
}

/** An account's address, every part of a memo, or the whole of JSON. */
function partsOf(value: string): string[] {
  if (value.includes('"')) return [value]
  const parts = value.split(':')
  return value.startsWith('mai1:') ? parts.slice(1) : [parts.at(-1) ?? '']
}

/** Addresses in the terms, without the genesis hash. */
function keysIn(terms: unknown): string[] {
  const { cluster: _, ...rest } = terms as Record<string, unknown>
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return isSolanaAddress(value) ? [value] : []
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
  }
  return texts(rest)
}

/** Personal values of a log that are long enough to identify a person. */
function personals(records: readonly LogRecord[]): Set<string> {
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
    } else if (typeof value === 'string' && isAboutSomebody(field, value))
      for (const part of partsOf(value)) if (part.length >= 16) found.add(part)
  }
  for (const record of records) {
    if (record.k === 'e' || record.k === 'c' || record.k === 'r') continue
    const definition = codec.definitionOf(record.k, record.type)
    if (definition) inFields(definition.fields, record.data)
    if (record.type === 'chain.terms') for (const key of keysIn(record.data.terms)) found.add(key)
  }
  return found
}

/**
 * Links from the wallet directory are public, and so is the chain. A sale's addresses are not: they lead to its buyers.
 */
function publics(records: readonly LogRecord[]): string {
  return records
    .map(record => {
      if (record.k !== 'i') return ''
      if (record.type === 'core.boot') return JSON.stringify([record.data.links ?? '', record.data.genesisHash])
      return record.type === 'chain.identified' ? encode(record) : ''
    })
    .join('\n')
}

/** @returns personal values of a log that are not public besides */
export function secretsIn(records: readonly LogRecord[]): string[] {
  const known = publics(records)
  return [...personals(records)].filter(value => !known.includes(value))
}
