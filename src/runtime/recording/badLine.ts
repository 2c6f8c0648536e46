import { Fault } from '../failure.ts'

/** @returns the failure of a recording's line; lines count from 1 */
export function badLine(line: number, message: string): Fault {
  return new Fault('bad_input', `recording, line ${line}: ${message}`)
}
