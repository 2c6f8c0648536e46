/**
 * Ids made by the core contain the input's number and a random part, so they differ in a run with other inputs. This table
 * maps the ids of one run to those of another.
 */
import { isCompound } from '../json/isRecord.ts'
import type { Effect, FactRecord } from '../log/record.ts'

/** An input's results. */
type Caused = { facts: readonly FactRecord[]; effects: readonly Effect[] }

export type Names = {
  /** Pairs the ids in both results of one input. */
  learn(before: Caused, now: Caused): void
  /** @returns the value with every id renamed; the same object when it has none */
  now<T>(value: T): T
}

/** An id made by the core, anywhere in a text: `order-1.30.5dac179c`, `e1.30.0`. */
const made = /\b(?:[a-zA-Z]+-\d+\.\d+\.[0-9a-f]{8}|e\d+\.\d+\.\d+)\b/g
const isMade = new RegExp(`^${made.source}$`)
const isIdField = /(?:^id|Id|Key)$/

/**
 * Creates an empty table.
 *
 * @param outside ids that drivers make, which differ as well
 */
export function createNames(outside?: RegExp): Names {
  const names = new Map<string, string>()

  function pair(before: unknown, now: unknown, field: string): void {
    if (before === now) return
    if (typeof before === 'string' && typeof now === 'string') {
      if (isIdField.test(field)) pairText(before, now)
      return
    }
    if (!isCompound(before) || !isCompound(now)) return
    for (const name in before) {
      if (Object.hasOwn(before, name) && Object.hasOwn(now, name)) {
        pair(before[name], now[name], Array.isArray(before) ? field : name)
      }
    }
  }

  function pairText(before: string, now: string): void {
    if (outside?.test(before) && outside.test(now)) names.set(before, now)
    else if (isMade.test(before) && isMade.test(now)) names.set(before, now)
  }

  function renamed(value: unknown): unknown {
    if (typeof value === 'string') {
      if (value.length < 6) return value
      return names.get(value) ?? (value.includes('.') ? value.replace(made, id => names.get(id) ?? id) : value)
    }
    if (!isCompound(value)) return value
    let copy: Record<string, unknown> | undefined
    for (const name in value) {
      const member = value[name]
      const now = renamed(member)
      if (now === member) continue
      copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
      copy[name] = now
    }
    return copy ?? value
  }

  return {
    learn(before, now) {
      for (const [fact, other] of pairs(before.facts, now.facts)) pair(fact.data, other.data, '')
      for (const [effect, other] of pairs(before.effects, now.effects)) {
        if (effect.id !== other.id) names.set(effect.id, other.id)
        pair(effect.data, other.data, '')
      }
    },
    now: <T>(value: T) => (names.size === 0 ? value : (renamed(value) as T)),
  }
}

/** Pairs by type: the first of a type with the first of that type, and so on. */
function* pairs<T extends { type: string }>(before: readonly T[], now: readonly T[]): Generator<[T, T]> {
  let free = [...now]
  for (const one of before) {
    const place = free.findIndex(other => other.type === one.type)
    const other = free[place]
    if (!other) continue
    free = place === 0 ? free.slice(1) : free.filter(candidate => candidate !== other)
    yield [one, other]
  }
}

/** @returns every id made by the core that stands anywhere in the value */
export function idsIn(value: unknown): string[] {
  return JSON.stringify(value).match(made) ?? []
}
