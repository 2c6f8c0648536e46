/**
 * The authority's announcements, and the terms that this device takes for the sale's.
 *
 * 1. A notice that counted once goes on counting: a reading that reaches less far changes nothing but its age.
 * 2. Terms are pinned when their notice is in hand, never before.
 * 3. Terms that change what is frozen are pinned only when a person confirms them, as soon as their notice is in hand.
 */
import type { Failure } from '../../../events/failure.ts'
import { changesSincePin, type NoticeChange, type Notices } from '../../../events/subjects/sale.ts'
import { own } from '../../../events/schema/own.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'

type Said = InputData<'chain.notices'>

/** @returns why nothing may be bought of this sale until something is cleared up, or undefined */
export function trustRefusal(ctx: Ctx): Failure | undefined {
  const { sale } = ctx.model
  if (sale.distrust) return sale.distrust
  const { terms, notices } = sale
  // They were read a moment ago, and what is known of the notices is of an earlier life
  if (terms.phase === 'read' && notices && notices.termsHash !== terms.termsHash) return unannounced(terms, notices)
  const [change] = changesSincePin(sale)
  if (!change) return undefined
  const message = `the terms expected the conditions this device knows, got another ${change.path} that nobody here confirmed`
  return { code: 'terms_changed', message, facts: { rule: 'PINNED' } }
}

function unannounced({ termsHash }: { termsHash: string }, known: { termsHash: string }): Failure {
  const expected = known.termsHash || 'of a published notice'
  return { code: 'terms_changed', message: `the terms file expected the hash ${expected}, got ${termsHash}` }
}

/** @returns whether this reading says for itself what is in force, as far as anybody could tell */
function isEstablished(ctx: Ctx, said: Said): boolean {
  const { terms, notices } = ctx.model.sale
  if ((said.seq ?? 0) < (notices?.seq ?? 0)) return false
  const isCurrent = terms.phase === 'read' && said.termsHash === terms.termsHash
  return !said.partial || (said.termsHash !== '' && (said.asOf !== undefined || isCurrent))
}

/** @returns the announcements known after this reading; undefined while there are none */
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
    sameChanges(known.changes, now.changes)
  )
}

/** Notices are never taken back, so as many changes with the same last one are the same. */
function sameChanges(one: readonly NoticeChange[] = [], other: readonly NoticeChange[] = []): boolean {
  return one.length === other.length && one.at(-1)?.slot === other.at(-1)?.slot
}

/** Takes announced terms for the sale's, unless they change what this device knows of it. */
function pin(ctx: Ctx, announced: string): void {
  const { terms, pins, accepted } = ctx.model.sale
  if (terms.phase !== 'read' || terms.termsHash !== announced) return
  const known = own(pins, terms.terms.id)
  if (known?.termsHash === announced || (changesSincePin(ctx.model.sale).length > 0 && accepted !== announced)) return
  ctx.fact('sale.pinned', { terms: terms.terms, termsHash: announced })
}

export const saleNotices: Decider = {
  // A device that knew the sale before it kept pins has its terms in its log
  'chain.terms': (ctx, { terms: now }) => {
    const { terms, notices, pins } = ctx.model.sale
    if (terms.phase !== 'read' || own(pins, now.id)) return
    const { id, authority } = terms.terms
    if (id !== now.id || authority !== now.authority || notices?.termsHash !== terms.termsHash) return
    ctx.fact('sale.pinned', { terms: terms.terms, termsHash: terms.termsHash })
  },
  'chain.notices': (ctx, said) => {
    const { terms, notices, distrust } = ctx.model.sale
    const known = knownAfter(ctx, said)
    if (!known) {
      const message = 'the notices expected to be read whole, too many strangers wrote under their reference'
      ctx.fact('sale.unreachable', { failure: { code: 'bad_response', message }, retryAt: ctx.at })
      return
    }
    if (!notices || !isSame(notices, known)) ctx.fact('sale.noticesRead', known)
    if (isEstablished(ctx, said)) {
      ctx.transient.sale.announced = said.termsHash
      if (!said.partial) ctx.transient.sale.noticesAt = ctx.at
      pin(ctx, said.termsHash)
    }
    if (terms.phase === 'read' && terms.termsHash !== known.termsHash && !distrust) {
      ctx.fact('sale.distrusted', { about: 'terms', failure: unannounced(terms, known) })
    }
  },
  'sale.confirmChange': (ctx, { termsHash }) => {
    const { terms, accepted } = ctx.model.sale
    const changes = changesSincePin(ctx.model.sale)
    // The authority is the sale: under another it is another sale, which nobody can confirm here
    if (changes.length === 0 || changes.some(({ path }) => path === 'authority')) return
    if (terms.phase !== 'read' || terms.termsHash !== termsHash) return
    if (ctx.transient.sale.announced !== termsHash) {
      if (accepted !== termsHash) ctx.fact('sale.changeAccepted', { termsHash })
      return
    }
    ctx.fact('sale.pinned', { terms: terms.terms, termsHash })
  },
}
