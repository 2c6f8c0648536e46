/** The first difference between two lines of a log. */
import { isCompound } from '../json/isRecord.ts'

/** A path such as `data.legs[0].units`, and the JSON found there; absent where there is nothing. */
export type FirstDifference = { path: string; expected?: string; actual?: string }

/**
 * @param expected one line of JSON
 * @param actual another
 * @returns the first field that differs; path `order of keys` when only that differs, `text` when a line is not JSON
 */
export function firstDifference(expected: string, actual: string): FirstDifference | undefined {
  if (expected === actual) return undefined
  try {
    return differs(JSON.parse(expected), JSON.parse(actual), '') ?? { path: 'order of keys' }
  } catch {
    return { path: 'text' }
  }
}

function differs(expected: unknown, actual: unknown, path: string): FirstDifference | undefined {
  if (Object.is(expected, actual)) return undefined
  if (!isCompound(expected) || !isCompound(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return { path, expected: JSON.stringify(expected), actual: JSON.stringify(actual) }
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  for (const key of keys) {
    const inside = Array.isArray(expected) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    if (!Object.hasOwn(actual, key)) return { path: inside, expected: JSON.stringify(expected[key]) }
    if (!Object.hasOwn(expected, key)) return { path: inside, actual: JSON.stringify(actual[key]) }
    const found = differs(expected[key], actual[key], inside)
    if (found) return found
  }
  return undefined
}
