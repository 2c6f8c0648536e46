import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In `file`, `find` occurs exactly once and becomes `replace`. With `tests`, one of these test files has to fail. */
export type Mutant = { file: string; find: string; replace: string; what: string; tests?: readonly string[] }

/** @returns a function that makes faults of one file, which one of these tests has to catch */
export const tested =
  (file: string, tests: readonly string[]) =>
  (what: string, find: string, replace: string): Mutant => ({ file, find, replace, what, tests })

/** @throws Error when `find` does not occur in the file exactly once */
export function changed(source: string, { file, find, replace, what }: Mutant): string {
  const count = source.split(find).length - 1
  if (count !== 1)
    throw new Error(`${file}: "${what}" expected its text once, got it ${count} times: ${JSON.stringify(find)}`)
  return source.replace(find, () => replace)
}

/** @returns obstacles to planting or judging a fault: the source has changed */
export function withoutPlace(root: string, mutant: Mutant): string[] {
  const { file, what, tests = [] } = mutant
  const missing = tests
    .filter(test => !existsSync(join(root, test)))
    .map(test => `${file}: "${what}": ${test} is not there`)
  try {
    changed(readFileSync(join(root, file), 'utf8'), mutant)
    return missing
  } catch (cause) {
    return [...missing, cause instanceof Error ? cause.message : String(cause)]
  }
}
