import { encode } from '../../events/log/codec.ts'
import { pageFactDefinitions } from '../../events/schema/definitions.ts'
import type { PageRecord } from '../../events/log/record.ts'
import { type Definitions, misfit } from '../../events/schema/registry.ts'

/** A page's line as it goes into the log. One that does not fit keeps its number and says nothing. */
export function readable(record: PageRecord): string {
  const definition = Object.hasOwn(pageFactDefinitions, record.type)
    ? (pageFactDefinitions as Definitions)[record.type]
    : undefined
  if (definition && misfit(definition, record.data) === undefined) return encode(record)
  return encode({ ...record, type: 'page.unreadable', data: {} })
}
