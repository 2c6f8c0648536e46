/** Connecting, restoring and ending connections. A connection is restored silently only when it was made and not ended. */
import type { Failure } from '../../runtime/failure.ts'
import type { Proposal } from '../../events/schema/fields.ts'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import {
  askMs,
  type Connection,
  inOrder,
  installedWallet,
  keepsLabels,
} from '../../events/subjects/wallet/connection.ts'
import type { Pairing } from '../../events/subjects/session/pairing.ts'
import type { Ctx, Decider, InputData } from '../core/context.ts'
import { connectProblem } from '../walletconnect/session/connectChecks.ts'
import { attemptOf, failAttempt } from './pairing/attempt.ts'
import { startPairing } from './pairing/pairing.ts'
import { reachAgain } from './relay/socket.ts'
import { deleteSession } from './session/sessionEnd.ts'
import { refreshBalance } from './sale/balance.ts'
import { own } from '../../runtime/schema/own.ts'
import { heldByPage } from './page.ts'
import { readPurchases } from './sale/purchase.ts'
import { isOrderAsked, isUnderWay } from './order/underWay.ts'

/** How long a page that holds the wallet's window may take to join the next core, ms. */
const returnMs = 10_000

function tabOf(ctx: Ctx): { tab: string } | Record<string, never> {
  return ctx.input.tab === undefined ? {} : { tab: ctx.input.tab }
}

function leave(ctx: Ctx): void {
  const { attempt } = ctx.model.connection
  if (attempt.phase !== 'none') ctx.fact('connection.abandoned', { attemptId: attempt.attemptId })
}

/** Picks installed wallets up again, now that a page is here to reach them. */
function restore(ctx: Ctx): void {
  for (const made of Object.values(ctx.model.connection.made)) {
    const { connectionId, connector, phase, accounts } = made
    if (connector !== 'installed') continue
    if (phase === 'live') {
      watch(ctx, made, accounts)
      continue
    }
    if (isUnderWay(ctx, 'wallet.connect', connectionId)) continue
    if (phase !== 'restoring') ctx.fact('connection.restoring', { connectionId })
    askSilently(ctx, made, tabOf(ctx))
  }
}

/** Asks a wallet, without a prompt, whether it still shares its accounts. */
function askSilently(ctx: Ctx, made: Connection, where: { tab?: string }): void {
  const data = { walletKey: '', ...installedWallet(made), silent: true }
  ctx.effect('wallet.connect', data, { about: made.connectionId, ...where })
}

/**
 * @returns the connection that this wallet of the page has already, so that connecting again does not make a second one. A
 *   wallet that changed its picture is known by an account.
 */
function sameWallet(ctx: Ctx, name: string, { identity, accounts }: InputData<'wallet.connected'>) {
  return Object.values(ctx.model.connection.made).find(
    made =>
      made.connector === 'installed' &&
      made.wallet.name === name &&
      (made.identity === undefined || identity === made.identity || sharesOne(accounts, made.accounts)),
  )
}

function sharesOne(accounts: readonly string[], before: readonly string[]): boolean {
  return accounts.some(account => before.includes(account))
}

/** @returns why an answer without a prompt is not that of the connection */
function notRestored({ wallet, accounts: before }: Connection, accounts: readonly string[]): Failure | undefined {
  if (accounts.length === 0) {
    const message = `${wallet.name} expected to share the account it shared before, shared none`
    return { code: 'unauthorized', message }
  }
  if (sharesOne(accounts, before)) return undefined
  return { code: 'account_changed', message: `${wallet.name} expected to share the account it shared before` }
}

/** The wallet did not agree, or could not be reached. */
function failed(ctx: Ctx, failure: Failure): void {
  const restoring = ctx.cause && own(ctx.model.connection.made, ctx.cause.about)
  if (restoring) ctx.fact('connection.missing', { connectionId: restoring.connectionId, failure })
  else if (ctx.input.to !== undefined) failAttempt(ctx, ctx.input.to, failure)
}

/** The client's file could not be fetched: no wallet of a session can be asked or heard until it is here. */
function missSessions(ctx: Ctx, failure: Failure): void {
  const { attempt, made } = ctx.model.connection
  for (const { connectionId, sessionTopic, phase } of Object.values(made))
    if (sessionTopic !== undefined && phase !== 'missing') ctx.fact('connection.missing', { connectionId, failure })
  if (attempt.phase === 'asking' && attempt.connector === 'walletConnect') failAttempt(ctx, attempt.attemptId, failure)
}

/** The client is here: connections that were missing for want of it are as they were. */
function restoreSessions(ctx: Ctx): void {
  for (const made of Object.values(ctx.model.connection.made)) restoreSession(ctx, made)
}

function restoreSession(ctx: Ctx, { connectionId, phase, sessionTopic = '', accounts, features }: Connection): void {
  // One that ran out ends in this very step, or has ended
  if (phase === 'missing' && (own(ctx.model.session, sessionTopic)?.expiresAt ?? 0) > ctx.at)
    ctx.fact('connection.restored', { connectionId, accounts, features })
}

/** Fails an attempt of an earlier life whose wallet window no page holds. */
function failUnheld(ctx: Ctx, attemptId: string): void {
  const attempt = attemptOf(ctx, attemptId)
  if (!attempt || isOrderAsked(ctx, attemptId) || heldByPage(ctx, attemptId)) return
  failAttempt(ctx, attemptId, { code: 'wallet_gone', message: `the page that asked ${attempt.wallet.name} is gone` })
}

function retry(ctx: Ctx, connectionId: string): void {
  const made = own(ctx.model.connection.made, connectionId)
  if (made?.phase !== 'missing') return
  if (made.sessionTopic !== undefined) reachAgain(ctx)
  else if (!isUnderWay(ctx, 'wallet.connect', connectionId)) askSilently(ctx, made, tabOf(ctx))
}

/** @returns whether the code of an attempt can still be answered, or is being made; a proposal of a host's is for its own wallet */
function canShare(ctx: Ctx, { attemptId, proposal }: { attemptId: string; proposal?: Proposal }, shown?: Pairing) {
  if (proposal) return false
  if (shown?.attemptId !== attemptId) return isUnderWay(ctx, 'vault.makePairing', attemptId)
  return (shown.phase === 'created' || shown.phase === 'proposed') && shown.renewAt > ctx.at
}

function watch(
  ctx: Ctx,
  made: Pick<Connection, 'connectionId' | 'wallet' | 'identity'>,
  [account = '']: readonly string[],
): void {
  ctx.effect('wallet.watch', { connectionId: made.connectionId, ...installedWallet(made), account }, tabOf(ctx))
}

function welcome(ctx: Ctx, account: string | undefined): void {
  if (account === undefined) return
  refreshBalance(ctx, account)
  readPurchases(ctx, account)
}

export const connection: Decider = {
  'connection.connectInstalled': (ctx, { walletKey, wallet }) => {
    leave(ctx)
    const attemptId = ctx.effect('wallet.connect', { walletKey, name: wallet.name, silent: false }, tabOf(ctx))
    ctx.fact('connection.requested', { attemptId, connector: 'installed', wallet })
    ctx.effect('timer.set', { timerId: `attempt:${attemptId}`, at: ctx.at + askMs })
  },
  'connection.connectWalletConnect': (ctx, { wallet, proposal, share }) => {
    const { attempt } = ctx.model.connection
    const shown = ctx.model.pairing.shown === null ? undefined : ctx.model.pairing.open[ctx.model.pairing.shown]
    if (share && attempt.phase === 'asking' && attempt.connector === 'walletConnect' && canShare(ctx, attempt, shown)) {
      const { attemptId } = attempt
      if (attempt.wallet.walletId !== wallet.walletId) ctx.fact('connection.walletChosen', { attemptId, wallet })
      return
    }
    leave(ctx)
    const attemptId = ctx.id('attempt')
    const problem = proposal && connectProblem(proposal)
    // Past the check each property has a value
    const asked = proposal && !problem ? { proposal: proposal as Proposal } : {}
    ctx.fact('connection.requested', { attemptId, connector: 'walletConnect', wallet, ...asked })
    if (problem) {
      const { code, message } = problem
      return ctx.fact('connection.failed', { attemptId, failure: { code: 'bad_input', message, facts: { code } } })
    }
    if (attempt.phase === 'asking' && attempt.attemptId === shown?.attemptId)
      ctx.effect('timer.clear', { timerId: `renew:${shown.pairingTopic}` })
    startPairing(ctx, attemptId)
  },
  'connection.abandon': leave,
  'connection.activate': (ctx, { connectionId }) => {
    const made = own(ctx.model.connection.made, connectionId)
    if (!made || ctx.model.connection.active === connectionId) return
    ctx.fact('connection.activated', { connectionId })
    welcome(ctx, made.accounts[0])
    retry(ctx, connectionId)
  },
  'connection.recall': (ctx, { wallet }) => {
    const { made, recent, ended = [] } = ctx.model.connection
    const isFirst = Object.keys(made).length === 0 && recent.length === 0 && ended.length === 0
    if (isFirst) ctx.fact('connection.recalled', { wallet })
  },
  'connection.retry': (ctx, { connectionId }) => retry(ctx, connectionId),
  'connection.chooseAccount': (ctx, { connectionId, account }) => {
    const accounts = own(ctx.model.connection.made, connectionId)?.accounts
    if (!accounts?.includes(account) || accounts[0] === account) return
    ctx.fact('connection.accountChosen', { connectionId, account })
    welcome(ctx, account)
  },
  'connection.forget': (ctx, { connectionId }) => {
    const { ended = [] } = ctx.model.connection
    if (ended.some(one => one.connectionId === connectionId)) ctx.fact('connection.forgotten', { connectionId })
  },
  'relay.opened': restoreSessions,
  // A socket that fails was made by the client
  'relay.closed': restoreSessions,
  'connection.disconnect': (ctx, { connectionId }) => {
    const made = own(ctx.model.connection.made, connectionId)
    if (!made) return
    ctx.fact('connection.ended', { connectionId, by: 'person' })
    if (made.sessionTopic !== undefined) deleteSession(ctx, made.sessionTopic)
    else ctx.effect('wallet.disconnect', installedWallet(made), tabOf(ctx))
  },
  'wallet.connected': (ctx, data) => {
    const { accounts } = data
    const restoring = ctx.cause && own(ctx.model.connection.made, ctx.cause.about)
    if (restoring) {
      const failure = notRestored(restoring, accounts)
      if (failure) return failed(ctx, failure)
      ctx.fact('connection.restored', { connectionId: restoring.connectionId, ...data })
      const [first = ''] = inOrder(restoring, accounts)
      watch(ctx, { ...restoring, ...data }, [first])
      welcome(ctx, first)
      return
    }
    const attempt = attemptOf(ctx, ctx.input.to ?? '')
    if (!attempt) return
    if (accounts.length === 0) {
      const message = `${attempt.wallet.name} expected to share a Solana account, shared none`
      return failAttempt(ctx, attempt.attemptId, { code: 'bad_response', message })
    }
    ctx.effect('timer.clear', { timerId: `attempt:${attempt.attemptId}` })
    const { attemptId, wallet } = attempt
    const connectionId = sameWallet(ctx, wallet.name, data)?.connectionId ?? ctx.id('connection')
    ctx.fact('connection.made', { connectionId, attemptId, connector: 'installed', wallet, ...data })
    watch(ctx, { connectionId, wallet, ...data }, accounts)
    welcome(ctx, accounts[0])
  },
  'wallet.failed': (ctx, { failure }) => failed(ctx, failure),
  failed: {
    'wallet.connect': failed,
    // Its failure tells whether the client is here
    'relay.open': (ctx, failure) =>
      failure.code === 'reload_needed' ? missSessions(ctx, failure) : restoreSessions(ctx),
  },
  'wallet.changed': (ctx, { connectionId, accounts, ...named }) => {
    const made = own(ctx.model.connection.made, connectionId)
    if (!made) return
    if (accounts.length === 0) {
      ctx.fact('connection.ended', { connectionId, by: 'wallet' })
      return
    }
    const ordered = inOrder(made, accounts)
    const areSame = ordered.join() === made.accounts.join()
    if (areSame && keepsLabels(made, named)) return
    ctx.fact('connection.accountsChanged', { connectionId, accounts: ordered, ...named })
    if (!areSame) welcome(ctx, ordered[0])
  },
  'page.attached': ctx => {
    restore(ctx)
    const { attempt } = ctx.model.connection
    // Every page was closed before a start, so none that could hold it comes back
    if (attempt.phase === 'asking' && attempt.connector === 'installed' && ctx.boot.cause === 'start')
      failUnheld(ctx, attempt.attemptId)
    const active = activeConnection(ctx.model)
    if (active && active.connection.connector === 'walletConnect') welcome(ctx, active.account)
  },
  'page.left': ctx => {
    for (const [effectId, { type, about, tab }] of Object.entries(ctx.transient.asked)) {
      if (type !== 'wallet.connect' || tab === undefined || tab !== ctx.input.tab) continue
      const restoring = own(ctx.model.connection.made, about)
      if (!restoring) continue
      // The page that left cannot answer: another page asks now, or the next one that attaches
      delete ctx.transient.asked[effectId]
      const [other] = Object.keys(ctx.transient.pages)
      if (other !== undefined && restoring.phase !== 'live') askSilently(ctx, restoring, { tab: other })
    }
  },
  timers: {
    rejoin: failUnheld,
    attempt: (ctx, attemptId) => {
      const attempt = attemptOf(ctx, attemptId)
      const message = `${attempt?.wallet.name ?? ''} expected to answer within ${askMs / 60_000} minutes, sent nothing`
      if (attempt) ctx.fact('connection.failed', { attemptId, failure: { code: 'wallet_gone', message } })
    },
  },
  resume: ctx => {
    const { attempt, made } = ctx.model.connection
    if (ctx.boot.cause === 'start') {
      // Another page: its wallets have yet to announce themselves
      for (const { connectionId, connector, phase } of Object.values(made))
        if (connector === 'installed' && phase !== 'restoring') ctx.fact('connection.restoring', { connectionId })
    }
    // No socket tells of these whether the client is here
    for (const one of Object.values(made))
      if (own(ctx.model.session, one.sessionTopic ?? '')?.transport === 'link') restoreSession(ctx, one)
    if (attempt.phase !== 'asking') return
    if (attempt.connector === 'installed') {
      ctx.effect('timer.set', { timerId: `attempt:${attempt.attemptId}`, at: Math.min(attempt.since, ctx.at) + askMs })
      // The tab with the wallet's window may join later than others
      if (ctx.boot.cause === 'lost')
        ctx.effect('timer.set', { timerId: `rejoin:${attempt.attemptId}`, at: ctx.at + returnMs })
    } else if (ctx.boot.cause === 'start') leave(ctx)
    else if (!Object.values(ctx.model.pairing.open).some(open => open.attemptId === attempt.attemptId))
      startPairing(ctx, attempt.attemptId)
  },
}
