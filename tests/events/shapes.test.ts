/**
 * The lock on the shapes in logs. A changed shape needs a new version with a lift, because old logs hold the old one.
 * `npx vitest run tests/events/shapes.test.ts -u` adds a new type or version, or a new optional field; every other
 * change is refused with that flag too.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shortHash } from '../../src/runtime/log/shortHash.ts'
import { commandDefinitions } from '../../src/events/command.ts'
import { factDefinitions, pageFactDefinitions } from '../../src/events/schema/definitions.ts'
import { inputDefinitions } from '../../src/events/input.ts'
import { snapshotTables } from '../../src/events/checkpoint/tables.ts'
import {
  define,
  type Definitions,
  type Field,
  type Fields,
  id,
  integer,
  lifted,
  list,
  openField,
  optional,
  personal,
  personalAfter,
  v1,
} from '../../src/runtime/schema/registry.ts'
import { baseUnits } from '../../src/events/schema/scales.ts'
import type { Schema } from '../../src/runtime/schema/schema.ts'

const tables = {
  fact: factDefinitions,
  page: pageFactDefinitions,
  command: commandDefinitions,
  input: inputDefinitions,
  restated: snapshotTables,
}

function leafText({ type, options, entries, grammar, ...rest }: Schema): string {
  if ('optional' in rest) return 'exact_optional'
  if (options) return options.join('|')
  if (entries) return `{${Object.entries(entries).map(([name, leaf]) => `${name}:${leafText(leaf)}`)}}`
  return grammar ? `${type} ${String(grammar)}` : type
}

function fieldText(field: Field): string {
  if (field.parts) return shapeText(field.parts)
  if (field.list) return `[${fieldText(field.list)}]`
  if (field.map) return `<${field.keys ? `${fieldText(field.keys)}:` : ''}${fieldText(field.map)}>`
  if (field.variants) {
    const { tag, of } = field.variants
    return `${tag}(${Object.entries(of).map(([word, fields]) => `${word}${shapeText(fields)}`)})`
  }
  return `${field.cls}${field.after ? `(${field.after})` : ''} ${leafText(field.schema)}`
}

function shapeText(fields: Fields): string {
  const named = Object.entries(fields).map(([name, field]) => `${name}${field.optional ? '?' : ''}:${fieldText(field)}`)
  return `{${named.join(',')}}`
}

/** A shape by its fields: the name of an optional one ends with `?`. */
type Shape = Record<string, string>
type Lock = Record<string, Shape>

function shapesOf(kinds: Record<string, Definitions>): Lock {
  const shapes = Object.entries(kinds).flatMap(([kind, table]) =>
    Object.entries(table).map(([type, { version, fields }]): [string, Shape] => {
      const named = Object.entries(fields).map(([name, field]): [string, string] => [
        `${name}${field.optional ? '?' : ''}`,
        shortHash(fieldText(field)),
      ])
      return [`${kind} ${type}@${version}`, Object.fromEntries(named)]
    }),
  )
  return Object.fromEntries(shapes.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Forbidden changes: a removed type or version, a removed or changed field, a new required field that old logs lack.
 */
function problemsOf(locked: Lock, now: Lock): string[] {
  const versions = new Map(Object.keys(now).map(key => [key.slice(0, key.lastIndexOf('@')), versionIn(key)]))
  return Object.entries(locked).flatMap(([key, was]) => {
    const is = now[key]
    const newest = versions.get(key.slice(0, key.lastIndexOf('@')))
    if (newest === undefined) return [`${key} is gone: a type is for ever`]
    if (!is) return newest > versionIn(key) ? [] : [`${key} is newer than version ${newest}, which is written now`]
    const changed = Object.keys(was).filter(name => is[name] !== was[name])
    const added = Object.keys(is).filter(name => !Object.hasOwn(was, name) && !name.endsWith('?'))
    return [...changed, ...added].map(name => `${key}: ${name} needs a new version with a lift`)
  })
}

function versionIn(key: string): number {
  return Number(key.slice(key.lastIndexOf('@') + 1))
}

const locked = JSON.parse(readFileSync(join(import.meta.dirname, 'shapes.json'), 'utf8')) as Lock

test('log shapes: no shape has changed without a new version, also after -u', async () => {
  const now = shapesOf(tables)
  expect(problemsOf(locked, now)).toEqual([])
  // Old shapes stay in the lock; -u adds types, versions and optional fields only
  const all = Object.entries({ ...locked, ...now }).sort(([a], [b]) => (a < b ? -1 : 1))
  await expect(`${JSON.stringify(Object.fromEntries(all), null, 2)}\n`).toMatchFileSnapshot('shapes.json')
})

test('log shapes: every version but the first has a lift from the one before', () => {
  for (const table of Object.values(tables) as Definitions[])
    for (const { version, lifts = [] } of Object.values(table)) expect(lifts).toHaveLength(version - 1)
})

describe('the lock on log shapes', () => {
  const shapes = (fields: Fields) => shapesOf({ fact: define({ 'a.b': v1(fields) }) })
  const before = shapes({ a: openField(id), b: list(openField(id)) })
  const same = { a: openField(id), b: list(openField(id)) }

  test.each([
    ['a needed field more', { ...same, c: openField(id) }],
    ['a field that may be absent now', { ...same, a: optional(openField(id)) }],
    ['a field less', { a: openField(id) }],
    ['another name', { b: list(openField(id)), c: openField(id) }],
    ['another class', { ...same, a: personal(id) }],
    ['another class further in', { ...same, b: list(personal(id)) }],
    ['another kind of value', { ...same, a: openField(integer) }],
    ['another grammar', { ...same, a: openField(baseUnits) }],
    ['another form of what is personal', { ...same, a: personalAfter(['x']) }],
  ] as [string, Fields][])('refuses %s', (_name, fields) => {
    expect(problemsOf(before, shapes(fields))).not.toEqual([])
  })

  test('accepts a new type, a new version and a new optional field', () => {
    expect(problemsOf(before, shapes({ ...same, c: optional(openField(id)) }))).toEqual([])
    expect(problemsOf(before, { ...before, 'fact a.c@1': { a: '0' } })).toEqual([])
    expect(problemsOf(before, shapesOf({ fact: { 'a.b': lifted({ z: openField(id) }, data => data) } }))).toEqual([])
  })

  test('refuses a removed type and a lowered version', () => {
    expect(problemsOf(before, {})).toEqual(['fact a.b@1 is gone: a type is for ever'])
    expect(problemsOf({ 'fact a.b@2': {} }, before)).toEqual([
      'fact a.b@2 is newer than version 1, which is written now',
    ])
  })
})
