import { encode } from '../../events/log/codec.ts'
import { pageFactDefinitions } from '../../events/schema/definitions.ts'
import type { SentPageFact } from '../../runtime/log/record.ts'
import { type Definitions, misfit } from '../../runtime/schema/registry.ts'

/** @returns a page fact's line for the log, in today's version. One that does not fit keeps its number and has no content */
export function pageLine(fact: SentPageFact): string {
  const definition = Object.hasOwn(pageFactDefinitions, fact.type)
    ? (pageFactDefinitions as Definitions)[fact.type]
    : undefined
  if (definition && misfit(definition, fact.data) === undefined) return encode({ ...fact, v: definition.version })
  return encode({ ...fact, v: 1, type: 'page.unreadable', data: {} })
}
