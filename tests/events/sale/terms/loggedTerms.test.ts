import { describe, expect, test } from 'vitest'
import { loggedTerms } from '../../../../src/events/sale/terms/termsShape.ts'
import { exampleTerms } from '../../values/exampleTerms.ts'

const isTermsLike = (value: unknown) => loggedTerms.check(value) === undefined

type Path = (string | number)[]
/** Optional parts, and members of lists. */
const optional = /assets.*mint$|endsAt$|access.sha256$|access.url$|minUnits.|\.\d+$/

/** Every part of a value by its path. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsIn(part, [...path, key]))]
}

/** The same with `part` at a path, or without it. */
function changed(value: unknown, [first, ...rest]: Path, part?: unknown): unknown {
  if (first === undefined) return part
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  const now = changed(copy[first], rest, part)
  if (now === undefined) delete copy[first]
  else copy[first] = now
  return copy
}

describe('terms from a log of another build', () => {
  const terms = exampleTerms()
  const parts = pathsIn(terms).slice(1)

  test('are accepted with every part present and of its kind', () => {
    expect(isTermsLike(terms)).toBe(true)
    expect(isTermsLike({ ...terms, more: 1 })).toBe(true)
  })

  test('are refused without any one required part', () => {
    const needed = parts.filter(path => !optional.test(path.join('.')))
    for (const path of needed) expect(isTermsLike(changed(terms, path)), path.join('.')).toBe(false)
  })

  test('are refused with any one part of another kind', () => {
    for (const path of parts) expect(isTermsLike(changed(terms, path, Symbol('x'))), path.join('.')).toBe(false)
  })

  test.each([
    [['stages', 0, 'price'], '0'],
    [['stages', 0, 'price'], 'toString'],
    [['assets', 0, 'creditsPerUnit'], '0'],
    [['token', 'decimals'], 1_000_000_000],
    [['token', 'decimals'], -1],
    [['vesting', 'periods'], 10 ** 9],
    [['softCap'], '1e9'],
  ] as [Path, unknown][])('are refused with %j as %j', (path, value) => {
    expect(isTermsLike(changed(terms, path, value))).toBe(false)
  })

  test.each([[null], [undefined], ['text'], [[]], [[terms]]])('are not accepted as %j', value => {
    expect(isTermsLike(value)).toBe(false)
  })
})
