/**
 * What leaves the machine. Every field's class says what becomes of it: personal values become tokens, measures stay or are
 * blanked, and what is open stays; an open text that a long personal value got into has its token instead.
 */
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from './definitions.ts'
import { failure } from './fields.ts'
import type { LogRecord } from './record.ts'
import type { Redaction } from './recording.ts'
import type { Definition, Definitions, Field, Fields } from './registry.ts'
import { restatedDefinitions } from './restated.ts'
import { createTokens } from './tokens.ts'

/** `tokens`: still re-executable. `view`: measures are blanked as well, to be looked at only. */
export type Policy = Exclude<Redaction, 'plain'>

export type Redactor = {
  /** @returns the record without what is personal; of a checkpoint only what stands outside its scratch memory */
  record<R extends LogRecord>(record: R): R
  /** @returns data of one definition */
  data(definition: Definition, data: Record<string, unknown>): Record<string, unknown>
  /** Records whose type or version this build does not know, counted by type: their data was dropped. */
  readonly dropped: Record<string, number>
}

const tables: { [kind in 'i' | 'f' | 'p' | 'r']: Definitions } = {
  i: allInputDefinitions,
  f: factDefinitions,
  p: pageFactDefinitions,
  r: restatedDefinitions,
}

/**
 * @param records all of them: what is public, and what is personal, is the same in each
 * @param settings `key` by chance and used once
 */
export function createRedactor(
  records: readonly LogRecord[],
  { key, policy }: { key: string; policy: Policy },
): Redactor {
  const tokens = createTokens(key, publicsOf(records))
  const blank = policy === 'view'
  let dropped: Record<string, number> = {}

  function fieldsIn(fields: Fields, data: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(data).flatMap(([name, value]) => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined
        return field ? [[name, valueIn(field, value)]] : []
      }),
    )
  }

  function valueIn(field: Field, value: unknown): unknown {
    if (field.list) {
      const { list } = field
      return (value as unknown[]).map(member => valueIn(list, member))
    }
    if (field.map) {
      const { map, keys } = field
      const entries = Object.entries(value as object)
      return Object.fromEntries(entries.map(([name, one]) => [keys ? tokens.of(name) : name, valueIn(map, one)]))
    }
    if (field.parts) return fieldsIn(field.parts, value as Record<string, unknown>)
    if (field.variants) {
      const { tag, of } = field.variants
      const { [tag]: word, ...rest } = value as Record<string, unknown>
      return { [tag]: word, ...fieldsIn(of[String(word)] ?? {}, rest) }
    }
    if (field.cls === 'personal') return typeof value === 'string' ? personal(field, value) : undefined
    if (field.cls === 'measure') return blank ? blanked(value) : value
    const open = cleaned(value)
    return blank && field.schema === failure.schema ? withoutAmounts(open) : open
  }

  function personal({ after }: Field, value: string): string {
    if (!after) return blank && value.startsWith('mai1:') ? tokens.of(`memo ${value}`) : tokens.of(value)
    const colon = value.indexOf(':')
    return after.includes(value.slice(0, colon)) ? value.slice(0, colon + 1) + tokens.of(value.slice(colon + 1)) : value
  }

  /** What is open, whatever it is made of. */
  function cleaned(value: unknown): unknown {
    if (typeof value === 'string') return tokens.within(value)
    if (Array.isArray(value)) return value.map(cleaned)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)]))
  }

  function record<R extends LogRecord>(given: R): R {
    if (given.k === 'e') return blank ? { ...given, h: '00000000' } : given
    if (given.k === 'c') return { ...given, transient: {} }
    const { type, v, data } = given
    const table = tables[given.k]
    const definition = Object.hasOwn(table, type) ? table[type] : undefined
    if (definition?.version === v) return { ...given, data: fieldsIn(definition.fields, data) }
    dropped[type] = (dropped[type] ?? 0) + 1
    return { ...given, data: {} }
  }

  // What is personal anywhere is known before the first open text is written
  for (const one of records) record(one)
  dropped = {}
  return {
    record,
    data: ({ fields }, data) => fieldsIn(fields, data),
    get dropped() {
      return dropped
    },
  }
}

function blanked(value: unknown): unknown {
  return typeof value === 'number' ? 0 : '0'
}

/** A failure's sentence and facts name amounts. */
function withoutAmounts(value: unknown): unknown {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return value.replace(/[0-9]{4,}/g, '…')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutAmounts(member)]))
}

/**
 * Everything that stands in the published terms, and the links of wallets that the host lists: the core compares with it, and
 * anybody can read it.
 */
function publicsOf(records: readonly LogRecord[]): Set<string> {
  const publics = new Set<string>()
  const take = (value: unknown): void => {
    if (typeof value === 'string') publics.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(take)
  }
  for (const record of records) {
    if (record.k === 'e') continue
    const { links } = bootIn(record) ?? {}
    take(links)
    if (record.k === 'c') continue
    if (record.type === 'chain.terms' || record.type === 'sale.termsRead') take(record.data)
    if (record.type === 'sale.restated') take(record.data.terms)
  }
  publics.delete('')
  return publics
}

/** How a core began, as its first input or a checkpoint's scratch memory has it. */
function bootIn(record: LogRecord): Record<string, unknown> | undefined {
  if (record.k === 'c') return record.transient.boot as Record<string, unknown> | undefined
  return record.k === 'i' && record.type === 'core.boot' ? record.data : undefined
}
