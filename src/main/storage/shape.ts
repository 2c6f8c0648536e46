/**
 * Checks of parsed JSON, a few lines in all. The runtime's schemas would serve, but the bundler would put them into the page's
 * first file for it, which needs none of them at run time.
 */
import { isRecord } from '../../runtime/json/isRecord.ts'

/** @returns whether a value read from JSON has the shape */
export type Shape<T> = (value: unknown) => value is T
export type ShapeOf<S> = S extends Shape<infer T> ? T : never

/** A text. Lengths are in UTF-16 units; `grammar` has no flags. */
export function textShape(rules: { least?: number; most?: number; grammar?: RegExp } = {}): Shape<string> {
  const { least = 0, most = 4096, grammar } = rules
  return (value): value is string =>
    typeof value === 'string' &&
    value.length >= least &&
    value.length <= most &&
    (grammar === undefined || grammar.test(value))
}

/** One of a closed list of words. */
export function wordShape<const T extends string>(words: readonly T[]): Shape<T> {
  return (value): value is T => words.includes(value as T)
}

/** A number that is neither infinite nor none. */
export const finite: Shape<number> = (value): value is number => Number.isFinite(value)

/** A list whose members all fit. */
export function listShape<T>(member: Shape<T>): Shape<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(member)
}

/** An object whose values all fit, by any names. */
export function tableShape<T>(member: Shape<T>): Shape<Record<string, T>> {
  return (value): value is Record<string, T> => isRecord(value) && Object.values(value).every(member)
}

type Members = { readonly [name: string]: Shape<unknown> }
type Some<M extends Members, O extends Members> = { [K in keyof M]: ShapeOf<M[K]> } & { [K in keyof O]?: ShapeOf<O[K]> }

/** An object with these members; the optional ones may be absent, further ones are not looked at. */
export function objectShape<M extends Members, O extends Members = Record<never, never>>(
  members: M,
  optional = {} as O,
): Shape<{ [K in keyof Some<M, O>]: Some<M, O>[K] }> {
  return (value): value is Some<M, O> =>
    isRecord(value) &&
    Object.entries(members).every(([name, fits]) => fits(value[name])) &&
    Object.entries(optional).every(([name, fits]) => !Object.hasOwn(value, name) || fits(value[name]))
}
