/** Balances of the active account: read on connection, on request, with every poll, and after an order moved. */
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { knowsAll } from '../../../events/subjects/sale/balance.ts'
import { lags } from '../../../events/sale/slots.ts'
import { isOfThisLife } from '../../../events/subjects/sale/sale.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { accountAbout, accountIn } from '../about.ts'
import { assetsToRead } from './assets.ts'
import { own } from '../../../runtime/schema/own.ts'
import { balanceWatch, isBelieved } from './plausible.ts'
import { isUnderWay } from '../order/underWay.ts'

/**
 * Reads an account's balances.
 *
 * @param tokens with the tokens it holds, even while a reading without them is under way; `mint` is among them
 */
export function refreshBalance(ctx: Ctx, account: string, tokens?: { mint?: string | undefined }): void {
  const about = accountAbout(account)
  if (!tokens && isUnderWay(ctx, 'chain.readBalances', about)) return
  const { mint } = tokens ?? {}
  const held = { ...(tokens && { tokens: true as const }), ...(mint !== undefined && { mint }) }
  ctx.effect('chain.readBalances', { account, assets: assetsToRead(ctx), ...held }, { about })
}

/** Reads the active account's balances, if there is one. */
export function refreshActiveBalance(ctx: Ctx): void {
  const active = activeConnection(ctx.model)
  if (active) refreshBalance(ctx, active.account)
}

export const balance: Decider = {
  'balance.refresh': refreshActiveBalance,
  'send.open': (ctx, wanted) => {
    const active = activeConnection(ctx.model)
    if (active) refreshBalance(ctx, active.account, wanted)
  },
  'chain.balances': (ctx, { account, slot, amounts, tokens }) => {
    const last = own(ctx.model.balance, account)
    const known = isOfThisLife(last, ctx.model.core) ? last : undefined
    if (!isBelieved(ctx, balanceWatch(ctx, account), known, { slot, readAt: ctx.at })) return
    const isOld = known && lags(known, slot) && (slot < known.slot || (!tokens && knowsAll(known, { amounts })))
    if (isOld && !known.failure) return
    ctx.fact('balance.read', { account, slot, amounts, ...(tokens && { tokens }) })
  },
  'chain.terms': refreshActiveBalance,
  failed: {
    'chain.readBalances': (ctx, failure, about) => ctx.fact('balance.failed', { account: accountIn(about), failure }),
  },
}
