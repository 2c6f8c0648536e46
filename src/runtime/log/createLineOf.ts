/** Any record's line. Writers of running records need only `encode`. */
import type { Codec } from './createCodec.ts'
import type { LogRecord } from './record.ts'
import { own } from '../schema/own.ts'
import type { Definitions, Field, Fields } from '../schema/registry.ts'

/** @returns a function that gives a record's one line, without the line end */
export function createLineOf({ encode }: Pick<Codec, 'encode'>, tables: Definitions): (record: LogRecord) => string {
  return record => {
    switch (record.k) {
      case 'c': {
        const { format, n, seq, life, at, build, state, transient, rows } = record
        return `{"k":"c","format":${format},"n":${n},"seq":${seq},"life":${life},"at":${at},"build":${JSON.stringify(build)},"state":${JSON.stringify(state)},"transient":${JSON.stringify(transient)},"rows":${rows}}`
      }
      case 'r': {
        const { type, v, data } = record
        const definition = own(tables, type)
        const text = definition?.version === v ? orderedText(definition.fields, data) : JSON.stringify(data)
        return `{"k":"r","type":${JSON.stringify(type)},"v":${v},"data":${text}}`
      }
      default:
        return encode(record)
    }
  }
}

/** Fields stand in the order of their definition at every depth; maps keep their own order, which may matter. */
function orderedText(fields: Fields, data: Record<string, unknown>): string {
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
  if (field.parts) return orderedText(field.parts, data)
  if (field.map) {
    const { map } = field
    const named = Object.entries(data).map(([name, one]) => `${JSON.stringify(name)}:${valueText(map, one)}`)
    return `{${named.join(',')}}`
  }
  if (field.variants) {
    const { tag, of } = field.variants
    const own = orderedText(of[String(data[tag])] ?? {}, data)
    return `{"${tag}":${JSON.stringify(data[tag])}${own === '{}' ? '' : `,${own.slice(1, -1)}`}}`
  }
  return JSON.stringify(value)
}
