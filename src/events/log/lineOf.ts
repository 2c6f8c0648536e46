/** Any record's line. Writers of running records need only `encode`. */
import { encode } from './codec.ts'
import type { LogRecord } from './record.ts'
import type { Field, Fields } from '../schema/registry.ts'
import { tableOf } from '../checkpoint/tables.ts'

/** @returns the record's one line, without the line end */
export function lineOf(record: LogRecord): string {
  switch (record.k) {
    case 'c': {
      const { format, n, seq, life, at, build, state, transient, rows } = record
      return `{"k":"c","format":${format},"n":${n},"seq":${seq},"life":${life},"at":${at},"build":${JSON.stringify(build)},"state":"${state}","transient":${JSON.stringify(transient)},"rows":${rows}}`
    }
    case 'r': {
      const { type, v, data } = record
      const definition = tableOf(type)
      const text = definition?.version === v ? fieldsText(definition.fields, data) : JSON.stringify(data)
      return `{"k":"r","type":${JSON.stringify(type)},"v":${v},"data":${text}}`
    }
    default:
      return encode(record)
  }
}

/** Fields stand in the order of their definition at every depth; maps keep their own order, which may matter. */
function fieldsText(fields: Fields, data: Record<string, unknown>): string {
  const told: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    const value = data[name]
    if (value !== undefined) told.push(`"${name}":${valueText(field, value)}`)
  }
  return `{${told.join(',')}}`
}

function valueText(field: Field, value: unknown): string {
  if (field.list) {
    const { list } = field
    return `[${(value as unknown[]).map(member => valueText(list, member)).join(',')}]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const data = value as Record<string, unknown>
  if (field.parts) return fieldsText(field.parts, data)
  if (field.map) {
    const { map } = field
    const named = Object.entries(data).map(([name, one]) => `${JSON.stringify(name)}:${valueText(map, one)}`)
    return `{${named.join(',')}}`
  }
  if (field.variants) {
    const { tag, of } = field.variants
    const own = fieldsText(of[String(data[tag])] ?? {}, data)
    return `{"${tag}":${JSON.stringify(data[tag])}${own === '{}' ? '' : `,${own.slice(1, -1)}`}}`
  }
  return JSON.stringify(value)
}
