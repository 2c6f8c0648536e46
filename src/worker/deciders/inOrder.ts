/** The deciders in the order in which they hear an input. The relay is last: others ask it what they have heard before. */
import type { Decider } from '../core/context.ts'
import { balance } from './sale/balance.ts'
import { connection } from './connection.ts'
import { listing } from './listing.ts'
import { network } from './network.ts'
import { order } from './order/order.ts'
import { orderGate } from './order/gate.ts'
import { orderWatch } from './order/watch.ts'
import { page } from './page.ts'
import { partAway } from './pairing/partAway.ts'
import { purchase } from './sale/purchase.ts'
import { sale } from './sale/sale.ts'
import { saleDocuments } from './sale/saleDocuments.ts'
import { saleNotices } from './sale/saleNotices.ts'
import type { WalletConnectDeciders } from './pairing/walletConnect.ts'

/** @param part what comes later, once it is here; nobody's place depends on when it came */
export function decidersInOrder(part?: WalletConnectDeciders): readonly Decider[] {
  return [
    page,
    partAway,
    network,
    sale,
    saleDocuments,
    saleNotices,
    listing,
    ...late(part?.subjects),
    connection,
    balance,
    purchase,
    order,
    orderGate,
    orderWatch,
    ...late(part?.ways),
  ]
}

function late(deciders: readonly Decider[] = []): Decider[] {
  return deciders.map(decider => ({ ...decider, comesLater: true }))
}
