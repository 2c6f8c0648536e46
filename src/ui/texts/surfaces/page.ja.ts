import basics from '../basics/ja.ts'
import buy from '../buy/ja.ts'
import feed from '../feed/ja.ts'
import holding from '../holding/ja.ts'
import invoice from '../invoice/ja.ts'
import ledger from '../ledger/ja.ts'
import notices from '../notices/ja.ts'
import order from '../order/ja.ts'
import recovery from '../recovery/ja.ts'
import relay from '../relay/ja.ts'
import sale from '../sale/ja.ts'
import start from '../start/ja.ts'

export default { basics, buy, feed, holding, invoice, ledger, notices, order, recovery, relay, sale, start }
