/** The connection of a session's Solana accounts, and its changes by the wallet. */
import { connectionOf } from '../../../events/subjects/wallet/connection.ts'
import type { WalletFeature, WalletRef } from '../../../events/schema/fields.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx } from '../../core/context.ts'
import { refreshBalance } from '../sale/balance.ts'
import { readPurchases } from '../sale/purchase.ts'

type Shared = { accounts: string[]; features: WalletFeature[] }

/** Makes a connection of a session's accounts. @param by its attempt, the chosen wallet, the wallet's own name */
export function makeConnection(
  ctx: Ctx,
  sessionTopic: string,
  { accounts, features }: Shared,
  by: { attemptId: string; chosen?: WalletRef; peerName: string },
): void {
  const { attemptId, chosen = { walletId: 'walletConnect', name: 'WalletConnect' }, peerName } = by
  ctx.fact('connection.made', {
    connectionId: ctx.id('connection'),
    attemptId,
    connector: 'walletConnect',
    wallet: chosen,
    ...(peerName === '' ? {} : { peerName }),
    accounts,
    features,
    sessionTopic,
  })
}

/** The wallet now shares these accounts, possibly none; `features` is given when they may have changed too. */
export function accountsChanged(ctx: Ctx, sessionTopic: string, accounts: string[], features?: WalletFeature[]): void {
  const connection = connectionOf(ctx.model, sessionTopic)
  if (!connection) {
    if (features?.some(one => one !== 'signMessage') && accounts.length > 0)
      gained(ctx, sessionTopic, { accounts, features })
    return
  }
  const { connectionId } = connection
  if (features && features.join() !== connection.features.join())
    ctx.fact('connection.restored', { connectionId, accounts, features })
  else if (accounts.join() !== connection.accounts.join())
    ctx.fact('connection.accountsChanged', { connectionId, accounts })
  const [account] = accounts
  if (account === undefined || account === connection.accounts[0]) return
  welcome(ctx, account)
}

/** A session of other namespaces gained Solana accounts that can pay. The active connection stays active. */
function gained(ctx: Ctx, sessionTopic: string, shared: Shared): void {
  const { active } = ctx.model.connection
  const peerName = own(ctx.model.session, sessionTopic)?.peer.name ?? ''
  makeConnection(ctx, sessionTopic, shared, { attemptId: ctx.id('attempt'), peerName })
  if (active !== null) ctx.fact('connection.activated', { connectionId: active })
  else welcome(ctx, shared.accounts[0] ?? '')
}

function welcome(ctx: Ctx, account: string): void {
  refreshBalance(ctx, account)
  readPurchases(ctx, account)
}
