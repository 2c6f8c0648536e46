/** An account's purchases, read from the chain by the account's reference key. */
import { soughtMs } from '../../../events/subjects/sale/invoice.ts'
import { own } from '../../../runtime/schema/own.ts'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { batchNameOf, type PurchasesOf } from '../../../events/subjects/sale/purchase.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { accountAbout, accountIn } from '../about.ts'
import { isUnderWay } from '../order/underWay.ts'
import { anyVisible } from '../page.ts'
import { boundedSlot } from './plausible.ts'

/** Wait before the next listed transactions, when one reading could not take all, ms. */
const unreadMs = 15_000
/** Wait before payouts are looked for again, once the first plan is announced, ms. */
const payoutsMs = 600_000

/** Reads the account's purchases and payouts, except those known as final. `plans`: hashes of the announced ones. */
export function readPurchases(ctx: Ctx, account: string, plans = ctx.model.sale.notices?.plans): void {
  const { terms } = ctx.model.sale
  if (terms.phase !== 'read') return
  const { purchases = [], payouts = [], batches, planned } = ctx.model.purchase[account] ?? {}
  // An earlier build did not record the batches that prove a plan's payments
  const proved = payouts.filter(one => !planned || batches?.some(({ signature }) => signature === one.signature))
  const known = [...purchases, ...proved].filter(({ status }) => status !== 'confirmed').map(one => one.signature)
  ctx.effect(
    'chain.readPurchases',
    { account, presaleRef: terms.presaleRef, terms: terms.terms, known, ...(plans && { plans }) },
    { about: accountAbout(account) },
  )
}

/** Reads the account's purchases, unless a reading is under way. */
export function readOnce(ctx: Ctx, account: string): void {
  if (!isUnderWay(ctx, 'chain.readPurchases', accountAbout(account))) readPurchases(ctx, account)
}

/** Whether a payment is still to become final: one that was dropped is read for an hour. The chain's time stands for another in a report. */
function waits(ctx: Ctx, account: string, { purchases: known }: PurchasesOf): boolean {
  const { coming = {} } = ctx.transient
  const isConfirmed = known.some(({ status }) => status === 'confirmed')
  const since = own(coming, account) ?? ctx.at
  const { [account]: _, ...others } = coming
  ctx.transient.coming = isConfirmed ? { ...others, [account]: since } : others
  return isConfirmed && Math.abs(ctx.at - since) < soughtMs
}

function lookAgain(ctx: Ctx): void {
  ctx.effect('timer.set', { timerId: 'purchases:payouts', at: ctx.at + payoutsMs })
}

export const purchases: Decider = {
  'chain.purchases': (ctx, { account, purchases: listed, more, payouts, batches, planned, refunds }) => {
    const known = ctx.model.purchase[account]
    // A plan never changes: a known batch has the known payment
    const due = new Set(known?.planned?.map(batchNameOf))
    // One node tells the slots: a payment after every checkpoint would count for ever
    const purchases = listed.map(one => ({ ...one, slot: boundedSlot(ctx, account, one.slot) }))
    const isPaid = payouts && (payouts.length > 0 || !known?.payouts)
    // An earlier build did not record the payments that a refund is for
    const isPlanned = planned?.some(one => !due.has(batchNameOf(one))) || (refunds && !known?.refunds)
    if (purchases.length > 0 || isPaid || isPlanned || !known || known.failure || known.more !== more)
      ctx.fact('purchase.read', {
        account,
        purchases,
        ...(more && { more }),
        ...(payouts && { payouts }),
        ...(batches && { batches }),
        ...(planned && { planned }),
        ...(refunds && { refunds }),
      })
    if (more === 'unread') ctx.effect('timer.set', { timerId: 'purchases:unread', at: ctx.at + unreadMs })
    if (payouts) lookAgain(ctx)
  },
  failed: {
    'chain.readPurchases': (ctx, failure, about) => {
      const account = accountIn(about)
      const known = ctx.model.purchase[account]
      if (known?.failure?.code !== failure.code) ctx.fact('purchase.failed', { account, failure })
      if (known?.payouts) lookAgain(ctx)
    },
  },
  'chain.notices': (ctx, { plans = [] }) => {
    const active = activeConnection(ctx.model)
    if (!active) return
    const { account } = active
    const known = ctx.model.purchase[account]
    const before = ctx.model.sale.notices?.plans ?? []
    // A plan of this very answer is in the model only after it
    if (plans.length > before.length) return readPurchases(ctx, account, plans)
    const isUnread = known === undefined || (before.length > 0 && !known.payouts)
    if (isUnread) readOnce(ctx, account)
  },
  // With every poll: retries a failed reading, and looks whether a payment is final
  'chain.sale': ctx => {
    const account = activeConnection(ctx.model)?.account
    const known = account === undefined ? undefined : own(ctx.model.purchase, account)
    if (account === undefined || !known || ctx.cause?.about !== '') return
    const isComing = waits(ctx, account, known)
    if (known.failure || isComing) readOnce(ctx, account)
  },
  timers: {
    purchases: (ctx, id) => {
      const account = activeConnection(ctx.model)?.account
      if (account === undefined) return
      if (id === 'payouts' && !anyVisible(ctx)) return lookAgain(ctx)
      if (id === 'payouts' || (anyVisible(ctx) && ctx.model.purchase[account]?.more === 'unread'))
        readPurchases(ctx, account)
    },
  },
}
