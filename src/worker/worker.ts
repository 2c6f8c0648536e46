/**
 * The worker's entry. No file imports it: WebKit does not find an entry in its list of modules and would run it once more,
 * with a second core. So all code, which later parts share, is in files beside it.
 *
 * Modules lie in the file in the order of their first import. The first six only set that order: like beside like, the start is
 * 1.3 kB smaller after gzip, which finds repetitions within 32 kB.
 */
import '../events/input.ts'
import '../events/command.ts'
import '../events/coreFolds.ts'
import './deciders/sale/sale.ts'
import './deciders/order/order.ts'
import './deciders/index.ts'
import './host/calls/serve.ts'
