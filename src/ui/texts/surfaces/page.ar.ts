import basics from '../basics/ar.ts'
import buy from '../buy/ar.ts'
import feed from '../feed/ar.ts'
import holding from '../holding/ar.ts'
import invoice from '../invoice/ar.ts'
import ledger from '../ledger/ar.ts'
import notices from '../notices/ar.ts'
import order from '../order/ar.ts'
import recovery from '../recovery/ar.ts'
import relay from '../relay/ar.ts'
import sale from '../sale/ar.ts'
import start from '../start/ar.ts'

export default { basics, buy, feed, holding, invoice, ledger, notices, order, recovery, relay, sale, start }
