/** Connecting, restoring and ending connections. A connection is restored silently only when it was made and not ended. */
import { activeConnection } from '../../events/subjects/connection.ts'
import type { Ctx, Decider } from '../context.ts'
import { refreshBalance } from './balance.ts'
import { orderWalletGone } from './order.ts'
import { heldByPage } from './page.ts'
import { startPairing } from './pairing.ts'
import { readPurchases } from './purchase.ts'
import { deleteSession } from './session.ts'

/** How long a restored page waits for its wallet to announce itself is the page's matter; this is how long an ask may take. */
const askMs = 240_000

function tabOf(ctx: Ctx): { tab: string } | Record<string, never> {
  return ctx.input.tab === undefined ? {} : { tab: ctx.input.tab }
}

function leave(ctx: Ctx): void {
  const { attempt } = ctx.model.connection
  if (attempt.phase !== 'none') ctx.fact('connection.abandoned', { attemptId: attempt.attemptId })
}

/** Restores what can be restored now that a page is here to reach its wallets. */
function restore(ctx: Ctx): void {
  for (const made of Object.values(ctx.model.connection.made)) {
    if (made.connector !== 'installed') continue
    if (ctx.model.core.cause === 'lost' && made.phase === 'live') {
      watch(ctx, made.connectionId, made.wallet.name, made.accounts[0] ?? '')
      continue
    }
    if (
      made.phase === 'restoring' &&
      Object.values(ctx.transient.asked).some(cause => cause.about === made.connectionId)
    )
      continue
    ctx.fact('connection.restoring', { connectionId: made.connectionId })
    ctx.effect(
      'wallet.connect',
      { walletKey: '', name: made.wallet.name, silent: true },
      { about: made.connectionId, ...tabOf(ctx) },
    )
  }
}

function watch(ctx: Ctx, connectionId: string, name: string, account: string): void {
  ctx.effect('wallet.watch', { connectionId, name, account }, tabOf(ctx))
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
  'connection.connectWalletConnect': (ctx, { wallet }) => {
    const { attempt } = ctx.model.connection
    const shown = ctx.model.pairing.shown === null ? undefined : ctx.model.pairing.open[ctx.model.pairing.shown]
    leave(ctx)
    const attemptId = ctx.id('attempt')
    ctx.fact('connection.requested', { attemptId, connector: 'walletConnect', wallet })
    if (attempt.phase === 'asking' && attempt.attemptId === shown?.attemptId)
      ctx.effect('timer.clear', { timerId: `renew:${shown.pairingTopic}` })
    startPairing(ctx, attemptId)
  },
  'connection.abandon': leave,
  'connection.disconnect': (ctx, { connectionId }) => {
    const made = ctx.model.connection.made[connectionId]
    if (!made) return
    ctx.fact('connection.ended', { connectionId, by: 'person' })
    if (made.sessionTopic !== undefined) deleteSession(ctx, made.sessionTopic)
    else ctx.effect('wallet.disconnect', { name: made.wallet.name }, tabOf(ctx))
  },
  'wallet.connected': (ctx, { accounts, features }) => {
    const { attempt, made } = ctx.model.connection
    const restoring = ctx.cause && made[ctx.cause.about]
    if (restoring) {
      if (accounts.length === 0) return
      ctx.fact('connection.restored', { connectionId: restoring.connectionId, accounts, features })
      watch(ctx, restoring.connectionId, restoring.wallet.name, accounts[0] ?? '')
      welcome(ctx, accounts[0])
      return
    }
    if (attempt.phase !== 'asking' || attempt.attemptId !== ctx.input.to) return
    ctx.effect('timer.clear', { timerId: `attempt:${attempt.attemptId}` })
    if (accounts.length === 0) {
      const message = `${attempt.wallet.name} expected to share a Solana account, shared none`
      ctx.fact('connection.failed', { attemptId: attempt.attemptId, failure: { code: 'bad_response', message } })
      return
    }
    const connectionId = ctx.id('connection')
    ctx.fact('connection.made', {
      connectionId,
      attemptId: attempt.attemptId,
      connector: 'installed',
      wallet: attempt.wallet,
      accounts,
      features,
    })
    watch(ctx, connectionId, attempt.wallet.name, accounts[0] ?? '')
    welcome(ctx, accounts[0])
  },
  'wallet.failed': (ctx, { failure }) => {
    const restoring = ctx.cause && ctx.model.connection.made[ctx.cause.about]
    if (restoring) ctx.fact('connection.missing', { connectionId: restoring.connectionId, failure })
    else if (ctx.input.to !== undefined) ctx.fact('connection.failed', { attemptId: ctx.input.to, failure })
  },
  'wallet.changed': (ctx, { connectionId, accounts }) => {
    const made = ctx.model.connection.made[connectionId]
    if (!made) return
    if (accounts.length === 0) {
      ctx.fact('connection.ended', { connectionId, by: 'wallet' })
      return
    }
    if (accounts.join() === made.accounts.join()) return
    ctx.fact('connection.accountsChanged', { connectionId, accounts })
    welcome(ctx, accounts[0])
  },
  'page.attached': ctx => {
    restore(ctx)
    const { attempt } = ctx.model.connection
    if (attempt.phase === 'asking' && attempt.connector === 'installed' && !heldByPage(ctx, attempt.attemptId)) {
      const message = `the page that asked ${attempt.wallet.name} is gone`
      ctx.fact('connection.failed', { attemptId: attempt.attemptId, failure: { code: 'wallet_gone', message } })
    }
    const active = activeConnection(ctx.model)
    if (active && active.connection.connector === 'walletConnect') welcome(ctx, active.account)
  },
  'page.left': ctx => orderWalletGone(ctx),
  timers: {
    attempt: (ctx, attemptId) => {
      const { attempt } = ctx.model.connection
      if (attempt.phase !== 'asking' || attempt.attemptId !== attemptId) return
      const message = `${attempt.wallet.name} expected to answer within ${askMs / 60_000} minutes, sent nothing`
      ctx.fact('connection.failed', { attemptId, failure: { code: 'wallet_gone', message } })
    },
  },
  resume: ctx => {
    const { attempt } = ctx.model.connection
    if (attempt.phase === 'asking' && attempt.connector === 'installed') {
      ctx.effect('timer.set', { timerId: `attempt:${attempt.attemptId}`, at: attempt.since + askMs })
    }
    if (attempt.phase === 'asking' && attempt.connector === 'walletConnect' && ctx.boot.cause === 'start') leave(ctx)
  },
}
