/**
 * The lock on what stands in logs. A shape that changed needs a new version with a lift, for old logs hold the old one.
 * A new type or a new optional field is written down with `npx vitest run tests/events/shapes.test.ts -u`.
 */
import { describe, expect, test } from 'vitest'
import { shortHash } from '../../src/events/codec.ts'
import { commandDefinitions } from '../../src/events/command.ts'
import { factDefinitions, pageFactDefinitions } from '../../src/events/definitions.ts'
import { inputDefinitions } from '../../src/events/input.ts'
import { restatedDefinitions } from '../../src/events/restated.ts'
import { define, type Definitions, type Field, type Fields, id, open, optional, v1 } from '../../src/events/registry.ts'

const tables = {
  fact: factDefinitions,
  page: pageFactDefinitions,
  command: commandDefinitions,
  input: inputDefinitions,
  restated: restatedDefinitions,
}

type Leaf = { type: string; options?: readonly string[]; entries?: Record<string, Leaf> }

function leafText({ type, options, entries }: Leaf): string {
  if (options) return options.join('|')
  if (entries) return `{${Object.entries(entries).map(([name, leaf]) => `${name}:${leafText(leaf)}`)}}`
  return type
}

function phasesText(phases: { readonly [phase: string]: Fields }): string {
  return `(${Object.entries(phases)
    .map(([phase, fields]) => `${phase}${shapeText(fields)}`)
    .join('|')})`
}

function fieldText(field: Field): string {
  if (field.parts) return shapeText(field.parts)
  if (field.phases) return phasesText(field.phases)
  if (field.list) return `[${fieldText(field.list)}]`
  if (field.map) return `<${fieldText(field.map)}>`
  return `${field.cls} ${leafText(field.schema as unknown as Leaf)}`
}

function shapeText(fields: Fields): string {
  const named = Object.entries(fields).map(([name, field]) => `${name}${field.optional ? '?' : ''}:${fieldText(field)}`)
  return `{${named.join(',')}}`
}

function shapesOf(kinds: Record<string, Definitions>): Record<string, string> {
  const shapes = Object.entries(kinds).flatMap(([kind, table]) =>
    Object.entries(table).map(
      ([type, { version, fields }]) => [`${kind} ${type}@${version}`, shortHash(shapeText(fields))] as const,
    ),
  )
  return Object.fromEntries(shapes.sort(([a], [b]) => (a < b ? -1 : 1)))
}

test('no shape has changed without a new version', async () => {
  await expect(`${JSON.stringify(shapesOf(tables), null, 2)}\n`).toMatchFileSnapshot('shapes.json')
})

describe('the lock notices', () => {
  const hashOf = (fields: Fields) => shapesOf({ fact: define({ 'a.b': v1(fields) }) })['fact a.b@1']
  const locked = hashOf({ a: open(id) })
  test.each([
    ['a field more', { a: open(id), b: optional(open(id)) }],
    ['a field that may be absent', { a: optional(open(id)) }],
    ['another name', { b: open(id) }],
    ['another class', { a: { ...open(id), cls: 'personal' } }],
    ['another kind of value', { a: { ...open(id), schema: { type: 'number' } } }],
  ] as [string, Fields][])('%s', (_name, fields) => {
    expect(hashOf(fields)).not.toBe(locked)
  })
})
