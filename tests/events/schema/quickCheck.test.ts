import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import { quickCheckOf } from '../../../src/events/schema/quickCheck.ts'
import {
  baseUnits,
  choice,
  type Definitions,
  flag,
  id,
  integer,
  list,
  map,
  openField,
  optional,
  shape,
  text,
} from '../../../src/events/schema/registry.ts'

const folder = join(import.meta.dirname, '../../replay/recordings')
const tables: Record<string, Definitions> = { i: allInputDefinitions, f: factDefinitions, p: pageFactDefinitions }

/** Every recorded type, with its schema and some of its data. */
const recorded = new Map<string, { schema: v.GenericSchema; data: Record<string, unknown>[] }>()
for (const name of readdirSync(folder).filter(name => name.endsWith('.jsonl'))) {
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n').slice(1, -2)) {
    const {
      k,
      type,
      v: version,
      data,
    } = JSON.parse(line) as { k: string; type: string; v: number; data: Record<string, unknown> }
    const definition = tables[k]?.[type]
    if (!definition || definition.version !== version) continue
    const found = recorded.get(`${k} ${type}`) ?? { schema: shape(definition.fields).schema, data: [] }
    if (found.data.length < 5) found.data.push(data)
    recorded.set(`${k} ${type}`, found)
  }
}
const cases = [...recorded.values()].flatMap(({ schema, data }) =>
  data.map(one => ({ schema, check: quickCheckOf(schema), data: one })),
)

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'x'.repeat(5000),
    -1,
    1.5,
    Number.NaN,
    2 ** 53,
    [],
    {},
    [[]],
    { phase: 'none' },
    '01',
    'live',
  ),
)

/** A copy with one place, found by descent, replaced, removed or given a neighbour. */
function changed(value: unknown, path: readonly number[], how: 'put' | 'drop' | 'add', other: unknown): unknown {
  const [step = 0, ...rest] = path
  if (typeof value !== 'object' || value === null) return other
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const names = Object.keys(copy)
  const name = names[step % Math.max(1, names.length)] ?? 'first'
  if (rest.length > 0 && typeof copy[name] === 'object') copy[name] = changed(copy[name], rest, how, other)
  else if (how === 'drop') delete copy[name]
  else copy[how === 'add' ? 'oneMore' : name] = other
  return copy
}

describe('a quick check', () => {
  test('accepts all recorded data', () => {
    expect(cases.length).toBeGreaterThan(100)
    expect(cases.filter(({ check, data }) => !check(data))).toEqual([])
  })

  test('accepts nothing that its schema refuses, after any change', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('put' as const, 'drop' as const, 'add' as const),
        odd,
        ({ schema, check, data }, path, how, other) => {
          const value = changed(data, path, how, other)
          if (check(value)) expect(v.safeParse(schema, value).issues).toBeUndefined()
        },
      ),
      { numRuns: 4000 },
    )
  })

  const small = shape({
    n: openField(integer),
    t: openField(text),
    i: openField(id),
    u: openField(baseUnits),
    f: openField(flag),
    w: openField(choice(['a', 'b'])),
    l: list(openField(integer)),
    m: map(openField(flag)),
    o: optional(openField(text)),
  }).schema
  const fits = { n: 1, t: '', i: 'x', u: '10', f: true, w: 'a', l: [1], m: { a: true } }

  test.each<[string, object, boolean]>([
    ['all it needs', {}, true],
    ['what may be there', { o: 'x' }, true],
    ['one field more', { x: 1 }, false],
    ['one field as undefined', { o: undefined }, false],
    ['a fraction', { n: 1.5 }, false],
    ['a number too large to be exact', { n: 2 ** 53 }, false],
    ['a text too long', { t: 'x'.repeat(4097) }, false],
    ['an empty id', { i: '' }, false],
    ['units with a leading nought', { u: '010' }, false],
    ['a word of no list', { w: 'c' }, false],
    ['a list with one that does not fit', { l: [1, '2'] }, false],
    ['a list where names are wanted', { m: [true] }, false],
  ])('judges %s as its schema does, or leaves the decision to it', (_what, other, expected) => {
    expect(quickCheckOf(small)({ ...fits, ...other })).toBe(expected)
  })

  test('of missing data is false', () => {
    for (const name of Object.keys(fits)) {
      const { [name as 'n']: _, ...rest } = fits
      expect(quickCheckOf(small)(rest)).toBe(false)
    }
    for (const value of [null, undefined, 'x', 1, []]) expect(quickCheckOf(small)(value)).toBe(false)
  })
})
