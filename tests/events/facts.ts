/** Arbitrary facts, generated from the definitions: a few ids and words, so that facts of a log refer to each other. */
import fc from 'fast-check'
import { factDefinitions, pageFactDefinitions } from '../../src/events/schema/definitions.ts'
import type { Definitions, Field, Fields } from '../../src/runtime/schema/registry.ts'
import { exampleTerms } from './values/exampleTerms.ts'

export type AnyFact = { type: string; at: number; data: Record<string, unknown> }

const words = fc.constantFrom('a', 'b', 'c')
const numbers = fc.integer({ min: 0, max: 6 })
const keys = fc.constantFrom('00112233445566ff', 'ff00112233445566')
const amounts = fc.constantFrom('0', '1', '2500000000')

function arbitraryOf(name: string, field: Field): fc.Arbitrary<unknown> {
  if (field.parts) return dataOf(field.parts)
  if (field.list) return fc.array(arbitraryOf(name, field.list), { maxLength: 3 })
  if (field.map) return fc.dictionary(words, arbitraryOf(name, field.map), { maxKeys: 2 })
  if (field.variants) {
    const { tag, of } = field.variants
    const shapes = Object.entries(of).map(([word, fields]) =>
      dataOf(fields).map(data => ({ [tag]: word, ...data }) as Record<string, unknown>),
    )
    return fc.oneof(...shapes)
  }
  const { schema } = field
  switch (schema.type) {
    case 'string':
      return name === 'orderKey' ? keys : schema.grammar ? amounts : words
    case 'number':
      return numbers
    case 'nullable':
      return fc.oneof(field.cls === 'measure' ? amounts : words, fc.constant(null))
    case 'boolean':
      return fc.boolean()
    case 'picklist':
      return fc.constantFrom(...(schema.options ?? []))
    case 'literal':
      return fc.constant(true)
    case 'custom':
      return fc.constant(name === 'content' ? { questions: [], links: [] } : exampleTerms())
    case 'object':
      return fc.record({ code: fc.constantFrom('user_rejected', 'expired'), message: words })
    default:
      throw new Error(`the field ${name} expected a kind of value this test can make, got ${schema.type}`)
  }
}

/** Data of these fields. */
export function dataOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  const needed = Object.entries(fields).filter(([, field]) => !field.optional)
  const all = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, arbitraryOf(name, field)]))
  return fc.record(all, { requiredKeys: needed.map(([name]) => name) })
}

function factOf(table: Definitions): fc.Arbitrary<AnyFact> {
  const types = Object.entries(table).map(([type, { fields }]) =>
    fc.record({ type: fc.constant(type), at: fc.integer({ min: 1, max: 1000 }), data: dataOf(fields) }),
  )
  return fc.oneof(...types)
}

/** Any fact of the core, any of a page. */
export const coreFact = factOf(factDefinitions)
export const pageFact = factOf(pageFactDefinitions)

/** A fact of one type. */
export function factLike(type: string): fc.Arbitrary<AnyFact> {
  const table: Definitions = { ...factDefinitions, ...pageFactDefinitions }
  return factOf({ [type]: table[type] as Definitions[string] })
}
