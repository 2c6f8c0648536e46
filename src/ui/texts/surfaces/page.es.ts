import basics from '../basics/es.ts'
import buy from '../buy/es.ts'
import feed from '../feed/es.ts'
import holding from '../holding/es.ts'
import invoice from '../invoice/es.ts'
import ledger from '../ledger/es.ts'
import notices from '../notices/es.ts'
import order from '../order/es.ts'
import recovery from '../recovery/es.ts'
import relay from '../relay/es.ts'
import sale from '../sale/es.ts'
import start from '../start/es.ts'

export default { basics, buy, feed, holding, invoice, ledger, notices, order, recovery, relay, sale, start }
