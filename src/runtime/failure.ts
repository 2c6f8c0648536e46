/**
 * Failures, by code. `Fault` is thrown inside one thread; `Failure` is stored. The message is for developers; the code is for
 * programs.
 */

/** Codes of the runtime's own failures. A product adds its own by declaring more members of this interface. */
export interface FailureCodes {
  bad_input: true
  bad_response: true
  core_lost: true
  elsewhere: true
  reload_needed: true
  storage_down: true
  timeout: true
  unknown: true
  unsupported: true
}
export type FailureCode = keyof FailureCodes

/** A failure as it stands in the log: plain JSON, no secret, no payload. */
export type Failure = { code: FailureCode; message: string; facts?: Record<string, string | number> }

/** Facts of a failure in place of an answer that is quarantined whenever it comes, until its page is loaded anew. */
export const leftOut = { until: 'reload' } as const

/** @returns whether another attempt leads to the same failure until the page is loaded anew */
export function isLeftOut({ facts }: Failure): boolean {
  return facts?.until === leftOut.until
}

/**
 * A failure on its way through one thread.
 *
 * @param code which of the closed list
 * @param message one sentence: the thing, what was expected, what came, with units
 * @param facts numbers and short texts a program may want; never keys, never payloads
 */
export class Fault extends Error {
  readonly code: FailureCode
  readonly facts: Record<string, string | number> | undefined

  constructor(code: FailureCode, message: string, facts?: Record<string, string | number>) {
    super(message)
    this.name = 'Fault'
    this.code = code
    this.facts = facts
  }
}

/** @returns the failure to store; an unforeseen error becomes `unknown` and keeps only its name */
export function toFailure(cause: unknown): Failure {
  if (cause instanceof Fault) {
    return cause.facts
      ? { code: cause.code, message: cause.message, facts: cause.facts }
      : { code: cause.code, message: cause.message }
  }
  const name = cause instanceof Error ? cause.name : typeof cause
  return { code: 'unknown', message: `an unforeseen ${name} stopped this step` }
}
