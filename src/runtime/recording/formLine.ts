/** Checks on one line of an untrusted file before it is parsed. */
import { isRecord } from '../json/isRecord.ts'
import { Fault } from '../failure.ts'
import { readJson } from '../json/readJson.ts'
import { recordingLimits } from './recordingBudget.ts'
import { longestLine } from '../log/createDecoder.ts'
import { badLine } from './badLine.ts'

/**
 * Refuses a line that no writer writes.
 *
 * @throws Fault `bad_input` naming the line
 */
export function checkShape(line: string, number: number): void {
  if (line === '') throw badLine(number, 'expected a record, got an empty line')
  if (line.endsWith('\r'))
    throw badLine(number, 'expected lines that end with LF, got CR LF: something converted the file')
}

/**
 * Parses a header or trailer.
 *
 * @throws Fault `bad_input` naming the line, and the key when it is a hostile one
 */
export function parseSafely(line: string, number: number): object {
  checkShape(line, number)
  return readObject(line, `recording, line ${number}:`)
}

/**
 * Parses an object within the limits of a line.
 *
 * @throws Fault `bad_input` whose sentence begins with `name`
 */
export function readObject(text: string, name: string): object {
  const { depth: maxDepth, valuesOfLine: maxValues } = recordingLimits
  const value = readJson(text, { name, code: 'bad_input', maxLength: longestLine, maxDepth, maxValues })
  if (!isRecord(value))
    throw new Fault('bad_input', `${name} expected an object, got ${Array.isArray(value) ? 'a list' : typeof value}`)
  return value
}
