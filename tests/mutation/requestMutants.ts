/** Planted faults of what the sale's drivers ask of a node, and of whose word they take. */
import { type Mutant, tested } from './mutant.ts'

const driverTests = ['tests/worker/drivers/solana/solana.test.ts']
const hostTests = ['tests/worker/drivers/hostileSale.test.ts']
const orders = tested('src/worker/drivers/solana/order/orders.ts', driverTests)
const assemble = tested('src/worker/drivers/solana/order/assemble.ts', driverTests)
const fees = tested('src/worker/rpc/fees.ts', ['tests/worker/drivers/solana/rebuilt.test.ts'])
const history = tested('src/worker/ledger/saleHistory.ts', ['tests/worker/ledger/saleHistory.test.ts'])
const notices = tested('src/worker/drivers/solana/sale/notices.ts', hostTests)
const trusted = tested('src/worker/services/notices.ts', hostTests)

export const requestMutants: readonly Mutant[] = [
  orders('a node sends a payment again by itself', 'maxRetries: 0,', 'maxRetries: 3,'),
  assemble(
    'a payment is built on a block that a fork may drop',
    "'getLatestBlockhash', params: [{ commitment: 'confirmed' }]",
    "'getLatestBlockhash', params: [{ commitment: 'processed' }]",
  ),
  assemble(
    'the priority fee is the one of another account',
    "'getRecentPrioritizationFees', params: [[payment.to]]",
    "'getRecentPrioritizationFees', params: [[places[0]]]",
  ),
  fees('the limit without a simulation is too low', 'fallbackComputeLimit = 120_000', 'fallbackComputeLimit = 60_000'),
  history('a node that is behind lists the history', ', minContextSlot: slot', ''),
  notices('a flood beside the list is not looked through', 'linesBesideList = 100', 'linesBesideList = 7'),
  notices('a flood hides the notices without a list', 'linesAlone = 1000', 'linesAlone = 100'),
  trusted(
    'an announced checkpoint needs no signature',
    'isSignedBy(expected.authority, utf8ToBytes(signedText), signature, verify)) ? checkpoint',
    'isSignedBy(expected.authority, utf8ToBytes(signedText), signature, async () => true)) ? checkpoint',
  ),
]
