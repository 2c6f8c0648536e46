/**
 * The deciders of every core, in the order in which they hear an input. Failures go to the decider that ordered the effect, messages to the
 * owner of their topic (`messages.ts`), and the outbox tells the owners of its messages how their sending went.
 */
import type { Decider } from '../core/context.ts'
import { analytics } from './analytics.ts'
import { connection } from './connection.ts'
import { listing } from './listing.ts'
import { network } from './network.ts'
import { networkSwitch } from './networkSwitch.ts'
import { nodeSocket } from './order/nodeSocket.ts'
import { order } from './order/order.ts'
import { orderGate } from './order/gate.ts'
import { orderWatch } from './order/watch.ts'
import { page } from './page.ts'
import { inbound } from './messages.ts'
import { auth, authMail } from './pairing/auth.ts'
import { link, wake } from './pairing/link.ts'
import { pairing, proposalMail } from './pairing/pairing.ts'
import { pairingPing, pingMail } from './pairing/pairingPing.ts'
import { project } from './project.ts'
import { createOutbox } from './relay/outbox.ts'
import { createRelay } from './relay/relay.ts'
import { answers } from './request/answers.ts'
import { request, requestMail } from './request/request.ts'
import { sendRequest } from './request/send.ts'
import { balance } from './sale/balance.ts'
import { invoices } from './sale/invoice.ts'
import { ledger } from './sale/ledger.ts'
import { purchases } from './sale/purchase.ts'
import { sale } from './sale/sale.ts'
import { saleDocuments } from './sale/saleDocuments.ts'
import { saleNotices } from './sale/saleNotices.ts'
import { services } from './services/services.ts'
import { session } from './session/session.ts'
import { callMail, sessionCalls } from './session/sessionCalls.ts'
import { sessionChain } from './session/sessionChain.ts'
import { deleteMail, sessionEnd } from './session/sessionEnd.ts'
import { attemptEnds } from './transport/answers.ts'
import { httpRequests } from './transport/http.ts'
import { rpcCalls } from './transport/rpc.ts'

export const deciders: readonly Decider[] = [
  page,
  network,
  sale,
  saleDocuments,
  saleNotices,
  ledger,
  invoices,
  listing,
  services,
  project,
  link,
  answers,
  pairing,
  pairingPing,
  auth,
  session,
  sessionCalls,
  sessionChain,
  sessionEnd,
  request,
  sendRequest,
  connection,
  balance,
  purchases,
  order,
  orderGate,
  orderWatch,
  createOutbox({
    request: { ...requestMail, taken: wake },
    propose: proposalMail,
    auth: authMail,
    call: callMail,
    ping: pingMail,
    delete: deleteMail,
  }),
  createRelay(inbound),
  rpcCalls,
  httpRequests,
  attemptEnds,
  analytics,
  nodeSocket,
  networkSwitch,
]
