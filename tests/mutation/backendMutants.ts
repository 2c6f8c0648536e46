/** Planted faults of the choice of a sale's backend. */
import { type Mutant, tested } from './mutant.ts'

const coreTests = ['tests/worker/services/saleBackend.test.ts']
const driverTests = ['tests/worker/drivers/solana/sale/backend.test.ts']
const pageTests = ['tests/ui/presale/backend.test.tsx']
const checks = tested('src/worker/services/saleChecks.ts', coreTests)
const decider = tested('src/worker/deciders/sale/sale.ts', coreTests)
const names = tested('src/events/sale/backend.ts', pageTests)
const members = tested('src/worker/drivers/solana/sale/saleBackend.ts', driverTests)
const purchases = tested('src/worker/drivers/solana/sale/purchases.ts', driverTests)
const terms = tested('src/events/sale/terms/terms.ts', ['tests/events/sale/terms/terms.test.ts'])
const status = tested('src/ui/presale/sale/saleStatus.ts', pageTests)

export const backendMutants: readonly Mutant[] = [
  checks(
    'every purchase is compared by the first backend',
    'return checks ? checks.checkSigned : checkSigned',
    'return checkSigned',
  ),
  checks('a transfer is compared by the backend of the sale', '!order.send && terms', 'terms'),
  decider('a reading does not name the backend', '...(backend && { backend })', ''),
  names('terms of an unknown backend are of the first', 'return own(members, backend)', 'return members.direct'),
  members(
    'a driver asks the first backend',
    'const member = memberIn(members, terms)',
    'const member = members.direct',
  ),
  purchases('each reading of an account begins anew', 'open.set(member, read)', ''),
  terms('an unknown backend is not refused', 'if (other) {', 'if (!other) {'),
  status(
    'the team pays as soon as one of both is left to it',
    'capabilities.selfRefund && known.capabilities.claim',
    'capabilities.selfRefund',
  ),
  status(
    'an unknown backend in the log turns nothing off',
    'if (facts) return distrusted',
    'if (!t) return distrusted',
  ),
]
