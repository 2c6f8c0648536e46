/** The deciders in the order in which they hear an input. The relay is last: others ask it what they have heard before. */
import type { Decider } from '../context.ts'
import { balance } from './balance.ts'
import { connection } from './connection.ts'
import { listing } from './listing.ts'
import { network } from './network.ts'
import { order } from './order.ts'
import { orderGate } from './orderGate.ts'
import { orderWatch } from './orderWatch.ts'
import { page } from './page.ts'
import { partAway } from './partAway.ts'
import { purchase } from './purchase.ts'
import { sale } from './sale.ts'
import { saleDocuments } from './saleDocuments.ts'
import { saleNotices } from './saleNotices.ts'
import type { WalletConnectDeciders } from './walletConnect.ts'

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
