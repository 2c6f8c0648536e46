/** Every decider, in the order in which they hear an input: what is said over the relay stands before the way there. */
import type { Decider } from '../core/context.ts'
import { connection } from './connection.ts'
import { listing } from './listing.ts'
import { network } from './network.ts'
import { order } from './order/order.ts'
import { orderGate } from './order/gate.ts'
import { orderWatch } from './order/watch.ts'
import { page } from './page.ts'
import { auth } from './pairing/auth.ts'
import { link } from './pairing/link.ts'
import { pairing } from './pairing/pairing.ts'
import { pairingPing } from './pairing/pairingPing.ts'
import { outbox } from './relay/outbox.ts'
import { relay } from './relay/relay.ts'
import { answers } from './request/answers.ts'
import { request } from './request/request.ts'
import { sendRequest } from './request/send.ts'
import { balance } from './sale/balance.ts'
import { purchase } from './sale/purchase.ts'
import { sale } from './sale/sale.ts'
import { saleDocuments } from './sale/saleDocuments.ts'
import { saleNotices } from './sale/saleNotices.ts'
import { session } from './session/session.ts'
import { sessionCalls } from './session/sessionCalls.ts'
import { sessionChain } from './session/sessionChain.ts'
import { sessionEnd } from './session/sessionEnd.ts'
import { sessionEvents } from './session/sessionEvents.ts'

export const deciders: readonly Decider[] = [
  page,
  network,
  sale,
  saleDocuments,
  saleNotices,
  listing,
  link,
  answers,
  pairing,
  pairingPing,
  auth,
  session,
  sessionEvents,
  sessionCalls,
  sessionChain,
  sessionEnd,
  request,
  sendRequest,
  connection,
  balance,
  purchase,
  order,
  orderGate,
  orderWatch,
  outbox,
  relay,
]
