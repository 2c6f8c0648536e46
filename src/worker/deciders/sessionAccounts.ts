/** What becomes of the connection that a session's Solana accounts made when the wallet changes them. */
import { connectionOf, type WalletFeature } from '../../events/subjects/connection.ts'
import type { Ctx } from '../context.ts'
import { refreshBalance } from './balance.ts'
import { readPurchases } from './purchase.ts'

/** The wallet shares these accounts from now on, none perhaps; `features` is given when they may have changed too. */
export function accountsChanged(ctx: Ctx, sessionTopic: string, accounts: string[], features?: WalletFeature[]): void {
  const connection = connectionOf(ctx.model, sessionTopic)
  if (!connection) return
  const { connectionId } = connection
  if (features && features.join() !== connection.features.join())
    ctx.fact('connection.restored', { connectionId, accounts, features })
  else if (accounts.join() !== connection.accounts.join())
    ctx.fact('connection.accountsChanged', { connectionId, accounts })
  const [account] = accounts
  if (account === undefined || account === connection.accounts[0]) return
  refreshBalance(ctx, account)
  readPurchases(ctx, account)
}
