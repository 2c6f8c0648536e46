/** Required fields; others are allowed beside them. */
export type Wanted = { kind: string } & Record<string, unknown>

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns the path of the first differing field; undefined if all required ones match */
export function unmet(wanted: unknown, given: unknown, path = ''): string | undefined {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given) || given.length !== wanted.length) return path
    return first(wanted.keys(), at => unmet(wanted[at], given[at], `${path}[${at}]`))
  }
  if (isRecord(wanted)) {
    if (!isRecord(given)) return path
    return first(Object.keys(wanted), key =>
      Object.hasOwn(given, key) ? unmet(wanted[key], given[key], `${path}.${key}`) : `${path}.${key}`,
    )
  }
  return Object.is(wanted, given) ? undefined : path
}

function first<T>(list: Iterable<T>, find: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}
