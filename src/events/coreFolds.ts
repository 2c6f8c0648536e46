/** Folds of the core's facts. The worker, the page and replays run the same ones; a page loads them with its runtime. */
import { foldOf } from '../runtime/log/subjectOf.ts'
import type { CoreModel, CoreSideFact, Model } from './app.ts'
import { foldPageFact } from './pageFolds.ts'
import { foldAnalytics } from './subjects/service/analytics.ts'
import { foldAuth } from './subjects/wallet/auth.ts'
import { foldBalance } from './subjects/sale/balance.ts'
import { foldConnection } from './subjects/wallet/connectionFold.ts'
import { foldCore } from './subjects/service/core.ts'
import { noteDeleted } from './subjects/session/deleted.ts'
import { foldInvoice } from './subjects/sale/invoice.ts'
import { foldLedger } from './subjects/sale/ledger.ts'
import { foldLink } from './subjects/wallet/link.ts'
import { foldListing } from './subjects/service/listing.ts'
import { foldMail } from './subjects/session/mail.ts'
import { foldNetwork } from './subjects/service/network.ts'
import { foldOrders } from './subjects/order/orderRetention.ts'
import { foldOutbox } from './subjects/session/outbox.ts'
import { foldPairing } from './subjects/session/pairing.ts'
import { foldParting } from './subjects/session/parting.ts'
import { foldProject } from './subjects/service/project.ts'
import { foldPurchase } from './subjects/sale/purchase.ts'
import { foldRelay } from './subjects/service/relay.ts'
import { foldRequest } from './subjects/session/request.ts'
import { foldSale } from './subjects/sale/saleFold.ts'
import { foldService } from './subjects/service/service.ts'
import { foldSession } from './subjects/session/session.ts'

// `foldOf` picks the fold by the type's prefix, so each gets facts of its own subject
const shownFolds: { [subject: string]: (model: CoreModel, fact: any) => void } = {
  core: foldCore,
  network: foldNetwork,
  relay: foldRelay,
  listing: foldListing,
  connection: foldConnection,
  pairing: foldPairing,
  session: foldSession,
  request: foldRequest,
  balance: foldBalance,
  sale: foldSale,
  order: foldOrders,
  purchase: foldPurchase,
  service: foldService,
  project: foldProject,
  ledger: foldLedger,
  invoice: foldInvoice,
}
/** Subjects that no page shows. */
const innerFolds: { [subject: string]: (model: CoreModel, fact: any) => void } = {
  analytics: foldAnalytics,
  parting: foldParting,
  auth: foldAuth,
  link: foldLink,
  mail: foldMail,
  outbox: foldOutbox,
}
/** Folds one core fact into the model, in mutating style: an immer draft or a plain object. Unknown types change nothing. */
export function foldCoreFact(model: CoreModel, fact: { type: string; at: number; data: unknown }): void {
  noteDeleted(model, fact)
  coreFoldOf(fact.type)?.(model, fact)
}
/** Folds a core fact as pages do: subjects that no page shows keep the state they had when the page attached. */
export function foldShownFact(model: CoreModel, fact: { type: string; at: number; data: unknown }): void {
  foldOf(shownFolds, fact.type)?.(model, fact)
}
/** @returns whether `foldShownFact` folds facts of this type */
export function isShown(type: string): boolean {
  return foldOf(shownFolds, type) !== undefined
}
/** Intermediate facts of background flows. They need no immediate flush; they go out with the next batch. */
const onTheWay: ReadonlySet<string> = new Set<CoreSideFact['type']>([
  'pairing.proposed',
  'pairing.responded',
  'pairing.answered',
  'request.delivered',
])
/** @returns whether a page may wait for a fact of this type */
export function isAwaited(type: string): boolean {
  return isShown(type) && !onTheWay.has(type)
}
/** Folds any fact. */
export function fold(model: Model, fact: { type: string; at: number; data: unknown }): void {
  const foldOne = coreFoldOf(fact.type)
  if (!foldOne) return foldPageFact(model, fact)
  noteDeleted(model, fact)
  foldOne(model, fact)
}

type CoreFold = (model: CoreModel, fact: any) => void
/** Cache of folds by type: the lookup costs as much as most folds. Types without a fold are not cached. */
const coreFoldsMet = /* @__PURE__ */ new Map<string, CoreFold>()

function coreFoldOf(type: string): CoreFold | undefined {
  const met = coreFoldsMet.get(type)
  if (met) return met
  const found = foldOf(shownFolds, type) ?? foldOf(innerFolds, type)
  if (found && coreFoldsMet.size < 1000) coreFoldsMet.set(type, found)
  return found
}
