/**
 * The lock on what stands in logs. A shape that changed needs a new version with a lift, for old logs hold the old one.
 * A new type or version, or a new field that may be absent, is written down with
 * `npx vitest run tests/events/shapes.test.ts -u`; anything else is refused with that flag too.
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
  baseUnits,
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

/** A shape by its fields: a name that ends with `?` may be absent. */
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

/** What may not be: a type or version that is gone, a field that went or changed, a new one that old logs do not have. */
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

test('no shape has changed without a new version, whoever renews the lock', async () => {
  const now = shapesOf(tables)
  expect(problemsOf(locked, now)).toEqual([])
  // What older builds wrote stays on record; renewing adds types, versions and fields that may be absent, nothing else
  const all = Object.entries({ ...locked, ...now }).sort(([a], [b]) => (a < b ? -1 : 1))
  await expect(`${JSON.stringify(Object.fromEntries(all), null, 2)}\n`).toMatchFileSnapshot('shapes.json')
})

test('every version but the first has a lift from the one before', () => {
  for (const table of Object.values(tables) as Definitions[])
    for (const { version, lifts = [] } of Object.values(table)) expect(lifts).toHaveLength(version - 1)
})

describe('the lock', () => {
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

  test('takes a new type, a new version and a new field that may be absent', () => {
    expect(problemsOf(before, shapes({ ...same, c: optional(openField(id)) }))).toEqual([])
    expect(problemsOf(before, { ...before, 'fact a.c@1': { a: '0' } })).toEqual([])
    expect(problemsOf(before, shapesOf({ fact: { 'a.b': lifted({ z: openField(id) }, data => data) } }))).toEqual([])
  })

  test('refuses a type that is gone, and a version that is taken back', () => {
    expect(problemsOf(before, {})).toEqual(['fact a.b@1 is gone: a type is for ever'])
    expect(problemsOf({ 'fact a.b@2': {} }, before)).toEqual([
      'fact a.b@2 is newer than version 1, which is written now',
    ])
  })
})
