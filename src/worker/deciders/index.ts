/** Every decider, in the order in which they hear an input. The relay is last: others ask it what they have heard before. */
import type { Decider } from '../context.ts'
import { balance } from './balance.ts'
import { connection } from './connection.ts'
import { listing } from './listing.ts'
import { network } from './network.ts'
import { order } from './order.ts'
import { orderGate } from './orderGate.ts'
import { orderWatch } from './orderWatch.ts'
import { outbox } from './outbox.ts'
import { page } from './page.ts'
import { pairing } from './pairing.ts'
import { purchase } from './purchase.ts'
import { relay } from './relay.ts'
import { request } from './request.ts'
import { sale } from './sale.ts'
import { session } from './session.ts'

export const deciders: readonly Decider[] = [
  page,
  network,
  sale,
  listing,
  pairing,
  session,
  request,
  connection,
  balance,
  purchase,
  order,
  orderGate,
  orderWatch,
  outbox,
  relay,
]
