/**
 * The authority's notices, and the terms this device has pinned.
 *
 * 1. A notice that counted once always counts: a reading that reaches less far changes only the age of the notices.
 * 2. Terms are pinned only once their notice was read and held against them. Unpinned terms sell nothing.
 * 3. Terms that change frozen values are pinned only when a person confirms them and their notice was read.
 * 4. Terms that change what the first announcement froze are never sold by: payments by them do not count in the books.
 */
import type { Failure } from '../../../runtime/failure.ts'
import { changesSincePin } from '../../../events/sale/saleChanges.ts'
import { ledgerRefusal } from '../../../events/subjects/sale/ledger.ts'
import type { NoticeChange } from '../../../events/subjects/sale/saleFacts.ts'
import { isOfThisLife, type Notices } from '../../../events/subjects/sale/sale.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { distrustFrozen, isFrozen } from './distrust.ts'
import { noticesMissed } from './sale.ts'

type Said = Omit<InputData<'chain.notices'>, 'frozen' | 'held'>

/** @returns why nothing may be bought in this sale for now, or undefined */
export function trustRefusal(ctx: Ctx): Failure | undefined {
  const { sale } = ctx.model
  const distrust = sale.distrust ?? ledgerRefusal(ctx.model)
  if (distrust) return distrust
  const { terms, notices } = sale
  // The terms are newly read; the notices are still those of an earlier life
  if (terms.phase === 'read' && notices && notices.termsHash !== terms.termsHash) return unannounced(terms, notices)
  const [change] = changesSincePin(sale)
  if (change) {
    const message = `the terms expected the conditions this device knows, got another ${change.path} that nobody here confirmed`
    return { code: 'terms_changed', message, facts: { rule: 'PINNED' } }
  }
  if (terms.phase !== 'read' || own(sale.pins, terms.terms.id)?.termsHash === terms.termsHash) return undefined
  // Notices of an earlier reading may name them; only those that are held against these terms say that nothing frozen changed
  return { code: 'unreachable', message: 'an order expected the notices of these terms to be read, they are not' }
}

function unannounced({ termsHash }: { termsHash: string }, known: { termsHash: string }): Failure {
  const expected = known.termsHash || 'of a published notice'
  return { code: 'terms_changed', message: `the terms file expected the hash ${expected}, got ${termsHash}` }
}

/** @returns whether this reading alone establishes the notices in force */
function isEstablished(ctx: Ctx, said: Said): boolean {
  const { terms, notices } = ctx.model.sale
  if ((said.seq ?? 0) < (notices?.seq ?? 0)) return false
  const isCurrent = terms.phase === 'read' && said.termsHash === terms.termsHash
  return !said.partial || (said.termsHash !== '' && (said.asOf !== undefined || isCurrent))
}

/** @returns the notices known after this reading; undefined while there are none */
function knownAfter(ctx: Ctx, said: Said): Said | undefined {
  const { notices } = ctx.model.sale
  const { noticesAt } = ctx.transient.sale
  if (isEstablished(ctx, said)) {
    if (!said.partial) return said
    const isSame = notices !== null && said.seq === notices.seq
    const asOf = Math.max(said.asOf ?? 0, (isSame && noticesAt) || 0)
    const { asOf: _, ...rest } = said
    return asOf > 0 ? { ...rest, asOf } : rest
  }
  if (!notices) return undefined
  const { readAt, ...known } = notices
  const asOf = known.asOf ?? noticesAt ?? readAt
  return { ...known, partial: true, ...(asOf === undefined ? {} : { asOf }) }
}

function isSame(known: Notices, now: Said): boolean {
  return (
    known.termsHash === now.termsHash &&
    known.paused === now.paused &&
    known.closed === now.closed &&
    known.result === now.result &&
    known.seq === now.seq &&
    known.partial === now.partial &&
    known.asOf === now.asOf &&
    known.checkpoint?.slot === now.checkpoint?.slot &&
    known.checkpoint?.tokens === now.checkpoint?.tokens &&
    known.unlisted?.from === now.unlisted?.from &&
    known.unlisted?.to === now.unlisted?.to &&
    known.plans?.join() === now.plans?.join() &&
    known.counts?.orders === now.counts?.orders &&
    sameChanges(known.changes, now.changes)
  )
}

/** Notices are never taken back: lists of equal length with the same last slot are the same. */
function sameChanges(one: readonly NoticeChange[] = [], other: readonly NoticeChange[] = []): boolean {
  return one.length === other.length && one.at(-1)?.slot === other.at(-1)?.slot
}

/** Pins announced terms, unless they change frozen values without confirmation. */
function pin(ctx: Ctx, announced: string): void {
  const { terms, pins, accepted } = ctx.model.sale
  if (terms.phase !== 'read' || terms.termsHash !== announced) return
  const known = own(pins, terms.terms.id)
  if (known?.termsHash === announced || (changesSincePin(ctx.model.sale).length > 0 && accepted !== announced)) return
  ctx.fact('sale.pinned', { terms: terms.terms, termsHash: announced })
}

export const saleNotices: Decider = {
  'chain.notices': (ctx, { frozen, held, ...said }) => {
    const { terms, notices, distrust } = ctx.model.sale
    // Recordings from before have no such hash
    const isHeld = held === undefined || (terms.phase === 'read' && terms.termsHash === held)
    const known = knownAfter(ctx, said)
    if (!known) {
      const message = 'the notices expected to be read whole, too many strangers wrote under their reference'
      return noticesMissed(ctx, { code: 'bad_response', message })
    }
    // A later life tells that it read the same, and a reading that failed ends so
    const isTold = isOfThisLife(notices, ctx.model.core) && !ctx.model.sale.noticesUnread
    if (!isTold || !isSame(notices, known)) ctx.fact('sale.noticesRead', known)
    ctx.transient.sale.toldAt = ctx.at
    ctx.transient.sale.untold = 0
    if (isEstablished(ctx, said)) {
      const isAnnounced = isHeld && frozen === undefined
      ctx.transient.sale.announced = isAnnounced ? said.termsHash : ''
      if (!said.partial) ctx.transient.sale.noticesAt = ctx.at
      if (isAnnounced) pin(ctx, said.termsHash)
    }
    if (isHeld && frozen !== undefined) {
      distrustFrozen(ctx, frozen)
    } else if (terms.phase === 'read' && terms.termsHash !== known.termsHash && !distrust) {
      ctx.fact('sale.distrusted', { about: 'terms', failure: unannounced(terms, known) })
    }
  },
  'sale.confirmChange': (ctx, { termsHash }) => {
    const { terms, accepted } = ctx.model.sale
    const changes = changesSincePin(ctx.model.sale)
    // Payments by these would not count in the books
    if (isFrozen(ctx)) return
    // Another authority means another sale, which cannot be confirmed here
    if (changes.length === 0 || changes.some(({ path }) => path === 'authority')) return
    if (terms.phase !== 'read' || terms.termsHash !== termsHash) return
    if (ctx.transient.sale.announced !== termsHash) {
      if (accepted !== termsHash) ctx.fact('sale.changeAccepted', { termsHash })
      return
    }
    ctx.fact('sale.pinned', { terms: terms.terms, termsHash })
  },
}
