/** Requests over WalletConnect: recorded, published once, ended once, whatever the wallet does. */
import type { Failure } from '../../../runtime/failure.ts'
import { signedRefOf } from '../../../events/subjects/order/order.ts'
import type { EndedRequest, OpenRequest, WalletRequest } from '../../../events/subjects/session/requestState.ts'
import { isEnded } from '../../../events/subjects/session/request.ts'
import { idIn } from '../../../events/values/reference.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { isRejection } from '../../walletconnect/relay/errors.ts'
import { publishRequest } from './askSession.ts'
import { forgetBytes } from '../forget.ts'
import { forgetReplaced } from '../session/forgetOutlived.ts'
import { orderNotAsked, orderRefused, orderSent, orderSigned, orderSignedBare } from '../order/answer.ts'
import type { MailOwner } from '../relay/owners.ts'
import { own } from '../../../runtime/schema/own.ts'
import { isStillAsked } from './stillAsked.ts'
import {
  askForPage,
  disconnected,
  isOfPage,
  malformed,
  notAsked,
  otherSigner,
  pageRefusal,
  ranOut,
  saidIn,
} from './pageRequest.ts'

type Payload = InputData<'relay.message'>['payload']

/** The wallet may have sent what it signed, so only the chain knows the outcome. */
const unusable: Failure = {
  code: 'wallet_gone',
  message: "the wallet's answer made the core fail, so it was set aside",
}

/** The wallet may have sent what it signed all the same. */
const unread: Failure = {
  code: 'wallet_gone',
  message: "the wallet's answer expected what it signed, what came cannot be read",
}

/** Ends every open request of a session, or of one of its namespaces. */
export function endRequests(ctx: Ctx, sessionTopic: string, failure: Failure, namespace?: string): void {
  for (const request of Object.values(ctx.model.request)) {
    if (request.sessionTopic !== sessionTopic || request.phase === 'ended') continue
    if (namespace === undefined || request.chainId.startsWith(`${namespace}:`))
      fail(ctx, request, isOfPage(request) ? disconnected : failure)
  }
}

function fail(ctx: Ctx, request: OpenRequest, failure: Failure, error?: string): void {
  ctx.fact('request.failed', { requestId: request.requestId, failure, ...(error === undefined ? {} : { error }) })
  const orderId = orderOf(request)
  if (orderId !== undefined) orderRefused(ctx, orderId, failure)
}

/** The request was not sent, so nothing can have been signed. */
export function failNotAsked(ctx: Ctx, requestId: string, failure: Failure): void {
  const open = own(ctx.model.request, requestId)
  if (!open || open.phase === 'ended') return
  ctx.fact('request.failed', { requestId, failure: isOfPage(open) ? notAsked(open, failure) : failure })
  const orderId = orderOf(open)
  if (orderId !== undefined) orderNotAsked(ctx, orderId, failure)
}

/** The deadline of the wallet's answer; the clock may have been set back since the request. */
function endOf(ctx: Ctx, { sentAt, expiresAt }: OpenRequest): number {
  return Math.min(expiresAt, ctx.at + expiresAt - sentAt)
}

function orderOf(request: WalletRequest): string | undefined {
  return idIn('order', request.purpose)
}

/** The failure of a wallet's error, in our words. An empty error object has code 0. */
function refusal(error: { code: number; message: string } | undefined, method: string): Failure {
  const { code, message } = error ?? { code: 0, message: '' }
  // A wallet that may have sent already: only the protocol's codes are a rejection, as its words may quote another party
  const words = method === 'solana_signAndSendTransaction' ? '' : message
  if (isRejection({ code, message: words }))
    return { code: 'user_rejected', message: 'the person declined in the wallet' }
  return {
    code: 'bad_response',
    message: `the wallet answered with error ${code}${message === '' ? '' : `: ${message}`}`,
    facts: { code },
  }
}

/** The answer to a page's request, of any content; a signature by another key is refused. */
function answeredPage(ctx: Ctx, request: OpenRequest, payload: Payload): void {
  const { requestId } = request
  if (payload.kind === 'error') return fail(ctx, request, pageRefusal(payload.error), payload.answer)
  if (payload.kind !== 'result') return fail(ctx, request, malformed)
  if (payload.otherSigner) return fail(ctx, request, otherSigner)
  ctx.fact('request.answered', { requestId, ...saidIn(payload) })
}

function lateOfPage(ctx: Ctx, request: EndedRequest, payload: Payload): void {
  if (payload.kind !== 'result' && payload.kind !== 'error') return
  const { answer } = payload
  const late = payload.kind === 'error' ? (answer === undefined ? {} : { error: answer }) : saidIn(payload)
  forgetReplaced(ctx, request, late)
  ctx.fact('request.late', { requestId: request.requestId, ...late })
}

function answered(ctx: Ctx, request: OpenRequest, payload: Payload): void {
  if (payload.kind === 'error') return fail(ctx, request, refusal(payload.error, request.method))
  const orderId = orderOf(request)
  ctx.fact('request.answered', { requestId: request.requestId })
  if (orderId === undefined) return
  const { signature, bytesRef, decoded } = payload
  if (request.method === 'solana_signTransaction' && signature !== undefined && bytesRef !== undefined && decoded) {
    return orderSigned(ctx, orderId, { signature, bytesRef, decoded })
  }
  if (request.method === 'solana_signTransaction' && signature !== undefined)
    return orderSignedBare(ctx, orderId, signature)
  if (request.method === 'solana_signAndSendTransaction' && signature !== undefined)
    return orderSent(ctx, orderId, signature)
  orderRefused(ctx, orderId, { code: 'bad_response', message: 'the wallet answered without a signed transaction' })
}

/** @returns the request that this message answers; it may have ended, and its session too */
export function answersRequest({ model }: Ctx, topic: string, { kind, id }: Payload): WalletRequest | undefined {
  if (kind !== 'result' && kind !== 'error' && kind !== 'unopened') return undefined
  const request = own(model.request, id)
  return request?.sessionTopic === topic ? request : undefined
}

/** Handles a wallet's answer to a request. */
export function messageOnRequest(ctx: Ctx, open: WalletRequest, payload: Payload): void {
  if (isOfPage(open)) return isEnded(open) ? lateOfPage(ctx, open, payload) : answeredPage(ctx, open, payload)
  if (payload.kind === 'unopened') return open.phase === 'ended' ? undefined : fail(ctx, open, unread)
  if (open.phase !== 'ended') return answered(ctx, open, payload)
  ctx.fact('request.late', { requestId: open.requestId })
  const orderId = orderOf(open)
  // Equal bytes of one order share a ref: bytes the order still uses stay
  const order = orderId === undefined ? undefined : own(ctx.model.order, orderId)
  if (!order || signedRefOf(order) !== payload.bytesRef) forgetBytes(ctx, payload.bytesRef)
  if (orderId !== undefined && payload.signature !== undefined && open.method === 'solana_signAndSendTransaction')
    orderSent(ctx, orderId, payload.signature)
}

/** The wallet's answer is quarantined. */
export function requestFailed(ctx: Ctx, topic: string, payloadId: string): void {
  const open = own(ctx.model.request, payloadId)
  if (open && open.sessionTopic === topic && open.phase !== 'ended') fail(ctx, open, unusable)
}

export const requestMail: MailOwner = {
  unsent: failNotAsked,
  refused(ctx, requestId, failure) {
    const open = own(ctx.model.request, requestId)
    if (open && open.phase !== 'ended') fail(ctx, open, failure)
  },
}

export const request: Decider = {
  timers: {
    request: (ctx, requestId) => {
      const open = ctx.model.request[requestId]
      if (!open || open.phase === 'ended') return
      if (isOfPage(open)) return fail(ctx, open, ranOut)
      const seconds = (open.expiresAt - open.sentAt) / 1000
      fail(ctx, open, {
        code: 'wallet_gone',
        message: `the wallet expected to answer within ${seconds} s, sent nothing`,
      })
    },
    // The request's turn has come
    ask: (ctx, requestId) => {
      const open = ctx.model.request[requestId]
      if (open?.phase === 'sent') askForPage(ctx, open)
    },
  },
  resume: ctx => {
    for (const open of Object.values(ctx.model.request)) {
      if (open.phase === 'ended') continue
      ctx.effect('timer.set', { timerId: `request:${open.requestId}`, at: endOf(ctx, open) })
      if (open.phase !== 'sent' || !isStillAsked(ctx, open)) continue
      const isQueued = Object.values(ctx.model.outbox).some(outgoing => outgoing.payloadId === open.requestId)
      if (isQueued) continue
      // A session that has expired ends in this very step, and the request with it
      const session = own(ctx.model.session, open.sessionTopic)
      if (session && session.expiresAt <= ctx.at) continue
      if (isOfPage(open)) askForPage(ctx, open)
      const order = ctx.model.order[orderOf(open) ?? '']
      const { method } = open
      if (order?.phase !== 'awaitingSignature') continue
      if (method === 'solana_signTransaction' || method === 'solana_signAndSendTransaction')
        publishRequest(ctx, open, { method, bytesRef: order.built.bytesRef, pubkey: order.account })
    }
  },
}
