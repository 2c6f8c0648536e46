/** Where two lines of a log first part. */

/**
 * @param expected one line of JSON
 * @param actual another
 * @returns the path of the first field that differs, such as `data.legs[0].units`; `order of keys` when only that differs
 */
export function firstDifference(expected: string, actual: string): string | undefined {
  if (expected === actual) return undefined
  try {
    return differs(JSON.parse(expected), JSON.parse(actual), '') ?? 'order of keys'
  } catch {
    return 'text'
  }
}

function differs(expected: unknown, actual: unknown, path: string): string | undefined {
  if (Object.is(expected, actual)) return undefined
  if (!isCompound(expected) || !isCompound(actual) || Array.isArray(expected) !== Array.isArray(actual)) return path
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  for (const key of keys) {
    const inside = Array.isArray(expected) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    if (!Object.hasOwn(expected, key) || !Object.hasOwn(actual, key)) return inside
    const found = differs(expected[key], actual[key], inside)
    if (found !== undefined) return found
  }
  return undefined
}

function isCompound(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
