/** Every type with its version and fields, for the codec, the redaction and the tests. The page does not load it. */
import { analyticsFacts } from '../subjects/analytics.ts'
import { authFacts } from '../subjects/authFacts.ts'
import { balanceFacts } from '../subjects/balance.ts'
import { connectionFacts } from '../subjects/connection.ts'
import { coreFacts } from '../subjects/core.ts'
import { installedFacts } from '../subjects/installed.ts'
import { invoiceFacts } from '../subjects/invoice.ts'
import { ledgerFacts } from '../subjects/ledger.ts'
import { linkFacts } from '../subjects/link.ts'
import { listingFacts } from '../subjects/listing.ts'
import { mailFacts } from '../subjects/mail.ts'
import { networkFacts } from '../subjects/network.ts'
import { orderFacts } from '../subjects/orderFacts.ts'
import { outboxFacts } from '../subjects/outbox.ts'
import { pairingFacts } from '../subjects/pairing.ts'
import { partingFacts } from '../subjects/parting.ts'
import { projectFacts } from '../subjects/project.ts'
import { purchaseFacts } from '../subjects/purchase.ts'
import { relayFacts } from '../subjects/relay.ts'
import { requestFacts } from '../subjects/requestFacts.ts'
import { saleFacts } from '../subjects/saleFacts.ts'
import { screenFacts } from '../subjects/screen.ts'
import { serviceFacts } from '../subjects/service.ts'
import { sessionFacts } from '../subjects/session.ts'
import { tabFacts } from '../subjects/tab.ts'
import { toastFacts } from '../subjects/toast.ts'
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
