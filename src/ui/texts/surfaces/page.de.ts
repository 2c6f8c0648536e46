import basics from '../basics/de.ts'
import buy from '../buy/de.ts'
import feed from '../feed/de.ts'
import holding from '../holding/de.ts'
import invoice from '../invoice/de.ts'
import ledger from '../ledger/de.ts'
import notices from '../notices/de.ts'
import order from '../order/de.ts'
import recovery from '../recovery/de.ts'
import relay from '../relay/de.ts'
import sale from '../sale/de.ts'
import start from '../start/de.ts'

export default { basics, buy, feed, holding, invoice, ledger, notices, order, recovery, relay, sale, start }
