/** All facts, the models and their folds. The worker, the page and replays run the same fold. */
import { copyOf } from '../runtime/json/copyOf.ts'
import { subjectOf } from '../runtime/log/subjectOf.ts'
import { type AnalyticsFact, type AnalyticsView, foldAnalytics } from './subjects/analytics.ts'
import { type AuthFact, type AuthView, foldAuth } from './subjects/auth.ts'
import { type BalanceFact, type BalanceView, foldBalance } from './subjects/balance.ts'
import { type ConnectionFact, type ConnectionView, emptyConnection, foldConnection } from './subjects/connection.ts'
import { type CoreFact, type CoreView, emptyCore, foldCore } from './subjects/core.ts'
import { type DeletedView, noteDeleted } from './subjects/deleted.ts'
import { foldInstalled, type InstalledFact, type InstalledView } from './subjects/installed.ts'
import { emptyLink, foldLink, type LinkFact, type LinkView } from './subjects/link.ts'
import { emptyListing, foldListing, type ListingFact, type ListingView } from './subjects/listing.ts'
import { foldNetwork, type NetworkFact, type NetworkView } from './subjects/network.ts'
import { emptyMail, foldMail, type MailFact, type MailView } from './subjects/mail.ts'
import type { OrderView } from './subjects/order.ts'
import type { OrderFact } from './subjects/orderFacts.ts'
import { foldOrders } from './subjects/orderRetention.ts'
import { foldOutbox, type OutboxFact, type OutboxView } from './subjects/outbox.ts'
import { emptyPairing, foldPairing, type PairingFact, type PairingView } from './subjects/pairing.ts'
import { foldPurchase, type PurchaseFact, type PurchaseView } from './subjects/purchase.ts'
import { emptyRelays, foldRelay, type RelayFact, type RelaysView, type RelayView } from './subjects/relay.ts'
import { foldRequest, type RequestFact, type RequestView } from './subjects/request.ts'
import { emptySale, foldSale, type SaleFact, type SaleView } from './subjects/sale.ts'
import { emptyScreen, foldScreen, type ScreenFact, type ScreenView } from './subjects/screen.ts'
import { foldParting, type PartingFact, type PartingView } from './subjects/parting.ts'
import { foldSession, type SessionFact, type SessionView } from './subjects/session.ts'
import { emptyTab, foldTab, type TabFact, type TabView } from './subjects/tab.ts'
import { foldToast, type ToastFact, type ToastView } from './subjects/toast.ts'
import { emptyMemory } from './values/memory.ts'

export type CoreSideFact =
  | AnalyticsFact
  | AuthFact
  | BalanceFact
  | ConnectionFact
  | CoreFact
  | LinkFact
  | ListingFact
  | MailFact
  | NetworkFact
  | OrderFact
  | OutboxFact
  | PairingFact
  | PartingFact
  | PurchaseFact
  | RelayFact
  | RequestFact
  | SaleFact
  | SessionFact
export type PageFact = InstalledFact | ScreenFact | TabFact | ToastFact

/** A fact with its time in ms. */
export type AppFact = (CoreSideFact | PageFact) & { at: number }

/** The core's model: the fold of the stored facts. It survives restarts. */
export type CoreModel = {
  core: CoreView
  network: NetworkView
  relay: RelayView
  relays: RelaysView
  listing: ListingView
  connection: ConnectionView
  pairing: PairingView
  session: SessionView
  auth: AuthView
  link: LinkView
  deleted: DeletedView
  mail: MailView
  parting: PartingView
  request: RequestView
  outbox: OutboxView
  balance: BalanceView
  sale: SaleView
  order: OrderView
  purchase: PurchaseView
  /** absent before the first fact of it */
  analytics?: AnalyticsView
}
/** The page's model: the fold of this page's own facts. */
export type PageModel = { tab: TabView; screen: ScreenView; toast: ToastView; installed: InstalledView }
export type Model = CoreModel & PageModel

export function emptyCoreModel(): CoreModel {
  return {
    core: { ...emptyCore },
    network: { phase: 'unknown', online: true },
    relay: { phase: 'closed' },
    relays: copyOf(emptyRelays),
    listing: copyOf(emptyListing),
    connection: copyOf(emptyConnection),
    pairing: copyOf(emptyPairing),
    session: {},
    auth: {},
    link: copyOf(emptyLink),
    deleted: emptyMemory(),
    mail: emptyMail(),
    parting: {},
    request: {},
    outbox: {},
    balance: {},
    sale: copyOf(emptySale),
    order: {},
    purchase: {},
  }
}
export function emptyPageModel(): PageModel {
  return { tab: { ...emptyTab }, screen: copyOf(emptyScreen), toast: null, installed: [] }
}
export function emptyModel(): Model {
  return { ...emptyCoreModel(), ...emptyPageModel() }
}

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
const pageFolds: { [subject: string]: (model: PageModel, fact: any) => void } = {
  tab: foldTab,
  screen: foldScreen,
  toast: foldToast,
  installed: foldInstalled,
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
/** Folds one page fact, likewise. */
export function foldPageFact(model: PageModel, fact: { type: string; at: number; data: unknown }): void {
  foldOf(pageFolds, fact.type)?.(model, fact)
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

/** @returns the subject's fold; undefined for a subject this build does not know */
function foldOf<F>(folds: { [subject: string]: F }, type: string): F | undefined {
  const subject = subjectOf(type)
  return Object.hasOwn(folds, subject) ? folds[subject] : undefined
}
