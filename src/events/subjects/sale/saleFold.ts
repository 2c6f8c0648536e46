/** The fold of the sale. */
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import { lags } from '../../sale/slots.ts'
import { accountsKept } from '../../values/accountTable.ts'
import type { CoreView } from '../service/core.ts'
import type { LedgerView } from './ledger.ts'
import type { PurchaseView } from './purchase.ts'
import { isOfThisLife, type SaleView, sameMint } from './sale.ts'
import type { SaleFact } from './saleFacts.ts'
import type { TermsView } from './saleState.ts'

export function foldSale(
  model: { sale: SaleView; core: CoreView; purchase: PurchaseView; ledger?: LedgerView },
  fact: SaleFact & { at: number },
): void {
  const sale = model.sale
  switch (fact.type) {
    case 'sale.termsRead':
      if (sale.terms.phase !== 'read' || sale.terms.termsHash !== fact.data.termsHash) takeTerms(model, fact.data)
      else if (fact.data.noticeRef !== undefined) sale.terms.noticeRef = fact.data.noticeRef
      sale.distrust = null
      if (sale.legal?.phase === 'read' && sale.legal.sha256 !== fact.data.terms.legal?.sha256) delete sale.legal
      return
    case 'sale.termsRefused':
      if (sale.terms.phase !== 'read') sale.terms = { phase: 'refused', failure: fact.data.failure }
      return
    case 'sale.noticesRead':
      sale.notices = { readAt: fact.at, life: model.core.life, ...fact.data }
      delete sale.noticesUnread
      return
    case 'sale.noticesUnread':
      sale.noticesUnread = fact.data
      return
    case 'sale.pinned':
      if (own(sale.pins, fact.data.terms.id)?.termsHash !== fact.data.termsHash)
        sale.pins[fact.data.terms.id] = fact.data
      if (sale.accepted === fact.data.termsHash) delete sale.accepted
      return
    case 'sale.changeAccepted':
      if (sale.terms.phase === 'read' && sale.terms.termsHash === fact.data.termsHash)
        sale.accepted = fact.data.termsHash
      return
    case 'sale.legalRead': {
      const { legal } = sale
      const isKnown = legal?.phase === 'read' && legal.sha256 === fact.data.sha256 && legal.url === fact.data.url
      if (!isKnown) sale.legal = { phase: 'read', ...fact.data }
      return
    }
    case 'sale.legalFailed':
      sale.legal = { phase: 'failed', failure: fact.data.failure }
      return
    case 'sale.accessRead': {
      const { account, allowed } = fact.data
      if (own(sale.access ?? {}, account)?.allowed !== allowed) noteAccess(sale, account, { allowed })
      return
    }
    case 'sale.accessFailed':
      noteAccess(sale, fact.data.account, { failure: fact.data.failure })
      return
    case 'sale.contentRead':
      if (fact.data.content) sale.content = fact.data.content
      else delete sale.content
      return
    case 'sale.mintRead':
      if (sale.terms.phase === 'read' && !sameMint(sale.terms.mint, fact.data)) sale.terms.mint = fact.data
      return
    case 'sale.read':
      sale.stale = null
      if (sale.distrust?.code === 'rpc_lying') sale.distrust = null
      // The node lags, or the chain stands still: chain time goes on from the known reading
      if (isOfThisLife(sale.reading, model.core) && lags(sale.reading, fact.data.slot)) return
      // V8 adds names to a spread object ten times slower than it spreads onto them
      sale.reading = { readAt: fact.at, life: model.core.life, ...fact.data }
      return
    case 'sale.feedRead':
      sale.feed = { ...fact.data, readAt: fact.at }
      return
    case 'sale.feedFailed':
      sale.feed = { lines: [], other: 0, readAt: 0, ...sale.feed, failure: fact.data.failure }
      return
    case 'sale.unreachable':
      sale.stale = fact.data
      return
    case 'sale.distrusted':
      sale.distrust = fact.data.failure
  }
}

/** Records an account's access; the first account recorded leaves beyond `accountsKept`. */
function noteAccess(sale: SaleView, account: string, access: { allowed: boolean } | { failure: Failure }): void {
  sale.access = { ...sale.access, [account]: access }
  const [first = ''] = Object.keys(sale.access).filter(known => known !== account)
  if (Object.keys(sale.access).length > accountsKept) delete sale.access[first]
}

/** Other terms may name another treasury, other assets and another list; state of another sale is discarded. */
function takeTerms(
  model: { sale: SaleView; purchase: PurchaseView; ledger?: LedgerView },
  data: Omit<Extract<TermsView, { phase: 'read' }>, 'phase'>,
): void {
  const { sale } = model
  const { terms: before } = sale
  sale.terms = { phase: 'read', ...data }
  if (before.phase !== 'read') return
  sale.reading = null
  delete sale.accepted
  if (before.terms.access.sha256 !== data.terms.access.sha256) delete sale.access
  if (before.presaleRef === data.presaleRef) return
  sale.notices = null
  delete sale.noticesUnread
  delete sale.content
  delete sale.feed
  model.purchase = {}
  delete model.ledger
}
