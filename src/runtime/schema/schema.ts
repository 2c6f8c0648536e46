/**
 * Descriptions of plain JSON values, each with the one check that judges a value.
 *
 * 1. A value that fits costs no allocation: its check returns undefined.
 * 2. The first misfit counts: an object's fields in the order of their description, then fields that it should not have.
 * 3. A misfit quotes no text, and no name unlike a field's: both may be anybody's words.
 */
import { isRecord } from '../json/isRecord.ts'

/** Why a value does not fit: the field's path with dots ('' for the value itself), what was expected and what came. */
type Misfit = { readonly path: string; readonly expected: string; readonly got: string }
type Check = (value: unknown) => Misfit | undefined

/** A description of values of type `T`. `type`, `grammar`, `options` and `entries` are for readers of descriptions. */
export type Schema<T = unknown> = {
  readonly type: string
  readonly check: Check
  readonly grammar?: RegExp | undefined
  readonly options?: readonly string[]
  readonly entries?: Entries
  /** the described type; no schema has this member */
  readonly of?: () => T
}

/** A field that may be absent. */
type Absentable<T> = Schema<T> & { readonly optional: true }
type Entries = { readonly [name: string]: Schema }

/** The values that a schema describes. */
export type ValueOf<S extends Schema> = S extends Schema<infer T> ? T : never
type AbsentableKeys<E> = { [K in keyof E]: E[K] extends { optional: true } ? K : never }[keyof E]
type ObjectOf<E extends Entries> = { [K in Exclude<keyof E, AbsentableKeys<E>>]: ValueOf<E[K]> } & {
  [K in AbsentableKeys<E>]?: ValueOf<E[K]>
} extends infer O
  ? { [K in keyof O]: O[K] }
  : never

/** A text. Lengths are in UTF-16 units; `grammar` has no flags, because a stateful expression answers differently each time. */
/*#__NO_SIDE_EFFECTS__*/
export function string(rules: { least?: number; most?: number; grammar?: RegExp } = {}): Schema<string> {
  const { least = 0, most = Number.POSITIVE_INFINITY, grammar } = rules
  const check: Check = value => {
    if (typeof value !== 'string') return unlike('string', value)
    const { length } = value
    if (length < least || length > most) return outside(length, least, most)
    return grammar === undefined || grammar.test(value) ? undefined : unlike(String(grammar), value)
  }
  return { type: 'string', check, grammar }
}

/** A whole number that a double holds exactly. */
/*#__NO_SIDE_EFFECTS__*/
export function wholeNumber(least = -Infinity, most = Infinity): Schema<number> {
  const check: Check = value => {
    if (!Number.isSafeInteger(value)) return unlike(typeof value === 'number' ? other : 'number', value)
    return (value as number) < least || (value as number) > most ? outside(value as number, least, most) : undefined
  }
  return { type: 'number', check }
}

/*#__NO_SIDE_EFFECTS__*/
export function boolean(): Schema<boolean> {
  return { type: 'boolean', check: value => (typeof value === 'boolean' ? undefined : unlike('boolean', value)) }
}

/** One value. */
/*#__NO_SIDE_EFFECTS__*/
export function literal<const T extends string | number | true>(wanted: T): Schema<T> {
  return {
    type: 'literal',
    check: value => (value === wanted ? undefined : unlike(JSON.stringify(wanted), value)),
  }
}

/** One of a closed list of words. */
/*#__NO_SIDE_EFFECTS__*/
export function wordOf<const T extends string>(options: readonly T[]): Schema<T> {
  const check: Check = value => {
    if (options.includes(value as T)) return undefined
    const words = options.map(word => `"${word}"`).join(' | ')
    return unlike(options.length > 1 ? `(${words})` : words, value)
  }
  return { type: 'picklist', check, options }
}

/** Any JSON. */
/*#__NO_SIDE_EFFECTS__*/
export function anything(): Schema {
  return { type: 'unknown', check: () => undefined }
}

/** A value that a test accepts. */
/*#__NO_SIDE_EFFECTS__*/
export function custom<T>(test: (value: unknown) => boolean, expected = other): Schema<T> {
  return { type: 'custom', check: value => (test(value) ? undefined : unlike(expected, value)) }
}

/** A value that fits a schema and a test. */
/*#__NO_SIDE_EFFECTS__*/
export function where<T>(schema: Schema<T>, test: (value: T) => boolean): Schema<T> {
  return { ...schema, check: value => schema.check(value) ?? (test(value as T) ? undefined : unlike(other, value)) }
}

/*#__NO_SIDE_EFFECTS__*/
export function nullable<T>({ check }: Schema<T>): Schema<T | null> {
  return { type: 'nullable', check: value => (value === null ? undefined : check(value)) }
}

/*#__NO_SIDE_EFFECTS__*/
export function absentable<T>(schema: Schema<T>): Absentable<T> {
  return { ...schema, optional: true }
}

/** Lists of `least` to `most` members. */
/*#__NO_SIDE_EFFECTS__*/
export function array<T>({ check }: Schema<T>, least = 0, most = Infinity): Schema<T[]> {
  return {
    type: 'array',
    check: value => {
      if (!Array.isArray(value)) return unlike('Array', value)
      if (value.length < least || value.length > most) return outside(value.length, least, most)
      // `every` would pass over a hole
      for (let at = 0; at < value.length; at++) {
        const found = check(value[at])
        if (found) return within(String(at), found)
      }
      return undefined
    },
  }
}

/** Lists that begin with these members; further ones are ignored. */
/*#__NO_SIDE_EFFECTS__*/
export function tuple<const M extends readonly Schema[]>(members: M): Schema<{ [K in keyof M]: ValueOf<M[K]> }> {
  const { check } = objectWith(Object.fromEntries(members.entries()), false)
  return { type: 'tuple', check: value => (Array.isArray(value) ? check({ ...value }) : unlike('Array', value)) }
}

/** Values by name. */
/*#__NO_SIDE_EFFECTS__*/
export function record<T>({ check }: Schema<T>, names?: RegExp): Schema<Record<string, T>> {
  return {
    type: 'record',
    check: value => {
      if (!isRecord(value)) return unlike('Object', value)
      for (const name in value) {
        const found = names && !names.test(name) ? unlike(String(names), name) : check(value[name])
        if (found) return within(name, found)
      }
      return undefined
    },
  }
}

/** An object with these fields and no others; checked fastest when they stand in this order. */
/*#__NO_SIDE_EFFECTS__*/
export function object<const E extends Entries>(entries: E): Schema<ObjectOf<E>> {
  return objectWith(entries, true)
}

/** An object with these fields; others are ignored. */
/*#__NO_SIDE_EFFECTS__*/
export function looseObject<const E extends Entries>(entries: E): Schema<ObjectOf<E>> {
  return objectWith(entries, false)
}

/*#__NO_SIDE_EFFECTS__*/
function objectWith<E extends Entries>(entries: E, isStrict: boolean): Schema<ObjectOf<E>> {
  const parts = Object.entries(entries).map(([name, { check, ...rest }]) => {
    return { name, check, isOptional: 'optional' in rest }
  })
  const explain = (value: Readonly<Record<string, unknown>>): Misfit | undefined => {
    for (const { name, check, isOptional } of parts) {
      const isThere = Object.hasOwn(value, name)
      if (!isThere && isOptional) continue
      // An absent field fits not even `anything`
      const found = check(value[name]) ?? (isThere ? undefined : unlike(other, undefined))
      if (found) return within(name, found)
    }
    if (isStrict)
      for (const name in value) if (!Object.hasOwn(entries, name)) return within(name, unlike('no field', value[name]))
    return undefined
  }
  const check: Check = value => {
    if (!isRecord(value)) return unlike('Object', value)
    let at = 0
    // Engines iterate over fields much faster than they look them up by name
    for (const name in value) {
      let part = parts[at]
      while (part?.isOptional && part.name !== name) {
        at += 1
        part = parts[at]
      }
      if (part?.name !== name || part.check(value[name])) return explain(value)
      at += 1
    }
    for (; at < parts.length; at++) if (!parts[at]?.isOptional) return explain(value)
    return undefined
  }
  return { type: 'object', check, entries }
}

/** An object of one of several shapes; the word under `tag` says which. */
/*#__NO_SIDE_EFFECTS__*/
export function variant<T>(tag: string, of: { readonly [word: string]: Entries }): Schema<T> {
  const word = wordOf(Object.keys(of))
  const shapes = new Map<unknown, Schema>(
    Object.entries(of).map(([one, entries]) => [one, object({ [tag]: anything(), ...entries })]),
  )
  const unknown = looseObject({ [tag]: word })
  return {
    type: 'variant',
    check: value => ((isRecord(value) && shapes.get(value[tag])) || unknown).check(value),
  }
}

export const other = 'another value'

export function unlike(expected: string, value: unknown): Misfit {
  return { path: '', expected, got: shown(value) }
}

function outside(value: number, least: number, most: number): Misfit {
  return { path: '', expected: value < least ? `>=${least}` : `<=${most}`, got: String(value) }
}

function within(name: string, { path, expected, got }: Misfit): Misfit {
  const shownName = /^([a-z]{1,24}\d{0,3}|\d{1,4})$/i.test(name) ? name : '…'
  return { path: path === '' ? shownName : `${shownName}.${path}`, expected, got }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `a text of ${value.length} characters`
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'Array' : 'Object'
  return String(value).slice(0, 80)
}
