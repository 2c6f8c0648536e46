import { Fault } from '../../../runtime/failure.ts'
import type { Json } from '../../../runtime/json/readJson.ts'

/** Deepest nesting sent. */
const maxDepth = 32

/**
 * Checks and serializes a value to send. Official clients parse an integer of 17 or more digits, and a string of digits
 * followed by `n`, as a big integer: they would see another value, so neither is ever sent.
 *
 * @returns the JSON text
 * @throws Fault `bad_input` when the value is not JSON, too deep or would be misread
 */
export function writeJson(value: Json, name: string): string {
  checkSendable(value, name, 0)
  return JSON.stringify(value)
}

function checkSendable(value: unknown, name: string, depth: number): void {
  if (depth > maxDepth) throw new Fault('bad_input', `${name} expected at most ${maxDepth} levels, got more`)
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'string') {
    if (/^\d+n$/.test(value))
      throw new Fault('bad_input', `${name} has a text of digits with "n" behind, which wallets misread`)
    return
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return
    throw new Fault('bad_input', `${name} has a number beyond 2^53, send it as text`)
  }
  if (Array.isArray(value)) {
    for (const item of value) checkSendable(item, name, depth + 1)
    return
  }
  if (typeof value !== 'object') throw new Fault('bad_input', `${name} expected JSON, got a ${typeof value}`)
  for (const item of Object.values(value)) checkSendable(item, name, depth + 1)
}
