/** Types of all facts and of the models that they fold into. */
import type { AnalyticsFact, AnalyticsView } from './subjects/analytics.ts'
import type { AuthFact } from './subjects/authFacts.ts'
import type { AuthView } from './subjects/auth.ts'
import type { BalanceFact, BalanceView } from './subjects/balance.ts'
import type { ConnectionFact, ConnectionView } from './subjects/connection.ts'
import type { CoreFact, CoreView } from './subjects/core.ts'
import type { DeletedView } from './subjects/deleted.ts'
import type { InstalledFact, InstalledView } from './subjects/installed.ts'
import type { InvoiceFact, InvoiceView } from './subjects/invoice.ts'
import type { LedgerFact, LedgerView } from './subjects/ledger.ts'
import type { LinkFact, LinkView } from './subjects/link.ts'
import type { ListingFact, ListingView } from './subjects/listing.ts'
import type { NetworkFact, NetworkView } from './subjects/network.ts'
import type { MailFact, MailView } from './subjects/mail.ts'
import type { OrderView } from './subjects/order.ts'
import type { OrderFact } from './subjects/orderFacts.ts'
import type { OutboxFact, OutboxView } from './subjects/outbox.ts'
import type { PairingFact, PairingView } from './subjects/pairing.ts'
import type { ProjectFact, ProjectView } from './subjects/project.ts'
import type { PurchaseFact, PurchaseView } from './subjects/purchase.ts'
import type { RelayFact, RelaysView, RelayView } from './subjects/relay.ts'
import type { RequestFact } from './subjects/requestFacts.ts'
import type { RequestView } from './subjects/request.ts'
import type { SaleFact } from './subjects/saleFacts.ts'
import type { SaleView } from './subjects/sale.ts'
import type { ScreenFact, ScreenView } from './subjects/screen.ts'
import type { PartingFact, PartingView } from './subjects/parting.ts'
import type { ServiceFact, ServiceView } from './subjects/service.ts'
import type { SessionFact, SessionView } from './subjects/session.ts'
import type { TabFact, TabView } from './subjects/tab.ts'
import type { ToastFact, ToastView } from './subjects/toast.ts'

export type CoreSideFact =
  | AnalyticsFact
  | AuthFact
  | BalanceFact
  | ConnectionFact
  | CoreFact
  | InvoiceFact
  | LedgerFact
  | LinkFact
  | ListingFact
  | MailFact
  | NetworkFact
  | OrderFact
  | OutboxFact
  | PairingFact
  | PartingFact
  | ProjectFact
  | PurchaseFact
  | RelayFact
  | RequestFact
  | SaleFact
  | ServiceFact
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
  service: ServiceView
  project: ProjectView
  /** absent before the first fact of it, as are the next */
  analytics?: AnalyticsView
  ledger?: LedgerView
  invoice?: InvoiceView
}
/** The page's model: the fold of this page's own facts. */
export type PageModel = { tab: TabView; screen: ScreenView; toast: ToastView; installed: InstalledView }
export type Model = CoreModel & PageModel
