/**
 * Compares the lines of two visits. Times, slots and sequence numbers may differ, and so may ids, as long as each id of one visit
 * stands wherever its counterpart stands in the other.
 */
import { isCompound } from '../../runtime/json/isRecord.ts'
import type { LogRecord } from '../../runtime/log/record.ts'
import type { FirstDifference } from '../../runtime/replay/firstDifference.ts'

/** Numbers that say when, not how much. */
const isTimeField = /(?:^at|^slot|^seq|^life|At|Until|Time|Ms|Slot|Height)$/
const isIdField = /(?:^id|Id|Key|Ref|Hash|Topic|Tab|Seed|Signature|^tab|^topic|^seed|^signature|^nonce)$/
const idLike = /^(?=.*\d)[\w:.+/=-]{8,}$/
const unixMs = 1_000_000_000_000

/** Makes a comparison of two logs from their beginnings; it pairs ids as it meets them. */
export function createVisitComparison(): (a: LogRecord, b: LogRecord) => FirstDifference | undefined {
  const [there, back] = [new Map<string, string>(), new Map<string, string>()]

  function paired(a: string, b: string): boolean {
    if (!there.has(a) && !back.has(b)) {
      there.set(a, b)
      back.set(b, a)
    }
    return there.get(a) === b && back.get(b) === a
  }

  function mayDiffer(a: unknown, b: unknown, name: string): boolean {
    if (typeof a === 'number' && typeof b === 'number') return isTimeField.test(name) || (a > unixMs && b > unixMs)
    if (typeof a !== 'string' || typeof b !== 'string') return false
    const isId = (text: string) => isIdField.test(name) || (idLike.test(text) && !/^\d+$/.test(text))
    return isId(a) && isId(b) && paired(a, b)
  }

  function differs(a: unknown, b: unknown, path: string, name: string): FirstDifference | undefined {
    if (Object.is(a, b) && typeof a !== 'string') return undefined
    if (!isCompound(a) || !isCompound(b) || Array.isArray(a) !== Array.isArray(b)) {
      if (a === b || mayDiffer(a, b, name)) return undefined
      return { path, expected: JSON.stringify(a), actual: JSON.stringify(b) }
    }
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const isList = Array.isArray(a)
      const inside = isList ? `${path}[${key}]` : `${path}.${key}`
      if (!Object.hasOwn(b, key)) return { path: inside, expected: JSON.stringify(a[key]) }
      if (!Object.hasOwn(a, key)) return { path: inside, actual: JSON.stringify(b[key]) }
      const found = differs(a[key], b[key], inside, isList ? name : key)
      if (found) return found
    }
    return undefined
  }

  return (a, b) => {
    if (a.k !== b.k) return { path: 'k', expected: JSON.stringify(a.k), actual: JSON.stringify(b.k) }
    if (a.k === 'c' || b.k === 'c') return undefined
    if (a.k === 'e' || b.k === 'e') {
      const [was, is] = [a, b].map(record => (record.k === 'e' ? record.types.join(' ') : ''))
      return was === is ? undefined : { path: 'types', expected: JSON.stringify(was), actual: JSON.stringify(is) }
    }
    if (a.type !== b.type) return { path: 'type', expected: JSON.stringify(a.type), actual: JSON.stringify(b.type) }
    return differs(a.data, b.data, 'data', '')
  }
}
