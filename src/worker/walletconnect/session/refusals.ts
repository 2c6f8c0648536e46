/**
 * Why a relay closed a socket, or opened none. In words of our own: what a relay says may quote the token.
 *
 * @see WalletConnect cloud docs, relay: error codes 401, 403, 1013; close codes 1001, 4008, 4010
 */
import type { Failure } from '../../../events/failure.ts'

/** What the relay holds against this page: its project id, its origin, its token, a rule, or it does not say. */
type Objection = 'project' | 'origin' | 'token' | 'rule' | 'unsaid'

const objections: Record<Objection, string> = {
  project: 'refused the project id',
  origin: 'does not allow this origin for the project',
  token: 'refused the token: this device’s clock may be wrong',
  rule: 'says that this page broke a rule',
  unsaid: 'refused this page and does not say why',
}

/** Close codes after which another try is what the relay wants. */
const passing: ReadonlyMap<number, string> = new Map([
  [1001, 'the relay goes away'],
  [1012, 'the relay is starting anew'],
  [4008, 'the relay closed an idle socket'],
  [4010, 'the relay moves its clients to another server'],
])

/**
 * @param code close code
 * @param reason the relay's words, read for what they name and not kept
 */
export function closeFailure(code: number, reason: string): Failure {
  if (code === 3000) return refusal(code, objectionIn(reason), 'close code')
  if (code === 1008) return refusal(code, 'rule', 'close code')
  if (code === 1013)
    return { code: 'rate_limited', message: 'the relay has too many requests, code 1013', facts: { code } }
  const words = passing.get(code) ?? "the relay's socket closed"
  return { code: 'unreachable', message: `${words}, code ${code}`, facts: { code } }
}

/** @param status what a plain request with the same token was answered; undefined when that cannot be read */
export function upgradeFailure(status: number | undefined): Failure {
  // By the published codes 401 means the project id or an expired token, 403 a project that is there and is not valid here
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
