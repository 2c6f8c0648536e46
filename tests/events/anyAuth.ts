import type { Failure } from '../../src/runtime/failure.ts'
import type { Auth, AuthAnswer } from '../../src/events/subjects/wallet/authState.ts'
import type { Sent } from '../../src/events/subjects/wallet/authFacts.ts'

/** An auth of any phase, with the parts that only some phases have. */
export type AnyAuth = {
  authId: string
  phase: Auth['phase']
  asked: Auth['asked']
  requestedAt: number
  expiresAt: number
  walletLink?: string
  byLink?: true
  sent?: Sent
  answer?: AuthAnswer
  sessionTopic?: string
  failure?: Failure
}

/** @returns the first auth that the test accepts */
export function findAuth(auths: Record<string, Auth>, accepts: (auth: AnyAuth) => boolean): AnyAuth | undefined {
  return Object.values(auths).find(accepts)
}
