import { encode } from '../../events/log/codec.ts'
import { pageFactDefinitions } from '../../events/schema/definitions.ts'
import { Fault } from '../../runtime/failure.ts'
import type { SentPageFact } from '../../runtime/log/record.ts'
import { type Definitions, misfit } from '../../runtime/schema/registry.ts'

/**
 * @returns a page fact's line for the log, in today's version. One that does not fit keeps its number and has no content
 * @throws Fault `bad_input` without its numbers, its tab or its type: such a line would not be read back
 */
export function pageLine({ p, life, after, tab, at, type, data }: SentPageFact): string {
  if (![p, life, after, at].every(Number.isSafeInteger) || typeof tab !== 'string' || typeof type !== 'string')
    throw new Fault('bad_input', 'a page fact expected whole numbers, a tab and a type, got other values')
  const sent = { k: 'p', p, life, after, tab, at } as const
  const definition = Object.hasOwn(pageFactDefinitions, type) ? (pageFactDefinitions as Definitions)[type] : undefined
  if (definition && misfit(definition, data) === undefined)
    return encode({ ...sent, type, v: definition.version, data })
  return encode({ ...sent, type: 'page.unreadable', v: 1, data: {} })
}
