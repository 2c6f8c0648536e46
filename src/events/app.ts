/** Types of all facts and of the models that they fold into. */
import type { AnalyticsFact, AnalyticsView } from './subjects/service/analytics.ts'
import type { AuthFact } from './subjects/wallet/authFacts.ts'
import type { AuthView } from './subjects/wallet/auth.ts'
import type { BalanceFact, BalanceView } from './subjects/sale/balance.ts'
import type { ConnectionFact, ConnectionView } from './subjects/wallet/connection.ts'
import type { CoreFact, CoreView } from './subjects/service/core.ts'
import type { DeletedView } from './subjects/session/deleted.ts'
import type { InstalledFact, InstalledView } from './subjects/wallet/installed.ts'
import type { InvoiceFact, InvoiceView } from './subjects/sale/invoice.ts'
import type { LedgerFact, LedgerView } from './subjects/sale/ledger.ts'
import type { LinkFact } from './subjects/wallet/linkFacts.ts'
import type { LinkView } from './subjects/wallet/linkState.ts'
import type { ListingFact } from './subjects/service/listingFacts.ts'
import type { ListingView } from './subjects/service/listingState.ts'
import type { NetworkFact, NetworkView } from './subjects/service/network.ts'
import type { MailFact, MailView } from './subjects/session/mail.ts'
import type { OrderView } from './subjects/order/order.ts'
import type { OrderFact } from './subjects/order/orderFacts.ts'
import type { OutboxFact, OutboxView } from './subjects/session/outbox.ts'
import type { PairingFact, PairingView } from './subjects/session/pairing.ts'
import type { ProjectFact, ProjectView } from './subjects/service/project.ts'
import type { PurchaseFact, PurchaseView } from './subjects/sale/purchase.ts'
import type { RelayFact, RelaysView, RelayView } from './subjects/service/relay.ts'
import type { RequestFact } from './subjects/session/requestFacts.ts'
import type { RequestView } from './subjects/session/request.ts'
import type { SaleFact } from './subjects/sale/saleFacts.ts'
import type { SaleView } from './subjects/sale/sale.ts'
import type { ScreenFact, ScreenView } from './subjects/page/screen.ts'
import type { PartingFact, PartingView } from './subjects/session/parting.ts'
import type { ServiceFact, ServiceView } from './subjects/service/service.ts'
import type { SessionFact, SessionView } from './subjects/session/session.ts'
import type { TabFact, TabView } from './subjects/page/tab.ts'
import type { ToastFact, ToastView } from './subjects/page/toast.ts'

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
