/** In `file`, `find` occurs exactly once and becomes `replace`. With `tests`, one of these test files has to fail. */
export type Mutant = { file: string; find: string; replace: string; what: string; tests?: readonly string[] }

/** @returns a function that makes faults of one file, which one of these tests has to catch */
export const tested =
  (file: string, tests: readonly string[]) =>
  (what: string, find: string, replace: string): Mutant => ({ file, find, replace, what, tests })
