/** Requests of a page through the provider: their spacing, and their failures in the protocol's words. */
import type { Failure } from '../../../runtime/failure.ts'
import type { OpenRequest, WalletRequest } from '../../../events/subjects/session/requestState.ts'
import { idIn } from '../../../events/values/reference.ts'
import type { Ctx, InputData } from '../../core/context.ts'
import { isRejection, sdkErrors, wcError } from '../../walletconnect/relay/errors.ts'
import { publishRequest } from './askSession.ts'

/** Time between two requests, ms: official wallets show one a second. */
const spacingMs = 1000

export function isOfPage({ purpose }: Pick<WalletRequest, 'purpose'>): boolean {
  return idIn('page', purpose) !== undefined
}

/**
 * @returns when the next request may go out to a session: at once if its wallet has no pending one, else a second after the
 *   last one
 */
export function askAt(ctx: Ctx, sessionTopic: string): number {
  let at = ctx.at
  for (const request of Object.values(ctx.model.request))
    if (request.sessionTopic === sessionTopic && request.phase !== 'ended')
      at = Math.max(at, (request.askAt ?? request.sentAt) + spacingMs)
  return at
}

/** Publishes a page's request, or sets the timer for its turn. */
export function askForPage(ctx: Ctx, request: Omit<OpenRequest, 'phase'>): void {
  const { requestId, method, params = 'null', askAt: at = 0 } = request
  // The clock may have been set back since
  if (at > ctx.at && at <= ctx.at + 60 * spacingMs) ctx.effect('timer.set', { timerId: `ask:${requestId}`, at })
  else publishRequest(ctx, request, { method, params })
}

/** The session is over, ended by either side. */
export const disconnected: Failure = {
  code: 'wallet_gone',
  message: sdkErrors.USER_DISCONNECTED.message,
  facts: { code: sdkErrors.USER_DISCONNECTED.code },
}

export const ranOut: Failure = {
  code: 'expired',
  message: 'Request expired. Please try again.',
  facts: { code: wcError('EXPIRED').code },
}

export const malformed: Failure = {
  code: 'bad_response',
  message: "the wallet's answer expected a result or an error, got both, neither or no version",
}

export const otherSigner: Failure = {
  code: 'account_changed',
  message: 'the wallet signed with another account than was asked for',
}

/** @returns why a request was not sent: for a session without a key in the official client's words */
export function notAsked({ sessionTopic }: WalletRequest, failure: Failure): Failure {
  if (failure.code !== 'expired') return failure
  const { code, message } = wcError('MISSING_OR_INVALID', `session topic does not exist in keychain: ${sessionTopic}`)
  return { code: 'expired', message, facts: { code } }
}

/** @returns the failure of a page's request; the wallet's own error is recorded beside it, verbatim */
export function pageRefusal(error: { code: number; message: string } = { code: 0, message: '' }): Failure {
  const { code, message } = error
  if (isRejection(error))
    return { code: 'user_rejected', message: 'the person declined in the wallet', facts: { code } }
  const silent = code === 0 && message === ''
  const words = silent
    ? 'the wallet refused the request without saying why'
    : `the wallet answered with error ${code}${message === '' ? '' : `: ${message}`}`
  return { code: 'bad_response', message: words, facts: { code } }
}

/** @returns the result of a wallet's payload for the fact */
export function saidIn({ answer, answerRef }: InputData<'relay.message'>['payload']): {
  result?: string
  resultRef?: string
} {
  if (answerRef !== undefined) return { resultRef: answerRef }
  return answer === undefined ? {} : { result: answer }
}
