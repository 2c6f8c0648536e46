/** What a single line of a stranger's file may look like before anybody parses it. */
import { Fault } from './failure.ts'

/** Deepest nesting of a line. */
export const deepestLine = 64

const refused: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Refuses what would burden the parser, or what no writer writes.
 *
 * @throws Fault `bad_input` naming the line
 */
export function checkShape(line: string, number: number): void {
  if (line === '') throw bad(number, 'expected a record, got an empty line')
  if (line.endsWith('\r')) throw bad(number, 'expected lines that end with LF, got CR LF: something converted the file')
  const depth = depthOf(line)
  if (depth > deepestLine) throw bad(number, `expected at most ${deepestLine} levels of nesting, got ${depth}`)
}

/**
 * Parses a header or trailer.
 *
 * @throws Fault `bad_input` naming the line, and the key when it is a hostile one
 */
export function parseSafely(line: string, number: number): object {
  checkShape(line, number)
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

/** Nesting of braces and brackets outside texts; counting stops one past the limit. */
function depthOf(line: string): number {
  // What opens less often than the limit cannot be nested deeper
  const opened = count(line, '{', deepestLine) + count(line, '[', deepestLine)
  return opened <= deepestLine ? opened : counted(line)
}

/** How often a character stands in a text; counting stops past the limit. */
function count(text: string, char: string, limit: number): number {
  let found = 0
  for (let at = text.indexOf(char); at >= 0 && found <= limit; at = text.indexOf(char, at + 1)) found += 1
  return found
}

function counted(line: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (quoted) {
      if (code === 92) i += 1
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123 || code === 91) {
      depth += 1
      if (depth > deepest) deepest = depth
      if (depth > deepestLine) return depth
    } else if (code === 125 || code === 93) depth -= 1
  }
  return deepest
}

function bad(line: number, message: string): Fault {
  return new Fault('bad_input', `recording, line ${line}: ${message}`)
}
