/**
 * Switching to another network. Every network has a log of its own, so the core leaves this log for the other one.
 *
 * 1. No switch while money is under way, or while nothing is stored: what is under way would be lost sight of.
 * 2. A session goes along with its keys; of two networks, the one left last knows which connections are left.
 * 3. A wallet that did not approve the network keeps the page where it is.
 */
import type { Entering } from '../../events/effect.ts'
import {
  type Connection,
  type ConnectionFact,
  goingAlong,
  connectionOf,
} from '../../events/subjects/wallet/connection.ts'
import { type Session, type SessionFact, sessionFacts } from '../../events/subjects/session/session.ts'
import { currentId, idsOf } from '../../events/values/networks.ts'
import type { FailureCode } from '../../runtime/failure.ts'
import { canonicalJson } from '../../runtime/json/canonicalJson.ts'
import type { Json } from '../../runtime/json/readJson.ts'
import { own } from '../../runtime/schema/own.ts'
import type { Ctx, Decider } from '../core/context.ts'
import { moneyUnderWay } from '../host/money/moneyUnderWay.ts'
import { approvedChains } from '../walletconnect/session/namespaces.ts'
import { listen } from './relay/socket.ts'
import { watchExpiry } from './session/session.ts'
import { accountsChanged } from './session/sessionAccounts.ts'
import { gone } from './session/sessionEnd.ts'
import { featuresOf, permittedIn, solanaAccounts } from './session/sessionScope.ts'

export const networkSwitch: Decider = {
  resume: ctx => {
    if (ctx.boot.networks) ctx.fact('network.offered', ctx.boot.networks)
  },
  'network.switch': (ctx, { caip2: asked }) => {
    const caip2 = currentId(asked)
    const { offer } = ctx.model.network
    if (caip2 === offer?.active) return
    const problem = switchProblem(ctx, caip2)
    if (problem) return refuse(ctx, caip2, ...problem)
    const { attempt } = ctx.model.connection
    if (attempt.phase !== 'none') ctx.fact('connection.abandoned', { attemptId: attempt.attemptId })
    ctx.fact('network.switched', { caip2 })
    const isHome = caip2 === offer?.home
    const data = { ...(!isHome && { caip2 }), entering: enteringOf(ctx) }
    ctx.effect('core.switchNetwork', data, { about: caip2, after: 'stored' })
  },
  failed: {
    'core.switchNetwork': (ctx, failure, caip2) => ctx.fact('network.refused', { caip2, failure }),
  },
  'network.entered': (ctx, entering) => {
    endAbsent(ctx, entering)
    for (const session of entering.sessions) if (session.expiresAt > ctx.at) enterSession(ctx, session)
    const { active } = ctx.model.connection
    // The newest connection is the active one until another is activated
    let newest = active
    let chosen: string | undefined
    for (const one of entering.connections) {
      const { sessionTopic } = one
      const session = entering.sessions.find(other => other.sessionTopic === sessionTopic)
      const entered = session ? connectSession(ctx, one, session) : enterInstalled(ctx, one)
      if (entered?.isNew) newest = entered.connectionId
      if (one.connectionId === entering.active) chosen = entered?.connectionId
    }
    if (chosen !== undefined && chosen !== newest) ctx.fact('connection.activated', { connectionId: chosen })
  },
}

function refuse(ctx: Ctx, caip2: string, code: FailureCode, message: string): void {
  ctx.fact('network.refused', { caip2, failure: { code, message } })
}

/** @returns the code and sentence of why the switch may not be, if so */
function switchProblem(ctx: Ctx, caip2: string): [FailureCode, string] | undefined {
  const { network, connection } = ctx.model
  if (!network.offer?.networks.includes(caip2)) return ['bad_input', 'Network not found']
  // A refusal of another network stands in the model in place of the switch that is on its way
  const onWay = Object.values(ctx.transient.asked).find(({ type }) => type === 'core.switchNetwork')
  if (onWay) return ['busy', `the core expected to stay, it is on its way to ${onWay.about}`]
  if (moneyUnderWay(ctx.model)) return ['busy', 'switching expected no payment to be under way, one is']
  if (ctx.model.core.storage !== 'durable')
    return ['storage_down', 'switching expected this device to keep its log, it keeps none']
  const { sessionTopic } = own(connection.made, connection.active ?? '') ?? {}
  const session = own(ctx.model.session, sessionTopic ?? '')
  if (session && !approves(ctx, session, caip2)) {
    return [
      'unsupported',
      `Failed to switch to chain '${caip2}'. The chain is not approved or the wallet does not support switching.`,
    ]
  }
  return undefined
}

function approves(ctx: Ctx, session: Session, caip2: string): boolean {
  const ids = idsOf(caip2)
  return approvedChains(permittedIn(ctx, session)).some(chain => ids.includes(chain))
}

/**
 * A copy of everything connected here, for the log of the other network: the model goes on before the effect runs. Fields are sorted,
 * because a life that began at a checkpoint has them in another order.
 */
function enteringOf({ model: { connection, session } }: Ctx): Entering {
  const { made, active } = connection
  const entering: Entering = {
    connections: Object.values(made).map(madeOf),
    sessions: Object.values(session).map(one => ({ ...one, calls: {} })),
    ...(active !== null && { active }),
  }
  return JSON.parse(canonicalJson(entering as unknown as Json)) as Entering
}

/** Connections that ended on the other network, after this one was left, end here too. */
function endAbsent(ctx: Ctx, { connections, sessions }: Entering): void {
  for (const made of Object.values(ctx.model.connection.made))
    if (made.connector === 'installed' && !connections.some(one => isSame(one, made)))
      ctx.fact('connection.ended', { connectionId: made.connectionId, by: 'person' })
  for (const topic of Object.keys(ctx.model.session))
    if (!sessions.some(({ sessionTopic }) => sessionTopic === topic)) gone(ctx, topic, 'wallet')
}

type Entered = Entering['connections'][number]

/** An installed wallet has another id in each log. */
function isSame({ connector, wallet, identity }: Entered, made: Connection): boolean {
  return connector === made.connector && made.wallet.name === wallet.name && made.identity === identity
}

type Placed = { connectionId: string; isNew: boolean }

/** A connection that is asked silently, once a page is here, whether it still stands. */
function enterInstalled(ctx: Ctx, one: Entered): Placed {
  const { accounts } = one
  const known = Object.values(ctx.model.connection.made).find(made => isSame(one, made))
  const connectionId = known?.connectionId ?? ctx.id('connection')
  if (!known) ctx.fact('connection.made', { ...one, connectionId, attemptId: ctx.id('attempt') })
  else if (known.accounts.join() !== accounts.join()) ctx.fact('connection.accountsChanged', { connectionId, accounts })
  if (known?.phase !== 'restoring') ctx.fact('connection.restoring', { connectionId })
  return { connectionId, isNew: !known }
}

function enterSession(ctx: Ctx, session: Session): void {
  const { sessionTopic, namespaces, updateOrder, expiresAt, left } = session
  const known = own(ctx.model.session, sessionTopic)
  if (!known) {
    ctx.fact('session.settled', settledOf(session))
    for (const namespace of left) ctx.fact('session.namespaceLeft', { sessionTopic, namespace })
    listen(ctx, [sessionTopic])
  } else if (known.expiresAt !== expiresAt) ctx.fact('session.extended', { sessionTopic, expiresAt })
  if (updateOrder !== (known?.updateOrder ?? 0))
    ctx.fact('session.updated', { sessionTopic, namespaces, order: updateOrder })
  watchExpiry(ctx, sessionTopic, expiresAt)
  const { active = '' } = ctx.boot.networks ?? {}
  const isApproved = approves(ctx, session, active)
  if (isApproved && own(own(ctx.model.session, sessionTopic)?.chains ?? {}, 'solana') !== active)
    ctx.fact('session.chainSet', { sessionTopic, chain: active })
  if (!connectionOf(ctx.model, sessionTopic)) return
  const permitted = permittedIn(ctx, session)
  accountsChanged(ctx, sessionTopic, isApproved ? solanaAccounts(ctx, permitted) : [], featuresOf(ctx, permitted))
}

/** @returns the connection of a session, if its wallet approved this log's network */
function connectSession(ctx: Ctx, one: Entered, session: Session): Placed | undefined {
  const known = connectionOf(ctx.model, session.sessionTopic)
  if (known) return { connectionId: known.connectionId, isNew: false }
  if (session.expiresAt <= ctx.at || !approves(ctx, session, ctx.boot.networks?.active ?? '')) return undefined
  const permitted = permittedIn(ctx, session)
  const accounts = solanaAccounts(ctx, permitted)
  if (accounts.length === 0) return undefined
  const [connectionId, attemptId] = [ctx.id('connection'), ctx.id('attempt')]
  ctx.fact('connection.made', { ...one, connectionId, attemptId, accounts, features: featuresOf(ctx, permitted) })
  return { connectionId, isNew: true }
}

type Settled = Extract<SessionFact, { type: 'session.settled' }>['data']
type Made = Omit<Extract<ConnectionFact, { type: 'connection.made' }>['data'], 'labels'>

/** A session as its settlement would be now, in the order of that fact. */
function settledOf(session: Session): Settled {
  return fieldsOf<Settled>(sessionFacts['session.settled'], session)
}

/** A connection as it would be made now. */
function madeOf(made: Connection): Made {
  return fieldsOf<Made>({ fields: goingAlong }, { ...made, attemptId: made.connectionId })
}

/** The caller's type has the fields of the definition. */
function fieldsOf<T extends object>({ fields }: { fields: object }, from: T): T {
  const found = Object.keys(fields).flatMap(name => {
    const value = from[name as keyof T]
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(found) as T
}
