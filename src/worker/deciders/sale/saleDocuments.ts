/** Documents beside the terms: the legal document, the allowlist, and the content file. */
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { SaleContent } from '../../../events/sale/content.ts'
import { canonicalJson } from '../../../runtime/json/canonicalJson.ts'
import type { Json } from '../../../runtime/json/readJson.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { accountAbout, accountIn } from '../about.ts'
import { isUnderWay } from '../order/underWay.ts'

/** Reads the legal document. */
function readLegal(ctx: Ctx, { url, sha256 }: { url: string; sha256: string }): void {
  if (!isUnderWay(ctx, 'sale.readLegal', '')) ctx.effect('sale.readLegal', { url, sha256 })
}

/** Reads the content file. */
function readContent(ctx: Ctx): void {
  delete ctx.transient.sale.contentUnread
  ctx.effect('sale.readContent', {})
}

/** Looks up the connected account in the allowlist. */
function readAccess(ctx: Ctx): void {
  const { terms, access } = ctx.model.sale
  const active = activeConnection(ctx.model)
  if (terms.phase !== 'read' || !active) return
  const { mode, url, sha256 } = terms.terms.access
  const { account } = active
  const about = accountAbout(account)
  if (mode !== 'allowlist' || url === undefined || sha256 === undefined) return
  if (own(access ?? {}, account)?.allowed !== undefined || isUnderWay(ctx, 'sale.readAccess', about)) return
  ctx.effect('sale.readAccess', { account, url, sha256 }, { about })
}

/** The same, except for an account whose look failed in this life: that waits for the next poll. */
function readNewAccess(ctx: Ctx): void {
  const active = activeConnection(ctx.model)
  const isKnown = active && own(ctx.model.sale.access ?? {}, active.account)
  if (!isKnown || !ctx.transient.sale.accessUnread) readAccess(ctx)
}

/** @returns why the terms cannot be agreed to, or this account may not buy; undefined when neither applies */
export function documentRefusal(ctx: Ctx, account: string): Failure | undefined {
  const { terms, legal, access = {} } = ctx.model.sale
  if (legal?.phase === 'failed') return legal.failure
  if (!legal) return { code: 'unreachable', message: 'an order expected the legal document to be read, it is not' }
  if (terms.phase !== 'read' || terms.terms.access.mode === 'open') return undefined
  const known = own(access, account)
  if (!known) return { code: 'unreachable', message: 'an order expected the list of the sale to be read, it is not' }
  if (known.allowed === undefined) return known.failure
  if (known.allowed) return undefined
  const message = 'an order expected an account on the list of the sale, this one is not'
  return { code: 'unauthorized', message, facts: { rule: 'ALLOWLIST' } }
}

function sameContent(one: SaleContent | undefined, other: SaleContent | undefined): boolean {
  return canonicalJson((one ?? null) as Json) === canonicalJson((other ?? null) as Json)
}

export const saleDocuments: Decider = {
  'chain.terms': (ctx, { terms }) => {
    readLegal(ctx, terms.legal)
    readContent(ctx)
  },
  // With every poll: retries a failed read, and covers a newly connected account
  'chain.sale': ctx => {
    const { terms, legal } = ctx.model.sale
    if (ctx.cause?.about !== '' || terms.phase !== 'read') return
    if (legal?.phase !== 'read') readLegal(ctx, terms.terms.legal)
    if (ctx.transient.sale.contentUnread) readContent(ctx)
    readAccess(ctx)
  },
  'chain.notices': readNewAccess,
  'chain.balances': readNewAccess,
  'sale.legal': (ctx, read) => {
    const { legal } = ctx.model.sale
    if (legal?.phase !== 'read' || legal.sha256 !== read.sha256 || legal.url !== read.url)
      ctx.fact('sale.legalRead', read)
  },
  'sale.access': (ctx, { account, allowed }) => {
    if (own(ctx.model.sale.access ?? {}, account)?.allowed !== allowed)
      ctx.fact('sale.accessRead', { account, allowed })
  },
  'sale.content': (ctx, { content }) => {
    if (!sameContent(ctx.model.sale.content, content)) ctx.fact('sale.contentRead', content ? { content } : {})
  },
  failed: {
    'sale.readContent': ctx => {
      ctx.transient.sale.contentUnread = true
    },
    'sale.readLegal': (ctx, failure) => {
      const { legal } = ctx.model.sale
      // A temporary failure does not undo a successful read
      const isKnown = legal?.phase === 'read' && failure.code !== 'terms_invalid'
      const isSame = legal?.phase === 'failed' && legal.failure.code === failure.code
      if (!isKnown && !isSame) ctx.fact('sale.legalFailed', { failure })
    },
    'sale.readAccess': (ctx, failure, about) => {
      const account = accountIn(about)
      ctx.transient.sale.accessUnread = true
      const known = own(ctx.model.sale.access ?? {}, account)
      if (!known || ('failure' in known && known.failure.code !== failure.code))
        ctx.fact('sale.accessFailed', { account, failure })
    },
  },
}
