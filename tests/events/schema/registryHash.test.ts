import { describe, expect, test } from 'vitest'
import {
  type Definitions,
  list,
  openField,
  optional,
  personal,
  shape,
  text,
  v1,
} from '../../../src/runtime/schema/registry.ts'
import { registryHash } from '../../../src/events/schema/registryHash.ts'
import { tablesHash } from '../../../src/runtime/schema/tablesHash.ts'

const a = v1({ name: openField(text) })
const of = (table: Definitions) => tablesHash([table])

describe('the hash of a registry', () => {
  test('is 8 hex digits and always the same', () => {
    expect(registryHash()).toMatch(/^[0-9a-f]{8}$/)
    expect(registryHash()).toBe(registryHash())
  })

  test('does not depend on the order of types', () => {
    expect(of({ 'x.a': a, 'x.b': v1({}) })).toBe(of({ 'x.b': v1({}), 'x.a': a }))
  })

  test.each([
    ['another version', { 'x.a': { ...a, version: 2 } }],
    ['another name', { 'x.b': a }],
    ['another class', { 'x.a': v1({ name: personal(text) }) }],
    ['a field that may be absent', { 'x.a': v1({ name: optional(openField(text)) }) }],
    ['a list', { 'x.a': v1({ name: list(openField(text)) }) }],
    ['parts', { 'x.a': v1({ name: shape({ first: openField(text) }) }) }],
  ])('changes with %s', (_name, table) => {
    expect(of(table)).not.toBe(of({ 'x.a': a }))
  })
})
