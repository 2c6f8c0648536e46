/**
 * One-click auth: one press in the wallet signs a statement of who holds an account and, when methods are requested, opens a
 * session too. A wallet without support for it may answer the proposal beside it.
 */
import { own } from '../../../runtime/schema/own.ts'
import type { Statement, AuthFact } from './authFacts.ts'
import type { Auth, AuthIn } from './authState.ts'

export type OpenAuth = Exclude<Auth, { phase: 'done' | 'failed' }>
/** Open, with its topics and keys. */
export type SentAuth = Exclude<OpenAuth, { phase: 'requested' }>

/** Open ones, and the latest that ended. */
export type AuthView = Record<string, Auth>

const endedKept = 5

export function isAuthOver(auth: Auth): auth is AuthIn<'done'> | AuthIn<'failed'> {
  return auth.phase === 'done' || auth.phase === 'failed'
}

/** @returns whether it is open and a wallet may have it */
export function isAuthAsked(auth: Auth): auth is SentAuth {
  return !isAuthOver(auth) && auth.phase !== 'requested'
}

/** @returns whether a wallet that scans its code may accept it */
export function awaitsScan({ byLink, phase }: Auth): boolean {
  return !byLink && (phase === 'requested' || phase === 'created' || phase === 'delivered')
}

export function foldAuth(model: { auth: AuthView }, fact: AuthFact & { at: number }): void {
  if (fact.type === 'auth.refused') return
  const { authId: name } = fact.data
  const auth = own(model.auth, name)
  if (fact.type === 'auth.requested') {
    if (auth) return
    model.auth[name] = { phase: 'requested', requestedAt: fact.at, ...fact.data }
    const ended = Object.values(model.auth).filter(isAuthOver)
    for (const old of ended.slice(0, Math.max(0, ended.length - endedKept))) delete model.auth[old.authId]
    return
  }
  const next = auth && after(auth, fact)
  if (next) model.auth[name] = next
}

/** @returns the auth after this fact; undefined where the fact leads nowhere: a phase never goes back */
function after(auth: Auth, fact: Exclude<AuthFact, { type: 'auth.refused' | 'auth.requested' }>): Auth | undefined {
  if (isAuthOver(auth)) return undefined
  switch (fact.type) {
    case 'auth.created': {
      const { authId: _, ...sent } = fact.data
      return auth.phase === 'requested' ? { ...auth, phase: 'created', sent } : undefined
    }
    case 'auth.delivered':
      return auth.phase === 'created' ? { ...auth, phase: 'delivered' } : undefined
    case 'auth.unsupported':
      return auth.phase === 'created' || auth.phase === 'delivered' ? { ...auth, phase: 'unsupported' } : undefined
    case 'auth.answered': {
      const { authId: _, ...answer } = fact.data
      const isWaiting = auth.phase !== 'requested' && auth.phase !== 'answered'
      return isWaiting ? { ...auth, phase: 'answered', answer } : undefined
    }
    case 'auth.checked': {
      if (auth.phase !== 'answered') return undefined
      const signed = auth.answer.signed.map((one, place) => (place === fact.data.place ? checked(one) : one))
      return { ...auth, answer: { ...auth.answer, signed } }
    }
    case 'auth.done': {
      if (auth.phase === 'requested') return undefined
      const { authId: _, ...session } = fact.data
      return { ...auth, phase: 'done', ...session }
    }
    case 'auth.failed':
      return { ...auth, phase: 'failed', failure: fact.data.failure }
  }
}

function checked({ unchecked: _, ...statement }: Statement): Statement {
  return statement
}
