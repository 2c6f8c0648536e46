/** An account's purchases, read from the chain by the account's reference key. */
import { activeConnection } from '../../../events/subjects/activeConnection.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { accountAbout, accountIn } from '../about.ts'
import { anyVisible } from '../page.ts'

/** Wait before the next listed transactions, when one reading could not take all, ms. */
const unreadMs = 15_000

/** Reads the account's purchases, except those known as final. */
export function readPurchases(ctx: Ctx, account: string): void {
  const { terms } = ctx.model.sale
  if (terms.phase !== 'read') return
  const known = (ctx.model.purchase[account]?.purchases ?? [])
    .filter(purchase => purchase.status !== 'confirmed')
    .map(purchase => purchase.signature)
  ctx.effect(
    'chain.readPurchases',
    { account, presaleRef: terms.presaleRef, terms: terms.terms, known },
    { about: accountAbout(account) },
  )
}

export const purchases: Decider = {
  'chain.purchases': (ctx, { account, purchases, more }) => {
    const known = ctx.model.purchase[account]
    if (purchases.length > 0 || known === undefined || known.more !== more)
      ctx.fact('purchase.read', { account, purchases, ...(more && { more }) })
    if (more === 'unread') ctx.effect('timer.set', { timerId: 'purchases:unread', at: ctx.at + unreadMs })
  },
  failed: {
    'chain.readPurchases': (ctx, failure, about) => ctx.fact('purchase.failed', { account: accountIn(about), failure }),
  },
  'chain.notices': ctx => {
    const active = activeConnection(ctx.model)
    if (active && ctx.model.purchase[active.account] === undefined) readPurchases(ctx, active.account)
  },
  timers: {
    purchases: ctx => {
      const account = activeConnection(ctx.model)?.account
      if (account !== undefined && anyVisible(ctx) && ctx.model.purchase[account]?.more === 'unread')
        readPurchases(ctx, account)
    },
  },
}
