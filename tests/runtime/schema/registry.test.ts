import { describe, expect, test } from 'vitest'
import { commandDefinitions } from '../../../src/events/command.ts'
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import { inputDefinitions } from '../../../src/events/input.ts'
import { snapshotTables } from '../../../src/events/checkpoint/tables.ts'
import {
  choice,
  type Definitions,
  type Field,
  type Fields,
  flag,
  id,
  integer,
  list,
  map,
  measure,
  misfit,
  openField,
  optional,
  shape,
  text,
  v1,
} from '../../../src/runtime/schema/registry.ts'
import { baseUnits, scaleOf } from '../../../src/events/schema/scales.ts'

const tables: [string, Definitions][] = [
  ['inputs', allInputDefinitions],
  ['facts', factDefinitions],
  ['page facts', pageFactDefinitions],
  ['rows', snapshotTables],
]

function unclassed(fields: Fields, path: string): string[] {
  return Object.entries(fields).flatMap(([name, field]) => leavesWithout(field, `${path}.${name}`))
}
function leavesWithout(field: Field, path: string): string[] {
  if (field.parts) return unclassed(field.parts, path)
  if (field.list) return leavesWithout(field.list, `${path}[]`)
  if (field.map)
    return [...(field.keys ? leavesWithout(field.keys, `${path}<`) : []), ...leavesWithout(field.map, `${path}<>`)]
  if (field.variants)
    return Object.entries(field.variants.of).flatMap(([word, fields]) => unclassed(fields, `${path}(${word})`))
  return field.cls === undefined ? [path] : []
}

/** Measures, and fields with the name of a time, a slot or an address of the chain, that lack a scale. */
function unscaled(fields: Fields, path: string): string[] {
  const telling = /(?:At|Time|slot|Slot|height|Height|Hash|Ref|mint|Authority|methods|events)$/
  return leaves(fields, path).flatMap(([name, field]) => {
    const isKept = field.cls === 'personal' || kept.has(name.split('.').at(-1) ?? '')
    return scaleOf(field) === undefined && !isKept && (field.cls === 'measure' || telling.test(name)) ? [name] : []
  })
}
/** The genesis hash is public. */
const kept: ReadonlySet<string> = new Set(['genesisHash'])

function leaves(fields: Fields, path: string): [string, Field][] {
  return Object.entries(fields).flatMap(([name, field]) => leavesOf(field, `${path}.${name}`))
}
function leavesOf(field: Field, path: string): [string, Field][] {
  if (field.parts) return leaves(field.parts, path)
  if (field.list) return leavesOf(field.list, path)
  if (field.map) return leavesOf(field.map, path)
  if (field.variants) return Object.values(field.variants.of).flatMap(parts => leaves(parts, path))
  return [[path, field]]
}

describe.each(tables)('every type of the %s', (_name, table) => {
  test('has a class for each of its fields, however deep', () => {
    expect(Object.entries(table).flatMap(([type, { fields }]) => unclassed(fields, type))).toEqual([])
  })

  test('has a scale for each measure and time, which decides its stand-in', () => {
    expect(Object.entries(table).flatMap(([type, { fields }]) => unscaled(fields, type))).toEqual([])
  })

  test('is named subject.what and has a version', () => {
    for (const [type, { version }] of Object.entries(table)) {
      expect(type).toMatch(/^[a-z][a-zA-Z]*\.[a-z][a-zA-Z]*$/)
      expect(version).toBeGreaterThanOrEqual(1)
    }
  })

  test('refuses an undefined field', () => {
    for (const definition of Object.values(table)) expect(misfit(definition, { strange: 1 })).toMatch(/expected/)
  })
})

test.each([
  ['commands and answers from outside', commandDefinitions, inputDefinitions],
  ['facts of the core and of a page', factDefinitions, pageFactDefinitions],
])('%s share no name: one line of a log has one meaning', (_name, one, other) => {
  expect(Object.keys(one).filter(type => Object.hasOwn(other, type))).toEqual([])
})

describe('a check', () => {
  const definition = v1({
    name: openField(id),
    amount: measure(baseUnits),
    count: optional(openField(integer)),
    kind: openField(choice(['one', 'two'])),
    parts: list(shape({ on: openField(flag) })),
    byName: map(openField(text)),
  })
  const right = { name: 'a', amount: '1', kind: 'one', parts: [{ on: true }], byName: { a: 'b' } }

  test('accepts valid data, with and without optional fields', () => {
    expect(misfit(definition, right)).toBeUndefined()
    expect(misfit(definition, { ...right, count: 3 })).toBeUndefined()
  })

  test.each([
    ['nothing', undefined, /expected/],
    ['a list', [], /data expected Object, got Array/],
    ['a missing field', { ...right, name: undefined }, /name expected/],
    ['an empty id', { ...right, name: '' }, /name expected/],
    ['an id of 201 characters', { ...right, name: 'a'.repeat(201) }, /name expected/],
    ['a float', { ...right, count: 1.5 }, /count expected/],
    ['a number too large to hold', { ...right, count: 2 ** 53 }, /count expected/],
    ['an undefined where a field may be absent', { ...right, count: undefined }, /count expected/],
    ['an amount with a sign', { ...right, amount: '-1' }, /amount expected/],
    ['an amount with a leading zero', { ...right, amount: '01' }, /amount expected/],
    ['an amount as a number', { ...right, amount: 1 }, /amount expected string, got 1/],
    ['another word', { ...right, kind: 'three' }, /kind expected/],
    ['a part with a field too many', { ...right, parts: [{ on: true, off: false }] }, /parts\.0\.off expected/],
    ['a value of the wrong kind under a name', { ...right, byName: { a: 1 } }, /byName\.a expected string, got 1/],
    ['a field too many', { ...right, more: 1 }, /more expected/],
  ])('names the fault: %s', (_name, data, sentence) => {
    expect(misfit(definition, data)).toMatch(sentence)
  })

  test('leaves out an unknown field’s name, which may be personal text', () => {
    for (const strange of ['482913', 'a b@c.example', 'Xk29dk', 'f0'.repeat(32), '__x'])
      expect(misfit(definition, { ...right, byName: { [strange]: 1 } })).toBe('byName.… expected string, got 1')
  })

  test('quotes at most 80 characters', () => {
    expect(misfit(definition, { ...right, kind: 'x'.repeat(4000) })?.length).toBeLessThan(160)
  })
})
