/**
 * Switching to another network. Every network has a log of its own, so the core leaves this log for the other one.
 *
 * 1. No switch while money is under way, or while nothing is stored: what is under way would be lost sight of.
 * 2. A session goes along with its keys; of two networks, the one left last knows which connections are left.
 * 3. A wallet that did not approve the network keeps the page where it is.
 */
import type { Entering } from '../../events/effect.ts'
import { type Connection, connectionOf } from '../../events/subjects/connection.ts'
import { type Session, type SessionFact, sessionFacts } from '../../events/subjects/session.ts'
import { currentId, idsOf } from '../../events/values/networks.ts'
import type { FailureCode } from '../../runtime/failure.ts'
import { own } from '../../runtime/schema/own.ts'
import type { Ctx, Decider } from '../core/context.ts'
import { moneyUnderWay } from '../host/money/moneyUnderWay.ts'
import { approvedChains } from '../walletconnect/session/namespaces.ts'
import { listen } from './relay/socket.ts'
import { watchExpiry } from './session/session.ts'
import { accountsChanged, makeConnection } from './session/sessionAccounts.ts'
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
    let active: string | undefined
    for (const one of entering.installed) {
      const connectionId = enterInstalled(ctx, one)
      if (one.isActive) active = connectionId
    }
    for (const { session, wallet, isActive } of entering.sessions) {
      if (session.expiresAt <= ctx.at) continue
      enterSession(ctx, session, wallet)
      if (isActive) active = connectionOf(ctx.model, session.sessionTopic)?.connectionId
    }
    if (active !== undefined && active !== ctx.model.connection.active)
      ctx.fact('connection.activated', { connectionId: active })
  },
}

function refuse(ctx: Ctx, caip2: string, code: FailureCode, message: string): void {
  ctx.fact('network.refused', { caip2, failure: { code, message } })
}

/** @returns the code and sentence of why the switch may not be, if so */
function switchProblem(ctx: Ctx, caip2: string): [FailureCode, string] | undefined {
  const { network, connection } = ctx.model
  if (!network.offer?.networks.includes(caip2)) return ['bad_input', 'Network not found']
  const { change } = network
  if (change && !change.failure) return ['busy', `the core expected to stay, it is on its way to ${change.caip2}`]
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

/** Everything connected here, for the log of the other network. */
function enteringOf({ model: { connection, session } }: Ctx): Entering {
  const { made, active } = connection
  const isActive = (one?: Connection) => one !== undefined && one.connectionId === active
  const installed = Object.values(made)
    .filter(({ connector }) => connector === 'installed')
    .map(one => {
      const { wallet, accounts, features, identity } = one
      return { wallet, accounts, features, ...(identity !== undefined && { identity }), isActive: isActive(one) }
    })
  const sessions = Object.values(session).map(one => {
    const connected = connectionOf({ connection }, one.sessionTopic)
    const wallet = connected && { wallet: connected.wallet }
    return { session: { ...one, calls: {} }, ...wallet, isActive: isActive(connected) }
  })
  return { installed, sessions }
}

/** Connections that ended on the other network, after this one was left, end here too. */
function endAbsent(ctx: Ctx, { installed, sessions }: Entering): void {
  for (const made of Object.values(ctx.model.connection.made))
    if (made.connector === 'installed' && !installed.some(one => isSame(one, made)))
      ctx.fact('connection.ended', { connectionId: made.connectionId, by: 'person' })
  for (const sessionTopic of Object.keys(ctx.model.session))
    if (!sessions.some(({ session }) => session.sessionTopic === sessionTopic)) gone(ctx, sessionTopic, 'wallet')
}

type Settled = Extract<SessionFact, { type: 'session.settled' }>['data']
type Installed = Entering['installed'][number]

function isSame({ wallet, identity }: Installed, made: Connection): boolean {
  return made.connector === 'installed' && made.wallet.name === wallet.name && made.identity === identity
}

/** A connection that is asked silently, once a page is here, whether it still stands. */
function enterInstalled(ctx: Ctx, one: Installed): string {
  const { isActive: _, accounts, ...rest } = one
  const known = Object.values(ctx.model.connection.made).find(made => isSame(one, made))
  const connectionId = known?.connectionId ?? ctx.id('connection')
  if (!known) {
    const { wallet, features, ...identity } = rest
    const attemptId = ctx.id('attempt')
    ctx.fact('connection.made', {
      connectionId,
      attemptId,
      connector: 'installed',
      wallet,
      accounts,
      features,
      ...identity,
    })
  } else if (known.accounts.join() !== accounts.join())
    ctx.fact('connection.accountsChanged', { connectionId, accounts })
  if (known?.phase !== 'restoring') ctx.fact('connection.restoring', { connectionId })
  return connectionId
}

function enterSession(ctx: Ctx, session: Session, chosen: Entering['sessions'][number]['wallet']): void {
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
  const permitted = permittedIn(ctx, session)
  const approved = approves(ctx, session, active)
  if (approved && own(own(ctx.model.session, sessionTopic)?.chains ?? {}, 'solana') !== active)
    ctx.fact('session.chainSet', { sessionTopic, chain: active })
  const shared = { accounts: approved ? solanaAccounts(permitted) : [], features: featuresOf(permitted) }
  if (connectionOf(ctx.model, sessionTopic)) accountsChanged(ctx, sessionTopic, shared.accounts, shared.features)
  else if (chosen && shared.accounts.length > 0)
    makeConnection(ctx, sessionTopic, shared, { attemptId: ctx.id('attempt'), chosen, peerName: session.peer.name })
}

/** A session as its settlement would be now. */
function settledOf(session: Session): Settled {
  const names = Object.keys(sessionFacts['session.settled'].fields) as (keyof Settled)[]
  // Each name is a field of both
  return Object.fromEntries(
    names.flatMap(name => (session[name] === undefined ? [] : [[name, session[name]]])),
  ) as Settled
}
