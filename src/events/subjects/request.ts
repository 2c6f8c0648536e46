/** Requests to a wallet over WalletConnect, each of which ends exactly once. */
import { own } from '../own.ts'
import { failure } from '../fields.ts'
import { choice, define, id, instant, open, personal, type UnionOf, v1 } from '../registry.ts'
import { type DeletedView, foldDeleted } from './deleted.ts'

export const requestFacts = define({
  /** Written before anything is published. `purpose` names what the answer is for, for example `order:<orderId>`. */
  'request.sent': v1({
    requestId: open(id),
    sessionTopic: personal(id),
    method: open(choice(['solana_signTransaction', 'solana_signAndSendTransaction', 'solana_signMessage'])),
    chainId: open(id),
    purpose: open(id),
    expiresAt: open(instant),
  }),
  /** The relay holds it; the wallet may see it any moment. */
  'request.delivered': v1({ requestId: open(id) }),
  'request.answered': v1({ requestId: open(id) }),
  'request.failed': v1({ requestId: open(id), failure }),
  /** An answer came after the request had ended. */
  'request.late': v1({ requestId: open(id) }),
})
export type RequestFact = UnionOf<typeof requestFacts>

export type WalletMethod = 'solana_signTransaction' | 'solana_signAndSendTransaction' | 'solana_signMessage'
export type WalletRequest = {
  requestId: string
  sessionTopic: string
  method: WalletMethod
  chainId: string
  purpose: string
  sentAt: number
  expiresAt: number
  phase: 'sent' | 'delivered' | 'ended'
}
/** Open requests and the latest ended ones, so that a late answer is told from an unknown one. */
export type RequestView = Record<string, WalletRequest>

const endedKept = 50

export function foldRequest(
  model: { request: RequestView; deleted: DeletedView },
  fact: RequestFact & { at: number },
): void {
  if (fact.type === 'request.sent') {
    if (own(model.request, fact.data.requestId)) return
    model.request[fact.data.requestId] = { ...fact.data, sentAt: fact.at, phase: 'sent' }
    const ended = Object.values(model.request).filter(request => request.phase === 'ended')
    for (const old of ended.slice(0, Math.max(0, ended.length - endedKept))) delete model.request[old.requestId]
    return
  }
  const request = own(model.request, fact.data.requestId)
  if (!request || request.phase === 'ended') return
  if (fact.type === 'request.delivered') request.phase = 'delivered'
  else if (fact.type === 'request.answered' || fact.type === 'request.failed') {
    request.phase = 'ended'
    foldDeleted(model, 'request', request.requestId)
  }
}
