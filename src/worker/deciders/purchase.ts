/** An account's purchases, read from the chain by the account's own reference key. */
import { activeConnection } from '../../events/subjects/connection.ts'
import type { Ctx, Decider } from '../context.ts'
import { accountAbout, restOf } from './about.ts'

/** Reads what the account bought; what is final already is not read again. */
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

export const purchase: Decider = {
  'chain.purchases': (ctx, { account, purchases }) => {
    if (purchases.length > 0 || ctx.model.purchase[account] === undefined)
      ctx.fact('purchase.read', { account, purchases })
  },
  'effect.failed': (ctx, { failure }) => {
    if (ctx.cause?.type === 'chain.readPurchases')
      ctx.fact('purchase.failed', { account: restOf(ctx.cause.about), failure })
  },
  'chain.notices': ctx => {
    const active = activeConnection(ctx.model)
    if (active && ctx.model.purchase[active.account] === undefined) readPurchases(ctx, active.account)
  },
}
