/** Every type with its version and fields, for the codec, the redaction and the tests. The page does not load it. */
import { analyticsFacts } from '../subjects/service/analytics.ts'
import { authFacts } from '../subjects/wallet/authFacts.ts'
import { balanceFacts } from '../subjects/sale/balance.ts'
import { connectionFacts } from '../subjects/wallet/connection.ts'
import { coreFacts } from '../subjects/service/core.ts'
import { installedFacts } from '../subjects/wallet/installed.ts'
import { invoiceFacts } from '../subjects/sale/invoice.ts'
import { ledgerFacts } from '../subjects/sale/ledger.ts'
import { linkFacts } from '../subjects/wallet/linkFacts.ts'
import { listingFacts } from '../subjects/service/listingFacts.ts'
import { mailFacts } from '../subjects/session/mail.ts'
import { networkFacts } from '../subjects/service/network.ts'
import { orderFacts } from '../subjects/order/orderFacts.ts'
import { outboxFacts } from '../subjects/session/outbox.ts'
import { pairingFacts } from '../subjects/session/pairing.ts'
import { partingFacts } from '../subjects/session/parting.ts'
import { projectFacts } from '../subjects/service/project.ts'
import { purchaseFacts } from '../subjects/sale/purchase.ts'
import { relayFacts } from '../subjects/service/relay.ts'
import { requestFacts } from '../subjects/session/requestFacts.ts'
import { saleFacts } from '../subjects/sale/saleFacts.ts'
import { screenFacts } from '../subjects/page/screen.ts'
import { serviceFacts } from '../subjects/service/service.ts'
import { sessionFacts } from '../subjects/session/session.ts'
import { tabFacts } from '../subjects/page/tab.ts'
import { toastFacts } from '../subjects/page/toast.ts'
import { commandDefinitions } from '../command.ts'
import { inputDefinitions } from '../input.ts'

export const factDefinitions = {
  ...analyticsFacts,
  ...authFacts,
  ...balanceFacts,
  ...connectionFacts,
  ...coreFacts,
  ...invoiceFacts,
  ...ledgerFacts,
  ...linkFacts,
  ...listingFacts,
  ...mailFacts,
  ...networkFacts,
  ...orderFacts,
  ...outboxFacts,
  ...pairingFacts,
  ...partingFacts,
  ...projectFacts,
  ...purchaseFacts,
  ...relayFacts,
  ...requestFacts,
  ...saleFacts,
  ...serviceFacts,
  ...sessionFacts,
}
export const pageFactDefinitions = {
  ...tabFacts,
  ...screenFacts,
  ...toastFacts,
  ...installedFacts,
}
export const allInputDefinitions = {
  ...commandDefinitions,
  ...inputDefinitions,
}
