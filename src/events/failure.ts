/**
 * All failures, by code. `Fault` is thrown inside one thread; `Failure` is stored. The message is for developers; the ui turns
 * the code into words for people.
 */
export const failureCodes = [
  'user_rejected',
  'wallet_gone',
  'wallet_changed_tx',
  'wallet_locked',
  'account_changed',
  'insufficient_sol',
  'insufficient_token',
  'rent',
  'account_not_found',
  'no_token_account',
  'compute',
  'decimals',
  'blockhash_not_found',
  'expired',
  'dropped',
  'on_chain_error',
  'simulation_failed',
  'stale_quote',
  'sold_out',
  'paused',
  'ended',
  'not_started',
  'rate_limited',
  'unreachable',
  'offline',
  'bad_response',
  'bad_input',
  'unauthorized',
  'unsupported',
  'wrong_cluster',
  'terms_invalid',
  'terms_changed',
  'treasury_mismatch',
  'rpc_lying',
  'storage_down',
  'reload_needed',
  'elsewhere',
  'busy',
  'core_lost',
  'timeout',
  'unknown',
] as const

export type FailureCode = (typeof failureCodes)[number]

/** A failure as it stands in the log: plain JSON, no secret, no payload. */
export type Failure = { code: FailureCode; message: string; facts?: Record<string, string | number> }

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
