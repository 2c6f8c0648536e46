/**
 * One-click auth: one press in the wallet signs a statement of who holds an account and, when methods are requested, opens a
 * session too. A wallet without support for it may answer the proposal beside it.
 */
import { own } from '../../runtime/schema/own.ts'
import { failure, type Peer, peer, type Redirect, redirect } from '../schema/fields.ts'
import type { Failure } from '../../runtime/failure.ts'
import {
  type DataOf,
  define,
  id,
  integer,
  isSo,
  list,
  longText,
  openField,
  optional,
  personal,
  shape,
  text,
  type UnionOf,
  v1,
} from '../../runtime/schema/registry.ts'
import { chosenId, instant } from '../schema/scales.ts'

/** The statement to sign. Times are ISO 8601 texts as the host gave them. */
export const askedFields = {
  chains: list(openField(chosenId)),
  domain: personal(text),
  uri: personal(text),
  nonce: personal(text),
  statement: optional(personal(text)),
  resources: optional(list(personal(text))),
  methods: list(openField(chosenId)),
  exp: optional(openField(id)),
  nbf: optional(openField(id)),
  requestId: optional(personal(text)),
}
export type AuthAsk = DataOf<typeof askedFields>

/**
 * A signed statement that answers the request; `cacao` is its JSON, for another check. `methods` and `chains` are what it
 * allows a session. `unchecked` until the contract that is said to hold the account has answered.
 */
const statementFields = {
  chain: openField(chosenId),
  address: personal(text),
  methods: list(openField(chosenId)),
  chains: list(openField(chosenId)),
  cacao: personal(longText),
  unchecked: optional(openField(isSo)),
}
export type Statement = DataOf<typeof statementFields>

// Named one by one: a bundler keeps objects that are spread, and the checks with them
const authId = openField(id)
const pairingTopic = personal(id)
const responseTopic = personal(id)
const publicKey = personal(id)
const payloadId = openField(id)
const responderKey = personal(id)
const signed = list(shape(statementFields))

/** Topics and ids of a request that exists; its answer comes on `responseTopic`. */
export const sentFields = { pairingTopic, responseTopic, publicKey, payloadId }
export type Sent = DataOf<typeof sentFields>

const itsLinks = optional(redirect)
export const answerFields = { responderKey, peer, signed, redirect: itsLinks }
export type AuthAnswer = { responderKey: string; peer: Peer; signed: Statement[]; redirect?: Redirect }

export const authFacts = define({
  /**
   * A well-formed request. `walletLink` is of the wallet on this device; `byLink` sends the request there without the relay.
   */
  'auth.requested': v1({
    authId,
    asked: shape(askedFields),
    expiresAt: openField(instant),
    walletLink: optional(personal(text)),
    byLink: optional(openField(isSo)),
  }),
  /** A request that no wallet could answer. */
  'auth.refused': v1({ message: openField(text) }),
  /** The vault has its keys and topics; the request is on its way. */
  'auth.created': v1({ authId, pairingTopic, responseTopic, publicKey, payloadId }),
  /** The relay holds it: a wallet that scans the code now receives it. */
  'auth.delivered': v1({ authId }),
  /** The wallet does not support one-click auth; the proposal beside it stands. */
  'auth.unsupported': v1({ authId }),
  /** The wallet signed, and every statement answers the request. */
  'auth.answered': v1({ authId, responderKey, peer, signed, redirect: itsLinks }),
  /** The contract confirms that the statement at this place is signed for it. */
  'auth.checked': v1({ authId, place: openField(integer) }),
  /** Ended: with statements, with a session, or with both. */
  'auth.done': v1({ authId, sessionTopic: optional(personal(id)) }),
  'auth.failed': v1({ authId, failure }),
})
export type AuthFact = UnionOf<typeof authFacts>

type Asking = {
  authId: string
  asked: AuthAsk
  requestedAt: number
  expiresAt: number
  walletLink?: string
  byLink?: true
}
export type Auth = Asking &
  (
    | { phase: 'requested' }
    | { phase: 'created'; sent: Sent }
    | { phase: 'delivered'; sent: Sent }
    | { phase: 'unsupported'; sent: Sent }
    | { phase: 'answered'; sent: Sent; answer: AuthAnswer }
    /** Without an answer, the wallet approved the proposal beside the request instead. */
    | { phase: 'done'; sent: Sent; answer?: AuthAnswer; sessionTopic?: string }
    /** `sent` and `answer` as far as it had come. */
    | { phase: 'failed'; failure: Failure; sent?: Sent; answer?: AuthAnswer }
  )
export type AuthIn<P extends Auth['phase']> = Extract<Auth, { phase: P }>
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
