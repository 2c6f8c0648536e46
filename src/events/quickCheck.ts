/**
 * A schema as plain functions. Going through a schema costs several times what parsing its text costs, and most values fit:
 * what passes here fits the schema, and what does not is for the schema itself to judge and to put into words.
 */
import * as v from 'valibot'

export type QuickCheck = (value: unknown) => boolean

/** What is read of a schema; each kind has some of it. */
type Read = v.GenericSchema & {
  pipe?: readonly Rule[]
  entries?: Record<string, Read>
  item?: Read
  value?: Read
  wrapped?: Read
  options?: readonly unknown[]
}
type Rule = { kind: string; type: string; requirement?: unknown }

/** @returns a check that is true only for values that fit; for some that fit it may be false */
export function quickCheckOf(schema: v.GenericSchema): QuickCheck {
  const { pipe, type, entries, item, value, options } = schema as Read
  if (pipe) {
    const checks = [kindCheck(type), ...pipe.slice(1).map(ruleCheck)]
    return checks.every(check => check !== undefined) ? all(checks as QuickCheck[]) : wholly(schema)
  }
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
    return map => isObject(map) && Object.values(map).every(check)
  }
  if (type === 'picklist' && options) return value => options.includes(value)
  if (type === 'union' && options) {
    const checks = (options as v.GenericSchema[]).map(quickCheckOf)
    return value => checks.some(check => check(value))
  }
  return kindCheck(type) ?? wholly(schema)
}

function kindCheck(type: string): QuickCheck | undefined {
  if (type === 'string' || type === 'boolean') return value => typeof value === type
  return type === 'number' ? value => typeof value === 'number' && value === value : undefined
}

function ruleCheck({ type, requirement }: Rule): QuickCheck | undefined {
  if (type === 'max_length') return value => (value as string).length <= (requirement as number)
  if (type === 'min_length') return value => (value as string).length >= (requirement as number)
  if (type === 'safe_integer') return Number.isSafeInteger
  // One that keeps a place would answer otherwise the second time
  if (type === 'regex' && (requirement as RegExp).flags === '')
    return value => (requirement as RegExp).test(value as string)
  return undefined
}

function objectCheck(entries: Record<string, Read>): QuickCheck {
  const names = Object.keys(entries)
  const parts = names.map(name => {
    const entry = entries[name] as Read
    const isOptional = entry.type === 'exact_optional'
    return { name, isOptional, check: quickCheckOf((isOptional && entry.wrapped) || entry) }
  })
  return value => {
    if (!isObject(value)) return false
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
    // Nothing but these; what stands there as undefined is for the schema
    for (const _ in value) found -= 1
    return found === 0
  }
}

function all(checks: readonly QuickCheck[]): QuickCheck {
  return value => checks.every(check => check(value))
}

function wholly(schema: v.GenericSchema): QuickCheck {
  return value => v.safeParse(schema, value, { abortEarly: true }).success
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
