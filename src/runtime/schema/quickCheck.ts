/**
 * A schema as plain functions. The schema library costs several times what parsing the text costs, and most values fit: a value
 * that passes here fits the schema; any other is for the schema to judge and to put into words.
 */
import { isRecord } from '../json/isRecord.ts'
import * as v from 'valibot'

export type QuickCheck = (value: unknown) => boolean

/** The parts of a schema that are read here; each kind has some of them. */
type Read = v.GenericSchema & {
  pipe?: readonly Rule[]
  entries?: Record<string, Read>
  item?: Read
  value?: Read
  wrapped?: Read
  options?: readonly unknown[]
}
type Rule = { kind: string; type: string; requirement?: unknown }

/** @returns a check that is true only for values that fit; it may be false for some of them */
export function quickCheckOf(schema: v.GenericSchema): QuickCheck {
  const { pipe, type, entries, item, value, options } = schema as Read
  if (pipe) return leafCheck(type, pipe.slice(1)) ?? wholly(schema)
  if (type === 'strict_object' && entries) return objectCheck(entries)
  if (type === 'array' && item) {
    const check = quickCheckOf(item)
    return value => {
      if (!Array.isArray(value)) return false
      // `every` would pass over a hole
      for (let at = 0; at < value.length; at++) if (!check(value[at])) return false
      return true
    }
  }
  if (type === 'record' && value) {
    const check = quickCheckOf(value)
    return map => {
      if (!isRecord(map)) return false
      for (const name in map) if (!check(map[name])) return false
      return true
    }
  }
  if (type === 'picklist' && options) return value => options.includes(value)
  if (type === 'union' && options) {
    const checks = (options as v.GenericSchema[]).map(quickCheckOf)
    return value => checks.some(check => check(value))
  }
  return leafCheck(type, []) ?? wholly(schema)
}

/** A text, number or flag with its rules as one function; undefined when it has a rule of another kind. */
function leafCheck(type: string, rules: readonly Rule[]): QuickCheck | undefined {
  if (type === 'string') {
    let [least, most] = [0, Number.POSITIVE_INFINITY]
    let grammar: RegExp | undefined
    for (const { type, requirement } of rules) {
      if (type === 'max_length') most = Math.min(most, requirement as number)
      else if (type === 'min_length') least = Math.max(least, requirement as number)
      // A stateful expression would answer differently the second time
      else if (type === 'regex' && !grammar && (requirement as RegExp).flags === '') grammar = requirement as RegExp
      else return undefined
    }
    const fits = (value: unknown): value is string =>
      typeof value === 'string' && value.length >= least && value.length <= most
    return grammar ? value => fits(value) && grammar.test(value) : fits
  }
  if (type === 'number' && rules.every(rule => rule.type === 'safe_integer'))
    return rules.length > 0 ? Number.isSafeInteger : value => typeof value === 'number' && value === value
  return type === 'boolean' && rules.length === 0 ? value => typeof value === 'boolean' : undefined
}

/** A named field of an object, with its check. */
export type PartCheck = { readonly name: string; readonly isOptional: boolean; readonly check: QuickCheck }

function objectCheck(entries: Record<string, Read>): QuickCheck {
  return partsCheck(
    Object.entries(entries).map(([name, entry]) => {
      const isOptional = entry.type === 'exact_optional'
      return { name, isOptional, check: quickCheckOf((isOptional && entry.wrapped) || entry) }
    }),
  )
}

/** @returns a check that an object has these fields and no others; fastest when they stand in this order */
export function partsCheck(parts: readonly PartCheck[]): QuickCheck {
  return value => {
    if (!isRecord(value)) return false
    let at = 0
    // Engines iterate over fields much faster than they look them up by name
    for (const name in value) {
      let part = parts[at]
      while (part?.isOptional && part.name !== name) {
        at += 1
        part = parts[at]
      }
      if (part?.name !== name) return inAnyOrder(parts, value)
      const member = value[name]
      // A field set to undefined is for the schema to judge
      if (member === undefined || !part.check(member)) return false
      at += 1
    }
    for (; at < parts.length; at++) if (!parts[at]?.isOptional) return false
    return true
  }
}

function inAnyOrder(parts: readonly PartCheck[], value: Record<string, unknown>): boolean {
  let found = 0
  for (const { name, isOptional, check } of parts) {
    const member = value[name]
    if (member === undefined) {
      if (!isOptional) return false
    } else {
      found += 1
      if (!check(member)) return false
    }
  }
  // No other fields
  for (const _ in value) found -= 1
  return found === 0
}

function wholly(schema: v.GenericSchema): QuickCheck {
  return value => v.safeParse(schema, value, { abortEarly: true }).success
}
