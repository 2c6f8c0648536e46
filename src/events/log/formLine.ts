/** Checks on one line of an untrusted file before it is parsed. */
import { Fault } from '../failure.ts'
import { measure } from '../recording/recordingBudget.ts'

const refused: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Refuses a line that no writer writes.
 *
 * @throws Fault `bad_input` naming the line
 */
export function checkShape(line: string, number: number): void {
  if (line === '') throw bad(number, 'expected a record, got an empty line')
  if (line.endsWith('\r')) throw bad(number, 'expected lines that end with LF, got CR LF: something converted the file')
}

/**
 * Parses a header or trailer.
 *
 * @throws Fault `bad_input` naming the line, and the key when it is a hostile one
 */
export function parseSafely(line: string, number: number): object {
  checkShape(line, number)
  measure(line, number)
  let value: unknown
  try {
    value = JSON.parse(line, (key, member: unknown) => {
      if (refused.has(key)) throw bad(number, `expected no key ${key}, got one`)
      return member
    })
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw bad(number, 'expected JSON, got text that does not parse')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw bad(number, `expected an object, got ${Array.isArray(value) ? 'a list' : typeof value}`)
  }
  return value
}

function bad(line: number, message: string): Fault {
  return new Fault('bad_input', `recording, line ${line}: ${message}`)
}
