import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import { type Definition, type Definitions, schemaOf } from '../../../src/runtime/schema/registry.ts'
import { either } from '../../../src/runtime/schema/either.ts'
import {
  absentable,
  anything,
  array,
  boolean,
  custom,
  literal,
  looseObject,
  nullable,
  object,
  record,
  type Schema,
  string,
  tuple,
  variant,
  where,
  wholeNumber,
  wordOf,
} from '../../../src/runtime/schema/schema.ts'

const folder = join(import.meta.dirname, '../../replay/recordings')
const tables: Record<string, Definitions> = { i: allInputDefinitions, f: factDefinitions, p: pageFactDefinitions }

type Case = { definition: Definition; data: Record<string, unknown> }
type Line = { k: string; type: string; v: number; data: Record<string, unknown> }

/** Up to five data of every type that was ever recorded. */
const recorded = new Map<string, Case[]>()
for (const name of readdirSync(folder).filter(name => name.endsWith('.jsonl'))) {
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n').slice(1, -2)) {
    const { k, type, v, data } = JSON.parse(line) as Line
    const definition = tables[k]?.[type]
    if (!definition || definition.version !== v) continue
    const found = recorded.get(`${k} ${type}`) ?? []
    if (found.length < 5) found.push({ definition, data })
    recorded.set(`${k} ${type}`, found)
  }
}
const cases = [...recorded.values()].flat()

/** The same value, the fields of each of its objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  )
}

const misfitOf = ({ definition, data }: Case) => schemaOf(definition).check(data)

describe('data that was recorded', () => {
  test('fits its schema, in any order of its fields', () => {
    expect(cases.length).toBeGreaterThan(100)
    expect(cases.filter(one => misfitOf(one))).toEqual([])
    expect(cases.filter(one => misfitOf({ ...one, data: reversed(one.data) as Case['data'] }))).toEqual([])
  })

  test('does not fit without any one field that it needs, nor with one field more', () => {
    for (const { definition, data } of cases) {
      for (const [name, field] of Object.entries(definition.fields)) {
        const { [name]: _, ...rest } = data
        expect(misfitOf({ definition, data: rest })?.path).toBe(field.optional ? undefined : name)
      }
      expect(misfitOf({ definition, data: { ...data, oneMore: 1 } })?.path).toBe('oneMore')
    }
  })
})

const small = object({
  n: wholeNumber(0, 9),
  t: string({ least: 1, most: 3 }),
  u: string({ grammar: /^(0|[1-9][0-9]*)$/ }),
  f: boolean(),
  w: wordOf(['a', 'b']),
  l: array(wholeNumber(), 1, 2),
  m: record(boolean(), /^[a-z]{1,40}$/),
  z: nullable(string()),
  v: variant('kind', { one: { a: string() }, two: {} }),
  p: tuple([string(), literal('base64')]),
  e: either(object({ a: string() }), object({ b: string() })),
  h: where(string(), text => text.startsWith('h')),
  c: custom(value => value !== 0),
  x: anything(),
  o: absentable(string()),
  loose: absentable(looseObject({ a: string() })),
})
const fits = {
  n: 1,
  t: 'x',
  u: '10',
  f: true,
  w: 'a',
  l: [1],
  m: { a: true },
  z: null,
  v: { kind: 'one', a: '' },
  p: ['AA==', 'base64'],
  e: { b: '' },
  h: 'https',
  c: 1,
  x: null,
}
const sentence = (schema: Schema, value: unknown) => {
  const found = schema.check(value)
  return found && `${found.path} expected ${found.expected}, got ${found.got}`
}

describe('a value', () => {
  test.each<[string, object]>([
    ['all it needs', {}],
    ['a field that may be absent', { o: 'x' }],
    ['another shape of its variant', { v: { kind: 'two' } }],
    ['a text where null may be', { z: 'x' }],
    ['the other of two shapes', { e: { a: '' } }],
    ['further members behind a tuple', { p: ['', 'base64', 1] }],
    ['further fields of a loose object', { loose: { b: 1, a: '' } }],
  ])('fits with %s', (_what, change) => {
    expect(sentence(small, { ...fits, ...change })).toBeUndefined()
    expect(sentence(small, reversed({ ...fits, ...change }))).toBeUndefined()
  })

  test.each<[string, object]>([
    ['y expected no field, got 1', { y: 1 }],
    ['o expected string, got undefined', { o: undefined }],
    ['n expected another value, got 1.5', { n: 1.5 }],
    ['n expected another value, got 9007199254740992', { n: 2 ** 53 }],
    ['n expected number, got a text of 1 characters', { n: '1' }],
    ['n expected >=0, got -1', { n: -1 }],
    ['n expected <=9, got 10', { n: 10 }],
    ['t expected >=1, got 0', { t: '' }],
    ['t expected <=3, got 4', { t: 'four' }],
    ['t expected string, got Array', { t: ['x'] }],
    ['u expected /^(0|[1-9][0-9]*)$/, got a text of 3 characters', { u: '010' }],
    ['f expected boolean, got null', { f: null }],
    ['w expected ("a" | "b"), got a text of 1 characters', { w: 'c' }],
    ['l expected >=1, got 0', { l: [] }],
    ['l expected <=2, got 3', { l: [1, 2, 3] }],
    ['l.1 expected number, got a text of 1 characters', { l: [1, '2'] }],
    ['l.0 expected number, got undefined', { l: Object.assign([], { 1: 2 }) }],
    ['l expected Array, got Object', { l: { 0: 1, length: 1 } }],
    ['m expected Object, got Array', { m: [true] }],
    ['m.a expected boolean, got 1', { m: { a: 1 } }],
    ['m.… expected /^[a-z]{1,40}$/, got a text of 4 characters', { m: { 'a b.': true } }],
    ['m.… expected boolean, got 1', { m: { abcdefghijklmnopqrstuvwxyz: 1 } }],
    ['z expected string, got 1', { z: 1 }],
    ['v.kind expected ("one" | "two"), got a text of 5 characters', { v: { kind: 'three' } }],
    ['v.kind expected ("one" | "two"), got undefined', { v: {} }],
    ['v expected Object, got null', { v: null }],
    ['v.a expected string, got undefined', { v: { kind: 'one' } }],
    ['v.a expected no field, got a text of 0 characters', { v: { kind: 'two', a: '' } }],
    ['p.1 expected "base64", got a text of 3 characters', { p: ['', 'hex'] }],
    ['p.1 expected "base64", got undefined', { p: [''] }],
    ['e expected another value, got Object', { e: { c: '' } }],
    ['h expected another value, got a text of 1 characters', { h: 'x' }],
    ['h expected string, got 1', { h: 1 }],
    ['c expected another value, got 0', { c: 0 }],
    ['loose.a expected string, got undefined', { loose: { b: 1 } }],
  ])('misfits: %s', (expected, change) => {
    expect(sentence(small, { ...fits, ...change })).toBe(expected)
    expect(sentence(small, Object.fromEntries(Object.entries({ ...fits, ...change }).reverse()))).toBe(expected)
  })

  test('misfits without what it needs', () => {
    for (const name of Object.keys(fits)) {
      const { [name as 'n']: _, ...rest } = fits
      expect(small.check(rest)?.path).toBe(name)
      expect(small.check(reversed(rest))?.path).toBe(name)
    }
    for (const value of [null, undefined, 'x', 1, []]) expect(small.check(value)?.expected).toBe('Object')
  })
})
