/**
 * Failures of a closed or refused relay socket. In our own words: the relay's reason may quote the token.
 *
 * @see WalletConnect cloud docs, relay: error codes 401, 403, 1013; close codes 1001, 4008, 4010
 */
import type { Failure } from '../../../runtime/failure.ts'

/** The relay's objection: project id, origin, token, a rule, or not stated. */
type Objection = 'project' | 'origin' | 'token' | 'rule' | 'unsaid'

const objections: Record<Objection, string> = {
  project: 'refused the project id',
  origin: 'does not allow this origin for the project',
  token: 'refused the token: this device’s clock may be wrong',
  rule: 'says that this page broke a rule',
  unsaid: 'refused this page and does not say why',
}

/** Close codes after which the relay expects a reconnect. */
const passing: ReadonlyMap<number, string> = new Map([
  [1001, 'the relay goes away'],
  [1012, 'the relay is starting anew'],
  [4008, 'the relay closed an idle socket'],
  [4010, 'the relay moves its clients to another server'],
])

/**
 * @param code close code
 * @param reason the relay's words; classified, not stored
 */
export function closeFailure(code: number, reason: string): Failure {
  if (code === 3000) return refusal(code, objectionIn(reason), 'close code')
  if (code === 1008) return refusal(code, 'rule', 'close code')
  if (code === 1013)
    return { code: 'rate_limited', message: 'the relay has too many requests, code 1013', facts: { code } }
  const words = passing.get(code) ?? "the relay's socket closed"
  return { code: 'unreachable', message: `${words}, code ${code}`, facts: { code } }
}

/** @param status HTTP status of a plain request with the same token; undefined when unreadable */
export function upgradeFailure(status: number | undefined): Failure {
  // Published codes: 401 is the project id or an expired token, 403 an existing project that is not valid here
  if (status === 401) {
    const message = 'the relay refused the project id or the token, status 401: this device’s clock may be wrong'
    return { code: 'unauthorized', message, facts: { code: 401, objection: 'token' } }
  }
  if (status === 403) return refusal(403, 'origin', 'status')
  if (status === 429)
    return { code: 'rate_limited', message: 'the relay has too many requests, status 429', facts: { code: 429 } }
  const message =
    'the relay can be reached, but opens no socket: it refuses this page, or something on the way lets no socket through'
  return { code: 'unreachable', message, facts: { code: 1006 } }
}

function refusal(code: number, objection: Objection, kind: 'close code' | 'status'): Failure {
  return {
    code: 'unauthorized',
    message: `the relay ${objections[objection]}, ${kind} ${code}`,
    facts: { code, objection },
  }
}

function objectionIn(reason: string): Objection {
  if (/origin|allow.?list/i.test(reason)) return 'origin'
  if (/project|invalid key/i.test(reason)) return 'project'
  return /jwt|token|auth|expired|signature/i.test(reason) ? 'token' : 'unsaid'
}
